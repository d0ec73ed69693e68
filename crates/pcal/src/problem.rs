//! Errors in an algorithm: a code, a place in the text, and what to do about it.

use diag::{Code, Diagnostic, Fix, SourceId, Span};

use crate::source::{Spot, Text};

/// An error in an algorithm. It knows places of the text that was read; [`Problem::diagnostic`] makes spans of them.
#[derive(Clone, Debug)]
pub struct Problem(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    code: Code,
    headline: String,
    at: Spot,
    width: usize,
    label: String,
    related: Vec<(Spot, usize, String)>,
    notes: Vec<String>,
    help: Vec<String>,
    fixes: Vec<ProblemFix>,
}

/// A change after which the problem is gone.
#[derive(Clone, Debug)]
struct ProblemFix {
    title: String,
    /// Places, how many characters they have, and the texts in their place.
    edits: Vec<(Spot, usize, String)>,
}

impl Problem {
    pub fn new(code: Code, at: Spot, headline: impl Into<String>) -> Problem {
        Problem(Box::new(Parts {
            code,
            headline: headline.into(),
            at,
            width: 1,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }))
    }

    /// Sets how many characters are marked.
    pub fn wide(mut self, width: usize) -> Problem {
        self.0.width = width;
        self
    }

    /// Sets the text at the place.
    pub fn label(mut self, text: impl Into<String>) -> Problem {
        self.0.label = text.into();
        self
    }

    /// Adds another place.
    pub fn related(mut self, at: Spot, width: usize, text: impl Into<String>) -> Problem {
        self.0.related.push((at, width, text.into()));
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Problem {
        self.0.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Problem {
        self.0.help.push(text.into());
        self
    }

    /// Adds a change that an editor can make: places, how many characters they have, and the texts in their place.
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<(Spot, usize, String)>) -> Problem {
        self.0.fixes.push(ProblemFix { title: title.into(), edits });
        self
    }

    /// Asks whether `near` was meant in the marked place, and offers to write it.
    pub fn suggest(self, near: &str) -> Problem {
        let edits = vec![(self.0.at, self.0.width, near.to_owned())];
        self.help(format!("did you mean `{near}`?")).fix(format!("change to `{near}`"), edits)
    }

    /// Puts a problem that is about the whole algorithm at `at`.
    pub fn at_if_nowhere(mut self, at: Spot) -> Problem {
        if self.0.at == Spot::default() {
            self.0.at = at;
        }
        self
    }

    /// The problem as a diagnostic about `source`, whose lines are `text`.
    pub fn diagnostic(self, text: &Text, source: SourceId) -> Diagnostic {
        let span = |at: Spot, width: usize| Span::new(source, text.range(at, width));
        let mut diagnostic = Diagnostic::new(self.0.code, span(self.0.at, self.0.width), self.0.headline);
        if !self.0.label.is_empty() {
            diagnostic = diagnostic.label(self.0.label);
        }
        for (at, width, text) in self.0.related {
            diagnostic = diagnostic.related(span(at, width), text);
        }
        diagnostic.notes = self.0.notes;
        diagnostic.help = self.0.help;
        diagnostic.fixes = self
            .0
            .fixes
            .into_iter()
            .map(|fix| {
                let edits = fix.edits.into_iter().map(|(at, width, text)| (span(at, width), text));
                Fix { title: fix.title, edits: edits.collect() }
            })
            .collect();
        diagnostic
    }
}
