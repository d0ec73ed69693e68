//! An event of a mapping: a line of a script with expressions in braces, `tick {i}`.
//!
//! `deliver FROM TO is {EXPR}` names the message by what it says; `drop` and `duplicate` likewise.

use stage::script;

use super::{MapError, Text};

/// A line whose expressions have no values yet.
#[derive(Clone, Debug)]
pub struct LineForm {
    pub text: Text,
    pub pieces: Vec<Piece>,
    /// Expression for the message that the line is about.
    pub message: Option<Matched>,
}

#[derive(Clone, Debug)]
pub enum Piece {
    Plain(String),
    Expr(Text),
}

/// A message that is named by its value.
#[derive(Clone, Debug)]
pub struct Matched {
    pub value: Text,
}

/// The separator between a line and the message that it is about.
const IS: &str = " is {";

impl LineForm {
    pub fn parse(text: &Text) -> Result<LineForm, MapError> {
        let (line, message) = match text.text.find(IS) {
            Some(at) => {
                let value = &text.text[at + IS.len()..];
                let Some(end) = value.trim_end().strip_suffix('}') else {
                    return Err(error(text, "a brace is not closed"));
                };
                (part(text, 0, at), Some(Matched { value: part(text, at + IS.len(), end.len()) }))
            }
            None => (text.clone(), None),
        };
        let form = LineForm { pieces: pieces(&line)?, text: text.clone(), message };
        form.check()?;
        Ok(form)
    }

    /// Whether it is an event, whatever its expressions are.
    fn check(&self) -> Result<(), MapError> {
        let with = |word: &str| self.fill(&mut |_| word.to_owned());
        let parsed = script::parse(&with("1")).or_else(|_| script::parse(&with("1ms")));
        match parsed {
            Err(wrong) => Err(error(&self.text, wrong.message)),
            Ok(None) => Err(error(&self.text, "there is no event here")),
            Ok(Some(line)) if line.is_question() => {
                Err(error(&self.text, "this is for a person at the prompt, and no event"))
            }
            Ok(Some(line)) if self.message.is_some() && !line.is_about_message() => {
                Err(error(&self.text, "`is` goes with `deliver`, `drop` and `duplicate`"))
            }
            Ok(Some(_)) => Ok(()),
        }
    }

    /// The line with a word for each expression. One that is about a message has a number in its place.
    pub fn fill(&self, word: &mut impl FnMut(&Text) -> String) -> String {
        let mut line = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Plain(text) => line.push_str(text),
                Piece::Expr(text) => line.push_str(&word(text)),
            }
        }
        if self.message.is_some() {
            line.push_str(" 1");
        }
        line
    }
}

fn pieces(text: &Text) -> Result<Vec<Piece>, MapError> {
    let mut pieces = Vec::new();
    let (mut at, whole) = (0, text.text.as_str());
    while at < whole.len() {
        let rest = &whole[at..];
        let Some(open) = rest.find('{') else {
            pieces.push(Piece::Plain(rest.to_owned()));
            break;
        };
        if open > 0 {
            pieces.push(Piece::Plain(rest[..open].to_owned()));
        }
        let Some(length) = closing(&rest[open + 1..]) else {
            return Err(error(text, "a brace is not closed"));
        };
        pieces.push(Piece::Expr(part(text, at + open + 1, length)));
        at += open + 1 + length + 1;
    }
    Ok(pieces)
}

/// Where the brace is closed: sets have braces, too.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A part of a text, with its place.
fn part(text: &Text, from: usize, length: usize) -> Text {
    let place = match text.is_verbatim {
        true => text.place.start + from..text.place.start + from + length,
        false => text.place.clone(),
    };
    Text { text: text.text[from..from + length].to_owned(), place, is_verbatim: text.is_verbatim }
}

fn error(text: &Text, message: impl Into<String>) -> MapError {
    MapError { message: message.into(), place: text.place.clone(), help: None }
}
