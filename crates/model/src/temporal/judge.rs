//! What temporal properties say of one behaviour that somebody has, by definition.

use diag::{Diagnostic, Span};
use eval::interp::{Machine, Shared};
use eval::temporal::{TemporalFormula, TemporalRoot};
use live::Formula;
use value::ValueId;

use super::blame;
use super::build::Builder;
use super::meaning::{Endless, Word};
use crate::Model;
use crate::fault;
use crate::outcome::is_interruption;
use crate::outcome::{NoVerdict, Phase, Property, PropertyKind};
use crate::run::QuietRun;

/// What a behaviour without end is.
#[derive(Debug)]
pub struct Judged {
    /// The first part of the fairness that it does not have: it is no behaviour of the specification then.
    pub unfair: Option<Span>,
    /// The temporal properties that it violates, and what is said about the first.
    pub violated: Vec<(Property, Diagnostic)>,
}

/// Judges the behaviour that goes through `states` and then back to the one with the index `back_to`, for ever.
/// The step back leads to `after`, if that is another state that the VIEW takes for the same.
pub fn judge(
    model: Model<'_>,
    (shared, run): (&Shared, &dyn QuietRun),
    (states, back_to, after): (&[Vec<ValueId>], usize, Option<&Vec<ValueId>>),
) -> Result<Judged, NoVerdict> {
    let program = model.program;
    let region = run.region();
    let mut machine = Machine::new(program, shared, &region, run.as_run());
    let mut builder = Builder::new(model);
    let fairness = builder.formulas(&mut machine, &program.fairness)?;
    let formulas = builder.formulas(&mut machine, &program.temporal)?;
    let word = Word::new(model, (shared, run), &builder.atoms, Endless { states, back_to, after }).map_err(
        |fault| {
            if is_interruption(&fault) {
                return NoVerdict::Interrupted;
            }
            let error = Box::new(fault::diagnostic(model, &fault));
            let (phase, fault) = (Phase::Temporal, Some(fault));
            NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }
        },
    )?;
    let unfair = program.fairness.iter().zip(&fairness).find(|(_, formula)| !word.satisfies(formula));
    let properties = program.temporal.iter().zip(&formulas).zip(&builder.expanded);
    let violated = properties.filter(|((_, formula), _)| !word.satisfies(formula));
    let told = |((root, formula), expanded): ((&TemporalRoot, &Formula), &TemporalFormula)| {
        let instances = blame::instances(model.spec, (expanded, formula), &word);
        let name = model.spec.names.text(root.name).to_owned();
        let diagnostic = super::property::violated(&name, root.span, instances.as_deref());
        (Property { kind: PropertyKind::Temporal, name, span: Some(root.span) }, diagnostic)
    };
    Ok(Judged { unfair: unfair.map(|(root, _)| root.span), violated: violated.map(told).collect() })
}
