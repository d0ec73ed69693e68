//! Temporal properties: the graph of what was found, and what its infinite behaviours say about them.
//!
//! While states are expanded only their steps are written down ([`log`]). When the search has found nothing, the state
//! predicates and actions that properties and fairness speak of are evaluated in every state and on every step
//! ([`annotate`]), and the crate `live` looks for a behaviour that is fair and violates a property. TLC's order
//! (contract 4.7): safety first.

mod annotate;
mod asked;
mod derived;
mod entries;
mod graph;
mod lasso;
mod log;
mod prepare;
mod warn;

use std::sync::atomic::{AtomicBool, Ordering};

use diag::{Code, Diagnostic};
use eval::temporal::TemporalAtoms;
use live::{Formula, Lasso, Stop};
use model::temporal::bits::BitSets;
use model::temporal::{
    Fair, LeadsTo, Remarks, TemporalProperty, Word, describe_violation, no_counterexample, refuse,
    stops_anywhere, violated_names,
};
use model::{Limit, NoVerdict, Violation};

use crate::context::Context;
use crate::run::WorkerRun;

use asked::Asked;
use derived::Derived;
use lasso::Behaviour;
pub(crate) use log::Recorder;
use log::StepLog;
pub(crate) use prepare::prepare;
pub(crate) use warn::warn_unchecked;

/// The properties of behaviours, and the steps that the search writes down to check them.
pub(crate) struct Liveness {
    fairness: Vec<Formula>,
    properties: Vec<TemporalProperty>,
    leads_to: Vec<LeadsTo>,
    atoms: TemporalAtoms,
    asked: Asked,
    /// The sets of actions that steps were found to be.
    labels: BitSets,
    log: StepLog,
    /// The fair actions, and those that are disjuncts of the next-state relation.
    fair: Vec<Fair>,
    derived: Derived,
    /// The sets of derived fair actions that were met, as bits.
    bits: BitSets,
    /// Actions are evaluated when a step is found: later the successor itself is not known any more, where states are
    /// compared by something other than their variables.
    labels_at_once: bool,
}

/// The result of checking behaviours.
pub(crate) struct Judgement {
    pub violation: Option<Box<Violation>>,
    pub warnings: Vec<Diagnostic>,
}

/// Checks every temporal property on what the search has found.
pub(crate) fn check<'a>(context: &'a Context<'a>, liveness: &Liveness) -> Result<Judgement, NoVerdict> {
    let graph = annotate::graph(context, liveness)?;
    let mut warnings = warn::about_model(context.model);
    warnings.extend(warn::never_leads(liveness, &graph));
    for property in &liveness.properties {
        let found =
            live::search(&graph, &property.plan).map_err(|stop| describe_stop(context, property, stop))?;
        let asks = liveness.asked.is_in(&property.formula) && property.plan.has_automaton();
        if asks && graph.is_undecided(found.as_ref()) {
            return Err(NoVerdict::Unsupported(Box::new(changed_on_the_way(property))));
        }
        if let Some(lasso) = found {
            let lasso = graph.of_states(lasso);
            let violation = violation(context, liveness, property, &lasso)?;
            return Ok(Judgement { violation: Some(Box::new(violation)), warnings });
        }
    }
    Ok(Judgement { violation: None, warnings })
}

fn describe_stop(context: &Context<'_>, property: &TemporalProperty, stop: Stop) -> NoVerdict {
    match stop {
        Stop::Refused(refusal) => refuse(property, refusal),
        Stop::Over => cut_off(context),
    }
}

/// Why behaviours are not looked at to the end.
fn cut_off(context: &Context<'_>) -> NoVerdict {
    let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
    match (is_set(&context.board.limits.time_over), is_set(&context.board.limits.memory_over)) {
        (true, _) => NoVerdict::Limit(Limit::Time),
        (false, true) => NoVerdict::Limit(Limit::Memory),
        (false, false) => NoVerdict::Interrupted,
    }
}

fn violation<'a>(
    context: &'a Context<'a>,
    liveness: &Liveness,
    property: &TemporalProperty,
    lasso: &Lasso,
) -> Result<Violation, NoVerdict> {
    let is_about_run = liveness.asked.is_in(&property.formula);
    if is_about_run && context.board.aim.is_some() && context.program().postconditions.is_empty() {
        // That the search did not come where it was to: how far it came is told by itself, and nobody asks for more.
        return Ok(describe_violation(property, None, vec![property.name.clone()], Remarks::default()));
    }
    let mut behaviour = lasso::behaviour(context, lasso).ok_or_else(|| not_meant(context, property))?;
    let run = WorkerRun::silent(context, 0);
    if is_about_run {
        // What was asked about the run cannot be evaluated again.
        let trace = lasso::trace(context, lasso, &behaviour);
        return Ok(describe_violation(
            property,
            Some(trace),
            vec![property.name.clone()],
            Remarks::default(),
        ));
    }
    let judged = |behaviour: &Behaviour| {
        let word = Word::new(context.evaluation(&run), &liveness.atoms, behaviour.as_endless());
        let is_shown = |word: &Word| {
            let is_fair = liveness.fairness.iter().all(|fair| word.satisfies(fair));
            is_fair && !word.satisfies(&property.formula)
        };
        word.ok().filter(is_shown)
    };
    let mut word = judged(&behaviour).ok_or_else(|| not_meant(context, property))?;
    if let Some(short) = behaviour.short.take()
        && let Some(of_short) = judged(&short)
    {
        (behaviour, word) = (*short, of_short);
    }
    let names = violated_names(&liveness.properties, &word);
    let trace = lasso::trace(context, lasso, &behaviour);
    let remarks = Remarks {
        instances: property.failing_instances(context.spec(), &word),
        help: stops_anywhere(lasso.back_to, &liveness.fairness),
    };
    Ok(describe_violation(property, Some(trace), names, remarks))
}

/// A property about the run has no answer where what it asks for has changed when a step led back.
fn changed_on_the_way(property: &TemporalProperty) -> Diagnostic {
    let headline =
        format!("`{}` asks about the run, and the answer depends on when a state is come to", property.name);
    Diagnostic::new(Code::ConfigTemporal, property.span, headline)
        .label("a step leads back to a state that was expanded before, and something else was true then")
        .help("let the state count its steps, so that no step leads back, or ask about the run in a POSTCONDITION")
}

/// A behaviour that the search took for a counterexample is none by the meaning of the formulas. Where states are
/// compared by something other than their variables that may well be: the property is not the same for all states that
/// are taken for one. Where registers decide what the next state is, the same step cannot be made again. Otherwise it is a
/// bug of ours, which must not be told as a verdict.
fn not_meant(context: &Context<'_>, property: &TemporalProperty) -> NoVerdict {
    let name = &property.name;
    let error = if context.identity().is_derived() {
        let headline = format!("what violates `{name}` is no behaviour without the VIEW");
        Diagnostic::new(Code::ConfigTemporal, property.span, headline)
            .help("show in the VIEW what the property reads, or check it without the VIEW")
    } else if context.board.are_registers_used() {
        let headline = format!("what violates `{name}` cannot be made again: steps depend on registers");
        Diagnostic::new(Code::ConfigTemporal, property.span, headline)
            .help("keep in a variable what actions keep with TLCSet, so that a step depends on states alone")
    } else {
        no_counterexample(property)
    };
    NoVerdict::Unsupported(Box::new(error))
}
