//! What a page of documentation tells people to do.

/// Something a page asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A file to write: a block whose header is the language and the file's name.
    File { name: String, text: String },
    /// A command to run: a line of a `console` block after its `$`.
    Command(Command),
}

/// A command as a page has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Command {
    /// The line of the page, from 1.
    pub(crate) line: usize,
    /// The command, without the comment after ` #`.
    pub(crate) text: String,
    /// The lines below it: a dialogue with the program.
    pub(crate) dialogue: Vec<String>,
    /// The output that the page shows: a `text` block directly after the last command of a block.
    pub(crate) shown: Option<String>,
}

/// The steps of a page, in order.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    // Whether there have been only blank lines since the end of a `console` block.
    let mut after_console = false;
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(heading) = line.strip_prefix("```") else {
            after_console &= line.trim().is_empty();
            continue;
        };
        let block: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let was_after_console = std::mem::take(&mut after_console);
        match heading.split_once(' ').unwrap_or((heading, "")) {
            ("console", "") => {
                steps.extend(commands(&block, index + 2).map(Step::Command));
                after_console = true;
            }
            ("text", "") if was_after_console => {
                if let Some(Step::Command(command)) = steps.last_mut() {
                    command.shown = Some(block.join("\n"));
                }
            }
            (_, "") => {}
            (_, name) => {
                let text = block.iter().map(|line| format!("{line}\n")).collect();
                steps.push(Step::File { name: name.to_owned(), text });
            }
        }
    }
    steps
}

/// The commands of a block that begins at a line.
fn commands(block: &[&str], first: usize) -> impl Iterator<Item = Command> {
    let mut commands: Vec<Command> = Vec::new();
    for (line, text) in (first..).zip(block) {
        match (text.strip_prefix("$ "), commands.last_mut()) {
            (Some(typed), _) => {
                let text = typed.split(" #").next().unwrap_or_default().trim_end().to_owned();
                commands.push(Command { line, text, dialogue: Vec::new(), shown: None });
            }
            (None, Some(command)) => command.dialogue.push((*text).to_owned()),
            (None, None) => panic!("line {line}: `{text}` before the first command of its block"),
        }
    }
    commands.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_in_their_order() {
        let page = "\
A page.

```console
$ one    # first
$ two
in
out
```

```text
shown
```

```toml mine.toml
a = 1
```

```text
of nobody
```
";
        let command = |line, text: &str, dialogue: &[&str], shown: Option<&str>| {
            Step::Command(Command {
                line,
                text: text.to_owned(),
                dialogue: dialogue.iter().map(|&line| line.to_owned()).collect(),
                shown: shown.map(str::to_owned),
            })
        };
        assert_eq!(
            steps(page),
            [
                command(4, "one", &[], None),
                command(5, "two", &["in", "out"], Some("shown")),
                Step::File { name: "mine.toml".to_owned(), text: "a = 1\n".to_owned() },
            ]
        );
    }
}
