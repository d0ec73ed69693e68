//! Changes that an editor offers: those that messages know, and a fresh translation of an algorithm.

use std::path::PathBuf;

use diag::{Code, SourceId};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, TextEdit,
    WorkspaceEdit,
};
use pcal::{Options, Status};

use crate::analysis::Analysis;
use crate::formatting;
use crate::lines::Lines;
use crate::snapshot::{Document, TextKind};
use crate::worker::{Context, Failure};

pub fn actions(context: &Context, params: CodeActionParams) -> Result<Option<CodeActionResponse>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    let mut found = Vec::new();
    let wanted = document.lines.bytes(&document.text, params.range);
    if let Some(analysis) = context.analysis_of(&document)
        && let Some(here) = analysis.source_of(&document.path)
    {
        for message in analysis.diagnostics.iter() {
            let Some(label) = message.primary.as_ref().filter(|label| label.span.source == here) else {
                continue;
            };
            let range = label.span.range();
            if range.start > wanted.end || range.end < wanted.start {
                continue;
            }
            let reported = params.context.diagnostics.iter().filter(|known| {
                known.range == document.range(range.clone())
                    && known.code == Some(lsp_types::NumberOrString::String(message.code.id().to_owned()))
            });
            let reported: Vec<_> = reported.cloned().collect();
            for fix in &message.fixes {
                let Some(edit) = edit_of(context, &analysis, &fix.edits) else { continue };
                found.push(action(&fix.title, CodeActionKind::QUICKFIX, edit, reported.clone()));
            }
            if message.code == Code::StaleTranslation
                && let Some(edit) = translation(context, &document)
            {
                let title = "translate the algorithm";
                found.push(action(title, CodeActionKind::QUICKFIX, edit, reported));
            }
        }
    }
    let is_offered = found.iter().any(|known| matches!(known, CodeActionOrCommand::CodeAction(action) if action.title == "translate the algorithm"));
    if !is_offered
        && is_behind(&document)
        && let Some(edit) = translation(context, &document)
    {
        found.push(action("translate the algorithm", CodeActionKind::SOURCE, edit, Vec::new()));
    }
    Ok(Some(found))
}

fn action(
    title: &str,
    kind: CodeActionKind,
    edit: WorkspaceEdit,
    diagnostics: Vec<lsp_types::Diagnostic>,
) -> CodeActionOrCommand {
    CodeActionOrCommand::CodeAction(CodeAction {
        title: title.to_owned(),
        kind: Some(kind),
        diagnostics: Some(diagnostics).filter(|known| !known.is_empty()),
        edit: Some(edit),
        is_preferred: Some(true),
        ..CodeAction::default()
    })
}

/// Edits of one file as the protocol wants them. `None` for files that come with Specline.
fn edit_of(context: &Context, analysis: &Analysis, edits: &[(diag::Span, String)]) -> Option<WorkspaceEdit> {
    let source: SourceId = edits.first()?.0.source;
    let file = analysis.spec.sources.file(source);
    if !file.is_file() || edits.iter().any(|(span, _)| span.source != source) {
        return None;
    }
    let lines = Lines::new(file.text(), context.snapshot.encoding);
    let edits = edits.iter().map(|(span, text)| TextEdit {
        range: lines.range(file.text(), span.range()),
        new_text: text.clone(),
    });
    edit(context, PathBuf::from(file.name()), edits.collect())
}

fn edit(context: &Context, path: PathBuf, edits: Vec<TextEdit>) -> Option<WorkspaceEdit> {
    let changes = [(context.snapshot.url_of(&path)?, edits)].into_iter().collect();
    Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Whether a module has an algorithm whose translation is not that of the algorithm.
fn is_behind(document: &Document) -> bool {
    if document.kind != TextKind::Module || !pcal::has_algorithm(&document.text) {
        return false;
    }
    let mut sources = diag::SourceMap::new();
    let source = sources.add_text("", std::sync::Arc::clone(&document.text));
    match pcal::status(&document.text, source, &Options::default()) {
        Ok(Status::Missing | Status::Edited(_) | Status::Stale(_) | Status::Different(_)) => true,
        Ok(Status::Fresh | Status::NoAlgorithm) | Err(_) => false,
    }
}

/// The change that puts a fresh translation into a module.
pub fn translation(context: &Context, document: &Document) -> Option<WorkspaceEdit> {
    let mut sources = diag::SourceMap::new();
    let source = sources.add_text("", std::sync::Arc::clone(&document.text));
    let made = pcal::translate(&document.text, source, &Options::default()).ok()??;
    let edits = formatting::edits(&document.text, &made.module, context.snapshot.encoding);
    edit(context, document.path.clone(), edits)
}
