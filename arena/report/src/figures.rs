//! Formats numbers for readers: never NaN, and open ends are named.

use fanorona_protocol::messages::Score;

use crate::statistics::engine_accuracy::Judgement;

/// An Elo value to one decimal place; `unbounded` if there is none.
pub(super) fn elo(value: Option<f64>) -> String {
    // Adding zero turns -0 into 0.
    value.map_or("unbounded".to_owned(), |elo| format!("{:.1}", (elo * 10.0).round() / 10.0 + 0.0))
}

/// An Elo difference with its sign.
pub(super) fn signed(value: Option<f64>) -> String {
    match value {
        None => "unbounded".to_owned(),
        Some(elo) => format!("{:+.0}", elo.round() + 0.0),
    }
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A likelihood of superiority as a percentage, never rounded to 0 or 100.
pub fn los(share: f64) -> String {
    match share {
        share if share > 0.9995 => ">99.9".to_owned(),
        share if share < 0.0005 => "<0.1".to_owned(),
        share => percent(share),
    }
}

/// Half points as points.
pub(super) fn points(halves: u64) -> String {
    match halves % 2 {
        0 => (halves / 2).to_string(),
        _ => format!("{}.5", halves / 2),
    }
}

/// A score in stones with its sign, or a proven win or loss in plies.
pub(super) fn score(score: Score) -> String {
    match score {
        Score::Cp(hundredths) => format!("{:+.2}", f64::from(hundredths) / 100.0),
        Score::Win(plies) => format!("win {plies}"),
        Score::Loss(plies) => format!("loss {plies}"),
    }
}

/// A number with so many decimal places; empty if there is none.
pub(super) fn places(value: Option<f64>, places: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.places$}"))
}

/// The accuracy of an engine and its inaccuracies, mistakes and blunders per game; empty where there
/// are no moves.
pub(super) fn judgement(judged: &Judgement) -> [String; 4] {
    let moves = &judged.moves;
    let per_game = |count| places(judged.per_game(count), 2);
    [
        places(moves.accuracy, 1),
        per_game(moves.inaccuracies),
        per_game(moves.mistakes),
        per_game(moves.blunders),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_plain() {
        assert_eq!(elo(Some(-0.04)), "0.0");
        assert_eq!(elo(Some(12.345)), "12.3");
        assert_eq!(elo(None), "unbounded");
        assert_eq!(signed(Some(-0.2)), "+0");
        assert_eq!(signed(Some(-40.6)), "-41");
        assert_eq!(percent(0.9987), "99.9");
        assert_eq!(
            (los(0.9996), los(0.9994), los(0.5)),
            (">99.9".into(), "99.9".into(), "50.0".into())
        );
        assert_eq!((los(0.0004), los(0.0006)), ("<0.1".into(), "0.1".into()));
        assert_eq!((points(7), points(8)), ("3.5".into(), "4".into()));
    }
}
