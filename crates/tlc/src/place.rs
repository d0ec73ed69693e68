//! Places as TLC writes them.

use diag::Span;
use eval::ir::Root;
use sema::Spec;
use sema::spec::DefBody;

/// Returns a place as `line 9, col 8 to line 9, col 16 of module Clock`.
pub fn of(spec: &Spec, span: Span) -> String {
    let (start, end) = ends(spec, span);
    let module = module(spec, span);
    format!("line {}, col {} to line {}, col {} of module {module}", start.0, start.1, end.0, end.1)
}

/// Returns a place as a stack of nested expressions shows it:
/// `Line 9, column 8 to line 9, column 16 in Clock`.
pub fn nested_place(spec: &Spec, span: Span) -> String {
    let (start, end) = ends(spec, span);
    let module = module(spec, span);
    format!("Line {}, column {} to line {}, column {} in {module}", start.0, start.1, end.0, end.1)
}

/// Returns line and column of the first and the last character. TLC: the last one is included.
fn ends(spec: &Spec, span: Span) -> ((u32, u32), (u32, u32)) {
    let file = spec.sources.file(span.source);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let last = if end.line > start.line { 1 } else { start.column };
    ((start.line, start.column), (end.line, end.column.saturating_sub(1).max(last)))
}

/// Returns the place of the text of a formula: the right side of its definition, if it has one.
pub fn body(spec: &Spec, root: &Root) -> Span {
    match root.def.map(|def| &spec.defs[def].body) {
        Some(DefBody::Expr(body)) => spec.exprs[*body].span,
        Some(_) | None => root.span,
    }
}

/// The module that a place is in; the file, where there is no module.
pub fn module(spec: &Spec, span: Span) -> String {
    let around = spec.modules.iter().filter(|module| {
        module.span.source == span.source && module.span.start <= span.start && span.end <= module.span.end
    });
    match around.min_by_key(|module| module.span.end - module.span.start) {
        Some(module) => spec.names.text(module.name).to_owned(),
        None => stem(spec.sources.file(span.source).name()),
    }
}

/// The name of a module by its file.
pub fn stem(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem();
    stem.map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
