//! The proven values of positions: the starts, and some first moves. The proofs are those of
//! `bots/solve/SOLVED.md`.

use std::collections::HashMap;
use std::sync::LazyLock;

use fanorona_protocol::rules::{Opening, Position, Ruleset, Side, Start, VelaStarter};
use serde::Serialize;

/// The proven value of a position under perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Proof {
    WhiteWins,
    BlackWins,
    Draw,
    /// White does not win; whether Black does is open.
    BlackHolds,
}

use Proof::{BlackHolds, BlackWins, Draw, WhiteWins};

/// Boards, moves from the start, and the value of a riatra by the default rules.
const RIATRA: [(&str, &str, Proof); 17] = [
    ("tsivy", "", Draw),
    ("tsivy", "f2e3A", Draw),
    ("tsivy", "d3e3A", Draw),
    ("tsivy", "d2e3A", BlackHolds),
    ("tsivy", "e2e3A", BlackHolds),
    ("tsivy", "d3e3W", BlackHolds),
    ("left-right", "", BlackHolds),
    ("telo", "", WhiteWins),
    ("5x3", "", WhiteWins),
    ("3x5", "", WhiteWins),
    ("7x3", "", WhiteWins),
    ("3x7", "", WhiteWins),
    ("dimy", "", Draw),
    ("9x3", "", WhiteWins),
    ("3x9", "", WhiteWins),
    ("5x7", "", WhiteWins),
    ("7x5", "", Draw),
];

/// The same of a vela; White is the debtor and begins.
const VELA: [(&str, &str, Proof); 11] = [
    ("telo", "", WhiteWins),
    ("5x3", "", WhiteWins),
    ("3x5", "", Draw),
    ("7x3", "", WhiteWins),
    ("3x7", "", BlackWins),
    ("dimy", "", BlackWins),
    ("9x3", "", WhiteWins),
    ("3x9", "", BlackWins),
    ("5x7", "", BlackWins),
    ("7x5", "", BlackHolds),
    ("7x5", "d2d3A", BlackWins),
];

/// Every position of the tables as the representative of its images, as text without counters.
static KNOWN: LazyLock<HashMap<String, Proof>> = LazyLock::new(|| {
    let rules = Ruleset::default();
    let riatra = RIATRA.map(|(board, line, proof)| (start(board).riatra(), line, proof));
    let vela =
        VELA.map(|(board, line, proof)| (start(board).vela(VelaStarter::Debtor), line, proof));
    let rows = riatra.into_iter().chain(vela);
    rows.map(|(start, line, proof)| {
        let played = line.split_whitespace().fold(start, |position, word| {
            let mv = word.parse().expect("the table holds moves");
            position.play(&rules, &mv).expect("the table holds legal moves")
        });
        (key(&played), proof)
    })
    .collect()
});

fn start(board: &str) -> Start {
    board.parse().expect("the table holds boards")
}

/// The stones, the side to move and the debtor of a position's representative.
fn key(position: &Position) -> String {
    let text = position.canonical().0.to_string();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A row of the tables for the page of solved games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct SolvedView {
    board: &'static str,
    columns: usize,
    rows: usize,
    vela: bool,
    start: String,
    moves: Vec<&'static str>,
    /// The name of the first move, if it has one.
    opening: Option<&'static str>,
    value: Proof,
}

/// `/api/solved`: what is proven of every start and of some first moves.
pub(crate) fn solved() -> Vec<SolvedView> {
    let view = |&(board, line, value): &(&'static str, &'static str, Proof), vela: bool| {
        let start = start(board);
        let position = if vela { start.vela(VelaStarter::Debtor) } else { start.riatra() };
        let moves: Vec<_> = line.split_whitespace().collect();
        let first = moves.first().map(|word| word.parse().expect("the table holds moves"));
        let size = position.board().size();
        SolvedView {
            board,
            columns: size.columns(),
            rows: size.rows(),
            vela,
            start: position.to_string(),
            opening: first.and_then(|mv| Some(Opening::from_game(&position, &mv)?.name())),
            moves,
            value,
        }
    };
    let riatra = RIATRA.iter().map(|row| view(row, false));
    riatra.chain(VELA.iter().map(|row| view(row, true))).collect()
}

/// The proven value of a position, and the values of those after its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct ProvenView {
    value: Option<Proof>,
    moves: Vec<ProvenMove>,
}

/// A legal move after which the value is proven.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct ProvenMove {
    text: String,
    value: Proof,
}

/// Returns the proven value of a position by the default rules.
fn known(position: &Position) -> Option<Proof> {
    KNOWN.get(&key(position)).copied()
}

/// The winner of a position under perfect play, if its value is proven; `Some(None)` for a draw.
pub(crate) fn winner(position: &Position, rules: &Ruleset) -> Option<Option<Side>> {
    match known(position).filter(|_| *rules == Ruleset::default())? {
        WhiteWins => Some(Some(Side::White)),
        BlackWins => Some(Some(Side::Black)),
        Draw => Some(None),
        BlackHolds => None,
    }
}

/// Returns the proven values of a position by these rules. Only the default rules have been
/// searched for all the table's rows.
pub(crate) fn proven(position: &Position, rules: &Ruleset) -> ProvenView {
    if *rules != Ruleset::default() {
        return ProvenView { value: None, moves: Vec::new() };
    }
    let mut moves = Vec::new();
    for mv in position.legal_moves(rules) {
        let next = position.play(rules, &mv).ok();
        if let Some(value) = next.and_then(|next| known(&next)) {
            moves.push(ProvenMove { text: mv.to_string(), value });
        }
    }
    ProvenView { value: known(position), moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(board: &str) -> ProvenView {
        proven(&start(board).riatra(), &Ruleset::default())
    }

    #[test]
    fn the_usual_start_is_a_draw_that_two_moves_keep() {
        let seen = of("tsivy");
        assert_eq!(seen.value, Some(Draw));
        let mut moves: Vec<_> = seen.moves.iter().map(|it| (&*it.text, it.value)).collect();
        moves.sort_unstable_by_key(|it| it.0);
        let expected = [
            ("d2e3A", BlackHolds),
            ("d3e3A", Draw),
            ("d3e3W", BlackHolds),
            ("e2e3A", BlackHolds),
            ("f2e3A", Draw),
        ];
        assert_eq!(moves, expected);
        assert_eq!(of("left-right").value, Some(BlackHolds));
    }

    #[test]
    fn the_page_of_solved_games_names_every_first_move() {
        let rows = solved();
        let firsts = rows.iter().filter(|row| row.board == "tsivy" && !row.moves.is_empty());
        let mut named: Vec<_> = firsts.map(|row| (row.moves[0], row.opening)).collect();
        named.sort_unstable();
        let expected = [
            ("d2e3A", "Lehavia"),
            ("d3e3A", "Kobaka Fohy"),
            ("d3e3W", "Kobaka Lava"),
            ("e2e3A", "Vakiloha"),
            ("f2e3A", "Lehavanana"),
        ];
        assert_eq!(named, expected.map(|(mv, name)| (mv, Some(name))));
    }

    #[test]
    fn every_first_move_has_a_line_of_legal_moves() {
        let file: serde_json::Value =
            serde_json::from_str(include_str!("script/solved_lines.json")).unwrap();
        let start: Position = file["start"].as_str().unwrap().parse().unwrap();
        assert_eq!(start, Start::TSIVY.riatra());
        let rules = Ruleset::default();
        for mv in start.legal_moves(&rules) {
            let line = file["lines"][mv.to_string()].as_str().unwrap();
            assert!(line.starts_with(&format!("{mv} ")), "{line}");
            line.split(' ').fold(start, |position, word| {
                position.play(&rules, &word.parse().unwrap()).unwrap()
            });
        }
    }

    #[test]
    fn values_hold_for_the_default_rules_only() {
        let rules: Ruleset = "forced-continuation".parse().unwrap();
        let start = Start::TSIVY.riatra();
        assert_eq!(proven(&start, &rules), ProvenView { value: None, moves: Vec::new() });
    }

    #[test]
    fn a_vela_is_another_game_than_a_riatra() {
        let rules = Ruleset::default();
        assert_eq!(of("dimy").value, Some(Draw));
        let vela = start("dimy").vela(VelaStarter::Debtor);
        assert_eq!(proven(&vela, &rules).value, Some(BlackWins));
    }

    /// Every row stands in the tables of the page on solved games.
    #[test]
    fn the_values_are_those_of_the_page_on_solved_games() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/solve/SOLVED.md");
        let text = std::fs::read_to_string(path).unwrap();
        let row = |section: &str, board: &str| {
            let from = text.find(section).unwrap();
            let head = format!("| {board} | ");
            let at = from + text[from..].find(&head).unwrap() + head.len();
            text[at..].split(" |").next().unwrap().split(" (").next().unwrap().to_owned()
        };
        let word = |board: &str| match board {
            "telo" => "3×3".to_owned(),
            "dimy" => "5×5".to_owned(),
            board => board.replace('x', "×"),
        };
        for (board, _, proof) in
            RIATRA.iter().filter(|row| !["tsivy", "left-right"].contains(&row.0))
        {
            let value = row("### The small boards", &word(board));
            assert_eq!(value, if *proof == Draw { "a draw" } else { "White wins" }, "{board}");
        }
        for (board, _, proof) in VELA.iter().skip(1).filter(|row| row.1.is_empty()) {
            let value = match proof {
                WhiteWins => "debtor wins",
                BlackWins => "creditor wins",
                Draw => "a draw",
                _ => "creditor holds",
            };
            assert_eq!(row("### Vela", &word(board)), value, "{board}");
        }
        for claim in [
            "Fanorona on 9×5 is a draw",
            "holds it against every first move",
            "| `d3e3A` | Kobaka Fohy | `bbbbbbbbb/bbbbbbbbb/bWb1W1WbW/WWWWWWWWW/WWWWWWWWW b` | a draw |",
            "On 3×3 there is no phase one, so vela is the same as riatra",
            "after `d2d3A`, one of White's three first moves, the creditor wins",
        ] {
            assert!(text.replace("\n", " ").contains(claim), "{claim}");
        }
    }
}
