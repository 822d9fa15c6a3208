//! Scores in the short form of tables, pages and reports.

/// A score in short form: `cp 5` is `5`, `win 3` is `w3`, `loss 4` is `l4`, no score is empty.
pub fn short_score(score: &str) -> String {
    match score.split_once(' ') {
        Some(("cp", hundredths)) => hundredths.to_owned(),
        Some(("win", plies)) => format!("w{plies}"),
        Some(("loss", plies)) => format!("l{plies}"),
        _ => String::new(),
    }
}

/// A score from its short form.
pub fn long_score(short: &str) -> String {
    match (short.as_bytes().first(), short.get(1..)) {
        (None, _) => String::new(),
        (Some(b'w'), Some(plies)) => format!("win {plies}"),
        (Some(b'l'), Some(plies)) => format!("loss {plies}"),
        _ => format!("cp {short}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_a_short_form() {
        for (score, short) in [("cp -35", "-35"), ("win 3", "w3"), ("loss 12", "l12"), ("", "")] {
            assert_eq!(short_score(score), short);
            assert_eq!(long_score(short), score);
        }
        assert_eq!(short_score("cp"), "");
    }
}
