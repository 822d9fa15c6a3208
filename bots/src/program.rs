//! The command line that the programs of all bots share.

use std::process::ExitCode;

use clap::Command;
use fanorona_protocol::messages::{OptionKind, OptionSpec};

use crate::bot::Bot;
use crate::session;

/// Runs the program of a bot; `about` is its description in `--help`. Without arguments the program
/// speaks UGI on standard input and output. Any argument other than `--help` and `--version` is an
/// error with exit code 2, because the settings of a bot are options of the protocol.
pub fn bot(bot: impl Bot + 'static, about: &'static str) -> ExitCode {
    let name = bot.name();
    match command_line(&bot, about).try_get_matches() {
        Ok(_) => session::run(bot),
        Err(answer) => fanorona_endgames::program::explain(name, &answer),
    }
}

fn command_line(bot: &dyn Bot, about: &'static str) -> Command {
    let name = bot.name();
    let options: String = session::options(bot).iter().map(|spec| line(spec) + "\n").collect();
    Command::new(name)
        .version(session::version())
        .about(format!("An engine for Fanorona. {about}"))
        .after_help(format!(
            "Without arguments the bot speaks UGI: it reads commands from standard input and answers on \
             standard output. Type `ugi` to see its options and `quit` to end it.\n\n\
             Options of the protocol (`setoption name NAME value VALUE`, or `options` in a config):\n\
             {options}\n\
             Examples:\n  arena play {name}\n  arena quick {name} bot-greedy\n\n\
             See bots/OPTIONS.md for what each option does and protocol/UGI.md for the protocol."
        ))
}

/// Describes an option and its values for `--help`.
fn line(OptionSpec { name, kind }: &OptionSpec) -> String {
    let values = match kind {
        OptionKind::Check { default } => format!("true or false [default: {default}]"),
        OptionKind::Spin { default, min, max } => format!("{min} to {max} [default: {default}]"),
        OptionKind::Combo { default, choices } => {
            format!("{} [default: {default}]", choices.join(", "))
        }
        OptionKind::Button => "button without a value".to_owned(),
        OptionKind::String { default } if default.is_empty() => {
            "any text [default: empty]".to_owned()
        }
        OptionKind::String { default } => format!("any text [default: {default}]"),
    };
    format!("  {name:<18}  {values}")
}
