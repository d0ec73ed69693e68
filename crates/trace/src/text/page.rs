//! The page that a trace is written on: inks that may have colours, lines that know their width.

use std::fmt::Write;

use base::visible;

use crate::Datum;

/// How a trace is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Every variable of every state, and not only what changed.
    pub full: bool,
    /// Colours, as escape sequences for terminals.
    pub colour: bool,
    /// Columns after which values are broken over several lines.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { full: false, colour: false, width: 100 }
    }
}

/// What a piece of text is, which decides its colour.
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

/// A line in the making.
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

    /// Adds what somebody else wrote.
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

/// A value that does not fit beside its name stands this much further in.
const VALUE_INDENT: usize = 4;
/// A name beyond this width has its value on lines of its own when it must be broken.
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

    /// Several lines that somebody else wrote, each behind `indent` blanks.
    pub fn paragraph(&mut self, ink: Ink, indent: usize, text: &str) {
        for line in text.lines() {
            self.line(Line::new().put(Ink::Plain, " ".repeat(indent)).quote(ink, line));
        }
    }

    /// `head` and the value beside it, broken over several lines where it is too wide.
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
        self.line(head.trimmed());
        let text = value.to_lines(self.style.width, below);
        self.line(Line::new().put(Ink::Plain, " ".repeat(below)).put(ink, text));
    }

    fn pieces(&mut self, line: Line) {
        for (ink, text) in line.pieces {
            if !self.style.colour || ink == Ink::Plain || text.is_empty() {
                self.out.push_str(&text);
                continue;
            }
            // Line by line, so that a pager which shows one line shows its colour.
            let escape = ink.escape();
            let painted: Vec<String> =
                text.split('\n').map(|line| format!("{escape}{line}\x1b[0m")).collect();
            self.out.push_str(&painted.join("\n"));
        }
    }
}

impl Line {
    /// Blanks at the start.
    fn indent(&self) -> usize {
        let text: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
        text.len() - text.trim_start_matches(' ').len()
    }

    /// Without blanks at the end.
    fn trimmed(mut self) -> Self {
        if let Some((_, text)) = self.pieces.last_mut() {
            text.truncate(text.trim_end().len());
        }
        self
    }
}

/// What somebody else wrote, on one line and harmless to a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// `1 state`, `2 states`.
pub(super) fn count(n: usize, noun: &str) -> String {
    let mut text = format!("{n} {noun}");
    if n != 1 {
        write!(text, "s").expect("a string takes all");
    }
    text
}
