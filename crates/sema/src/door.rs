//! Resolves one more expression given as text, such as one from a mapping file or a constant on the command line.

use base::Name;
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};

use crate::level::{self, Level};
use crate::resolve::Resolver;
use crate::spec::{Def, DefBody, DefId, DefKind, Entity, ExprId, LocalId, ModuleId, ScopeEntry, Spec};

/// An expression to resolve in a finished specification.
#[derive(Clone, Copy, Debug)]
pub struct ExprText<'a> {
    /// The name of its origin in messages: `-D N`, `mapping.toml: Timeout.guard`.
    pub origin: &'a str,
    pub text: &'a str,
    /// The module whose names the expression may use.
    pub module: ModuleId,
    /// Further names that the expression may use, as parameters.
    pub params: &'a [&'a str],
}

/// A resolved expression, with the parameters that were asked for.
#[derive(Clone, Debug)]
pub struct ResolvedText {
    pub expr: ExprId,
    pub params: Vec<LocalId>,
}

/// Makes the definitions of these modules known at the end of the root module, as if it extended them. Names that the
/// root module already has keep their meaning. Modules that were not loaded are skipped.
pub fn know_modules(spec: &mut Spec, modules: &[String]) {
    for name in modules {
        let Some(module) =
            spec.names.get(name).and_then(|name| spec.modules.iter().find(|one| one.name == name))
        else {
            continue;
        };
        let entries: Vec<(Name, ScopeEntry)> = module
            .scope
            .iter()
            .filter(|(_, entry)| !entry.local && matches!(entry.entity, Entity::Def(_)))
            .map(|(name, entry)| (*name, *entry))
            .collect();
        let scope = &mut spec.modules[spec.root].scope;
        for (name, entry) in entries {
            scope.entry(name).or_insert(ScopeEntry { local: true, ..entry });
        }
    }
}

/// Resolves and level-checks `text` as if it stood at the end of its module. The specification grows by what the
/// expression needs and is otherwise unchanged.
pub fn resolve_expr(spec: &mut Spec, text: ExprText<'_>) -> Result<ResolvedText, Diagnostics> {
    let source = spec.sources.add_text(text.origin, text.text);
    resolve_at(spec, text, (source, text.text))
}

/// Resolves and level-checks an expression that stands in a source of the specification. Messages point there.
pub fn resolve_within(spec: &mut Spec, within: Span, module: ModuleId) -> Result<ResolvedText, Diagnostics> {
    let file = spec.sources.file(within.source).text().clone();
    let blank = |c: char| if c == '\n' { c } else { ' ' };
    // Offsets and columns stay as they are: a character of several bytes becomes as many blanks.
    let before = file[..within.range().start].chars();
    let mut padded: String = before.flat_map(|c| std::iter::repeat_n(blank(c), c.len_utf8())).collect();
    padded.push_str(&file[within.range()]);
    let text = ExprText { origin: "", text: &padded, module, params: &[] };
    resolve_at(spec, text, (within.source, &padded))
}

fn resolve_at(
    spec: &mut Spec,
    text: ExprText<'_>,
    (source, written): (SourceId, &str),
) -> Result<ResolvedText, Diagnostics> {
    let parsed = syntax::parse_expr(source, written, &mut spec.names);
    if parsed.diagnostics.has_errors() {
        return Err(parsed.diagnostics);
    }
    let taken = std::mem::replace(spec, Spec::empty());
    let mut resolver = Resolver::resume(taken);
    let resolved = resolver.lone_expr(parsed.tree, text);
    let Resolver { spec: grown, mut diagnostics, .. } = resolver;
    *spec = grown;
    diagnostics.extend(level::check_added(spec, &[resolved.expr]));
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(resolved) }
}

/// Resolves `text`, which must be constant, and makes it the body of a definition that belongs to no module. This is
/// how a constant gets its value on the command line.
pub fn define_constant(spec: &mut Spec, name: &str, text: ExprText<'_>) -> Result<DefId, Diagnostics> {
    let headline = || format!("the value of `{name}` depends on a variable");
    define(spec, (name, text), Level::Constant, headline)
}

/// Resolves `text`, which may depend on one state, and makes it the body of a definition that belongs to no module.
pub fn define_state(spec: &mut Spec, name: &str, text: ExprText<'_>) -> Result<DefId, Diagnostics> {
    let headline = || format!("`{name}` is about more than one state");
    define(spec, (name, text), Level::State, headline)
}

/// Resolves `text`, which may depend on a state and the next one, and makes it the body of a definition that belongs to
/// no module.
pub fn define_step(spec: &mut Spec, name: &str, text: ExprText<'_>) -> Result<DefId, Diagnostics> {
    let headline = || format!("`{name}` is about whole behaviours");
    define(spec, (name, text), Level::Action, headline)
}

/// Resolves `text`, which may depend on whole behaviours, and makes it the body of a definition that belongs to no
/// module.
pub fn define_temporal(spec: &mut Spec, name: &str, text: ExprText<'_>) -> Result<DefId, Diagnostics> {
    define(spec, (name, text), Level::Temporal, String::new)
}

fn define(
    spec: &mut Spec,
    (name, text): (&str, ExprText<'_>),
    level_max: Level,
    headline: impl FnOnce() -> String,
) -> Result<DefId, Diagnostics> {
    let resolved = resolve_expr(spec, text)?;
    let span: Span = spec.exprs[resolved.expr].span;
    if spec.levels.exprs[resolved.expr] > level_max {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::new(Code::ConfigLevel, span, headline()));
        return Err(diagnostics);
    }
    let def = Def {
        name: spec.names.intern(name),
        name_span: span,
        span,
        module: text.module,
        kind: DefKind::Operator,
        params: Vec::new(),
        body: DefBody::Expr(resolved.expr),
        local: true,
        recursive: false,
        std: None,
        origin: None,
    };
    let id = spec.defs.push(def);
    let diagnostics = level::check_added(spec, &[]);
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(id) }
}
