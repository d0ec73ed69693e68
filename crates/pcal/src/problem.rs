//! Errors in an algorithm: a code, a place in the text, and what to do about it.

use diag::{Code, Diagnostic, SourceId, Span};

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
        diagnostic
    }
}
