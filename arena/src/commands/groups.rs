//! The help of `arena` itself: the commands a newcomer needs first, and every command in its group, as
//! git and cargo show theirs.

use clap::builder::StyledStr;
use clap::{Command, Subcommand};

/// Every visible command in its group, in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["quick", "run", "resume", "extend", "replay", "play"]),
    (
        "Results",
        &[
            "report", "serve", "site", "show", "rate", "sprt", "compare", "diff", "analyse",
            "convert",
        ],
    ),
    ("Engines", &["check", "openings"]),
    ("Many bots, many machines", &["league", "cluster", "merge"]),
    ("Set up", &["init", "plan", "doctor"]),
];

/// The commands that a newcomer types first.
const FIRST: [(&str, &str); 4] = [
    ("arena quick bot-alphabeta bot-mcts", "let two engines play"),
    ("arena check \"python3 my_bot.py\"", "check an engine of your own"),
    ("arena init mine.toml", "write a config for `arena run`"),
    ("arena serve --open", "see games in a browser, and play"),
];

/// The template of the help of a program with the commands `C`.
pub(super) fn help_template<C: Subcommand>() -> StyledStr {
    let commands = C::augment_subcommands(Command::new("arena"));
    let styles = commands.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let heading = |text: &str| format!("\n{header}{text}:{header:#}\n");
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    text += &heading("Begin here");
    let width = FIRST.map(|(command, _)| command.len()).into_iter().max().unwrap_or_default();
    for (command, what) in FIRST {
        text +=
            &format!("  {literal}{command}{literal:#}{:1$}  {what}\n", "", width - command.len());
    }
    let described = described(commands);
    for (group, names) in GROUPS {
        text += &heading(group);
        // A build without a feature lacks its commands.
        let here = names.iter().filter_map(|name| described.iter().find(|(it, _)| it == name));
        text.extend(here.map(|(_, lines)| &**lines));
    }
    text += &heading("Options");
    text += "{options}{after-help}";
    text.into()
}

/// Each visible command with its lines in a help of clap, which fits them to the terminal.
fn described(commands: Command) -> Vec<(String, String)> {
    let commands = commands.disable_help_subcommand(true);
    let visible = commands.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = visible.map(|command| command.get_name().to_owned()).collect();
    let help = commands.help_template("{subcommands}").render_help().ansi().to_string();
    let mut lines: Vec<String> = Vec::new();
    for line in help.lines() {
        // A description that is too long continues below itself.
        let continues = line.starts_with("   ");
        match lines.last_mut() {
            Some(last) if continues => *last += &format!("{line}\n"),
            _ => lines.push(format!("{line}\n")),
        }
    }
    names.into_iter().zip(lines).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::commands::Cli;

    fn visible() -> Vec<String> {
        let program = Cli::command();
        let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
        visible.map(|command| command.get_name().to_owned()).collect()
    }

    #[test]
    fn every_visible_command_is_in_one_group() {
        let grouped = || GROUPS.iter().flat_map(|(_, names)| *names);
        for name in visible() {
            assert_eq!(grouped().filter(|it| **it == name).count(), 1, "{name}");
        }
        for name in grouped() {
            let is_here = visible().iter().any(|it| it == name);
            assert!(is_here || (*name == "cluster" && !cfg!(feature = "cluster")), "{name}");
        }
        assert!(grouped().count() <= 24, "{}", grouped().count());
    }

    #[test]
    fn the_help_shows_every_command_below_its_heading() {
        let help = Cli::command().render_help().to_string();
        for (group, names) in GROUPS {
            let (_, section) = help.split_once(&format!("\n{group}:\n")).expect(group);
            let section = section.split("\n\n").next().unwrap_or_default();
            let shown: Vec<&str> = section
                .lines()
                .filter(|line| !line.starts_with("   "))
                .filter_map(|line| line.split_whitespace().next())
                .collect();
            let expected: Vec<&str> = names
                .iter()
                .copied()
                .filter(|name| visible().iter().any(|it| it == name))
                .collect();
            assert_eq!(shown, expected, "{group}");
        }
    }

    /// Checks that this program understands the commands that a newcomer is told to type.
    #[test]
    fn the_first_commands_are_commands() {
        for (command, _) in FIRST {
            let words = command.replace("\"python3 my_bot.py\"", "python3");
            let parsed = Cli::command().try_get_matches_from(words.split(' '));
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
        }
    }

    /// An option that excludes something the command cannot do without is no option.
    #[test]
    fn no_option_excludes_what_is_required() {
        let program = Cli::command();
        let mut pending: Vec<&Command> = program.get_subcommands().collect();
        let mut options = 0;
        while let Some(command) = pending.pop() {
            pending.extend(command.get_subcommands());
            for option in command.get_arguments() {
                options += 1;
                let excluded = command.get_arg_conflicts_with(option);
                let required = excluded.iter().find(|other| other.is_required_set());
                assert!(required.is_none(), "{} --{}", command.get_name(), option.get_id());
            }
        }
        assert!(options > 150, "{options}");
    }
}
