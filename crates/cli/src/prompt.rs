//! Prompts at a terminal: lines that can be edited, called up again, and completed.

use std::io;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

/// Reads lines of a person.
pub struct Prompt {
    editor: Editor<Words, MemHistory>,
    /// The text before each line.
    text: &'static str,
}

impl Prompt {
    pub fn new(text: &'static str, words: Words) -> io::Result<Prompt> {
        let config = Config::builder().auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(as_io)?;
        editor.set_helper(Some(words));
        Ok(Prompt { editor, text })
    }

    /// Makes lines of an earlier session available, the oldest first.
    pub fn remember(&mut self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            // A line that cannot be called up again is no reason to stop.
            let _ = self.editor.add_history_entry(line);
        }
    }

    /// Replaces the words for completion.
    pub fn set_words(&mut self, words: Words) {
        self.editor.set_helper(Some(words));
    }

    /// The next line; `None` at the end of the input. A line that is interrupted is empty.
    pub fn next(&mut self) -> io::Result<Option<String>> {
        match self.editor.readline(self.text) {
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
    /// Words that a line can begin with.
    pub events: Vec<String>,
    /// Words that can follow.
    pub names: Vec<String>,
    /// Whether words end at everything but letters, digits and `_`, as in expressions, and not only at a space.
    pub are_names_of_expressions: bool,
}

impl Words {
    /// Returns where the word before the cursor begins, and its completions.
    fn complete_at(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let before = &line[..at];
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '\\');
        if self.are_names_of_expressions {
            let start = before
                .rfind(|c| !is_word(c))
                .map_or(0, |end| end + before[end..].chars().next().map_or(1, char::len_utf8));
            let begun = &before[start..];
            let words = if start == 0 { [&self.events[..], &self.names[..]] } else { [&[], &self.names[..]] };
            let fits =
                words.into_iter().flatten().filter(|word| !begun.is_empty() && word.starts_with(begun));
            return (start, fits.cloned().collect());
        }
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
        let words = Words {
            events: owned(&["deliver", "drop", "nodes"]),
            names: owned(&["n1"]),
            are_names_of_expressions: false,
        };
        assert_eq!(words.complete_at("d", 1), (0, vec!["deliver ".to_owned(), "drop ".to_owned()]));
        assert_eq!(words.complete_at("deliver n n2", 9), (8, vec!["n1 ".to_owned()]));
        assert_eq!(words.complete_at("tick x", 6), (5, Vec::new()));
    }

    #[test]
    fn a_name_inside_an_expression_is_completed() {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let words = Words {
            events: owned(&[":next"]),
            names: owned(&["Cardinality", "queue"]),
            are_names_of_expressions: true,
        };
        assert_eq!(words.complete_at("{1}=Card", 8), (4, vec!["Cardinality".to_owned()]));
        assert_eq!(words.complete_at(":n", 2), (0, vec![":next".to_owned()]));
        assert_eq!(words.complete_at("é(qu", 5), (3, vec!["queue".to_owned()]));
        assert_eq!(words.complete_at("1 + ", 4), (4, Vec::new()));
    }
}
