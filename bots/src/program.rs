//! The command line that the programs of all bots share.

use std::process::ExitCode;

use clap::Command;
use fanorona_protocol::messages::{OptionKind, OptionSpec};

use crate::bot::Bot;
use crate::session;

/// The program of a bot that an `about` introduces: without arguments it speaks UGI on standard input
/// and output; `--help` and `--version` say what it is. Any other argument is refused with exit code
/// 2, because a bot takes its settings as options of the protocol.
pub fn bot(bot: impl Bot + 'static, about: &'static str) -> ExitCode {
    match command_line(&bot, about).try_get_matches() {
        Ok(_) => session::run(bot),
        Err(answer) => {
            // That nobody reads the answer changes nothing.
            let _ = answer.print();
            ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2))
        }
    }
}

fn command_line(bot: &dyn Bot, about: &'static str) -> Command {
    let name = bot.name();
    let options: String = session::options(bot).iter().map(|spec| line(spec) + "\n").collect();
    Command::new(name)
        .version(session::VERSION)
        .about(format!("An engine for Fanorona. {about}"))
        .after_help(format!(
            "Without arguments it speaks UGI: it reads commands from standard input and answers on \
             standard output. Type `ugi` to see its answer, `quit` to end it.\n\n\
             Options of the protocol (`setoption name NAME value VALUE`, or `options` in a config):\n\
             {options}\n\
             Examples:\n  arena play {name}\n  arena quick {name} bot-greedy\n\n\
             The protocol is in protocol/UGI.md, what the engines do in README.md."
        ))
}

/// An option with its values, for people.
fn line(OptionSpec { name, kind }: &OptionSpec) -> String {
    let values = match kind {
        OptionKind::Check { default } => format!("true or false [default: {default}]"),
        OptionKind::Spin { default, min, max } => format!("{min} to {max} [default: {default}]"),
        OptionKind::Combo { default, choices } => {
            format!("{} [default: {default}]", choices.join(", "))
        }
        OptionKind::Button => "a button, without a value".to_owned(),
        OptionKind::String { default } if default.is_empty() => "a text [default: none]".to_owned(),
        OptionKind::String { default } => format!("a text [default: {default}]"),
    };
    format!("  {name:<18}  {values}")
}
