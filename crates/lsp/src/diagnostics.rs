//! Messages about open texts, and about the files that they need.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base::{FxIndexMap, FxIndexSet};
use diag::{Label, Severity, SourceMap, Span};
use lsp_types::notification::PublishDiagnostics;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    PublishDiagnosticsParams,
};

use crate::analysis;
use crate::lines::Lines;
use crate::snapshot::{Document, Snapshot, TextKind};
use crate::worker::Context;

/// The messages that the editor has: those that each open text led to, by file.
#[derive(Debug, Default)]
pub struct Published {
    by_root: FxIndexMap<PathBuf, FileMessages>,
    shown: FxIndexMap<PathBuf, ShownMessages>,
}

/// The messages about a file that the editor has.
#[derive(Debug, PartialEq)]
struct ShownMessages {
    /// The version of the open text. Each one gets its messages, so that an editor knows which it has.
    version: Option<i32>,
    messages: Vec<Diagnostic>,
}

type FileMessages = FxIndexMap<PathBuf, Vec<Diagnostic>>;

/// Makes the messages for all open texts and sends those that are new. Ends early where the texts have changed again.
pub fn publish(context: &Context, published: &Mutex<Published>, first: Option<&Path>) {
    let snapshot = &context.snapshot;
    let lock = || published.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // A text that was closed needs no work, and the job that closed it may have been overtaken.
    lock().by_root.retain(|path, _| snapshot.documents.contains_key(path));
    let mut order: FxIndexSet<&Path> = first.into_iter().collect();
    order.extend(snapshot.documents.keys().map(PathBuf::as_path));
    for path in order {
        if context.is_outdated() {
            return;
        }
        let messages = snapshot.documents.get(path).map(|document| messages_of(context, document));
        let mut published = lock();
        match messages {
            Some(messages) => drop(published.by_root.insert(path.to_path_buf(), messages)),
            None => drop(published.by_root.shift_remove(path)),
        }
        send_changes(context, &mut published);
    }
}

/// Sends the messages of every file for which they differ from those that the editor has.
fn send_changes(context: &Context, published: &mut Published) {
    let snapshot = &context.snapshot;
    let mut wanted = FileMessages::default();
    for (root, files) in &published.by_root {
        for (path, messages) in files {
            // An open text has its own messages. They are not repeated by those who need it.
            if path == root || !snapshot.documents.contains_key(path) {
                let known = wanted.entry(path.clone()).or_default();
                known.extend(
                    messages.iter().filter(|message| !known.contains(message)).cloned().collect::<Vec<_>>(),
                );
            }
        }
    }
    let gone: Vec<PathBuf> =
        published.shown.keys().filter(|path| !wanted.contains_key(*path)).cloned().collect();
    for path in gone {
        published.shown.shift_remove(&path);
        send(context, &path, Vec::new());
    }
    for (path, messages) in wanted {
        let version = snapshot.documents.get(&path).map(|document| document.version);
        let shown = ShownMessages { version, messages };
        if published.shown.get(&path) != Some(&shown) {
            send(context, &path, shown.messages.clone());
            published.shown.insert(path, shown);
        }
    }
}

fn send(context: &Context, path: &Path, diagnostics: Vec<Diagnostic>) {
    let Some(uri) = context.snapshot.url_of(path) else { return };
    let version = context.snapshot.documents.get(path).map(|document| document.version);
    context.client.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
}

/// The messages that a text leads to, by file. The text itself is always there.
fn messages_of(context: &Context, document: &Document) -> FileMessages {
    let snapshot = &context.snapshot;
    let mut files = FileMessages::default();
    files.insert(document.path.clone(), Vec::new());
    if document.kind == TextKind::Other || snapshot.is_embedded(&document.path) {
        return files;
    }
    let Some(analysis) = context.analysis_of(document) else { return files };
    let sources = &analysis.spec.sources;
    let mut converter = Converter { snapshot, sources, lines: FxIndexMap::default() };
    for found in analysis.diagnostics.iter() {
        // A text that is no file has no name that it must have.
        if found.code == diag::Code::ModuleNameMismatch && document.url.scheme() != "file" {
            continue;
        }
        let (path, message) = converter.message(found, &document.path);
        files.entry(path).or_default().push(message);
    }
    files
}

/// Turns messages into those of the protocol.
struct Converter<'a> {
    snapshot: &'a Snapshot,
    sources: &'a SourceMap,
    lines: FxIndexMap<diag::SourceId, Lines>,
}

impl Converter<'_> {
    fn message(&mut self, found: &diag::Diagnostic, about: &Path) -> (PathBuf, Diagnostic) {
        let (path, range) = match &found.primary {
            Some(label) if self.sources.file(label.span.source).is_file() => {
                (PathBuf::from(self.sources.file(label.span.source).name()), self.range(label.span))
            }
            Some(_) | None => (about.to_path_buf(), lsp_types::Range::default()),
        };
        let severity = match analysis::severity(found) {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        };
        let is_unused = matches!(
            found.code,
            diag::Code::UnusedDefinition | diag::Code::UnusedVariable | diag::Code::UnusedConstant
        );
        let diagnostic = Diagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(found.code.id().to_owned())),
            code_description: None,
            source: Some("specline".to_owned()),
            message: message_text(found),
            related_information: Some(self.related(found)).filter(|related| !related.is_empty()),
            tags: is_unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: None,
        };
        (path, diagnostic)
    }

    fn related(&mut self, found: &diag::Diagnostic) -> Vec<DiagnosticRelatedInformation> {
        let labels: Vec<&Label> = found.secondary.iter().filter(|label| !label.text.is_empty()).collect();
        let related = labels.into_iter().filter_map(|label| {
            let file = self.sources.file(label.span.source);
            let uri =
                if file.is_file() { self.snapshot.url_of(Path::new(file.name()))? } else { return None };
            let location = Location { uri, range: self.range(label.span) };
            Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
        });
        related.collect()
    }

    fn range(&mut self, span: Span) -> lsp_types::Range {
        let text = self.sources.file(span.source).text();
        let encoding = self.snapshot.encoding;
        let lines = self.lines.entry(span.source).or_insert_with(|| Lines::new(text, encoding));
        lines.range(text, span.range())
    }
}

/// The text of a message: the headline, what is said about the place, facts and remedies.
fn message_text(found: &diag::Diagnostic) -> String {
    let mut text = found.headline.clone();
    if let Some(label) = found.primary.as_ref().filter(|label| !label.text.is_empty()) {
        text.push_str(&format!("\n{}", label.text));
    }
    found.notes.iter().for_each(|note| text.push_str(&format!("\nnote: {note}")));
    found.help.iter().for_each(|help| text.push_str(&format!("\nhelp: {help}")));
    text
}
