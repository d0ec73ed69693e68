//! A tree as a flat list of events.

use std::borrow::Cow;

use diag::Span;

/// One step of a walk over the tree.
#[derive(Debug)]
pub enum Event<'a> {
    /// The start of a node. JSON shows `kind` and the place, text shows `head`.
    Open { kind: &'static str, head: Cow<'a, str>, span: Span },
    /// The start of a list. Text shows it as `(name ...)` or, without brackets, as its items.
    List { shown: Option<&'static str> },
    /// The key of the next value in a JSON object.
    Key(&'static str),
    /// A node that text shows as `shown` alone, and JSON as a `key` of an object.
    Leaf { kind: &'static str, key: &'static str, shown: Shown<'a>, span: Span },
    /// A key of the node that text leaves out, or shows in the head.
    Hidden(&'static str, Shown<'a>),
    /// A value that is not a node.
    Atom(Shown<'a>),
    /// The end of the node or list that was opened last.
    Close,
}

/// A value without parts.
#[derive(Debug)]
pub enum Shown<'a> {
    /// A word, shown as it is; a string in JSON.
    Word(Cow<'a, str>),
    /// A text, shown between quotation marks.
    Quoted(&'a str),
    Number(u32),
    Bool(bool),
}

#[derive(Debug, Default)]
pub struct Events<'a>(pub Vec<Event<'a>>);

impl<'a> Events<'a> {
    pub fn open(&mut self, kind: &'static str, span: Span) {
        self.open_as(kind, kind, span);
    }

    pub fn open_as(&mut self, kind: &'static str, head: impl Into<Cow<'a, str>>, span: Span) {
        self.0.push(Event::Open { kind, head: head.into(), span });
    }

    pub fn close(&mut self) {
        self.0.push(Event::Close);
    }

    pub fn key(&mut self, key: &'static str) {
        self.0.push(Event::Key(key));
    }

    /// Opens a list whose items text shows in line with the surrounding ones.
    pub fn list(&mut self, key: &'static str) {
        self.key(key);
        self.0.push(Event::List { shown: None });
    }

    /// Opens a list that text shows as `(key ...)`.
    pub fn group(&mut self, key: &'static str) {
        self.key(key);
        self.0.push(Event::List { shown: Some(key) });
    }

    /// Adds a key that is true. Text shows it in the head of the node.
    pub fn flag(&mut self, key: &'static str) {
        self.push_hidden(key, Shown::Bool(true));
    }

    pub fn push_hidden(&mut self, key: &'static str, shown: Shown<'a>) {
        self.0.push(Event::Hidden(key, shown));
    }

    pub fn push_hidden_word(&mut self, key: &'static str, word: impl Into<Cow<'a, str>>) {
        self.push_hidden(key, Shown::Word(word.into()));
    }

    pub fn leaf(&mut self, kind: &'static str, key: &'static str, shown: Shown<'a>, span: Span) {
        self.0.push(Event::Leaf { kind, key, shown, span });
    }

    pub fn atom(&mut self, shown: Shown<'a>) {
        self.0.push(Event::Atom(shown));
    }

    pub fn word(&mut self, key: &'static str, word: impl Into<Cow<'a, str>>) {
        self.key(key);
        self.atom(Shown::Word(word.into()));
    }
}
