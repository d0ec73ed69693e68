//! Temporal properties that may hold for no good reason.

use diag::{Code, Diagnostic};
use live::{ClassId, Graph};
use model::Model;

use super::Liveness;
use super::graph::{NONE, StateGraph};
use eval::ir::{IrId, IrKind, Program, VarIdx};

/// Returns warnings that are known before behaviours are checked.
pub(super) fn about_model(model: Model<'_>) -> Vec<Diagnostic> {
    let program = model.program;
    let Some(property) = program.temporal.first() else { return Vec::new() };
    let mut warnings = Vec::new();
    if let Some(constraint) = program.constraints.first().or(program.action_constraints.first()) {
        let headline =
            "temporal properties are checked under a constraint: behaviours that leave it are not seen";
        let warning = Diagnostic::new(Code::LiveConstrained, constraint.span, headline)
            .related(property.span, "this may hold only because of that");
        warnings.push(warning);
    }
    if let Some(view) = &program.view
        && !shows_every_variable(program, view.expr)
    {
        let headline = "temporal properties are checked under a VIEW: states that look alike count as one, and a \
                        behaviour that only the others have is not seen";
        let warning = Diagnostic::new(Code::LiveViewed, view.span, headline)
            .related(property.span, "this may hold only because of that")
            .help("check it in a configuration without VIEW, with smaller constants if need be");
        warnings.push(warning);
    }
    if program.fairness.is_empty() {
        let headline = "the specification has no fairness: nothing that can happen has to happen";
        let warning = Diagnostic::new(Code::NoFairness, property.span, headline)
            .help("conjoin `WF_vars(Next)`, or fairness of single actions, to the specification");
        warnings.push(warning);
    }
    warnings
}

/// Whether a VIEW is a tuple in which each variable stands: it takes no two states for one.
fn shows_every_variable(program: &Program, view: IrId) -> bool {
    let mut shown = Vec::new();
    collect_shown(program, view, &mut shown);
    (0..program.variables.len()).all(|index| shown.iter().any(|var| usize::from(var.0) == index))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "anything else may hide a part of what it reads")]
fn collect_shown(program: &Program, id: IrId, shown: &mut Vec<VarIdx>) {
    match &program.irs[id].kind {
        IrKind::Var(var) => shown.push(*var),
        IrKind::Tuple(items) => items.iter().for_each(|&item| collect_shown(program, item, shown)),
        IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => collect_shown(program, *body, shown),
        IrKind::Lazy { expr, .. } => collect_shown(program, *expr, shown),
        _ => {}
    }
}

/// Warns that properties of behaviours were not checked, since the search ended before every step was known.
pub(crate) fn warn_unchecked(model: Model<'_>) -> Option<Diagnostic> {
    let property = model.program.temporal.first()?;
    let headline = "the search is not complete: temporal properties were not checked";
    let warning = Diagnostic::new(Code::TemporalUnchecked, property.span, headline);
    Some(warning.label("nothing is known about this"))
}

/// Each `~>` whose left side holds in no state, for no value of what is quantified around it.
pub(super) fn never_leads(liveness: &Liveness, graph: &StateGraph<'_, '_>) -> Vec<Diagnostic> {
    let mut classes: Vec<u32> = graph.classes.iter().copied().filter(|&class| class != NONE).collect();
    classes.sort_unstable();
    classes.dedup();
    let is_met = |left: &live::Formula| {
        let holds = |class| left.holds_in(&|atom| graph.class_has(ClassId(class), atom));
        classes.iter().any(|&class| holds(class))
    };
    let mut warnings: Vec<Diagnostic> = Vec::new();
    let mut met = Vec::new();
    let mut unmet = Vec::new();
    for leads_to in &liveness.leads_to {
        let spans = if is_met(&leads_to.left) { &mut met } else { &mut unmet };
        if !spans.contains(&leads_to.span) {
            spans.push(leads_to.span);
        }
    }
    for span in unmet.into_iter().filter(|span| !met.contains(span)) {
        let headline = "the left side of this `~>` holds in no state: it says nothing";
        warnings.push(Diagnostic::new(Code::NeverLeads, span, headline));
    }
    warnings
}
