//! Many candidates against one base: the table `[candidates]`.

use super::sprt;
use super::table::Table;
use fanorona_ratings::sprt::{Sprt, SprtOptions};

/// The base of a tournament of candidates, and their tests.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct CandidateRules {
    /// The engine that every other one plays.
    pub base: String,
    /// The hypotheses about the lead of a candidate over the base, and the risks; `alpha` is the
    /// error over all candidates (see [`fanorona_ratings::sprt::Candidates`]).
    #[serde(flatten)]
    pub test: SprtOptions,
}

/// Reads the table of a tournament of these engines; `None` after an error.
pub(super) fn candidates(table: &mut Table<'_>, engines: &[&str]) -> Option<CandidateRules> {
    let base = base(table, engines);
    let test = sprt::sprt(table).as_ref().map(Sprt::options).copied();
    base.zip(test).map(|(base, test)| CandidateRules { base, test })
}

/// The name of the base, which is that of an engine. Without engines, that is the error.
fn base(table: &mut Table<'_>, engines: &[&str]) -> Option<String> {
    let expected = "the name of an engine, like \"old\"";
    if !table.has("base") {
        table.missing("base", &format!("`base`, {expected}"));
    }
    table.parsed("base", expected, |name| {
        let is_known = engines.is_empty() || engines.contains(&name);
        is_known.then(|| name.to_owned()).ok_or_else(|| {
            let hint = match super::nearest(name, engines) {
                Some(nearest) => format!("did you mean {nearest:?}?"),
                None => format!("the engines are {}", engines.join(", ")),
            };
            format!("no engine is named {name:?}: {hint}")
        })
    })
}
