//! `arena completions` and `arena man`: shell completions and manual pages.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::print_line;

pub(super) const COMPLETIONS_HELP: &str = "\
Examples:
  arena completions bash > ~/.local/share/bash-completion/completions/arena
  arena completions zsh > ~/.zfunc/_arena
  arena completions fish > ~/.config/fish/completions/arena.fish";

pub(super) const MAN_HELP: &str = "\
Examples:
  arena man | man -l -
  arena man --out ~/.local/share/man/man1      one page per command";

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// Write a page for every command into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs, mut program: Command) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "arena", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end());
    Ok(Exit::Done)
}

pub(super) fn man(args: &ManArgs, program: Command) -> Result<Exit, CliError> {
    let failed = |what: &str, why: &io::Error| {
        CliError::new(Exit::Storage, format!("cannot write {what}: {why}"))
    };
    match &args.out {
        Some(dir) => {
            let written =
                std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(program, dir));
            written.map_err(|why| failed(&dir.display().to_string(), &why))?;
        }
        None => {
            let mut page = Vec::new();
            let rendered = Man::new(program).render(&mut page);
            rendered.map_err(|why| failed("the page", &why))?;
            print_line(String::from_utf8_lossy(&page).trim_end());
        }
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::commands::Cli;

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let help = command.get_after_help().map(|help| help.to_string()).unwrap_or_default();
            let example = format!("arena {}", command.get_name());
            assert!(help.starts_with("Example") && help.contains(&example), "{example}: {help}");
        }
    }
}
