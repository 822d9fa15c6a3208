//! `arena analyse`: finds the mistakes in games, by an engine that judges moves or by an oracle that
//! knows endings.

mod arguments;
mod games;
mod oracle;
mod tournament;

use super::error::CliError;
use super::exit::Exit;
use super::recorded::RecordedTournament;
pub(super) use arguments::AnalyseArgs;

pub(super) const HELP: &str = "\
Examples:
  arena analyse games.fgn --engine bot-alphabeta
  arena analyse games.fgn --engine bot-alphabeta --out annotated.fgn
  arena analyse results/full --game 17 --engine bot-alphabeta --nodes 500000
  arena analyse results/full --engine bot-alphabeta
  arena analyse results/full --oracle bot-alphabeta --option EndgameTables=tables

The engine searches every position after the opening, by default 100000 nodes. A move that gives away \
winning chance is marked: 0.1 of a win or more is an inaccuracy (?!), 0.2 a mistake (?), 0.3 a blunder \
(??). The winning chance is 0.5 in an even position and 0.73 with a lead of 360 hundredths of a stone. \
Accuracy is 100 for a player who gives away nothing. A move without an alternative is not judged. \
--json prints one object per game with all positions.

All games of a results directory are judged if no --game is named, by default with 20000 nodes per \
position. The judgements are saved in its analysis.csv about once a minute, the report is written again, \
and a table shows the accuracy of every engine. Games that the same engine has analysed with the same \
limit are not analysed again.

An oracle is asked for the value of every position that a player of the tournament had to move in \
(`query value`). The values are saved in values.csv. From then on standings.csv, report.html and the \
last table show which engine gave away a win or a draw. Games with saved values are not asked again.

ENGINE is looked up beside the arena, in the current directory and on PATH; put it in quotes if it has \
arguments.";

pub(super) fn analyse(args: &AnalyseArgs) -> Result<Exit, CliError> {
    let dir = &args.file;
    match (&args.oracle, &args.engine) {
        (Some(command), _) => {
            let recorded = RecordedTournament::read(dir, args.force)?;
            oracle::ask(dir, &recorded, command, &args.option)?;
            recorded.report(dir, None)?;
        }
        (None, Some(command)) if args.is_of_tournament() => {
            args.check_of_tournament()?;
            let recorded = RecordedTournament::read(dir, args.force)?;
            tournament::analyse(dir, &recorded, command, args)?;
            recorded.report(dir, None)?;
        }
        (None, Some(command)) => {
            args.check_of_games()?;
            games::analyse(args, command)?;
        }
        (None, None) => unreachable!("clap requires one of both"),
    }
    Ok(Exit::Done)
}
