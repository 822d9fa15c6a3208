//! Parses an engine given on the command line: a bot's name, or a program with its arguments.

use super::tournament::EngineConfig;

/// Why a text is not a valid command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandLineError {
    /// The text is empty or only whitespace.
    #[error("the command is empty: expected a bot's name or a program with its arguments")]
    Empty,
    /// A quote is not closed.
    #[error("the {0} in the command is not closed: add the closing quote, or write \\{0}")]
    Unclosed(char),
    /// The text ends in a backslash.
    #[error("the command ends in a backslash: write \\\\ for a literal backslash")]
    Dangling,
}

/// Parses a command line into an engine. The engine's name is the whole text.
///
/// Words are separated by whitespace, as in a shell. `'…'` quotes every character. In `"…"` a
/// backslash quotes a following `"` or `\`; outside quotes it quotes the next character. On Windows,
/// where it separates the parts of a path, it quotes nothing but a `"` in `"…"`. There is no
/// expansion, and no other character is special.
///
/// ```
/// use fanorona_tournament::config::command_line;
/// let engine = command_line("python3 -u 'my bot.py'").unwrap();
/// assert_eq!(engine.command, "python3");
/// assert_eq!(engine.args, ["-u", "my bot.py"]);
/// assert!(command_line("python3 'bot.py").is_err());
/// ```
///
/// If the text has no words, or a quote or backslash is incomplete.
pub fn command_line(text: &str) -> Result<EngineConfig, CommandLineError> {
    let mut words = words(text, cfg!(windows))?.into_iter();
    let command = words.next().filter(|word| !word.is_empty()).ok_or(CommandLineError::Empty)?;
    let mut engine = EngineConfig::new(text.trim(), command);
    engine.args = words.collect();
    Ok(engine)
}

fn words(text: &str, is_windows: bool) -> Result<Vec<String>, CommandLineError> {
    let quoted: &[char] = if is_windows { &['"'] } else { &['"', '\\'] };
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            blank if blank.is_whitespace() => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        None => return Err(CommandLineError::Unclosed(quote)),
                        Some(end) if end == quote => break,
                        Some('\\') if quote == '"' => {
                            let kept = letters.next_if(|next| quoted.contains(next));
                            word.push(kept.unwrap_or('\\'));
                        }
                        Some(letter) => word.push(letter),
                    }
                }
            }
            '\\' if !is_windows => {
                let kept = letters.next().ok_or(CommandLineError::Dangling)?;
                word.get_or_insert_default().push(kept);
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        for (text, expected) in [
            ("bot", &["bot"][..]),
            ("  bot  -v ", &["bot", "-v"]),
            ("python3 'my bot.py' \"a b\"", &["python3", "my bot.py", "a b"]),
            (r"my\ bot a\'b", &["my bot", "a'b"]),
            (r#""say \"hi\" \n" '\'"#, &[r#"say "hi" \n"#, r"\"]),
            ("a''b '' c", &["ab", "", "c"]),
            ("$HOME *", &["$HOME", "*"]),
            ("", &[]),
        ] {
            assert_eq!(
                words(text, false).as_deref(),
                Ok(&expected.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()[..]),
                "{text}"
            );
        }
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes() {
        let text = r#"C:\bots\my.exe "D:\my data\x" 'E:\y' "a \"b\"" Z:\"#;
        let expected = [r"C:\bots\my.exe", r"D:\my data\x", r"E:\y", r#"a "b""#, r"Z:\"];
        assert_eq!(words(text, true), Ok(expected.map(str::to_owned).to_vec()));
    }

    #[test]
    fn an_invalid_command_line_gives_the_reason() {
        for (text, why) in [
            (" ", CommandLineError::Empty),
            ("''", CommandLineError::Empty),
            ("a 'b", CommandLineError::Unclosed('\'')),
            ("a \"b\\\"", CommandLineError::Unclosed('"')),
            ("a\\", CommandLineError::Dangling),
        ] {
            assert_eq!(command_line(text), Err(why), "{text}");
        }
    }
}
