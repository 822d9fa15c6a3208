//! The different choices of two engines: tables and boards, for a terminal and as pages in Markdown
//! and HTML.

use std::fmt::Write;

use fanorona_protocol::rules::PointSet;
use serde::Serialize;

use super::html::difference::{DataTable, DifferencePage};
use super::table::in_parts;
use crate::statistics::choices::{Compared, Counts, LEVEL, costliest, table};
use crate::statistics::phase::Phase;
use crate::statistics::style::Style;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::notation::board::{self, Trace, draw};
use fanorona_tournament::text::plural::counted;

/// Everything that `arena diff` has found.
#[derive(Clone, Debug)]
pub struct DifferenceReport<'d> {
    /// The title of the tournament.
    pub title: &'d str,
    /// The two engines.
    pub names: [&'d str; 2],
    /// The judge, and its limit in words.
    pub judge: [&'d str; 2],
    /// The compared positions.
    pub compared: &'d [Compared],
    /// The styles of the engines in all their games of the tournament.
    pub styles: [Style; 2],
    /// The number of positions to draw.
    pub boards: usize,
}

/// A table of texts.
struct Sheet {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A row of `diff.csv`.
#[derive(Serialize)]
struct Row {
    game: String,
    ply: usize,
    kind: &'static str,
    phase: Phase,
    position: String,
    first: String,
    second: String,
    differ: bool,
    judge: String,
    chance_first: Option<f64>,
    chance_second: Option<f64>,
    exact: bool,
}

impl DifferenceReport<'_> {
    /// The tables and boards as text.
    pub fn terminal(&self, style: board::Style, width: Option<usize>) -> String {
        let mut text = format!("{}\n\n", self.summary());
        for (_, _, sheet) in self.sheets() {
            for part in in_parts(&sheet.header, &sheet.rows, width.unwrap_or(usize::MAX)) {
                let _ = writeln!(text, "{part}\n");
            }
        }
        for it in costliest(self.compared, self.boards) {
            text += &self.board(it, style);
            text.push('\n');
        }
        text.trim_end().to_owned()
    }

    /// The tables and boards as a Markdown page.
    pub fn markdown(&self) -> String {
        let [one, other] = self.names.map(escaped);
        let mut text =
            format!("# {one} and {other} in {}\n\n{}\n\n", escaped(self.title), self.summary());
        for (_, title, sheet) in self.sheets() {
            let _ = write!(text, "## {title}\n\n{}\n", sheet.markdown());
        }
        let costly = costliest(self.compared, self.boards);
        if !costly.is_empty() {
            text += "## The costliest differences\n\n";
        }
        for it in costly {
            let _ = write!(text, "```text\n{}```\n\n", self.board(it, board::Style::default()));
        }
        text.trim_end().to_owned() + "\n"
    }

    /// The tables and boards as an HTML page in the look of the report.
    pub fn html(&self) -> String {
        let tables = self.sheets().map(|(id, title, sheet)| (id, title, sheet.unnumbered()));
        let page = DifferencePage {
            title: self.title,
            names: self.names,
            summary: self.summary(),
            explanation: explanation(),
            tables: tables.into(),
            costliest: costliest(self.compared, self.boards),
        };
        page.html()
    }

    /// The tables, each with an id and a title.
    fn sheets(&self) -> [(&'static str, &'static str, Sheet); 3] {
        [
            ("choices", "Choices", self.choices()),
            ("style", "Style", self.style()),
            ("effort", "Time and depth", self.effort()),
        ]
    }

    /// Every compared position as CSV.
    pub fn csv(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        for it in self.compared {
            let [first, second] = it.choices.map(|mv| mv.to_string());
            let chance = |place: usize| it.chances.map(|chances| rounded(chances[place]));
            out.serialize(Row {
                game: it.situation.game.to_string(),
                ply: it.situation.moves.len() + 1,
                kind: it.situation.kind.name(),
                phase: it.phase(),
                position: it.situation.position.to_string(),
                first,
                second,
                differ: it.differ,
                judge: it.best.map_or(String::new(), |mv| mv.to_string()),
                chance_first: chance(0),
                chance_second: chance(1),
                exact: it.exact,
            })
            .expect("memory takes every row");
        }
        String::from_utf8(out.into_inner().expect("memory is flushed")).expect("it is text")
    }

    /// The result in words.
    fn summary(&self) -> String {
        let counts = Counts::of(self.compared);
        let [one, other] = self.names;
        let [judge, limit] = self.judge;
        let positions = counted(counts.positions, "position", "positions");
        let Counts { differ, right: [first, second], level, .. } = counts;
        let exact = self.compared.iter().filter(|it| it.chances.is_some() && it.exact).count();
        let mut text = format!(
            "{one} (1) and {other} (2) choose differently in {differ} of {positions} ({}). {judge} ({limit}) \
             prefers the choice of {one} in {first}, that of {other} in {second}, and holds both to \
             be level in {level}",
            percent(differ, counts.positions),
        );
        let judged = first + second + level;
        if judged < differ {
            let _ = write!(text, "; it does not judge {}", differ - judged);
        }
        if exact > 0 {
            let are = if exact == 1 { "is" } else { "are" };
            let _ = write!(text, "; {exact} of its judgements {are} exact");
        }
        text + "."
    }

    fn choices(&self) -> Sheet {
        let header = [
            "#",
            "positions",
            "asked",
            "differ",
            "1 better",
            "2 better",
            "level",
            "1 lost",
            "2 lost",
            "1 as judge",
            "2 as judge",
        ];
        let row = |(number, (place, counts)): (usize, (Option<(Kind, Phase)>, Counts))| {
            let Counts { positions, differ, right, level, lost, agrees } = counts;
            let place = match place {
                Some((kind, phase)) => format!("{kind}, {}", phase.word()),
                None => "all".to_owned(),
            };
            let mean = |lost: f64| match positions {
                0 => "-".to_owned(),
                positions => format!("{:.3}", lost / positions as f64),
            };
            vec![
                (number + 1).to_string(),
                place,
                positions.to_string(),
                differ.to_string(),
                right[0].to_string(),
                right[1].to_string(),
                level.to_string(),
                mean(lost[0]),
                mean(lost[1]),
                percent(agrees[0], positions),
                percent(agrees[1], positions),
            ]
        };
        let header = header.map(str::to_owned).to_vec();
        Sheet { header, rows: table(self.compared).into_iter().enumerate().map(row).collect() }
    }

    fn style(&self) -> Sheet {
        let header = [
            "#",
            "engine",
            "moves",
            "captures",
            "largest taken",
            "stones per capture",
            "chain",
            "withdrawals",
        ];
        let row = |(number, (name, style)): (usize, (&&str, &Style))| {
            let share = |share: Option<f64>| {
                share.map_or("-".to_owned(), |it| format!("{:.0} %", 100.0 * it))
            };
            let mean = |mean: Option<f64>| mean.map_or("-".to_owned(), |it| format!("{it:.2}"));
            vec![
                (number + 1).to_string(),
                (*name).to_owned(),
                style.moves.to_string(),
                style.captures.to_string(),
                share(style.largest_share()),
                mean(style.stones_per_capture()),
                mean(style.chain_length()),
                share(style.withdrawal_share()),
            ]
        };
        let rows = self.names.iter().zip(&self.styles).enumerate().map(row).collect();
        Sheet { header: header.map(str::to_owned).to_vec(), rows }
    }

    fn effort(&self) -> Sheet {
        let mut header = ["#", "engine"].map(str::to_owned).to_vec();
        for phase in Phase::ALL {
            header.extend([format!("{} ms", phase.word()), format!("{} depth", phase.word())]);
        }
        let row = |(number, (name, style)): (usize, (&&str, &Style))| {
            let mean = |mean: Option<f64>| mean.map_or("-".to_owned(), |it| format!("{it:.1}"));
            let mut row = vec![(number + 1).to_string(), (*name).to_owned()];
            for phase in style.phases {
                row.extend([mean(phase.mean_ms()), mean(phase.mean_depth())]);
            }
            row
        };
        let rows = self.names.iter().zip(&self.styles).enumerate().map(row).collect();
        Sheet { header, rows }
    }

    /// A position with the better choice drawn on it.
    fn board(&self, it: &Compared, style: board::Style) -> String {
        let before = &it.situation.position;
        let better = it.choices[it.right().unwrap_or_default()];
        let path = std::iter::once(better.from()).chain(better.points()).collect();
        let captured = PointSet::empty(before.board().size());
        let trace = Trace { path, captured };
        let mut text = format!(
            "game {} {}, move {}: {} to move\n",
            it.situation.game,
            it.situation.kind,
            it.situation.moves.len() + 1,
            before.side_to_move()
        );
        text += &draw(before.board(), Some(&trace), style);
        let mut lines: Vec<(f64, String)> = (0..2)
            .map(|who| {
                let chance = it.chances.map_or(0.0, |chances| chances[who]);
                let (name, mv) = (self.names[who], it.choices[who]);
                (chance, format!("{name}: {mv}, winning chance {:.0} %\n", 100.0 * chance))
            })
            .collect();
        lines.sort_by(|one, other| other.0.total_cmp(&one.0));
        text.extend(lines.into_iter().map(|(_, line)| line));
        text
    }
}

impl Sheet {
    /// The table for an HTML page, without the column of numbers.
    fn unnumbered(self) -> DataTable {
        let rest = |mut cells: Vec<String>| cells.split_off(1);
        DataTable { header: rest(self.header), rows: self.rows.into_iter().map(rest).collect() }
    }

    /// The table in Markdown, without the column of numbers.
    fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells[1..].iter().map(|cell| escaped(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = self.header[1..].iter().enumerate();
        let rule: String =
            rule.map(|(place, _)| if place == 0 { "|---" } else { "|--:" }).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}{rule}|\n{rows}", line(&self.header))
    }
}

/// A text in which nothing is taken for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\`*_{}[]<>#|&".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".to_owned(),
        whole => format!("{:.0} %", 100.0 * part as f64 / whole as f64),
    }
}

fn rounded(chance: f64) -> f64 {
    (chance * 1e4).round() / 1e4
}

/// Returns the explanation of the tables, for the terminal and the page.
pub fn explanation() -> String {
    format!(
        "better: the judge gives this choice at least {:.0} % more winning chance; lost: the mean \
         winning chance lost against the better choice, over all positions; as judge: the choice is \
         the judge's own",
        100.0 * LEVEL
    )
}
