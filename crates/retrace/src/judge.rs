//! Finds the violations of a behaviour, state by state, as a search would judge each of its states and steps.

use diag::{Diagnostic, Span};
use eval::interp::{At, Evaluated, Flow, Machine};
use eval::ir::Root;
use model::{Ended, Endless, Evaluation, Model, NoVerdict, Phase, QuietRun, Side, Verdict, Violation, What};
use trace::{Ending, Failure, Finding, State, Trace};
use value::{Region, ValueId};

use crate::answer::{BadState, Retraced};
use crate::path::{Path, values};
use crate::walk::Context;

/// Judges a behaviour. Fails only if the user interrupts it.
pub(crate) fn judge(context: &Context<'_>, path: &Path) -> Result<Retraced, Ended> {
    let mut judge = Judge { context, path, findings: Vec::new(), outside: None };
    let mut stuck = None;
    for index in 0..path.states.len() {
        judge.state(index);
        judge.step_to(index);
        // What is wrong with the next state of the trace was found before another successor could not be made.
        judge.findings.extend(stuck.take());
        stuck = judge.expand(index);
        if judge.findings.iter().chain(&stuck).any(|wrong| wrong.what.is_interruption()) {
            return Err(NoVerdict::Interrupted.into());
        }
    }
    judge.step_back();
    judge.findings.extend(stuck);
    let outside = judge.outside.take();
    let mut findings = judge.into_bad_states();
    let unfair = temporal(context, path, &mut findings);
    if let Some(wanted) = context.options.finding {
        // The sort keeps the order of the others.
        findings.sort_by_key(|found| !shows(found, wanted));
    }
    let whole = path.show(context);
    let trace = match findings.first().and_then(trace_of) {
        Some(Trace { finding, failure, .. }) => {
            Trace { finding: finding.clone(), failure: failure.clone(), ..whole }
        }
        None => whole,
    };
    let is_still = match (context.options.finding, findings.first()) {
        (Some(wanted), Some(found)) => shows(found, wanted),
        (None, _) | (Some(_), None) => false,
    };
    Ok(Retraced { findings, is_still, unfair, outside, ..Retraced::of(trace) })
}

/// A property that does not hold, or an expression without a value.
struct Wrong {
    /// The index of the state that it is wrong with.
    state: usize,
    what: What,
    /// The part that failed.
    part: Option<(Span, Failure)>,
    /// Set if it occurred among the successors of the state. Holds the incomplete successor, if there is one.
    successor: Option<Option<State>>,
}

impl Wrong {
    /// Creates one that is about a state or the step to it.
    fn with(state: usize, what: What, part: Option<(Span, Failure)>) -> Wrong {
        Wrong { state, what, part, successor: None }
    }

    fn among_successors(state: usize, what: What, unfinished: Option<State>) -> Wrong {
        Wrong { state, what, part: None, successor: Some(unfinished) }
    }
}

struct Judge<'a> {
    context: &'a Context<'a>,
    path: &'a Path,
    findings: Vec<Wrong>,
    outside: Option<(usize, String)>,
}

impl Judge<'_> {
    fn region(&self) -> Region {
        self.context.run.region()
    }

    /// Judges the properties of states, and the constraints.
    fn state(&mut self, index: usize) {
        let Context { model, shared, run, .. } = *self.context;
        let region = self.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        machine.set_state(values(&self.path.states[index]));
        self.stand_at(index);
        for (at, root) in model.program.implied_inits.iter().enumerate().filter(|_| index == 0) {
            self.check(&mut machine, index, root, (Phase::InitialProperty, What::InitialProperty(at)));
        }
        for (at, root) in model.program.invariants.iter().enumerate() {
            self.check(&mut machine, index, root, (Phase::Invariant, What::Invariant(at)));
        }
        if let Some(root) = model.program.view
            && let Err(fault) = machine.eval_root(root)
        {
            self.findings.push(Wrong::with(index, What::Fault(Phase::View, fault), None));
        }
        for root in &model.program.constraints {
            self.constrain(&mut machine, index, root);
        }
    }

    /// Judges the properties of the step to a state.
    fn step_to(&mut self, index: usize) {
        let Some(before) = index.checked_sub(1) else { return };
        let path = self.path;
        self.step((&path.states[before], &path.states[index]), index, path.steps[index].is_some());
    }

    /// Judges the properties of the step that closes a cycle. A finding belongs to the state after the last.
    fn step_back(&mut self) {
        let path = self.path;
        let (Some(last), Some(after)) = (path.states.last(), path.after_last()) else { return };
        self.step((last, after), path.states.len(), path.last_step.is_some());
    }

    /// Judges the properties of the step to the state with this index. Stuttering that is no step of an
    /// action is not judged, since a search has no such step.
    fn step(&mut self, (before, after): (&[ValueId], &[ValueId]), index: usize, is_action: bool) {
        let is_stuttering = before == after;
        if is_stuttering && !is_action {
            return;
        }
        let Context { model, shared, run, .. } = *self.context;
        let region = self.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        machine.set_state(values(before));
        machine.set_successor(values(after));
        self.stand_at(index - 1);
        for (at, property) in model.program.step_properties.iter().enumerate() {
            self.check(&mut machine, index, &property.root, (Phase::StepProperty, What::StepProperty(at)));
        }
        // A step that changes nothing leads to no new state that a constraint could keep out.
        for root in model.program.action_constraints.iter().filter(|_| !is_stuttering) {
            self.constrain(&mut machine, index, root);
        }
    }

    /// Evaluates a property, unless it was found to be violated before.
    fn check(
        &mut self,
        machine: &mut Machine<'_, '_>,
        index: usize,
        root: &Root,
        (phase, what): (Phase, What),
    ) {
        if self.findings.iter().any(|known| known.what.is_same_as(&what)) {
            return;
        }
        match machine.eval_root_bool(*root) {
            Ok(true) => {}
            Ok(false) => {
                let part = model::failing_part(self.context.model, machine, *root);
                self.findings.push(Wrong::with(index, what, part));
            }
            Err(fault) => self.findings.push(Wrong::with(index, What::Fault(phase, fault), None)),
        }
    }

    fn constrain(&mut self, machine: &mut Machine<'_, '_>, index: usize, root: &Root) {
        match machine.eval_root_bool(*root) {
            Ok(true) => {}
            Ok(false) => {
                let name = model::root_name(self.context.model.spec, root);
                self.outside.get_or_insert((index, name));
            }
            Err(fault) => self.findings.push(Wrong::with(index, What::Fault(Phase::Constraint, fault), None)),
        }
    }

    /// Whether the state has successors, and all of them can be made.
    fn expand(&self, index: usize) -> Option<Wrong> {
        let Context { model, shared, run, actions, .. } = *self.context;
        let region = self.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        machine.set_state(values(&self.path.states[index]));
        self.stand_at(index);
        let (mut n_successors, mut phase, mut unfinished) = (0_usize, Phase::Next, None);
        machine.set_recording(true);
        for action in actions {
            let walked: Evaluated<Flow> = machine.step(action, &mut |machine| {
                n_successors += 1;
                if machine.n_missing() > 0 {
                    let step = Some(model::step(model.spec, machine, action));
                    unfinished = Some(State { step, values: model::state_data(machine, Side::Next) });
                    return Ok(Flow::Stop);
                }
                let span = machine.fallback_span();
                model::ground(machine, Side::Next).at(span)?;
                phase = Phase::View;
                machine.in_next(|machine| view(model, machine))?;
                phase = Phase::Next;
                Ok(Flow::Continue)
            });
            match walked {
                Err(fault) => {
                    return Some(Wrong::among_successors(index, What::Fault(phase, fault), None));
                }
                Ok(Flow::Stop) => return Some(Wrong::among_successors(index, What::Incomplete, unfinished)),
                Ok(Flow::Continue) => {}
            }
        }
        let is_last = index + 1 == self.path.states.len() && self.path.back_to.is_none();
        let is_stuck = n_successors == 0 && is_last && self.context.options.check_deadlock;
        is_stuck.then_some(Wrong::with(index, What::Deadlock, None))
    }

    /// Adds to the message about a deadlock why no action is possible in the state.
    fn explain_deadlock(&self, index: usize, diagnostic: Diagnostic) -> Diagnostic {
        let Context { model, shared, run, actions, .. } = *self.context;
        let region = self.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        machine.set_state(values(&self.path.states[index]));
        self.stand_at(index);
        model::quietly(run, || model::explain_deadlock(model, &mut machine, actions, diagnostic))
    }

    fn stand_at(&self, index: usize) {
        let history = self.path.history(self.context, index);
        self.context.run.stand_at(index as u32 + 1, history);
    }

    /// Returns the findings as a search reports them, each with the behaviour up to there.
    fn into_bad_states(mut self) -> Vec<BadState> {
        let findings = std::mem::take(&mut self.findings);
        let model = self.context.model;
        let whole = Trace { ending: Ending::Stop, ..self.path.show(self.context) };
        let n_states = self.path.states.len();
        let told = |Wrong { state, what, part, successor }: Wrong| {
            let is_initial = state == 0 && successor.is_none();
            let mut trace = match &successor {
                // It has variables, and nothing that an ALIAS or an expression could be evaluated in.
                Some(Some(_)) => Trace { ending: Ending::Stop, ..self.path.trace(model) },
                Some(None) | None if state < n_states => whole.clone(),
                Some(None) | None => self.path.with_step_back().show(self.context),
            };
            trace.states.truncate(state + 1);
            trace.states.extend(successor.flatten());
            let outcome = match what.is_violation() {
                true => {
                    let mut violation = model::violation(model, &what, trace, part);
                    if matches!(what, What::Deadlock) {
                        violation.diagnostic = self.explain_deadlock(state, violation.diagnostic);
                    }
                    Ok(Verdict::Violated(Box::new(violation)))
                }
                false => Err(model::no_verdict(model, what, is_initial, trace)),
            };
            BadState { state, outcome }
        };
        findings.into_iter().map(told).collect()
    }
}

/// Evaluates the VIEW of a state that is in the model, which a search would look it up by.
fn view(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Evaluated<()> {
    let Some(root) = model.program.view else { return Ok(()) };
    // Errors of constraints are reported elsewhere.
    if model::all_hold(machine, &model.program.constraints).unwrap_or(false) {
        machine.eval_root(root)?;
    }
    Ok(())
}

/// Judges the temporal properties of an infinite behaviour. Returns the first part of the fairness that it
/// lacks.
fn temporal(context: &Context<'_>, path: &Path, findings: &mut Vec<BadState>) -> Option<Span> {
    let Context { model, shared, run, .. } = *context;
    let state = path.states.len() - 1;
    // A trace to where a part of a temporal property has no value is no behaviour without end.
    let is_undefined = matches!(context.options.finding, Some(Finding::EvaluationError { .. }));
    let back_to = path.back_to.or(is_undefined.then_some(state))?;
    let behaviour = Endless { states: &path.states, back_to, after: path.after.as_ref() };
    let judged = match model::judge_behaviour(Evaluation { model, shared, run }, behaviour) {
        Ok(_) if path.back_to.is_none() => return None,
        Ok(judged) => judged,
        Err(reason) => {
            findings.push(BadState { state, outcome: Err(reason) });
            return None;
        }
    };
    if judged.unfair.is_some() {
        return judged.unfair;
    }
    let names: Vec<String> = judged.violated.iter().map(|(property, _)| property.name.clone()).collect();
    let (property, diagnostic) = judged.violated.into_iter().next()?;
    let finding = Finding::TemporalProperty { names };
    let trace = Some(Trace { finding, ..path.show(context) });
    let violation = Violation { property, trace, is_prefix: false, diagnostic };
    findings.push(BadState { state, outcome: Ok(Verdict::Violated(Box::new(violation))) });
    None
}

/// The trace that a finding comes with.
fn trace_of(found: &BadState) -> Option<&Trace> {
    match &found.outcome {
        Ok(Verdict::Violated(violation)) => violation.trace.as_ref(),
        Ok(Verdict::Holds) => None,
        Err(
            NoVerdict::Undefined { trace, .. }
            | NoVerdict::Assertion { trace, .. }
            | NoVerdict::Incomplete { trace, .. },
        ) => trace.as_deref(),
        Err(
            NoVerdict::NoInitialState(_)
            | NoVerdict::Limit(_)
            | NoVerdict::Interrupted
            | NoVerdict::Disk(_)
            | NoVerdict::Checkpoint(_)
            | NoVerdict::Unsupported(_),
        ) => None,
    }
}

/// Whether a finding is what the trace was made for.
fn shows(found: &BadState, wanted: &Finding) -> bool {
    let Some(Trace { finding, .. }) = trace_of(found) else { return false };
    match (finding, wanted) {
        (Finding::TemporalProperty { names }, Finding::TemporalProperty { names: wanted }) => {
            wanted.is_empty() || names.iter().any(|name| wanted.contains(name))
        }
        (Finding::EvaluationError { .. }, Finding::EvaluationError { .. }) => true,
        (finding, wanted) => finding == wanted,
    }
}
