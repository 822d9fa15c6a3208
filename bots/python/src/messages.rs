//! The lines of the protocol, read and written by the same code as in the arena.

use fanorona_protocol::messages::{
    BestMove, Command, CommandError, Info, Limits, OptionKind, OptionSpec, Reply, Score, StartText,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::values::{Move, value_error};

type Fields<'py> = PyResult<Bound<'py, PyDict>>;

/// Reads a line from a manager. Returns the command's name and its fields. The name is `error`, with
/// the fields `why` and `of`, if the line is not a command; a `go` with unreadable words is still a
/// `go` that has `problems`.
#[pyfunction]
pub(crate) fn read_command<'py>(
    py: Python<'py>,
    line: &str,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let fields = PyDict::new(py);
    let name = match line.parse::<Command>() {
        Ok(Command::Handshake(dialect)) => {
            fields.set_item("ok", dialect.handshake_ok())?;
            "ugi"
        }
        Ok(Command::IsReady) => "isready",
        Ok(Command::SetOption { name, value }) => {
            fields.set_item("name", name)?;
            fields.set_item("value", value)?;
            "setoption"
        }
        Ok(Command::NewGame) => "uginewgame",
        Ok(Command::Position { start, moves }) => {
            let fen = match start {
                StartText::Startpos => None,
                StartText::Fen(fen) => Some(fen),
            };
            fields.set_item("fen", fen)?;
            fields.set_item("moves", moves)?;
            "position"
        }
        Ok(Command::Go(limits)) => {
            set_limits(&fields, &limits)?;
            "go"
        }
        Ok(Command::Perft(depth)) => {
            fields.set_item("depth", depth)?;
            "perft"
        }
        Ok(Command::Stop) => "stop",
        Ok(Command::PonderHit) => "ponderhit",
        Ok(Command::Quit) => "quit",
        Ok(Command::Query(query)) => {
            fields.set_item("query", query.word())?;
            "query"
        }
        Ok(Command::Bench) => "bench",
        Ok(other) => return Err(value_error(format!("`{other}` is not supported"))),
        Err(CommandError::Go { limits, problems }) => {
            set_limits(&fields, &limits)?;
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            fields.set_item("problems", problems)?;
            "go"
        }
        Err(why) => {
            let of = match why {
                CommandError::Position(_) | CommandError::PositionTrailing(_) => "position",
                CommandError::Perft(_) => "perft",
                CommandError::Query(_) => "query",
                CommandError::Empty => "empty",
                _ => "other",
            };
            fields.set_item("of", of)?;
            fields.set_item("why", why.to_string())?;
            "error"
        }
    };
    Ok((name.to_owned(), fields))
}

fn set_limits(fields: &Bound<'_, PyDict>, limits: &Limits) -> PyResult<()> {
    fields.set_item("white_time", limits.clock[0])?;
    fields.set_item("black_time", limits.clock[1])?;
    fields.set_item("white_increment", limits.increment[0])?;
    fields.set_item("black_increment", limits.increment[1])?;
    fields.set_item("moves_to_go", limits.moves_to_go)?;
    fields.set_item("move_time", limits.move_time)?;
    fields.set_item("depth", limits.depth)?;
    fields.set_item("nodes", limits.nodes)?;
    fields.set_item("infinite", limits.infinite)?;
    fields.set_item("finite", limits.is_finite())?;
    fields.set_item("search_moves", &limits.search_moves)
}

/// Reads a line from an engine. Returns the reply's name and its fields, or `None` if the line is
/// not part of the protocol. The name is `error`, with the field `why`, if a line of the protocol is
/// broken.
#[pyfunction]
pub(crate) fn read_reply<'py>(
    py: Python<'py>,
    line: &str,
) -> PyResult<Option<(String, Bound<'py, PyDict>)>> {
    let fields = PyDict::new(py);
    let name = match line.parse::<Reply>() {
        Ok(Reply::Name(name)) => {
            fields.set_item("name", name)?;
            "id name"
        }
        Ok(Reply::Author(author)) => {
            fields.set_item("author", author)?;
            "id author"
        }
        Ok(Reply::Option(option)) => {
            set_option(py, &fields, &option)?;
            "option"
        }
        Ok(Reply::HandshakeOk(_)) => "ugiok",
        Ok(Reply::ReadyOk) => "readyok",
        Ok(Reply::Info(info)) => return Ok(Some(("info".to_owned(), info_fields(py, &info)?))),
        Ok(Reply::BestMove(best)) => {
            fields.set_item("resign", best == BestMove::Resign)?;
            let mv = if let BestMove::Move(mv) = best { Some(Move(mv)) } else { None };
            fields.set_item("move", mv)?;
            "bestmove"
        }
        Ok(Reply::Response(text)) => {
            fields.set_item("text", text)?;
            "response"
        }
        Ok(_) => return Ok(None),
        Err(fanorona_protocol::messages::ReplyError::Unknown(_)) => return Ok(None),
        Err(why) => {
            fields.set_item("why", why.to_string())?;
            "error"
        }
    };
    Ok(Some((name.to_owned(), fields)))
}

fn set_option<'py>(
    py: Python<'py>,
    fields: &Bound<'py, PyDict>,
    option: &OptionSpec,
) -> PyResult<()> {
    fields.set_item("name", &option.name)?;
    match &option.kind {
        OptionKind::Check { default } => {
            fields.set_item("type", "check")?;
            fields.set_item("default", default)?;
        }
        OptionKind::Spin { default, min, max } => {
            fields.set_item("type", "spin")?;
            fields.set_item("default", default)?;
            fields.set_item("min", min)?;
            fields.set_item("max", max)?;
        }
        OptionKind::Combo { default, choices } => {
            fields.set_item("type", "combo")?;
            fields.set_item("default", default)?;
            fields.set_item("choices", PyTuple::new(py, choices)?)?;
        }
        OptionKind::Button => fields.set_item("type", "button")?,
        OptionKind::String { default } => {
            fields.set_item("type", "string")?;
            fields.set_item("default", default)?;
        }
    }
    Ok(())
}

fn info_fields<'py>(py: Python<'py>, info: &Info) -> Fields<'py> {
    let fields = PyDict::new(py);
    fields.set_item("depth", info.depth)?;
    fields.set_item("seldepth", info.seldepth)?;
    fields.set_item("multipv", info.multipv)?;
    let score = info.score.map(|score| match score {
        Score::Cp(centistones) => ("cp", i64::from(centistones)),
        Score::Win(plies) => ("win", i64::from(plies)),
        Score::Loss(plies) => ("loss", i64::from(plies)),
    });
    fields.set_item("score", score)?;
    fields.set_item("wdl", info.wdl.map(|wdl| (wdl.win, wdl.draw, wdl.loss)))?;
    fields.set_item("nodes", info.nodes)?;
    fields.set_item("nps", info.nps)?;
    fields.set_item("hashfull", info.hashfull)?;
    fields.set_item("tbhits", info.tbhits)?;
    fields.set_item("time", info.time)?;
    fields.set_item("pv", PyList::new(py, info.pv.iter().copied().map(Move))?)?;
    fields.set_item("string", info.string.as_deref())?;
    fields.set_item("error", info.error.as_deref())?;
    Ok(fields)
}

/// Writes the line that declares an option of type `check`, `spin`, `combo`, `string` or `button`.
#[pyfunction]
#[pyo3(signature = (name, kind, default = "", low = 0, high = 0, choices = Vec::new()))]
pub(crate) fn option_line(
    name: &str,
    kind: &str,
    default: &str,
    low: i64,
    high: i64,
    choices: Vec<String>,
) -> PyResult<String> {
    let number = |text: &str| text.parse::<i64>().map_err(value_error);
    let kind = match kind {
        "check" => OptionKind::Check { default: default == "true" },
        "spin" => OptionKind::Spin { default: number(default)?, min: low, max: high },
        "combo" => OptionKind::Combo { default: default.to_owned(), choices },
        "string" => OptionKind::String { default: default.to_owned() },
        "button" => OptionKind::Button,
        other => return Err(value_error(format!("`{other}` is not a type of option"))),
    };
    let spec = OptionSpec { name: name.to_owned(), kind };
    let line = spec.to_string();
    match line.parse::<OptionSpec>() {
        Ok(read) if read == spec => Ok(line),
        _ => Err(value_error(format!("option {name} cannot be written as a line: `{line}`"))),
    }
}

/// Checks a value for an option that an engine declares in a line. Returns the value to use.
#[pyfunction]
pub(crate) fn option_value(line: &str, value: &str) -> PyResult<String> {
    let spec: OptionSpec = line.parse().map_err(value_error)?;
    spec.check(value).map_err(value_error)
}
