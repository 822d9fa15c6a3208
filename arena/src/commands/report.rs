//! `arena report`: the page and the CSV files of a results directory, from its journal.

use super::output::say;
use super::{Refusal, ReportArgs, run};
use crate::config::Overrides;
use crate::course::Course;
use crate::exit::Exit;
use crate::record::{Contents, Journal};
use crate::report::html;
use crate::results;
use crate::schedule::Schedule;

pub(super) fn report(args: &ReportArgs) -> Result<Exit, Refusal> {
    let dir = &args.dir;
    let tournament = run::load(&dir.join(results::CONFIG), &Overrides::default())?;
    let Contents { header, index, .. } = Journal::read(dir, tournament.names())?;
    let schedule = Schedule::new(&tournament).part(header.shard);
    let mut course = Course::new(&tournament);
    course.advance(&tournament, &schedule, &index);
    results::write(dir, &tournament, &schedule, &index, &course)?;
    say(format_args!("report: {}", dir.join(html::FILE).display()));
    Ok(Exit::Done)
}
