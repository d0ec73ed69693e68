//! A case: sources, a diagnostic whose places are found by their text, and the file it is compared with.

use std::path::Path;

use diag::render::{self, Colour};
use diag::{Code, Diagnostic, SourceId, SourceMap, Span};
use test_kit::Expectations;

/// Sources under construction, and the diagnostic about them.
pub struct Case {
    sources: SourceMap,
    texts: Vec<(SourceId, String)>,
}

impl Case {
    pub fn new(name: &str, text: &str) -> Self {
        Case { sources: SourceMap::new(), texts: Vec::new() }.and(name, text)
    }

    /// Adds another source.
    pub fn and(mut self, name: &str, text: &str) -> Self {
        let id = self.sources.add(name, text);
        self.texts.push((id, text.to_owned()));
        self
    }

    /// Returns the first place of `needle`, in the order of the sources.
    #[track_caller]
    pub fn at(&self, needle: &str) -> Span {
        let found = self.texts.iter().find_map(|(id, text)| Some((*id, text.find(needle)?)));
        let (id, start) = found.expect("the needle is in one of the sources");
        Span::new(id, start..start + needle.len())
    }

    /// Compares all three forms of `diagnostic` with `snapshots/NAME.txt`.
    #[track_caller]
    pub fn check(&self, name: &str, diagnostic: &Diagnostic) {
        let text = render::text(&self.sources, diagnostic, Colour::Plain);
        let concise = render::concise(&self.sources, diagnostic);
        let json = render::json(&self.sources, diagnostic);
        check(name, &format!("{text}\n\n-- concise --\n{concise}\n\n-- json --\n{json}\n"));
    }

    /// Compares the text form with `snapshots/NAME.txt`, escapes written as `\e`.
    #[track_caller]
    pub fn check_colours(&self, name: &str, diagnostic: &Diagnostic) {
        let text = render::text(&self.sources, diagnostic, Colour::Ansi);
        check(name, &format!("{}\n", text.replace('\x1b', "\\e")));
    }

    /// Compares the text form alone, for cases whose JSON is as long as their source.
    #[track_caller]
    pub fn check_text(&self, name: &str, diagnostic: &Diagnostic) {
        check(name, &format!("{}\n", render::text(&self.sources, diagnostic, Colour::Plain)));
    }
}

/// Makes a diagnostic that says nothing in particular.
pub fn unknown_name(span: Span) -> Diagnostic {
    Diagnostic::new(Code::UnknownName, span, "unknown name").label("not defined")
}

#[track_caller]
fn check(name: &str, actual: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/snapshots");
    let mut expectations = Expectations::new();
    expectations.check(&folder.join(format!("{name}.txt")), actual);
    expectations.finish();
}
