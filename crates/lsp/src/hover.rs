//! Hover: definition, level and comment of the name under the pointer.

use std::ops::Range;

use diag::Span;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use sema::Spec;
use sema::spec::{
    ConstId, DefBody, DefId, DefKind, Entity, InstanceId, LocalId, LocalKind, ModuleId, NameTarget,
};

use crate::algorithm;
use crate::analysis::Analysis;
use crate::library::{comment_above, excerpt, head_of, markdown};
use crate::snapshot::{Document, TextKind};
use crate::words;
use crate::worker::{Context, Failure};

/// Number of lines of a definition that are shown.
const N_LINES_MAX: usize = 12;

pub fn hover(context: &Context, params: HoverParams) -> Result<Option<Hover>, Failure> {
    let place = params.text_document_position_params;
    let document = context.document(&place.text_document.uri)?;
    let offset = document.offset(place.position);
    let Some(analysis) = context.analysis_of(&document) else { return Ok(None) };
    let found = at_name(&analysis, &document, offset)
        .or_else(|| in_algorithm(&analysis, &document, offset))
        .or_else(|| at_word(&document, offset));
    Ok(found.map(|(range, value)| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
        range: Some(document.range(range)),
    }))
}

fn at_name(analysis: &Analysis, document: &Document, offset: usize) -> Option<(Range<usize>, String)> {
    let name = analysis.name_at(analysis.source_of(&document.path)?, offset)?;
    Some((name.start as usize..name.end as usize, describe(&analysis.spec, name.target)))
}

/// The meaning of a word in an algorithm is that of the name in its translation.
fn in_algorithm(analysis: &Analysis, document: &Document, offset: usize) -> Option<(Range<usize>, String)> {
    let places = pcal::places(&document.text)?;
    let word = algorithm::word_at(&document.text, &places, offset)?;
    let entity = root_entity(&analysis.spec, &document.text[word.clone()])?;
    Some((word, describe(&analysis.spec, NameTarget::Entity(entity))))
}

/// Finds the meaning of a name at the end of the root module.
pub fn root_entity(spec: &Spec, name: &str) -> Option<Entity> {
    let name = spec.names.get(name)?;
    let root = spec.modules.iter().next()?;
    Some(root.scope.get(&name)?.entity)
}

/// A word or symbol of the language.
fn at_word(document: &Document, offset: usize) -> Option<(Range<usize>, String)> {
    if document.kind != TextKind::Module {
        return None;
    }
    let mut sources = diag::SourceMap::new();
    let source = sources.add_text("", std::sync::Arc::clone(&document.text));
    let tokens = syntax::tokens(source, &document.text);
    let range = tokens.into_iter().map(Span::range).find(|range| range.contains(&offset))?;
    let word = words::find(document.text.get(range.clone())?)?;
    Some((range, markdown(word.form, "", word.meaning)))
}

/// The description of what a name stands for.
pub fn describe(spec: &Spec, target: NameTarget) -> String {
    match target {
        NameTarget::Module(id) => module(spec, id),
        NameTarget::Label(span) => markdown(&format!("{} ::", spec.sources.text(span)), "a label", ""),
        NameTarget::Entity(Entity::Const(id)) => constant(spec, id),
        NameTarget::Entity(Entity::Var(id)) => {
            let variable = &spec.variables[id];
            let home = home(spec, variable.module);
            let code = format!("VARIABLE {}", spec.names.text(variable.name));
            markdown(&code, &format!("a variable{home}"), &comment_near(spec, variable.span))
        }
        NameTarget::Entity(Entity::Def(id)) => definition(spec, id),
        NameTarget::Entity(Entity::Instance(id)) => instance(spec, id),
        NameTarget::Entity(Entity::Local(id)) => local(spec, id),
    }
}

fn home(spec: &Spec, module: ModuleId) -> String {
    format!(" of module `{}`", spec.names.text(spec.modules[module].name))
}

fn module(spec: &Spec, id: ModuleId) -> String {
    let module = &spec.modules[id];
    let text = spec.sources.file(module.span.source).text();
    let above = comment_above(text, module.span.range().start);
    let comment = match crate::library::modules().get(spec.names.text(module.name)) {
        Some(known) if module.embedded => known.comment.clone(),
        Some(_) | None => above,
    };
    let facts = match module.embedded {
        true => "comes with Specline".to_owned(),
        false => spec.sources.file(module.span.source).name().to_owned(),
    };
    markdown(&format!("MODULE {}", spec.names.text(module.name)), &facts, &comment)
}

fn constant(spec: &Spec, id: ConstId) -> String {
    let constant = &spec.constants[id];
    let blanks = vec!["_"; constant.arity as usize].join(", ");
    let params = if constant.arity == 0 { String::new() } else { format!("({blanks})") };
    let code = format!("CONSTANT {}{params}", spec.names.text(constant.name));
    let facts = format!("a constant{}", home(spec, constant.module));
    markdown(&code, &facts, &comment_near(spec, constant.span))
}

fn definition(spec: &Spec, id: DefId) -> String {
    let mut original = id;
    while let Some(origin) = spec.defs[original].origin {
        original = origin.def;
    }
    let def = &spec.defs[original];
    let text = spec.sources.file(def.span.source).text();
    let code = match def.body {
        DefBody::Native => head_of(text, def.span),
        DefBody::Expr(_) | DefBody::Missing if spec.modules[def.module].embedded => head_of(text, def.span),
        DefBody::Expr(_) | DefBody::Missing => excerpt(text, def.span.range(), N_LINES_MAX),
    };
    let what = match def.kind {
        DefKind::Operator => "an operator",
        DefKind::Function => "a function",
        DefKind::Let => "a definition of a LET",
        DefKind::Assumption => "an assumption",
        DefKind::Theorem => "a theorem",
        DefKind::ProofStep => "a step of a proof",
        DefKind::Subexpression => "a part of a definition",
    };
    let level = spec.levels.defs.iter_enumerated().find(|(known, _)| *known == id).map(|(_, level)| level);
    let level = level.map_or(String::new(), |level| format!(", level: {level}"));
    let facts = format!("{what}{}{level}", home(spec, def.module));
    markdown(&code, &facts, &comment_above(text, def.span.range().start))
}

fn instance(spec: &Spec, id: InstanceId) -> String {
    let instance = &spec.instances[id];
    let text = spec.sources.file(instance.span.source).text();
    let code = excerpt(text, instance.span.range(), N_LINES_MAX);
    let module = spec.names.text(spec.modules[instance.module].name);
    markdown(&code, &format!("an instance of module `{module}`"), &comment_near(spec, instance.span))
}

fn local(spec: &Spec, id: LocalId) -> String {
    let local = &spec.locals[id];
    let what = match local.kind {
        LocalKind::Param => "a parameter",
        LocalKind::Bound => "a bound name",
        LocalKind::TemporalBound => "a bound variable",
        LocalKind::At => "the old value",
        LocalKind::New(_) => "a name that an ASSUME declares",
    };
    let blanks = vec!["_"; local.arity as usize].join(", ");
    let params = if local.arity == 0 { String::new() } else { format!("({blanks})") };
    markdown(&format!("{}{params}", spec.names.text(local.name)), what, "")
}

/// The comment about a declared name: behind it in its line, or above the line.
fn comment_near(spec: &Spec, span: Span) -> String {
    let text = spec.sources.file(span.source).text();
    let end = text[span.range().end..].find('\n').map_or(text.len(), |n_bytes| span.range().end + n_bytes);
    let rest = &text[span.range().end..end];
    let behind = rest.find("\\*").map(|at| rest[at + 2..].trim());
    let behind =
        behind.or_else(|| rest.find("(*").map(|at| rest[at + 2..].trim_end().trim_end_matches("*)").trim()));
    match behind {
        Some(comment) => comment.to_owned(),
        None => comment_above(text, span.range().start),
    }
}
