//! A search in another process, which speaks the protocol: an engine of any version.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command as Process, Stdio};

use fanorona_bots::bot::Observer;
use fanorona_protocol::messages::{BestMove, Command, Dialect, Limits, Reply, Score, StartText};
use fanorona_protocol::rules::Position;

use crate::tactics::{Report, Reports};

/// A running engine.
pub(crate) struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts an engine and sets its options, each of them `NAME=VALUE`.
    pub(crate) fn start(command: &str, options: &[String]) -> io::Result<Program> {
        let mut child =
            Process::new(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut program = Program { child, input, output };
        program.tell(&Command::Handshake(Dialect::Ugi))?;
        for option in options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let value = Some(value.to_owned());
            program.tell(&Command::SetOption { name: name.to_owned(), value })?;
        }
        Ok(program)
    }

    /// The reports of a search of a position by an engine that knows nothing yet.
    pub(crate) fn search(&mut self, position: &Position, nodes: u64) -> io::Result<Vec<Report>> {
        let start = StartText::Fen(position.to_string());
        self.tell(&Command::NewGame)?;
        self.tell(&Command::Position { start, moves: Vec::new() })?;
        self.tell(&Command::Go(Limits::with_nodes(nodes)))?;
        let mut reports = Reports::default();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            match line.trim_end().parse() {
                Ok(Reply::Info(info)) => reports.info(*info),
                Ok(Reply::BestMove(BestMove::Move(mv))) => {
                    let last = reports.0.last();
                    let score = last.map_or(Score::Cp(0), |report| report.score);
                    let nodes = last.map_or(nodes, |report| report.nodes);
                    reports.0.push(Report { nodes, mv, score });
                    return Ok(reports.0);
                }
                _ => {}
            }
        }
    }

    fn tell(&mut self, command: &Command) -> io::Result<()> {
        writeln!(self.input, "{command}")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // An engine that is gone has nothing to quit.
        let _ = self.tell(&Command::Quit).and_then(|()| self.child.wait());
    }
}
