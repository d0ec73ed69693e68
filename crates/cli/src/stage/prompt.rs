//! The prompt of `specline stage` at a terminal: lines that can be edited, called up again, and completed.

use std::io;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

const PROMPT: &str = "stage> ";

/// Reads lines of a person.
pub struct Prompt(Editor<Words, MemHistory>);

impl Prompt {
    pub fn new(words: Words) -> io::Result<Prompt> {
        let config = Config::builder().auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(as_io)?;
        editor.set_helper(Some(words));
        Ok(Prompt(editor))
    }

    /// The next line; `None` at the end of the input. A line that is interrupted is empty.
    pub fn next(&mut self) -> io::Result<Option<String>> {
        match self.0.readline(PROMPT) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
            Err(ReadlineError::Eof) => Ok(None),
            Err(error) => Err(as_io(error)),
        }
    }
}

fn as_io(error: ReadlineError) -> io::Error {
    if let ReadlineError::Io(error) = error { error } else { io::Error::other(error) }
}

/// The words of which a line may consist; completes the word before the cursor.
pub struct Words {
    /// A line begins with one of these,
    pub events: Vec<String>,
    /// and goes on with these.
    pub names: Vec<String>,
}

impl Words {
    /// Where the word begins, and what it can become.
    fn complete_at(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let before = &line[..at];
        let start = before.rfind(' ').map_or(0, |space| space + 1);
        let begun = &before[start..];
        let words = if before[..start].trim().is_empty() { &self.events } else { &self.names };
        let fits = words.iter().filter(|word| word.starts_with(begun));
        (start, fits.map(|word| format!("{word} ")).collect())
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.complete_at(line, at))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn the_word_before_the_cursor_is_completed() {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let words = Words { events: owned(&["deliver", "drop", "nodes"]), names: owned(&["n1"]) };
        assert_eq!(words.complete_at("d", 1), (0, vec!["deliver ".to_owned(), "drop ".to_owned()]));
        assert_eq!(words.complete_at("deliver n n2", 9), (8, vec!["n1 ".to_owned()]));
        assert_eq!(words.complete_at("tick x", 6), (5, Vec::new()));
    }
}
