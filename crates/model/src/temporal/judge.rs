//! Judges temporal properties on one given behaviour, by definition.

use diag::{Diagnostic, Span};
use eval::temporal::{TemporalFormula, TemporalRoot};
use live::Formula;

use super::blame;
use super::build::Builder;
use super::meaning::{Endless, Word};
use crate::fault;
use crate::outcome::is_interruption;
use crate::outcome::{NoVerdict, Phase, Property, PropertyKind};
use crate::run::Evaluation;

/// The judgement on a behaviour without end.
#[derive(Debug)]
pub struct Judged {
    /// The first part of the fairness that it does not have: it is no behaviour of the specification then.
    pub unfair: Option<Span>,
    /// The temporal properties that it violates, and what is said about the first.
    pub violated: Vec<(Property, Diagnostic)>,
}

/// Judges a behaviour without end by the fairness and the temporal properties of the model.
pub fn judge(evaluation: Evaluation<'_>, behaviour: Endless<'_>) -> Result<Judged, NoVerdict> {
    let Evaluation { model, run, .. } = evaluation;
    let program = model.program;
    let region = run.region();
    let mut machine = evaluation.machine(&region);
    let mut builder = Builder::new(model);
    let fairness = builder.formulas(&mut machine, &program.fairness)?;
    let formulas = builder.formulas(&mut machine, &program.temporal)?;
    let word = Word::new(evaluation, &builder.atoms, behaviour).map_err(|fault| {
        if is_interruption(&fault) {
            return NoVerdict::Interrupted;
        }
        let error = Box::new(fault::diagnostic(model, &fault));
        let (phase, fault) = (Phase::Temporal, Some(fault));
        NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }
    })?;
    let unfair = program.fairness.iter().zip(&fairness).find(|(_, formula)| !word.satisfies(formula));
    let properties = program.temporal.iter().zip(&formulas).zip(&builder.expanded);
    let violated = properties.filter(|((_, formula), _)| !word.satisfies(formula));
    let told = |((root, formula), expanded): ((&TemporalRoot, &Formula), &TemporalFormula)| {
        let instances = blame::instances(model.spec, (expanded, formula), &word);
        let name = model.spec.names.text(root.name).to_owned();
        let diagnostic = super::property::violation_diagnostic(&name, root.span, instances.as_deref());
        (Property { kind: PropertyKind::Temporal, name, span: Some(root.span) }, diagnostic)
    };
    Ok(Judged { unfair: unfair.map(|(root, _)| root.span), violated: violated.map(told).collect() })
}
