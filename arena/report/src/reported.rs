//! The reports of engines besides their moves, in sentences.

use crate::phrase::Phrase;
use fanorona_tournament::diagnostics::engine_reports::{EngineReports, Excerpt, NamedReport};

/// This many engines are named in each of the sentences about errors and about output.
const MAX_NAMED: usize = 5;

/// A sentence for each engine that reported errors; after some, one for all others.
pub fn errors(reports: &EngineReports) -> Vec<Phrase> {
    let said = reports.errors().map(|(named, first)| {
        said(Phrase::new("reported.error"), &named, named.report.error_moves, first)
    });
    some_of(said, "reported.error.more")
}

/// A sentence for each engine that wrote to standard error without reporting errors; after some, one
/// for all others.
pub fn output(reports: &EngineReports) -> Vec<Phrase> {
    let said = reports.named().filter(|it| it.report.first_error.is_none()).filter_map(|named| {
        let first = named.report.first_output.as_ref()?;
        Some(said(Phrase::new("reported.output"), &named, named.report.stderr_moves, first))
    });
    some_of(said, "reported.output.more")
}

fn said(what: Phrase, named: &NamedReport<'_>, moves: u64, first: &Excerpt) -> Phrase {
    let share = match moves {
        0 => Phrase::new("reported.between"),
        _ => Phrase::new("reported.in").text("moves", moves).text("n", named.report.moves),
    };
    let what = what.name("engine", named.engine).phrase("share", share);
    what.text("game", &first.game).name("text", &first.text)
}

fn some_of(sentences: impl Iterator<Item = Phrase>, more: &'static str) -> Vec<Phrase> {
    let mut sentences: Vec<Phrase> = sentences.collect();
    let others = sentences.len().saturating_sub(MAX_NAMED);
    if others > 0 {
        sentences.truncate(MAX_NAMED);
        sentences.push(Phrase::new(more).text("n", others));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::game::reported::Reported;
    use fanorona_tournament::record::GameRecord;
    use fanorona_tournament::record::example::game;

    /// The reports of these engines as White, each asked for five moves.
    fn reports(of: &[(&str, Reported)]) -> EngineReports {
        let mut reports = EngineReports::default();
        for (name, reported) in of {
            let reported = [Reported { asked: 5, ..reported.clone() }, Reported::default()];
            let (white, black) = ((*name).to_owned(), "z".to_owned());
            reports.add(&GameRecord { white, black, reported, ..game("2.3") }, "2.3");
        }
        reports
    }

    fn texts(phrases: &[Phrase]) -> Vec<String> {
        phrases.iter().map(Phrase::to_string).collect()
    }

    #[test]
    fn errors_and_output_are_sentences() {
        let error =
            Reported { error_moves: 3, error: "KeyError: 7".to_owned(), ..Reported::default() };
        let output = |moves| {
            let stderr = vec!["depth 3".to_owned()];
            Reported { stderr_moves: moves, stderr, ..Reported::default() }
        };
        let reports = reports(&[("a", error), ("b", output(5)), ("c", output(0))]);
        let expected = ["a reported an error in 3 of 5 moves, first in game 2.3: KeyError: 7"];
        assert_eq!(texts(&errors(&reports)), expected);
        let expected = [
            "b wrote to standard error in 5 of 5 moves, first in game 2.3: depth 3",
            "c wrote to standard error between its moves, first in game 2.3: depth 3",
        ];
        assert_eq!(texts(&self::output(&reports)), expected);
    }

    #[test]
    fn many_engines_are_not_all_named() {
        let error = || Reported { error: "no".to_owned(), ..Reported::default() };
        let names: Vec<String> = (0..8).map(|number| number.to_string()).collect();
        let of: Vec<_> = names.iter().map(|name| (&**name, error())).collect();
        let said = texts(&errors(&reports(&of)));
        assert_eq!((said.len(), &*said[MAX_NAMED]), (6, "3 more engines reported errors"));
    }
}
