//! `arena generate`: completions for shells, and manual pages. It is hidden: packagers need it, and
//! nobody else more than once.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;

use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::print_line;

pub(super) const HELP: &str = "\
Examples:
  arena generate completions bash > ~/.local/share/bash-completion/completions/arena
  arena generate completions zsh > ~/.zfunc/_arena
  arena generate completions fish > ~/.config/fish/completions/arena.fish
  arena generate man | man -l -
  arena generate man --out ~/.local/share/man/man1      one page per command";

#[derive(Args, Debug)]
pub(super) struct GenerateArgs {
    #[command(subcommand)]
    what: GenerateAction,
}

#[derive(Subcommand, Debug)]
enum GenerateAction {
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one page per command
    Man {
        /// Write a page for every command into this directory
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

pub(super) fn generate(args: &GenerateArgs, program: Command) -> Result<Exit, CliError> {
    match &args.what {
        GenerateAction::Completions { shell } => completions(*shell, program),
        GenerateAction::Man { out } => man(out.as_deref(), program),
    }
}

fn completions(shell: Shell, mut program: Command) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "arena", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end());
    Ok(Exit::Done)
}

fn man(out: Option<&Path>, program: Command) -> Result<Exit, CliError> {
    let failed = |what: &str, why: &io::Error| {
        CliError::new(Exit::Storage, format!("cannot write {what}: {why}"))
    };
    match out {
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
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(|help| help.to_string()).unwrap_or_default();
            let example = format!("arena {}", command.get_name());
            assert!(help.starts_with("Example") && help.contains(&example), "{example}: {help}");
        }
    }
}
