//! `arena report`: the page and the CSV files of a results directory, from its journal.

use super::output::say;
use super::{Refusal, ReportArgs, run};
use crate::config::Overrides;
use crate::course::Course;
use crate::exit::Exit;
use crate::record::{Contents, Journal};
use crate::report::html;
use crate::results;

pub(super) fn report(args: &ReportArgs) -> Result<Exit, Refusal> {
    let dir = &args.dir;
    let tournament = run::load(&dir.join(results::CONFIG), &Overrides::default())?;
    let Contents { header, index, .. } = Journal::read(dir, tournament.names())?;
    let mut course = Course::new(&tournament, header.shard);
    course.advance(&tournament, &index);
    results::write(dir, &tournament, &index, &course)?;
    say(format_args!("report: {}", dir.join(html::FILE).display()));
    Ok(Exit::Done)
}
