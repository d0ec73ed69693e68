//! What other explorations of a model share with the search: preparing it, and telling what was found.
//!
//! A walk through the states keeps no set of them, so that it needs nothing of [`crate::space`]; its states are values
//! of a machine. What is said about a finding, and in which words, is the same.

use std::cell::Cell;

use diag::{Diagnostic, Span};
use eval::interp::{ActionInstance, Evaluated, Machine, Shared};
use eval::ir::{ActionLeaf, Program, Root};
use eval::{Owned, Register, Run};
use sema::Spec;
use trace::{Datum, Failure, Step, Trace};
use value::{OpResult, Region, Value, ValueId};

pub use crate::checkpoint::Registers;
pub use crate::expand::{Side, What};
pub use crate::live::{Judged, judge as judge_behaviour};
pub use crate::live::{WalkLasso, WalkLiveness, WalkStop, WalkedStates};
pub use crate::witness::{Possible, Witnesses};

use crate::answer::{Ended, NoVerdict, Outcome, PropertyKind, Violation};
use crate::options::Model;
use crate::{alias, bfs, blocked, context, data, expand, explain, prepare, rebuild, step_names, told};

/// How deep a worker's stack is.
pub const STACK_BYTES: usize = bfs::STACK_BYTES;

/// A run that can evaluate again what was evaluated before, without anybody noticing.
pub trait QuietRun: Run {
    /// A region for one worker's evaluation.
    fn region(&self) -> Region;

    /// Whether nothing is printed from now on; how it was before.
    fn set_quiet(&self, is_quiet: bool) -> bool;

    fn as_run(&self) -> &dyn Run;
}

/// The next random bits, as a search draws them; `seed` is what the first are made from.
pub fn drawn(state: &Cell<Option<u64>>, seed: impl FnOnce() -> u64) -> u64 {
    // SplitMix64: a counter and a mixing function, so that any seed will do.
    let counter = state.get().unwrap_or_else(seed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    state.set(Some(counter));
    let mut bits = counter;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Runs `body`, which evaluates again what was evaluated before: nothing is printed.
pub fn quietly<T>(run: &(impl QuietRun + ?Sized), body: impl FnOnce() -> T) -> T {
    let was_quiet = run.set_quiet(true);
    let result = body();
    run.set_quiet(was_quiet);
    result
}

/// The actions of a model whose constants and assumptions were evaluated; or how it all ends before the first state.
pub fn prepare<'a>(
    model: Model<'a>,
    shared: &'a Shared,
    run: &'a dyn QuietRun,
) -> Result<Vec<ActionInstance<'a>>, Ended> {
    prepare::prepare(model, (shared, run), |_| Ok(())).map(|(actions, ())| actions)
}

/// What postconditions and `_POSSIBLE` say about a run that is over.
pub fn conclude(model: Model<'_>, (shared, run): (&Shared, &dyn QuietRun), witnesses: &Witnesses) -> Outcome {
    prepare::conclude_with(model, (shared, run), witnesses)
}

/// EXCEPTs whose path led outside the domain.
pub fn lost_updates(model: Model<'_>, shared: &Shared) -> Vec<Diagnostic> {
    prepare::lost_updates(model, shared)
}

/// Makes the values of the current state explicit.
pub fn ground_state(machine: &mut Machine<'_, '_>) -> OpResult<()> {
    expand::ground(machine, Side::Current)
}

/// Makes the values of the next state explicit.
pub fn ground_next(machine: &mut Machine<'_, '_>) -> OpResult<()> {
    expand::ground(machine, Side::Next)
}

/// The values of the current state, as traces hold them.
pub fn state_data(machine: &mut Machine<'_, '_>) -> Vec<Option<Datum>> {
    rebuild::data(machine, Machine::state)
}

/// The values of the next state, as traces hold them.
pub fn next_data(machine: &mut Machine<'_, '_>) -> Vec<Option<Datum>> {
    rebuild::data(machine, Machine::next)
}

/// A value that a fault speaks of.
pub fn told(value: &eval::interp::SavedValue) -> Datum {
    data::told(value)
}

/// A value as traces hold it.
pub fn datum(value: Value<'_>) -> Datum {
    crate::data::datum(value)
}

pub use crate::data::Data;

/// A value that a trace holds, to be put into a region; nothing if it has no explicit form.
pub fn owned(model: Model<'_>, datum: &Datum) -> Option<Owned> {
    crate::counterexample::owned(model.program.atoms, datum)
}

/// Interns the values of a state of the machine; `None` if one is missing or has no explicit form.
pub fn intern_made(machine: &mut Machine<'_, '_>, side: Side) -> Option<Vec<ValueId>> {
    expand::intern_made(machine, side)
}

/// The step that a machine which records its way has just made.
pub fn step<'a>(spec: &Spec, machine: &mut Machine<'a, '_>, action: &ActionInstance<'a>) -> Step {
    rebuild::step(spec, machine, action)
}

/// A span as traces give it.
pub fn place(spec: &Spec, span: Span) -> trace::Place {
    context::place(spec, span)
}

/// A span as TLC writes it.
pub fn place_text(spec: &Spec, span: Span) -> String {
    let trace::Place { start, end, module, .. } = place(spec, span);
    let last_column = end.column.saturating_sub(1);
    format!(
        "line {}, col {} to line {}, col {last_column} of module {module}",
        start.line, start.column, end.line
    )
}

/// For each register that a worker has set, the tuple of the workers' values: those with names, or the others.
pub fn all_registers(workers: impl Iterator<Item = Registers>, is_named: bool) -> Owned {
    let mut pairs: Vec<(Owned, Vec<Owned>)> = Vec::new();
    for (register, value) in workers.flatten() {
        let key = match register {
            Register::Index(index) if !is_named => Owned::Int(index as i64),
            Register::Named(name) if is_named => Owned::Atom(name),
            Register::Index(_) | Register::Named(_) => continue,
        };
        match pairs.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => pairs.push((key, vec![value])),
        }
    }
    Owned::Function(pairs.into_iter().map(|(key, values)| (key, Owned::Sequence(values))).collect())
}

/// A span as a value, as `TLCGet` gives places.
pub fn location(spec: &Spec, span: Span) -> Owned {
    crate::counterexample::location(&context::place(spec, span))
}

/// What `TLCGet("spec")` says.
pub fn describe(model: Model<'_>, actions: &[ActionInstance<'_>]) -> Owned {
    context::describe(model, actions)
}

/// What `TLCGet("revision")` says.
pub fn revision() -> Owned {
    context::revision()
}

/// What `TLCGet("action")` says where nobody knows.
pub fn unnamed_action() -> Owned {
    context::unnamed_action()
}

/// What `CounterExample` says about a trace.
pub fn counterexample(model: Model<'_>, trace: &Trace) -> Option<Owned> {
    crate::counterexample::value(model.program.atoms, model.spec, trace)
}

/// What a property is called.
pub fn root_name(spec: &Spec, root: &Root) -> String {
    context::root_name(spec, root)
}

/// The failing part of a property, for the state that the machine is in or the step that it makes.
pub fn failing_part(model: Model<'_>, machine: &mut Machine<'_, '_>, root: Root) -> Option<(Span, Failure)> {
    explain::failing_part(model, machine, root)
}

/// What keeps the machine's step from being one by an action.
pub fn failing_conjunct(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    action: &ActionInstance<'_>,
) -> Option<Failure> {
    let culprit = machine.explain_step(action).ok().flatten()?;
    Some(explain::blamed(model, machine, culprit))
}

/// Where an action came nearest to a step from the machine's state: how many of its conjuncts held, and the one that did not.
pub fn nearest_miss<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    action: &ActionInstance<'a>,
) -> Evaluated<Option<(usize, Failure)>> {
    let miss = machine.nearest_miss(action)?;
    Ok(miss.map(|miss| (miss.n_passed, explain::blamed(model, machine, miss.culprit))))
}

/// The names that the steps of an action have in traces, in the order of the text.
pub fn step_names(model: Model<'_>, leaf: &ActionLeaf) -> Vec<String> {
    step_names::step_names(model.spec, model.program, leaf)
}

/// Adds to what is said of a deadlock why no action is possible in the machine's state.
pub fn explain_deadlock<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    actions: &[ActionInstance<'a>],
    diagnostic: Diagnostic,
) -> Diagnostic {
    blocked::explained(model, machine, actions, diagnostic)
}

/// Shows each state of `trace` as `fields` has it: what the ALIAS is there.
pub fn show_alias(trace: &mut Trace, fields: impl Fn(usize) -> Result<Vec<(String, Datum)>, String>) {
    alias::apply_with(trace, fields);
}

/// The fields of the ALIAS, for the state and the next one that the machine has.
pub fn alias_fields(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    root: Root,
) -> Result<Vec<(String, Datum)>, String> {
    alias::evaluate(model, machine, root)
}

/// Adds to each state of `trace` what `values` says of it: the value of each expression that is shown.
pub fn show_expressions(
    model: Model<'_>,
    trace: &mut Trace,
    values: impl Fn(usize) -> Result<Vec<Datum>, String>,
) {
    alias::show_expressions(model, trace, values);
}

/// The values of these expressions, for the state and the next one that the machine has.
pub fn expressions(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Vec<Datum> {
    alias::expressions(model, machine)
}

/// A trace of a model's variables, without states.
pub fn no_states(model: Model<'_>) -> Trace {
    told::no_states(model)
}

/// Which property a violation is of.
pub fn property(program: &Program, what: &What) -> (PropertyKind, Option<Root>) {
    told::property(program, what)
}

/// A violation; `explained` is the part of the property that failed, and its place.
pub fn violation(
    model: Model<'_>,
    what: &What,
    trace: Trace,
    explained: Option<(Span, Failure)>,
) -> Violation {
    told::violation(model, what, trace, explained)
}

/// Why there is no verdict, for what is no violation. `initial`: it came up among the initial states.
pub fn no_verdict(model: Model<'_>, what: What, initial: bool, trace: Trace) -> NoVerdict {
    told::no_verdict(model, what, initial, trace)
}

/// Why there is no verdict where a part of a temporal property has no value in the last state of `trace`.
pub fn undefined_temporal(model: Model<'_>, fault: Box<eval::interp::Fault>, trace: Trace) -> NoVerdict {
    crate::live::undefined_on_walk(model, fault, trace)
}

/// That the model has no initial state.
pub fn no_initial_state(model: Model<'_>) -> NoVerdict {
    told::no_initial_state(model)
}

/// The answer where constraints exclude all initial states.
pub fn no_initial_in_model(model: Model<'_>) -> NoVerdict {
    told::no_initial_in_model(model)
}

/// A failed evaluation as a diagnostic.
pub fn fault_diagnostic(model: Model<'_>, fault: &eval::interp::Fault) -> Diagnostic {
    crate::fault::diagnostic(model, fault)
}

/// Whether all of these formulas hold of the machine's step.
pub fn all_hold(machine: &mut Machine<'_, '_>, roots: &[Root]) -> Evaluated<bool> {
    for root in roots {
        if !machine.eval_root_bool(*root)? {
            return Ok(false);
        }
    }
    Ok(true)
}
