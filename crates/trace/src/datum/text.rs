//! Values as text: on one line as TLC prints them, and over several lines where that is too wide (contract 2.4).
//!
//! The text is for people: control characters are shown as pictures, where TLC would let the terminal obey them.
//!
//! TLC: its own breaking of lines gives up on a value that holds a name with `_`; this one does not.

use std::fmt::{self, Write};
use std::ops::Range;

use base::{visible, with_stack};
use num_bigint::BigInt;

use super::Datum;

/// The value on one line, as TLC prints it.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Layout::of(self).text)
    }
}

impl Datum {
    /// Returns the value on one line if that fits into `width` columns, otherwise broken as TLC breaks it. A part that
    /// cannot be broken may be wider. Every line but the first starts with `indent` blanks, which count as used.
    pub fn to_lines(&self, width: usize, indent: usize) -> String {
        let layout = Layout::of(self);
        let mut lines = Lines { text: &layout.text, out: String::new() };
        let room = Room { width: width.saturating_sub(indent), trailer: 0, indent };
        lines.value(&layout.root, room);
        lines.out
    }
}

/// Whether `text` could be the name of a field: TLC prints a function on such strings as a record.
pub(crate) fn is_identifier(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A value on one line, with the positions of its parts.
struct Layout {
    text: String,
    root: LinePart,
}

/// A stretch of the line.
struct LinePart {
    range: Range<usize>,
    n_chars: usize,
    form: Form,
    /// The elements of a list; for a graph, arguments and values in turn.
    parts: Vec<LinePart>,
}

#[derive(Clone, Copy)]
enum Form {
    Leaf,
    List(Brackets),
    Graph(Brackets, Arrow),
}

/// The texts around and between the parts.
#[derive(Clone, Copy)]
struct Brackets {
    open: &'static str,
    close: &'static str,
    separator: &'static str,
}

/// The text between an argument and its value.
type Arrow = &'static str;

const SET: Brackets = Brackets { open: "{", close: "}", separator: "," };
const TUPLE: Brackets = Brackets { open: "<<", close: ">>", separator: "," };
const RECORD: Brackets = Brackets { open: "[", close: "]", separator: "," };
const FUNCTION: Brackets = Brackets { open: "(", close: ")", separator: " @@" };

impl Layout {
    fn of(datum: &Datum) -> Layout {
        let mut writer = LineWriter { text: String::new(), n_chars: 0 };
        let root = writer.value(datum);
        Layout { text: writer.text, root }
    }
}

/// Writes the line and records the parts.
struct LineWriter {
    text: String,
    n_chars: usize,
}

impl LineWriter {
    fn value(&mut self, datum: &Datum) -> LinePart {
        with_stack(|| match datum {
            Datum::Bool(value) => self.leaf(if *value { "TRUE" } else { "FALSE" }),
            Datum::Int(value) => self.leaf(&value.to_string()),
            Datum::Str(text) => self.leaf(&quote(text)),
            Datum::Model(name) | Datum::Opaque(name) => self.leaf(name),
            Datum::Set(elements) => self.list(SET, elements.iter()),
            Datum::Seq(items) => self.list(TUPLE, items.iter()),
            Datum::Record(fields) => self.record(fields),
            Datum::Function(pairs) => self.function(pairs),
        })
    }

    fn push(&mut self, text: &str) {
        self.text.extend(text.chars().map(visible));
        self.n_chars += text.chars().count();
    }

    fn leaf(&mut self, text: &str) -> LinePart {
        self.part(Form::Leaf, |writer| {
            writer.push(text);
            Vec::new()
        })
    }

    fn part(&mut self, form: Form, write: impl FnOnce(&mut Self) -> Vec<LinePart>) -> LinePart {
        let (start, n_before) = (self.text.len(), self.n_chars);
        let parts = write(self);
        LinePart { range: start..self.text.len(), n_chars: self.n_chars - n_before, form, parts }
    }

    fn list<'d>(&mut self, brackets: Brackets, items: impl Iterator<Item = &'d Datum>) -> LinePart {
        self.part(Form::List(brackets), |writer| {
            let mut parts = Vec::new();
            writer.push(brackets.open);
            for (index, item) in items.enumerate() {
                writer.separate(index, brackets);
                parts.push(writer.value(item));
            }
            writer.push(brackets.close);
            parts
        })
    }

    fn separate(&mut self, index: usize, brackets: Brackets) {
        if index > 0 {
            self.push(brackets.separator);
            self.push(" ");
        }
    }

    fn record(&mut self, fields: &[(String, Datum)]) -> LinePart {
        if fields.is_empty() {
            return self.list(TUPLE, std::iter::empty());
        }
        let pairs = fields.iter().map(|(name, value)| (name, value));
        if fields.iter().all(|(name, _)| is_identifier(name)) {
            return self.graph(RECORD, " |->", pairs, |writer, name| writer.leaf(name));
        }
        self.graph(FUNCTION, " :>", pairs, |writer, name| writer.leaf(&quote(name)))
    }

    fn function(&mut self, pairs: &[(Datum, Datum)]) -> LinePart {
        if let Some(items) = as_tuple(pairs) {
            return self.list(TUPLE, items.into_iter());
        }
        let pairs = pairs.iter().map(|(argument, value)| (argument, value));
        if pairs.clone().all(|(argument, _)| opt_field(argument).is_some()) {
            let name =
                |writer: &mut Self, argument: &Datum| writer.leaf(opt_field(argument).unwrap_or_default());
            return self.graph(RECORD, " |->", pairs, name);
        }
        self.graph(FUNCTION, " :>", pairs, |writer, argument| writer.value(argument))
    }

    fn graph<'d, A: 'd + ?Sized>(
        &mut self,
        brackets: Brackets,
        arrow: Arrow,
        pairs: impl Iterator<Item = (&'d A, &'d Datum)>,
        write_argument: impl Fn(&mut Self, &A) -> LinePart,
    ) -> LinePart {
        self.part(Form::Graph(brackets, arrow), |writer| {
            let mut parts = Vec::new();
            writer.push(brackets.open);
            for (index, (argument, value)) in pairs.enumerate() {
                writer.separate(index, brackets);
                parts.push(write_argument(writer, argument));
                writer.push(arrow);
                writer.push(" ");
                parts.push(writer.value(value));
            }
            writer.push(brackets.close);
            parts
        })
    }
}

/// Returns the values in the order of their arguments, if those are `1..n`.
fn as_tuple(pairs: &[(Datum, Datum)]) -> Option<Vec<&Datum>> {
    let mut items: Vec<(&BigInt, &Datum)> = Vec::with_capacity(pairs.len());
    for (argument, value) in pairs {
        let Datum::Int(argument) = argument else { return None };
        items.push((argument, value));
    }
    items.sort_by_key(|(argument, _)| *argument);
    let is_range = items.iter().zip(1_u64..).all(|((argument, _), expected)| **argument == expected.into());
    is_range.then(|| items.into_iter().map(|(_, value)| value).collect())
}

/// Returns the name of a field, if `argument` is one.
fn opt_field(argument: &Datum) -> Option<&str> {
    match argument {
        Datum::Str(text) if is_identifier(text) => Some(text),
        Datum::Str(_) | Datum::Bool(_) | Datum::Int(_) | Datum::Model(_) | Datum::Opaque(_) => None,
        Datum::Set(_) | Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => None,
    }
}

/// Returns a string as a literal. TLC escapes these six characters.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The space into which a value may be written.
#[derive(Clone, Copy)]
struct Room {
    /// Columns from the indent to the end of the line.
    width: usize,
    /// Columns at the end of the value's last line that are needed for something else.
    trailer: usize,
    /// Blanks before every line but the first.
    indent: usize,
}

impl Room {
    fn inside(self, n_columns: usize) -> Room {
        let indent = (self.indent + n_columns).min(self.indent.max(INDENT_MAX));
        Room { width: self.width.saturating_sub(n_columns), indent, ..self }
    }

    fn before(self, trailer: usize) -> Room {
        Room { trailer, ..self }
    }
}

/// The largest indent: a very deep value would otherwise be mostly blanks.
const INDENT_MAX: usize = 200;

/// The indent of a pair's value relative to its argument.
const PAIR_INDENT: usize = 4;

/// Breaks a line into several.
struct Lines<'t> {
    text: &'t str,
    out: String,
}

impl Lines<'_> {
    fn value(&mut self, part: &LinePart, room: Room) {
        if part.n_chars + room.trailer <= room.width || part.parts.is_empty() {
            return self.out.push_str(&self.text[part.range.clone()]);
        }
        with_stack(|| match part.form {
            Form::Leaf => self.out.push_str(&self.text[part.range.clone()]),
            Form::List(brackets) => self.around(brackets, room, |lines, room| {
                lines.items(part.parts.iter(), brackets, room, |lines, item, room| lines.value(item, room));
            }),
            Form::Graph(brackets, arrow) => self.around(brackets, room, |lines, room| {
                lines.items(part.parts.chunks_exact(2), brackets, room, |lines, pair, room| {
                    lines.pair(&pair[0], arrow, &pair[1], room);
                });
            }),
        });
    }

    /// Writes `{ ... }`, with the output of `inner` between.
    fn around(&mut self, brackets: Brackets, room: Room, inner: impl FnOnce(&mut Self, Room)) {
        self.out.push_str(brackets.open);
        self.out.push(' ');
        let trailer = room.trailer + 1 + brackets.close.len();
        inner(self, room.inside(brackets.open.len() + 1).before(trailer));
        self.out.push(' ');
        self.out.push_str(brackets.close);
    }

    /// Writes one item on each line; all but the last only need space for a separator.
    fn items<I>(
        &mut self,
        items: impl Iterator<Item = I>,
        brackets: Brackets,
        room: Room,
        write: impl Fn(&mut Self, I, Room),
    ) {
        let mut items = items.peekable();
        while let Some(item) = items.next() {
            if items.peek().is_none() {
                return write(self, item, room);
            }
            write(self, item, room.before(brackets.separator.len()));
            self.out.push_str(brackets.separator);
            self.line_break(room.indent);
        }
    }

    /// Writes a pair on one line if that fits, otherwise the value on lines of its own.
    fn pair(&mut self, argument: &LinePart, arrow: Arrow, value: &LinePart, room: Room) {
        let n_chars = argument.n_chars + arrow.len() + 1 + value.n_chars;
        self.value(argument, room.before(arrow.len()));
        self.out.push_str(arrow);
        if n_chars + room.trailer <= room.width {
            self.out.push(' ');
            return self.out.push_str(&self.text[value.range.clone()]);
        }
        let room = room.inside(PAIR_INDENT);
        self.line_break(room.indent);
        self.value(value, room);
    }

    fn line_break(&mut self, indent: usize) {
        write!(self.out, "\n{:indent$}", "").expect("a string takes all");
    }
}
