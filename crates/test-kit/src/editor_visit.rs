//! Every request on a module, and its answers beside what the resolver says.

use std::path::{Path, PathBuf};

use base::FxIndexSet;
use sema::spec::{Arg, DefBody, DefId, ExprId, ExprKind, Op};
use sema::{DiskFiles, LoadOptions, Loaded, Spec};
use serde_json::{Value, json};

use crate::editor::{Editor, address};

/// The result of visiting a module.
#[derive(Debug, Default)]
pub struct Visit {
    pub n_requests: usize,
    /// Names whose definition was compared with the resolver's.
    pub n_definitions: usize,
    /// Definitions whose references were compared with the resolver's.
    pub n_references: usize,
    pub n_renamed: usize,
    pub n_refused: usize,
    /// Answers that are wrong.
    pub wrong: Vec<String>,
}

/// How much is asked about a module.
#[derive(Clone, Copy, Debug)]
pub struct Thoroughness {
    /// Names whose definition is asked for, spread over the module.
    pub n_names_max: usize,
    /// Definitions whose references are asked for, and which are renamed for a try.
    pub n_wide_max: usize,
}

/// A name in the root file, and the place of its definition.
struct KnownName {
    start: usize,
    end: usize,
    file: String,
    site: (usize, usize),
}

/// Opens a module, makes every request about it, and closes it.
pub fn visit(editor: &mut Editor, path: &Path, thoroughness: Thoroughness) -> Visit {
    let Ok(text) = std::fs::read_to_string(path) else { return Visit::default() };
    let mut visitor =
        Visitor { editor, path: std::path::absolute(path).unwrap(), text, visit: Visit::default() };
    visitor.editor.open(path, &visitor.text);
    visitor.whole();
    let known = known_names(&visitor.path);
    visitor.names(&known, thoroughness);
    visitor.editor.messages_about(path, 1);
    visitor.editor.close(path);
    visitor.visit
}

struct Visitor<'a> {
    editor: &'a mut Editor,
    path: PathBuf,
    text: String,
    visit: Visit,
}

impl Visitor<'_> {
    fn document(&self) -> Value {
        json!({ "uri": address(&self.path) })
    }

    /// The position of a byte, counted in bytes.
    fn position(&self, offset: usize) -> Value {
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        json!({ "line": before.matches('\n').count(), "character": offset - start })
    }

    fn range(&self, start: usize, end: usize) -> Value {
        json!({ "start": self.position(start), "end": self.position(end) })
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.visit.n_requests += 1;
        let answer = self.editor.request(method, params);
        if let Err(error) = &answer
            && error["code"] != json!(-32803)
        {
            self.visit.wrong.push(format!("{}: {method}: {error}", self.path.display()));
        }
        answer
    }

    /// Requests about the whole text.
    fn whole(&mut self) {
        let (document, all) = (self.document(), self.range(0, self.text.len()));
        let of_document = json!({ "textDocument": document });
        for method in ["textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/codeLens"] {
            drop(self.ask(method, of_document.clone()));
        }
        drop(self.ask("textDocument/semanticTokens/full", of_document));
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let ranged = json!({ "textDocument": document, "range": all, "options": options });
        drop(self.ask("textDocument/semanticTokens/range", ranged.clone()));
        drop(self.ask("textDocument/formatting", ranged.clone()));
        drop(self.ask("textDocument/rangeFormatting", ranged));
        let actions = json!({ "textDocument": document, "range": all, "context": { "diagnostics": [] } });
        drop(self.ask("textDocument/codeAction", actions));
        drop(self.ask("workspace/symbol", json!({ "query": "Ini" })));
        for part in 0..8 {
            let mut offset = self.text.len() * part / 8;
            while !self.text.is_char_boundary(offset) {
                offset -= 1;
            }
            let place = json!({ "textDocument": document, "position": self.position(offset) });
            for method in ["hover", "completion", "definition", "documentHighlight", "prepareRename"] {
                drop(self.ask(&format!("textDocument/{method}"), place.clone()));
            }
        }
    }

    fn names(&mut self, known: &[KnownName], thoroughness: Thoroughness) {
        let step = known.len().div_ceil(thoroughness.n_names_max).max(1);
        for name in known.iter().step_by(step) {
            self.definition(name);
        }
        let mut sites: FxIndexSet<(&str, (usize, usize))> = FxIndexSet::default();
        sites.extend(known.iter().map(|name| (name.file.as_str(), name.site)));
        let step = sites.len().div_ceil(thoroughness.n_wide_max).max(1);
        for &(file, site) in sites.iter().step_by(step) {
            let uses: Vec<&KnownName> =
                known.iter().filter(|name| (name.file.as_str(), name.site) == (file, site)).collect();
            self.references(&uses);
        }
    }

    fn definition(&mut self, name: &KnownName) {
        let place = json!({ "textDocument": self.document(), "position": self.position(name.start) });
        let Ok(answer) = self.ask("textDocument/definition", place.clone()) else { return };
        drop(self.ask("textDocument/hover", place));
        self.visit.n_definitions += 1;
        let is_embedded = name.file.starts_with('<');
        let is_file = match is_embedded {
            true => {
                answer["uri"].as_str().is_some_and(|uri| uri.ends_with(name.file.rsplit('/').next().unwrap()))
            }
            false => answer["uri"] == json!(address(Path::new(&name.file))),
        };
        let is_place = is_embedded || self.is_at(&answer, name);
        if !is_file || !is_place {
            let spelling = &self.text[name.start..name.end];
            self.visit.wrong.push(format!(
                "{}: the definition of `{spelling}` at byte {} is {answer}, and not {} at byte {}",
                self.path.display(),
                name.start,
                name.file,
                name.site.0
            ));
        }
    }

    fn is_at(&self, answer: &Value, name: &KnownName) -> bool {
        if Path::new(&name.file) == self.path {
            return answer["range"] == self.range(name.site.0, name.site.1);
        }
        let Ok(text) = std::fs::read_to_string(&name.file) else { return false };
        let line = text[..name.site.0].matches('\n').count();
        answer["range"]["start"]["line"] == json!(line)
    }

    /// Asks for the references of one definition, and tries to rename it.
    fn references(&mut self, uses: &[&KnownName]) {
        let Some(first) = uses.first() else { return };
        let place = json!({
            "textDocument": self.document(), "position": self.position(first.start),
            "context": { "includeDeclaration": true }, "newName": "specline_a_fresh_name",
        });
        if let Ok(answer) = self.ask("textDocument/references", place.clone()) {
            self.visit.n_references += 1;
            let found: Vec<&Value> = answer.as_array().into_iter().flatten().collect();
            let here = address(&self.path);
            for name in uses {
                let range = self.range(name.start, name.end);
                if !found.iter().any(|found| found["uri"] == json!(here) && found["range"] == range) {
                    let (spelling, at) = (&self.text[name.start..name.end], name.start);
                    let path = self.path.display();
                    self.visit
                        .wrong
                        .push(format!("{path}: `{spelling}` at byte {at} is missing in its references"));
                }
            }
        }
        match self.ask("textDocument/rename", place) {
            Ok(_) => self.visit.n_renamed += 1,
            Err(_) => self.visit.n_refused += 1,
        }
    }
}

/// The names in a module as the resolved expressions have them: not by what the resolver noted about names.
fn known_names(path: &Path) -> Vec<KnownName> {
    let Loaded { spec, .. } = sema::load(path, &LoadOptions::default(), &DiskFiles);
    let mut found = Vec::new();
    let mut todo: Vec<ExprId> = Vec::new();
    for module in spec.modules.iter() {
        todo.extend(module.assumptions.iter().map(|assumption| assumption.body));
        todo.extend(module.defs.iter().filter_map(|&def| body_of(&spec, def)));
    }
    let mut seen: FxIndexSet<ExprId> = FxIndexSet::default();
    while let Some(expr) = todo.pop() {
        if !seen.insert(expr) {
            continue;
        }
        todo.extend(spec.children(expr));
        todo.extend(spec.exprs[expr].kind.let_defs().iter().filter_map(|&def| body_of(&spec, def)));
        found.extend(known_name(&spec, expr));
    }
    let root = spec.sources.ids().next();
    found.retain(|(source, _)| Some(*source) == root);
    let mut names: Vec<KnownName> = found.into_iter().map(|(_, name)| name).collect();
    names.sort_by_key(|name| (name.start, name.end));
    names.dedup_by_key(|name| name.start);
    names
}

fn body_of(spec: &Spec, def: DefId) -> Option<ExprId> {
    match spec.defs[def].body {
        DefBody::Expr(body) if spec.defs[def].origin.is_none() => Some(body),
        DefBody::Expr(_) | DefBody::Native | DefBody::Missing => None,
    }
}

fn known_name(spec: &Spec, expr: ExprId) -> Option<(diag::SourceId, KnownName)> {
    let expr = &spec.exprs[expr];
    let (name, site) = if let ExprKind::Var(id) = expr.kind {
        (spec.variables[id].name, spec.variables[id].span)
    } else if let ExprKind::Const(id) = expr.kind {
        (spec.constants[id].name, spec.constants[id].span)
    } else if let ExprKind::Local(id) = expr.kind {
        (spec.locals[id].name, spec.locals[id].span)
    } else if let ExprKind::Apply { op: Op::Def(id), args } = &expr.kind {
        if !args.iter().all(|arg| matches!(arg, Arg::Expr(_) | Arg::Op(_))) {
            return None;
        }
        (spec.defs[*id].name, spec.defs[*id].name_span)
    } else {
        return None;
    };
    let (name, source) = (spec.names.text(name), expr.span.source);
    let text = spec.sources.file(source).text().get(expr.span.range())?;
    let rest = text.strip_prefix(name)?;
    let is_whole =
        !name.is_empty() && !rest.starts_with(|next: char| next.is_alphanumeric() || "_!".contains(next));
    let is_word = name.chars().all(|char| char.is_alphanumeric() || char == '_');
    let start = expr.span.range().start;
    let known = KnownName {
        start,
        end: start + name.len(),
        file: spec.sources.file(site.source).name().to_owned(),
        site: (site.range().start, site.range().end),
    };
    (is_whole && is_word && (rest.is_empty() || rest.starts_with('('))).then_some((source, known))
}
