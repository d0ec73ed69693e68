//! Operators that get their meaning from a grain.

use base::FxIndexMap;
use diag::{Code, Diagnostic, Span};
use sema::spec::{DefBody, DefId, DefKind, Entity, ExprKind, Op};

use crate::assemble::Assembler;
use crate::effects::{Reach, body_of};
use crate::family::Text;

/// Gives every provided operator its meaning.
pub(crate) fn apply(assembler: &mut Assembler<'_>) {
    let mut given: FxIndexMap<DefId, (DefId, Span)> = FxIndexMap::default();
    for index in 0..assembler.outline.parts.len() {
        for (operator, meaning) in &assembler.part(index).grain.provides {
            let (Some(hook), Some(provider)) =
                (find_operator(assembler, operator), find_operator(assembler, meaning))
            else {
                continue;
            };
            let span = assembler.span(operator);
            if let Some(&(_, first)) = given.get(&hook) {
                let headline = format!("two grains provide `{}`", operator.text);
                let wrong = Diagnostic::new(Code::CompositionOperator, span, headline);
                assembler.diagnostics.push(wrong.related(first, "provided here first"));
                continue;
            }
            if fits(assembler, (hook, provider), span) {
                given.insert(hook, (provider, span));
            }
        }
    }
    for (&hook, &(provider, _)) in &given {
        replace(assembler, hook, provider);
        assembler.outline.provided.push((hook, provider));
    }
    for (&hook, &(provider, span)) in &given {
        check_circle(assembler, (hook, provider), span);
    }
}

fn find_operator(assembler: &mut Assembler<'_>, name: &Text) -> Option<DefId> {
    let found = match assembler.entity(&name.text) {
        Some(Entity::Def(def)) => {
            let entry = &assembler.spec.defs[def];
            let is_own = !assembler.spec.modules[entry.module].embedded && entry.origin.is_none();
            let is_operator = entry.kind == DefKind::Operator && matches!(entry.body, DefBody::Expr(_));
            (is_own && is_operator).then_some(def)
        }
        Some(Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_)) | None => None,
    };
    if found.is_none() {
        let headline = format!("no file of the composition defines an operator `{}`", name.text);
        assembler.refuse(Code::CompositionOperator, name, headline);
    }
    found
}

fn fits(assembler: &mut Assembler<'_>, (hook, provider): (DefId, DefId), span: Span) -> bool {
    let spec = &assembler.spec;
    let shape = |def: DefId| -> Vec<u32> {
        spec.defs[def].params.iter().map(|&param| spec.locals[param].arity).collect()
    };
    let is_first_order = shape(hook).iter().all(|&arity| arity == 0);
    if shape(hook) == shape(provider) && is_first_order && hook != provider {
        return true;
    }
    let (one, other) = (assembler.def_name(hook), assembler.def_name(provider));
    let headline = format!("`{one}` and `{other}` do not take the same parameters");
    let wrong = Diagnostic::new(Code::CompositionOperator, span, headline)
        .related(spec.defs[hook].name_span, format!("`{one}`"))
        .related(spec.defs[provider].name_span, format!("`{other}`"));
    assembler.diagnostics.push(wrong);
    false
}

/// Makes `hook(x)` mean `provider(x)`.
fn replace(assembler: &mut Assembler<'_>, hook: DefId, provider: DefId) {
    let Some(body) = body_of(&assembler.spec, hook) else { return };
    let span = assembler.spec.exprs[body].span;
    let params = assembler.spec.defs[hook].params.clone();
    let args = params.into_iter().map(|param| assembler.add(ExprKind::Local(param), span)).collect();
    let applied = assembler.apply(Op::Def(provider), args, span);
    assembler.spec.defs[hook].body = DefBody::Expr(applied);
}

/// Refuses an operator whose meaning needs the operator itself.
fn check_circle(assembler: &mut Assembler<'_>, (hook, provider): (DefId, DefId), span: Span) {
    let Some(body) = body_of(&assembler.spec, provider) else { return };
    let reach = Reach::new(&assembler.spec, [body]);
    if let Some(&place) = reach.defs.get(&hook) {
        let (one, other) = (assembler.def_name(hook), assembler.def_name(provider));
        let headline =
            format!("modules depend on each other in a circle: `{one}` means `{other}`, which needs `{one}`");
        let wrong = Diagnostic::new(Code::CompositionOperator, span, headline);
        assembler.diagnostics.push(wrong.related(place, format!("`{one}` is needed here")));
    }
}
