//! `arena generate`: completions for shells, and manual pages. It is hidden: packagers need it, and
//! nobody else more than once.

use std::fs;
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
    let mut program = program.disable_help_subcommand(true);
    program.build();
    match out {
        Some(dir) => {
            let written = fs::create_dir_all(dir).and_then(|()| write_pages(&program, dir));
            written.map_err(|why| {
                CliError::new(Exit::Storage, format!("cannot write {}: {why}", dir.display()))
            })?;
        }
        None => print_line(page(&program).trim_end()),
    }
    Ok(Exit::Done)
}

/// Writes the pages of a command and of the commands below it.
fn write_pages(command: &Command, dir: &Path) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    fs::write(dir.join(format!("{name}.1")), page(command))?;
    let mut below = command.get_subcommands().filter(|it| !it.is_hide_set());
    below.try_for_each(|it| write_pages(it, dir))
}

/// The manual page of a command, with examples as they are typed and no word divided.
fn page(command: &Command) -> String {
    let mut page = Vec::new();
    let source = concat!("arena ", env!("CARGO_PKG_VERSION"));
    let rendered = Man::new(command.clone()).source(source).render(&mut page);
    rendered.expect("memory takes every byte");
    let page = format!(".nh\n{}", String::from_utf8_lossy(&page));
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page };
    let (_, examples) = extra.split_once('\n').unwrap_or_default();
    let length = examples.split_inclusive('\n').take_while(|line| line.starts_with("  "));
    let (examples, rest) = examples.split_at(length.map(str::len).sum());
    format!("{before}.SH EXAMPLES\n.nf\n{examples}.fi\n{rest}")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::page;
    use crate::commands::Cli;

    #[test]
    fn manual_pages_show_examples_as_they_are_typed() {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        for command in program.get_subcommands() {
            let page = page(command);
            let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").expect("there are examples");
            let (examples, _) = examples.split_once(".fi\n").expect("they end");
            let example = format!("  arena {}", command.get_name());
            assert!(examples.contains(&example), "{page}");
            assert!(!examples.contains("\n.") && !page.contains(".SH EXTRA"), "{page}");
            assert!(page.contains("\"arena 0") && page.starts_with(".nh\n"), "{page}");
        }
    }

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(|help| help.to_string()).unwrap_or_default();
            let example = format!("arena {}", command.get_name());
            assert!(help.starts_with("Example") && help.contains(&example), "{example}: {help}");
        }
    }
}
