//! A tree as a flat list of events.

use std::borrow::Cow;

use diag::Span;

/// One step of a walk over the tree.
#[derive(Debug)]
pub enum Event<'a> {
    /// A node starts. JSON says `kind` and the place, text says `head`.
    Open { kind: &'static str, head: Cow<'a, str>, span: Span },
    /// A list starts; text shows it as `(name ...)` or, without brackets, as its items.
    List { shown: Option<&'static str> },
    /// The key of what follows, in a JSON object.
    Key(&'static str),
    /// A node that text shows as `shown` alone, and JSON as a `key` of an object.
    Leaf { kind: &'static str, key: &'static str, shown: Shown<'a>, span: Span },
    /// A key of the node that text leaves out, or says in the head.
    Hidden(&'static str, Shown<'a>),
    /// A value that is no node.
    Atom(Shown<'a>),
    /// The node or list that was opened last ends.
    Close,
}

/// A value without parts.
#[derive(Debug)]
pub enum Shown<'a> {
    /// Shown as it is; a string in JSON.
    Word(Cow<'a, str>),
    /// Shown between quotation marks.
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

    /// A list whose items text shows in line with what is around.
    pub fn list(&mut self, key: &'static str) {
        self.key(key);
        self.0.push(Event::List { shown: None });
    }

    /// A list that text shows as `(key ...)`.
    pub fn group(&mut self, key: &'static str) {
        self.key(key);
        self.0.push(Event::List { shown: Some(key) });
    }

    /// A key that is true; text says so in the head of the node.
    pub fn flag(&mut self, key: &'static str) {
        self.hidden(key, Shown::Bool(true));
    }

    pub fn hidden(&mut self, key: &'static str, shown: Shown<'a>) {
        self.0.push(Event::Hidden(key, shown));
    }

    pub fn hidden_word(&mut self, key: &'static str, word: impl Into<Cow<'a, str>>) {
        self.hidden(key, Shown::Word(word.into()));
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
