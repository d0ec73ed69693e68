//! Outlines: what a text declares and defines, and names of all folders.

use std::path::Path;

use base::Names;
use diag::{SourceMap, Span};
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind,
    WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use syntax::ast::{File, Ident, Module, UnitKind};
use syntax::cfg::{Body, parse_config};
use syntax::token::Token;

use crate::lines::Lines;
use crate::snapshot::{Snapshot, TextKind};
use crate::worker::{Context, Failure};
use crate::workspace;

/// A text on its own: its tree, as far as it can be read, and its tokens.
pub struct ParsedText {
    pub file: File,
    pub names: Names,
    pub tokens: Vec<Token>,
}

pub fn parse(text: &str) -> ParsedText {
    let (mut sources, mut names) = (SourceMap::new(), Names::new());
    let source = sources.add_text("", text);
    let file = syntax::parse_file(source, text, &mut names).tree;
    ParsedText { file, names, tokens: syntax::tokens_of_file(source, text) }
}

/// Number of names that an answer about all folders has.
const N_SYMBOLS_MAX: usize = 512;

pub fn document(
    context: &Context,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    let outline = Outline { text: &document.text, lines: &document.lines };
    let symbols = outline.of(document.kind);
    if context.snapshot.abilities.hierarchical_symbols {
        return Ok(Some(DocumentSymbolResponse::Nested(symbols)));
    }
    let mut flat = Vec::new();
    flatten(&symbols, (&document.url, None), &mut flat);
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}

pub fn workspace(
    context: &Context,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>, Failure> {
    let query = params.query.to_lowercase();
    let mut found = Vec::new();
    for path in workspace::files(&context.snapshot) {
        context.cancel.check()?;
        add_symbols(&context.snapshot, &path, &query, &mut found);
        if found.len() >= N_SYMBOLS_MAX {
            break;
        }
    }
    found.truncate(N_SYMBOLS_MAX);
    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
}

fn add_symbols(snapshot: &Snapshot, path: &Path, query: &str, found: &mut Vec<SymbolInformation>) {
    if TextKind::of(path) != TextKind::Module {
        return;
    }
    let (Some(text), Some(url)) = (workspace::text_of(snapshot, path), snapshot.url_of(path)) else { return };
    let lines = Lines::new(&text, snapshot.encoding);
    let symbols = Outline { text: &text, lines: &lines }.of(TextKind::Module);
    let mut flat = Vec::new();
    flatten(&symbols, (&url, None), &mut flat);
    found.extend(flat.into_iter().filter(|symbol| is_match(&symbol.name.to_lowercase(), query)));
}

/// Whether the characters of the query stand in the name in this order.
fn is_match(name: &str, query: &str) -> bool {
    let mut rest = name.chars();
    query.chars().all(|wanted| rest.any(|char| char == wanted))
}

fn flatten(
    symbols: &[DocumentSymbol],
    (url, container): (&lsp_types::Url, Option<&str>),
    found: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        #[expect(deprecated, reason = "the type has no other way to be made")]
        found.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: Location { uri: url.clone(), range: symbol.selection_range },
            container_name: container.map(str::to_owned),
        });
        let children = symbol.children.as_deref().unwrap_or_default();
        base::with_stack(|| flatten(children, (url, Some(&symbol.name)), found));
    }
}

struct Outline<'a> {
    text: &'a str,
    lines: &'a Lines,
}

impl Outline<'_> {
    fn of(&self, kind: TextKind) -> Vec<DocumentSymbol> {
        match kind {
            TextKind::Module => {
                let file = parse(self.text).file;
                file.modules.iter().map(|module| self.module(module)).collect()
            }
            TextKind::Config => self.config(),
            TextKind::Other => Vec::new(),
        }
    }

    fn symbol(&self, name: Span, whole: Span, (kind, detail): (SymbolKind, Option<&str>)) -> DocumentSymbol {
        let name_text = self.text.get(name.range()).unwrap_or_default();
        // Some editors refuse symbols without a name, or whose name lies outside of them.
        let name_text = if name_text.is_empty() { "?" } else { name_text };
        let whole = if whole.start <= name.start && name.end <= whole.end { whole } else { name };
        #[expect(deprecated, reason = "the type has no other way to be made")]
        DocumentSymbol {
            name: name_text.to_owned(),
            detail: detail.map(str::to_owned),
            kind,
            tags: None,
            deprecated: None,
            range: self.lines.range(self.text, whole.range()),
            selection_range: self.lines.range(self.text, name.range()),
            children: None,
        }
    }

    fn module(&self, module: &Module) -> DocumentSymbol {
        let mut children = Vec::new();
        for unit in &module.units {
            let mut add = |name: Ident, what: (SymbolKind, Option<&str>)| {
                children.push(self.symbol(name.span, unit.span, what));
            };
            match &unit.kind {
                UnitKind::Constants(decls) => {
                    decls.iter().for_each(|decl| add(decl.name, (SymbolKind::CONSTANT, Some("CONSTANT"))));
                }
                UnitKind::Variables(names) => {
                    names.iter().for_each(|&name| add(name, (SymbolKind::VARIABLE, Some("VARIABLE"))));
                }
                UnitKind::Operator { head, .. } => add(head.name, (SymbolKind::FUNCTION, None)),
                UnitKind::Function { name, .. } => add(*name, (SymbolKind::FUNCTION, Some("function"))),
                UnitKind::NamedInstance { head, .. } => {
                    add(head.name, (SymbolKind::NAMESPACE, Some("INSTANCE")))
                }
                UnitKind::Assume { name: Some(name), .. } => {
                    add(*name, (SymbolKind::BOOLEAN, Some("ASSUME")))
                }
                UnitKind::Theorem { name: Some(name), .. } => {
                    add(*name, (SymbolKind::BOOLEAN, Some("THEOREM")))
                }
                UnitKind::Module(nested) => children.push(base::with_stack(|| self.module(nested))),
                UnitKind::Recursive(_)
                | UnitKind::Instance(_)
                | UnitKind::Assume { name: None, .. }
                | UnitKind::Theorem { name: None, .. }
                | UnitKind::UseHide(_) => {}
            }
        }
        let mut symbol = self.symbol(module.name.span, module.span, (SymbolKind::MODULE, None));
        symbol.children = Some(children);
        symbol
    }

    fn config(&self) -> Vec<DocumentSymbol> {
        let (mut sources, mut names) = (SourceMap::new(), Names::new());
        let source = sources.add_text("", self.text);
        let tree = parse_config(source, self.text, &mut names).tree;
        let mut symbols = Vec::new();
        for statement in &tree.statements {
            let keyword = Some(statement.keyword.text());
            match &statement.body {
                Body::Names(idents) => symbols.extend(
                    idents
                        .iter()
                        .map(|ident| self.symbol(ident.span, ident.span, (SymbolKind::PROPERTY, keyword))),
                ),
                Body::Assignments(assignments) => symbols.extend(assignments.iter().map(|assignment| {
                    self.symbol(assignment.lhs.span(), assignment.span, (SymbolKind::CONSTANT, keyword))
                })),
                Body::Flag(_) => {}
            }
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::is_match;

    #[test]
    fn a_query_matches_its_characters_in_order() {
        assert!(is_match("typeinvariant", "tinv") && is_match("next", ""));
        assert!(!is_match("next", "tn"));
    }
}
