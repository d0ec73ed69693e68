//! Prints events as indented s-expressions: on one line if it fits, else one part on each line.

use std::fmt::Write;

use super::events::{Event, Events, Shown};

const WIDTH: usize = 100;
const INDENT: usize = 2;
/// Limit on the indentation of deep trees, whose dump would otherwise be quadratic in size.
const INDENT_MAX: usize = 60;

/// Prints the events as text, with a line feed at the end.
pub fn print(events: &Events<'_>) -> String {
    let widths = widths(events);
    let mut printer = Printer { out: String::new(), open: Vec::new(), column: 0 };
    for (event, &width) in events.0.iter().zip(&widths) {
        printer.event(event, width);
    }
    printer.out.push('\n');
    printer.out
}

/// Returns the width of each event when it is printed on one line, up to its `Close`.
fn widths(events: &Events<'_>) -> Vec<usize> {
    let mut widths = vec![0; events.0.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, event) in events.0.iter().enumerate() {
        widths[at] = match event {
            Event::Open { head, .. } => 2 + head.chars().count(),
            Event::List { shown } => shown.map_or(0, |name| 2 + name.len()),
            Event::Leaf { shown, .. } | Event::Atom(shown) => render(shown).chars().count(),
            Event::Key(_) | Event::Hidden(..) | Event::Close => 0,
        };
        match event {
            Event::Open { .. } | Event::List { .. } => open.push(at),
            Event::Close => {
                let Some(closed) = open.pop() else { continue };
                let width = widths[closed];
                if let Some(&parent) = open.last() {
                    widths[parent] += 1 + width;
                }
            }
            Event::Leaf { .. } | Event::Atom(_) => {
                if let Some(&parent) = open.last() {
                    widths[parent] += 1 + widths[at];
                }
            }
            Event::Key(_) | Event::Hidden(..) => {}
        }
    }
    widths
}

/// The layout of the parts of an open node or list.
#[derive(Clone, Copy)]
struct Open {
    /// Whether brackets are drawn around it.
    bracketed: bool,
    /// Whether each part has a line of its own.
    broken: bool,
    indent: usize,
}

struct Printer {
    out: String,
    open: Vec<Open>,
    column: usize,
}

impl Printer {
    fn event(&mut self, event: &Event<'_>, width: usize) {
        match event {
            Event::Key(_) | Event::Hidden(..) => {}
            Event::Open { head, .. } => self.begin(head, width),
            Event::List { shown: Some(name) } => self.begin(name, width),
            // Its items become parts of the surrounding node.
            Event::List { shown: None } => {
                let around = self.open.last().copied();
                let around = around.unwrap_or(Open { bracketed: false, broken: true, indent: 0 });
                self.open.push(Open { bracketed: false, ..around });
            }
            Event::Leaf { shown, .. } | Event::Atom(shown) => {
                let shown = render(shown);
                self.separate();
                self.write(&shown);
            }
            Event::Close => {
                if self.open.pop().is_some_and(|open| open.bracketed) {
                    self.write(")");
                }
            }
        }
    }

    fn begin(&mut self, head: &str, width: usize) {
        self.separate();
        let indent = self.open.last().map_or(0, |open| if open.broken { open.indent } else { self.column });
        let broken = self.column + width > WIDTH;
        self.write("(");
        self.write(head);
        self.open.push(Open { bracketed: true, broken, indent: (indent + INDENT).min(INDENT_MAX) });
    }

    /// Writes the separator before a part: a new line or a space.
    fn separate(&mut self) {
        let Some(&open) = self.open.last() else { return };
        if self.out.is_empty() {
            return;
        }
        if open.broken {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', open.indent));
            self.column = open.indent;
        } else {
            self.write(" ");
        }
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }
}

fn render(shown: &Shown<'_>) -> String {
    let mut out = String::new();
    match shown {
        Shown::Word(word) => out.push_str(word),
        Shown::Quoted(text) => write!(out, "{text:?}").expect("a String takes what is written"),
        Shown::Number(number) => write!(out, "{number}").expect("a String takes what is written"),
        Shown::Bool(value) => out.push_str(if *value { "TRUE" } else { "FALSE" }),
    }
    out
}
