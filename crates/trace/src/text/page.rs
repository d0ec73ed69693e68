//! The page that a trace is written on, with inks that may have colours and lines that know their width.

use std::fmt::Write;

use base::visible;

use crate::Datum;

/// The style of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether every variable of every state is shown, and not only what changed.
    pub full: bool,
    /// Whether to use colours, as escape sequences for terminals.
    pub colour: bool,
    /// Number of columns after which values are broken over several lines.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { full: false, colour: false, width: 100 }
    }
}

/// The role of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Headline,
    Action,
    Old,
    New,
    Faint,
}

impl Ink {
    fn escape(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Headline => "\x1b[1;31m",
            Ink::Action => "\x1b[1;36m",
            Ink::Old => "\x1b[31m",
            Ink::New => "\x1b[32m",
            Ink::Faint => "\x1b[2m",
        }
    }
}

/// A line that is being built.
#[derive(Debug, Default)]
pub(super) struct Line {
    pieces: Vec<(Ink, String)>,
}

impl Line {
    pub fn new() -> Self {
        Line::default()
    }

    /// Adds words of our own or text that is printable already.
    pub fn put(mut self, ink: Ink, text: impl Into<String>) -> Self {
        self.pieces.push((ink, text.into()));
        self
    }

    /// Adds text that somebody else wrote, made printable.
    pub fn quote(self, ink: Ink, text: &str) -> Self {
        self.put(ink, printable(text))
    }

    /// Adds all of `other`.
    pub fn join(mut self, other: Line) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.chars().count()).sum()
    }
}

/// Lines written so far.
pub(super) struct Page {
    pub style: Style,
    out: String,
}

/// The additional indent of a value that does not fit beside its name.
const VALUE_INDENT: usize = 4;
/// The widest name that keeps its value beside it when the value must be broken.
const NAME_WIDTH_MAX: usize = 30;

impl Page {
    pub fn new(style: Style) -> Self {
        Page { style, out: String::new() }
    }

    pub fn finish(self) -> String {
        self.out
    }

    pub fn line(&mut self, line: Line) {
        self.pieces(line);
        self.out.push('\n');
    }

    pub fn gap(&mut self) {
        self.out.push('\n');
    }

    /// Writes several lines that somebody else wrote, each after `indent` blanks.
    pub fn paragraph(&mut self, ink: Ink, indent: usize, text: &str) {
        for line in text.lines() {
            self.line(Line::new().put(Ink::Plain, " ".repeat(indent)).quote(ink, line));
        }
    }

    /// Writes `head` and the value beside it, broken over several lines if it is too wide.
    pub fn value(&mut self, head: Line, ink: Ink, value: &Datum) {
        let beside = head.width();
        let whole = value.to_lines(usize::MAX, 0);
        if beside + whole.chars().count() <= self.style.width {
            return self.line(head.put(ink, whole));
        }
        let below = head.indent() + VALUE_INDENT;
        if beside <= NAME_WIDTH_MAX {
            return self.line(head.put(ink, value.to_lines(self.style.width, beside)));
        }
        self.line(head.trim_end());
        let text = value.to_lines(self.style.width, below);
        self.line(Line::new().put(Ink::Plain, " ".repeat(below)).put(ink, text));
    }

    fn pieces(&mut self, line: Line) {
        for (ink, text) in line.pieces {
            if !self.style.colour || ink == Ink::Plain || text.is_empty() {
                self.out.push_str(&text);
                continue;
            }
            // The colour is set on each line, so that a pager which shows one line shows its colour.
            let escape = ink.escape();
            let painted: Vec<String> =
                text.split('\n').map(|line| format!("{escape}{line}\x1b[0m")).collect();
            self.out.push_str(&painted.join("\n"));
        }
    }
}

impl Line {
    /// Returns the number of blanks at the start.
    fn indent(&self) -> usize {
        let text: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
        text.len() - text.trim_start_matches(' ').len()
    }

    /// Removes blanks at the end.
    fn trim_end(mut self) -> Self {
        if let Some((_, text)) = self.pieces.last_mut() {
            text.truncate(text.trim_end().len());
        }
        self
    }
}

/// Returns a text that somebody else wrote on one line and harmless to a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Returns `1 state`, `2 states`.
pub(super) fn count(n: usize, noun: &str) -> String {
    let mut text = format!("{n} {noun}");
    if n != 1 {
        write!(text, "s").expect("a string takes all");
    }
    text
}
