//! A diagnostic is data: code, headline, places, help. `render` draws it.

use crate::{Code, Severity, Span};

/// A place and a text about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    /// The text about this place; may be empty for a bare mark.
    pub text: String,
}

/// A change of the text after which the message is gone. An editor offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title in an editor, in the imperative: "add `Naturals` to EXTENDS".
    pub title: String,
    /// Places that do not overlap, each with the text in its place.
    pub edits: Vec<(Span, String)>,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// The headline: lower case, no full stop, stands alone, names in backticks.
    pub headline: String,
    /// The place. `None` only when there is no text to point into (a file that cannot be read).
    pub primary: Option<Label>,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// Facts that explain it.
    pub notes: Vec<String>,
    /// Actions that fix it.
    pub help: Vec<String>,
    /// Changes that do what `help` says, where a program can make them. They are not drawn.
    pub fixes: Vec<Fix>,
    /// The place where reading stopped, if that is not the primary place. It is not drawn.
    pub met: Option<Span>,
}

impl Diagnostic {
    /// Makes a diagnostic of the code's own severity, at `span`.
    pub fn new(code: Code, span: Span, headline: impl Into<String>) -> Self {
        let primary = Some(Label { span, text: String::new() });
        Diagnostic { primary, ..Diagnostic::without_place(code, headline) }
    }

    /// Makes a diagnostic without a text to point into.
    pub fn without_place(code: Code, headline: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            headline: headline.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
            met: None,
        }
    }

    /// Keeps the place where reading stopped, for callers that report it in another way.
    #[must_use]
    pub fn met(mut self, span: Span) -> Self {
        self.met = Some(span);
        self
    }

    /// Sets the text at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a change that an editor can make.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits: vec![(span, text.into())] });
        self
    }

    /// Asks whether `similar` was meant at `span`, and offers to write it.
    #[must_use]
    pub fn suggest(self, span: Span, similar: &str) -> Self {
        self.help(format!("did you mean `{similar}`?")).fix(format!("change to `{similar}`"), span, similar)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The diagnostics of a pass, in the order it found them.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
}

impl Diagnostics {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.items.push(diagnostic);
    }

    pub fn extend(&mut self, other: Diagnostics) {
        self.items.extend(other.items);
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn n_errors(&self) -> usize {
        self.items.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }

    pub fn has_errors(&self) -> bool {
        self.items.iter().any(Diagnostic::is_error)
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(items: I) -> Self {
        Diagnostics { items: items.into_iter().collect() }
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}
