//! The tree of a configuration file: every keyword, name and value with its span.

use base::Name;
use diag::Span;

use super::Keyword;
use crate::ast::Ident;

/// A configuration file, statement by statement. A statement that could not be read is left out, and the readable part
/// of a list is kept.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub statements: Vec<Statement>,
}

/// A keyword and its arguments.
#[derive(Clone, Debug)]
pub struct Statement {
    pub keyword: Keyword,
    pub keyword_span: Span,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub enum Body {
    /// The names after a keyword that takes names. If the keyword takes one, there is exactly one.
    Names(Vec<Ident>),
    /// The assignments after `CONSTANT`.
    Assignments(Vec<Assignment>),
    /// The value after `CHECK_DEADLOCK`.
    Flag(DeadlockFlag),
}

#[derive(Clone, Copy, Debug)]
pub struct DeadlockFlag {
    pub value: bool,
    pub span: Span,
}

/// `lhs = value`, `lhs(args) = value`, `lhs <- name`, the last two also with `[Module]`.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub lhs: Path,
    pub right: RightSide,
    pub span: Span,
}

/// The left side: one name or symbol, or `A!B!c`. Never empty.
#[derive(Clone, Debug)]
pub struct Path {
    pub segments: Vec<Ident>,
}

#[derive(Clone, Debug)]
pub enum RightSide {
    /// `= value`; with `args`, one line of a constant operator's table.
    Value { args: Option<Args>, module: Option<Ident>, value: Value },
    /// `<- name`
    Definition { module: Option<Ident>, name: Ident },
}

/// `(1, "a")`
#[derive(Clone, Debug)]
pub struct Args {
    pub values: Vec<Value>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Value {
    pub kind: ValueKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ValueKind {
    /// A decimal numeral as written, of any length.
    Int(Name),
    /// A string with its escapes resolved.
    String(Name),
    Bool(bool),
    /// A name that stands for itself.
    ModelValue(Name),
    /// The elements in the order written, repetitions included.
    Set(Vec<Value>),
}

impl Path {
    pub fn span(&self) -> Span {
        let (first, last) = (self.segments.first(), self.segments.last());
        let (first, last) = first.zip(last).expect("a path has at least one segment");
        first.span.to(last.span)
    }

    /// Returns the name, if it is not a path through instances.
    pub fn single(&self) -> Option<Ident> {
        match self.segments[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl Config {
    /// Returns the name given to a keyword that takes one: `SPECIFICATION`, `INIT`, `VIEW` and so on. Of several, the
    /// first counts; the others were reported.
    pub fn name(&self, keyword: Keyword) -> Option<Ident> {
        self.names(keyword).next()
    }

    /// Iterates over every name given to this keyword, in the order of the text.
    pub fn names(&self, keyword: Keyword) -> impl Iterator<Item = Ident> {
        let of_keyword = self.statements.iter().filter(move |statement| statement.keyword == keyword);
        of_keyword.flat_map(|statement| match &statement.body {
            Body::Names(names) => names.iter().copied(),
            Body::Assignments(_) | Body::Flag(_) => [].iter().copied(),
        })
    }

    /// Iterates over every assignment to a constant, in the order of the text.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.statements.iter().flat_map(|statement| match &statement.body {
            Body::Assignments(assignments) => assignments.iter(),
            Body::Names(_) | Body::Flag(_) => [].iter(),
        })
    }

    /// Returns the value of `CHECK_DEADLOCK`, if it is in the file.
    pub fn check_deadlock(&self) -> Option<DeadlockFlag> {
        self.statements.iter().find_map(|statement| match statement.body {
            Body::Flag(flag) => Some(flag),
            Body::Names(_) | Body::Assignments(_) => None,
        })
    }
}
