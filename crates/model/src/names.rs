//! Names of properties, and places in the text.

use diag::Span;
use eval::Owned;
use eval::ir::Root;
use sema::Spec;

use crate::counterexample;

/// Returns the name of a property.
pub fn root_name(spec: &Spec, root: &Root) -> String {
    match root.def {
        Some(def) => spec.names.text(spec.defs[def].name).to_owned(),
        None => spec.sources.text(root.span).to_owned(),
    }
}

/// A span as traces give it.
pub fn place(spec: &Spec, span: Span) -> trace::Place {
    let file = spec.sources.file(span.source);
    let point = |offset: usize| {
        let position = file.position(offset as u32);
        trace::Point { line: position.line, column: position.column }
    };
    let range = span.range();
    let holds = |module: &&sema::spec::Module| {
        module.span.source == span.source
            && module.span.range().start <= range.start
            && range.end <= module.span.range().end
    };
    let module = spec.modules.iter().filter(holds).min_by_key(|module| module.span.range().len());
    trace::Place {
        file: file.name().to_owned(),
        module: module.map_or(String::new(), |module| spec.names.text(module.name).to_owned()),
        start: point(range.start),
        end: point(range.end),
    }
}

/// A span as TLC writes it.
pub fn place_text(spec: &Spec, span: Span) -> String {
    let trace::Place { start, end, module, .. } = place(spec, span);
    let last_column = end.column.saturating_sub(1);
    format!(
        "line {}, col {} to line {}, col {last_column} of module {module}",
        start.line, start.column, end.line
    )
}

/// A span as a value, as `TLCGet` gives places.
pub fn location(spec: &Spec, span: Span) -> Owned {
    counterexample::location(&place(spec, span))
}
