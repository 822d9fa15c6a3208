//! The hypotheses and risks of a sequential test: the table `[sprt]`, and the same keys of
//! `[candidates]`.

use super::table::Table;
use fanorona_ratings::sprt::{Sprt, SprtOptions};

/// Reads the keys of a test; `None` after an error.
pub(super) fn sprt(table: &mut Table<'_>) -> Option<Sprt> {
    let elo = "an Elo difference, a number from -400 to 400";
    let risk = "a number above 0 and below 0.5, like 0.05";
    let mut values = [0.0, 0.0, 0.05, 0.05];
    let mut good = true;
    for (value, key) in values.iter_mut().zip(["elo0", "elo1", "alpha", "beta"]) {
        let is_elo = key.starts_with("elo");
        let expected = if is_elo { elo } else { risk };
        match table.number(key, expected) {
            Some(number) if is_elo && (-400.0..=400.0).contains(&number) => *value = number,
            Some(number) if !is_elo && number > 0.0 && number < 0.5 => *value = number,
            Some(_) => {
                good = false;
                table.refuse(key, format!("expected {expected}"));
            }
            None if table.has(key) => good = false,
            None if is_elo => {
                good = false;
                table.missing(key, &format!("`{key}`, {elo}"));
            }
            None => {}
        }
    }
    let model = table.choice("model").unwrap_or_default();
    let [elo0, elo1, alpha, beta] = values;
    if good && elo0 >= elo1 {
        table.refuse("elo1", format!("elo1 must be greater than elo0, which is {elo0}"));
    }
    Sprt::new(SprtOptions { elo0, elo1, alpha, beta, model }).ok()
}
