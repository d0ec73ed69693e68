//! Generated text as a tree, so that it can be shrunk: a [`Term`] has a sort, and can be replaced by another term of
//! the same sort. `expr` and `spec` make terms; `shrink` makes them smaller.

use super::ty::Ty;

#[derive(Clone, Debug)]
pub struct Term {
    pub sort: Sort,
    pub parts: Vec<TermPart>,
}

/// The sort of a term: terms of the same sort can replace each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An expression with a value of this type.
    Value(Ty),
    /// A part of the next-state relation.
    Action,
    /// A part of the initial predicate.
    Initial,
    /// A fixed frame: only this term fits here; its parts may be replaced.
    Frame,
}

#[derive(Clone, Debug)]
pub enum TermPart {
    Text(String),
    /// A line of the configuration.
    Config(String),
    Term(Term),
    /// Terms of which any may be left out, down to the least number.
    List {
        separator: &'static str,
        items: Vec<Term>,
        n_least: usize,
    },
}

/// A module and its configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pub module: String,
    pub config: String,
}

impl Term {
    pub fn text(sort: Sort, text: impl Into<String>) -> Term {
        Term { sort, parts: vec![TermPart::Text(text.into())] }
    }

    pub fn frame(parts: Vec<TermPart>) -> Term {
        Term { sort: Sort::Frame, parts }
    }

    pub fn render(&self) -> Text {
        let mut out = Text::default();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Text) {
        for part in &self.parts {
            match part {
                TermPart::Text(text) => out.module.push_str(text),
                TermPart::Config(line) => {
                    out.config.push_str(line);
                    out.config.push('\n');
                }
                TermPart::Term(term) => term.write(out),
                TermPart::List { separator, items, .. } => {
                    for (at, item) in items.iter().enumerate() {
                        if at > 0 {
                            out.module.push_str(separator);
                        }
                        item.write(out);
                    }
                }
            }
        }
    }

    /// Returns the terms directly below this one, in the order of the text.
    pub fn children(&self) -> impl Iterator<Item = &Term> {
        self.parts.iter().flat_map(|part| match part {
            TermPart::Text(_) | TermPart::Config(_) => &[],
            TermPart::Term(term) => std::slice::from_ref(term),
            TermPart::List { items, .. } => items.as_slice(),
        })
    }

    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        self.parts.iter_mut().flat_map(|part| match part {
            TermPart::Text(_) | TermPart::Config(_) => &mut [],
            TermPart::Term(term) => std::slice::from_mut(term),
            TermPart::List { items, .. } => items.as_mut_slice(),
        })
    }
}
