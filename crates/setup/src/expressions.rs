//! Expressions that are evaluated in each state of a trace: `--trace-expr` and `--expr`.

use base::Name;
use diag::{Code, Diagnostic, Diagnostics};
use sema::config::{BoundConfig, Named};
use sema::spec::{DefBody, DefId, ExprId, ExprKind, Op};
use sema::{ExprText, Spec, define_step};

/// Adds these expressions to the configuration. If one of them makes no sense, reports it and returns `None`.
pub fn with(
    spec: &mut Spec,
    mut config: BoundConfig,
    texts: &[String],
    diagnostics: &mut Diagnostics,
) -> Option<BoundConfig> {
    for written in texts {
        let (name, text) = split_name(written);
        if let Some(taken) = name_conflict(spec, &config, name) {
            diagnostics.push(taken);
            continue;
        }
        let module = spec.root;
        match define_step(spec, name, ExprText { origin: "expression", text, module, params: &[] }) {
            Ok(def) => {
                let (name, span) = (spec.defs[def].name, spec.defs[def].span);
                config.shown.push(Named { name, span, def });
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }
    (!diagnostics.has_errors()).then_some(config)
}

/// Splits `sum == x + y` into name and expression. The name of an expression without one is its text.
pub fn split_name(written: &str) -> (&str, &str) {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match written.split_once("==").map(|(name, text)| (name.trim(), text.trim())) {
        Some((name, text)) if is_name(name) => (name, text),
        Some(_) | None => (written.trim(), written.trim()),
    }
}

/// Returns why an expression cannot have this name.
fn name_conflict(spec: &Spec, config: &BoundConfig, name: &str) -> Option<Diagnostic> {
    let is_variable = spec.variables.iter().any(|variable| spec.names.text(variable.name) == name);
    let is_expression = config.shown.iter().any(|shown| spec.names.text(shown.name) == name);
    let is_field = alias_fields(spec, config).iter().any(|field| spec.names.text(field.0) == name);
    let what = match (is_variable, is_expression, is_field) {
        (true, _, _) => "a variable",
        (false, true, _) => "another expression",
        (false, false, true) => "a field of the ALIAS",
        (false, false, false) => return None,
    };
    let headline = format!("an expression cannot be called `{name}`: {what} is");
    Some(
        Diagnostic::without_place(Code::TraceExpression, headline)
            .help("give it a name: `NAME == EXPRESSION`"),
    )
}

/// The fields of the ALIAS as far as its definition shows them.
pub fn alias_fields<'s>(spec: &'s Spec, config: &BoundConfig) -> &'s [(Name, ExprId)] {
    match config.alias.as_ref().and_then(|alias| body_as_written(spec, alias.def)) {
        Some(ExprKind::Record(fields)) => fields,
        Some(_) | None => &[],
    }
}

/// Returns the expression of a definition. A definition that only names another one is looked through.
pub fn body_as_written(spec: &Spec, mut def: DefId) -> Option<&ExprKind> {
    // The bound is for definitions that refer to each other in a circle.
    for _ in 0..spec.defs.len() {
        let DefBody::Expr(expr) = &spec.defs[def].body else { return None };
        let kind = &spec.exprs[*expr].kind;
        let kind = if let ExprKind::Let { body, .. } = kind { &spec.exprs[*body].kind } else { kind };
        let ExprKind::Apply { op: Op::Def(other), .. } = kind else { return Some(kind) };
        def = *other;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::split_name;

    #[test]
    fn a_name_is_what_stands_before_a_definition_sign() {
        assert_eq!(split_name("sum == x + y"), ("sum", "x + y"));
        assert_eq!(split_name(" x = y "), ("x = y", "x = y"));
        assert_eq!(split_name("LET a == 1 IN a"), ("LET a == 1 IN a", "LET a == 1 IN a"));
        assert_eq!(split_name("max == LET a == 1 IN a"), ("max", "LET a == 1 IN a"));
    }
}
