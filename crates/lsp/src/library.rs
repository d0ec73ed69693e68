//! Comments and heads of definitions, and the modules that come with Specline as completion offers them.

use std::ops::Range;
use std::sync::OnceLock;

use base::{FxIndexMap, Names};
use diag::{SourceMap, Span};
use lsp_types::{CompletionItem, Documentation, MarkupContent, MarkupKind};
use sema::embedded;
use syntax::ast::{Module, UnitKind};

use crate::worker::{Context, Failure};

/// A definition of a module that comes with Specline.
#[derive(Clone, Debug)]
pub struct LibraryEntry {
    pub name: String,
    /// The left side of the definition: `SubSeq(s, m, n)`.
    pub head: String,
    pub params: Vec<String>,
    pub comment: String,
}

/// A module that comes with Specline.
#[derive(Clone, Debug)]
pub struct LibraryModule {
    pub comment: String,
    pub entries: Vec<LibraryEntry>,
}

/// All modules that come with Specline, by their names.
pub fn modules() -> &'static FxIndexMap<&'static str, LibraryModule> {
    static MODULES: OnceLock<FxIndexMap<&'static str, LibraryModule>> = OnceLock::new();
    MODULES.get_or_init(|| embedded::MODULES.iter().map(|&(name, text)| (name, read(name, text))).collect())
}

fn read(name: &str, text: &str) -> LibraryModule {
    let (mut sources, mut names) = (SourceMap::new(), Names::new());
    let source = sources.add_text(name, text);
    let file = syntax::parse_file(source, text, &mut names).tree;
    let Some(module) = file.modules.first() else {
        return LibraryModule { comment: String::new(), entries: Vec::new() };
    };
    let is_public = |name: &str| !name.starts_with('_') || module.name.span.range().len() < 3;
    let mut entries = Vec::new();
    for unit in module.units.iter().filter(|unit| !unit.local) {
        let (ident, params) = match &unit.kind {
            UnitKind::Operator { head, .. } => {
                (head.name, head.params.iter().map(|param| param.name).collect())
            }
            UnitKind::Function { name, .. } => (*name, Vec::new()),
            UnitKind::Theorem { .. }
            | UnitKind::Assume { .. }
            | UnitKind::Constants(_)
            | UnitKind::Variables(_)
            | UnitKind::Recursive(_)
            | UnitKind::Instance(_)
            | UnitKind::NamedInstance { .. }
            | UnitKind::UseHide(_)
            | UnitKind::Module(_) => continue,
        };
        let spelling = &text[ident.span.range()];
        if is_public(spelling) {
            entries.push(LibraryEntry {
                name: spelling.to_owned(),
                head: head_of(text, unit.span),
                params: params.iter().map(|param| text[param.span.range()].to_owned()).collect(),
                comment: comment_above(text, unit.span.range().start),
            });
        }
    }
    LibraryModule { comment: module_comment(text, module), entries }
}

/// The left side of a definition, up to its `==`.
pub fn head_of(text: &str, span: Span) -> String {
    let whole = text.get(span.range()).unwrap_or_default();
    let head = whole.find("==").or_else(|| whole.find('≜')).map_or(whole, |at| &whole[..at]);
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comment about a module: above its header, or the first thing below it.
pub fn module_comment(text: &str, module: &Module) -> String {
    let above = comment_above(text, module.span.range().start);
    if !above.is_empty() {
        return above;
    }
    let header_end = text[module.name.span.range().end..].find('\n');
    let Some(body) = header_end.map(|n_bytes| module.name.span.range().end + n_bytes + 1) else {
        return String::new();
    };
    let mut end = body;
    for line in text[body..].split_inclusive('\n') {
        let is_comment = is_comment_line(line.trim()) || end > body && is_inside_comment(&text[body..end]);
        if !is_comment {
            break;
        }
        end += line.len();
    }
    clean(&text[body..end])
}

fn is_inside_comment(text: &str) -> bool {
    text.matches("(*").count() > text.matches("*)").count()
}

fn is_comment_line(line: &str) -> bool {
    line.starts_with("\\*") || line.starts_with("(*")
}

/// The comment that ends on the line above byte `at`, without its decoration. Nothing may be between the two.
pub fn comment_above(text: &str, at: usize) -> String {
    let start_of_line = |at: usize| text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = start_of_line(at.min(text.len()));
    let mut begin = end;
    let mut n_open = 0_usize;
    while begin > 0 {
        let start = start_of_line(begin - 1);
        let line = text[start..begin].trim();
        // The comment before a translation is the algorithm.
        if line.contains("BEGIN TRANSLATION") || line.contains("END TRANSLATION") {
            break;
        }
        n_open = (n_open + line.matches("*)").count()).saturating_sub(line.matches("(*").count());
        let is_comment =
            is_comment_line(line) || n_open > 0 && !line.is_empty() || line.ends_with("*)") && n_open > 0;
        if !is_comment || has_code(line) {
            break;
        }
        begin = start;
    }
    clean(&text[begin..end])
}

/// Whether something other than a comment stands before a comment in this line.
fn has_code(line: &str) -> bool {
    let comment = line.find("(*").into_iter().chain(line.find("\\*")).min();
    comment.is_some_and(|at| !line[..at].trim().is_empty() && line[..at].contains("=="))
}

/// The words of a comment, without what makes it one.
fn clean(comment: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in comment.lines() {
        let mut line = line.trim();
        loop {
            let shorter = line.strip_prefix("(*").or_else(|| line.strip_prefix("\\*"));
            let Some(shorter) = shorter.or_else(|| line.strip_suffix("*)")) else { break };
            line = shorter.trim();
        }
        let is_rule =
            !line.is_empty() && line.chars().all(|char| matches!(char, '*' | '-' | '=' | '(' | ')' | '\\'));
        lines.push(if is_rule { String::new() } else { line.to_owned() });
    }
    lines.join("\n").trim().to_owned()
}

/// The text of a hover or a completion: code first, then prose.
pub fn markdown(code: &str, facts: &str, comment: &str) -> String {
    let mut text = format!("```tlaplus\n{code}\n```");
    for part in [facts, comment] {
        if !part.is_empty() {
            text.push_str("\n\n");
            text.push_str(part);
        }
    }
    text
}

pub fn documentation(text: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text })
}

/// Adds the documentation of an item of a library module, which is left out of lists to keep them short.
pub fn resolve(_: &Context, mut item: CompletionItem) -> Result<CompletionItem, Failure> {
    let part = |key: &str| item.data.as_ref().and_then(|data| data.get(key)?.as_str().map(str::to_owned));
    if let (Some(module), Some(name)) = (part("module"), part("name"))
        && let Some(known) = modules().get(module.as_str())
    {
        let entry = known.entries.iter().find(|entry| entry.name == name);
        item.documentation = entry
            .map(|entry| documentation(markdown(&entry.head, &format!("module `{module}`"), &entry.comment)));
    }
    Ok(item)
}

/// The lines of a text in a range of bytes, cut after `n_max`.
pub fn excerpt(text: &str, range: Range<usize>, n_max: usize) -> String {
    let whole = text.get(range).unwrap_or_default();
    let mut lines: Vec<&str> = whole.lines().take(n_max).collect();
    if whole.lines().count() > n_max {
        lines.push("...");
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{comment_above, modules};

    #[test]
    fn a_comment_above_is_found_whatever_its_form() {
        let check = |text: &str, expected: &str| {
            let at = text.find("F ==").expect("there is a definition");
            assert_eq!(comment_above(text, at), expected, "{text}");
        };
        check("\\* one\n\\* two\nF == 1", "one\ntwo");
        check("(* one\n   two *)\nF == 1", "one\ntwo");
        check("(****)\n(* one *)\n(****)\nF == 1", "one");
        check("G == 2 \\* about G\nF == 1", "");
        check("\\* about nothing\n\nF == 1", "");
        check("F == 1", "");
        check("(* --algorithm A { skip } *)\n\\* BEGIN TRANSLATION (chksum(pcal) = \"1\")\nF == 1", "");
    }

    #[test]
    fn every_operator_of_the_standard_modules_has_a_comment() {
        for name in ["Naturals", "Integers", "Sequences", "FiniteSets", "TLC", "Bags"] {
            let module = &modules()[name];
            assert!(!module.comment.is_empty(), "{name}");
            let bare: Vec<_> = module.entries.iter().filter(|entry| entry.comment.is_empty()).collect();
            assert!(bare.is_empty(), "{name}: {bare:?}");
        }
        let head = &modules()["Sequences"].entries.iter().find(|entry| entry.name == "SubSeq");
        assert_eq!(head.map(|entry| entry.head.as_str()), Some("SubSeq(s, m, n)"));
    }
}
