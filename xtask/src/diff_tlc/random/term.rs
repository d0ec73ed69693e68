//! Generated text as a tree, so that it can be made smaller: a [`Term`] has a sort, and where it stands another
//! term of the same sort fits. How terms are made is in `expr` and `spec`; how they get smaller, in `shrink`.

use super::ty::Ty;

#[derive(Clone, Debug)]
pub struct Term {
    pub sort: Sort,
    pub parts: Vec<Part>,
}

/// What may stand in for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An expression with a value of this type.
    Value(Ty),
    /// A part of the next-state relation.
    Action,
    /// A part of the initial predicate.
    Initial,
    /// Only this term fits here; its parts may be replaced.
    Frame,
}

#[derive(Clone, Debug)]
pub enum Part {
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
        Term { sort, parts: vec![Part::Text(text.into())] }
    }

    pub fn frame(parts: Vec<Part>) -> Term {
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
                Part::Text(text) => out.module.push_str(text),
                Part::Config(line) => {
                    out.config.push_str(line);
                    out.config.push('\n');
                }
                Part::Term(term) => term.write(out),
                Part::List { separator, items, .. } => {
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

    /// The terms right below this one, in the order of the text.
    pub fn children(&self) -> impl Iterator<Item = &Term> {
        self.parts.iter().flat_map(|part| match part {
            Part::Text(_) | Part::Config(_) => &[],
            Part::Term(term) => std::slice::from_ref(term),
            Part::List { items, .. } => items.as_slice(),
        })
    }

    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        self.parts.iter_mut().flat_map(|part| match part {
            Part::Text(_) | Part::Config(_) => &mut [],
            Part::Term(term) => std::slice::from_mut(term),
            Part::List { items, .. } => items.as_mut_slice(),
        })
    }
}
