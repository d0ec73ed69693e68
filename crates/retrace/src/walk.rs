//! Retracing from beginning to end.

use std::sync::atomic::AtomicBool;

use diag::{Code, Diagnostic};
use eval::World;
use eval::interp::{ActionInstance, At, Flow, Machine, Shared};
use eval::ir::{IrKind, Program, Root};
use model::{Ended, Model, NoVerdict, Phase, QuietRun, STACK_BYTES, Side, What};
use sema::Spec;
use sema::std_ops::StdOp;
use trace::given::Given;
use trace::{Ending, Finding, State};

use crate::answer::{Cut, Retraced};
use crate::follow::{Followed, Follower};
use crate::judge;
use crate::near;
use crate::path::{Path, values};
use crate::run::RetraceRun;

/// Options for running a trace again.
pub struct Options<'a> {
    pub check_deadlock: bool,
    /// Memory that values under computation may take.
    pub memory_bytes_max: usize,
    /// Seed of the random operators.
    pub seed: u64,
    /// The finding that the trace was made for, if it names one: of several findings this is reported first.
    pub finding: Option<&'a Finding>,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// The data that all parts of a run read.
pub(crate) struct Context<'a> {
    pub model: Model<'a>,
    pub options: &'a Options<'a>,
    pub shared: &'a Shared,
    pub run: &'a RetraceRun<'a>,
    pub actions: &'a [ActionInstance<'a>],
    pub given: &'a Given,
    /// For each variable of the specification, where it is among those of the trace.
    pub columns: &'a [Option<usize>],
    /// The ALIAS, if the trace has its fields in place of the variables.
    pub alias: Option<Root>,
    /// The specification can ask how a state was reached.
    pub keeps_history: bool,
}

/// Runs a trace again. The error is why a search would not even begin.
pub fn retrace(model: Model<'_>, options: &Options<'_>, given: &Given) -> Result<Retraced, Ended> {
    // Evaluation recurses as deep as the specification does: give it room.
    base::on_deep_stack(STACK_BYTES, || match has_variants(model.spec) {
        true => retrace_here(model, options, &given.clone().with_variants()),
        false => retrace_here(model, options, given),
    })
}

/// Whether the specification uses Apalache's module Variants.
fn has_variants(spec: &Spec) -> bool {
    spec.modules.iter().any(|module| module.embedded && spec.names.text(module.name) == "Variants")
}

fn retrace_here(model: Model<'_>, options: &Options<'_>, given: &Given) -> Result<Retraced, Ended> {
    let shared = Shared::new(model.program);
    let run = RetraceRun::new(model, options);
    let actions = model::prepare(model, &shared, &run)?;
    let names: Vec<&str> = model.program.variables.iter().map(|&name| model.spec.names.text(name)).collect();
    let columns: Vec<Option<usize>> =
        names.iter().map(|name| given.variables.iter().position(|known| known == name)).collect();
    let context = |alias: Option<Root>, columns| Context {
        alias,
        keeps_history: asks_for_history(model.program),
        model,
        options,
        shared: &shared,
        run: &run,
        actions: &actions,
        given,
        columns,
    };
    let no_columns = vec![None; columns.len()];
    let plain = context(None, &columns);
    let Some(alias) = model.program.alias else {
        return with_names(follow(&plain)?, given, (&names, &columns));
    };
    let aliased = context(Some(alias), &no_columns);
    if columns.iter().all(Option::is_none) {
        return follow(&aliased);
    }
    let by_variables = || with_names(follow(&plain)?, given, (&names, &columns));
    // A name can be that of a variable and of a field of the ALIAS: only the values show which is meant.
    if has_fields(&aliased, alias) {
        let retraced = follow(&aliased)?;
        return if is_behaviour(&retraced) { Ok(retraced) } else { by_variables() };
    }
    let retraced = by_variables()?;
    if is_behaviour(&retraced) {
        return Ok(retraced);
    }
    Ok(follow(&aliased).ok().filter(is_behaviour).unwrap_or(retraced))
}

/// Whether it is known to be one.
fn is_behaviour(retraced: &Retraced) -> bool {
    retraced.broken.is_none() && retraced.cut != Some(Cut::Behaviour)
}

/// Adds the variables that only the trace has, and those that only the specification has.
fn with_names(
    mut retraced: Retraced,
    given: &Given,
    (names, columns): (&[&str], &[Option<usize>]),
) -> Result<Retraced, Ended> {
    let named = names.iter().zip(columns).filter(|(_, column)| column.is_none());
    retraced.open = named.map(|(name, _)| (*name).to_owned()).collect();
    let is_unknown = |name: &&String| !names.contains(&name.as_str());
    retraced.unknown = given.variables.iter().filter(is_unknown).cloned().collect();
    Ok(retraced)
}

/// Whether every name in the trace is a field of the ALIAS, evaluated in an initial state.
fn has_fields(context: &Context<'_>, alias: Root) -> bool {
    let Context { model, shared, run, .. } = *context;
    let region = run.region();
    let mut machine = Machine::new(model.program, shared, &region, run);
    let mut first = None;
    let _ = machine.initial_states(&model.program.init, &mut |machine| {
        first = model::ground(machine, Side::Current)
            .ok()
            .and_then(|()| model::intern_made(machine, Side::Current));
        Ok(if first.is_some() { Flow::Stop } else { Flow::Continue })
    });
    let Some(ids) = first else { return false };
    machine.set_state(values(&ids));
    machine.set_next(values(&ids));
    let Ok(fields) = model::alias_fields(model, &mut machine, alias) else { return false };
    context.given.variables.iter().all(|name| fields.iter().any(|(field, _)| field == name))
}

/// Whether `Trace` occurs in it.
fn asks_for_history(program: &Program) -> bool {
    program.irs.iter().any(|ir| matches!(ir.kind, IrKind::Native { op: StdOp::Trace, .. }))
}

/// A trace without a finished state: what is wrong was found among the initial states.
fn without_state(context: &Context<'_>) -> Result<Retraced, Ended> {
    let Context { model, shared, run, .. } = *context;
    let region = run.region();
    let mut machine = Machine::new(model.program, shared, &region, run);
    let mut trace = model::no_states(model);
    let mut is_incomplete = false;
    let walked = machine.initial_states(&model.program.init, &mut |machine| {
        is_incomplete = machine.n_missing() > 0;
        if is_incomplete {
            trace.states.push(State { step: None, values: model::state_data(machine, Side::Current) });
            return Ok(Flow::Stop);
        }
        let span = machine.fallback_span();
        model::ground(machine, Side::Current).at(span)?;
        Ok(Flow::Continue)
    });
    match walked {
        Err(fault) => Err(model::no_verdict(model, What::Fault(Phase::Init, fault), true, trace).into()),
        Ok(_) if is_incomplete => Err(model::no_verdict(model, What::Incomplete, true, trace).into()),
        Ok(_) => {
            let error = Diagnostic::without_place(Code::TraceShape, "the trace has no states").note(
                "every initial state of the specification has values, so that there is nothing to compare",
            );
            Err(NoVerdict::Unsupported(Box::new(error)).into())
        }
    }
}

fn follow(context: &Context<'_>) -> Result<Retraced, Ended> {
    let followed = match context.given.states.is_empty() {
        true => Followed::UnfinishedStart,
        false => Follower::new(context).follow(),
    };
    if context.options.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(NoVerdict::Interrupted.into());
    }
    match followed {
        Followed::Paths { paths, is_cut } => judge_paths(context, &paths, is_cut),
        Followed::UnfinishedStart => without_state(context),
        Followed::Unknown => {
            let trace = model::no_states(context.model);
            Ok(Retraced { cut: Some(Cut::Behaviour), ..Retraced::of(trace) })
        }
        Followed::Broken { path, at } => {
            let mut trace = path
                .as_ref()
                .map_or_else(|| model::no_states(context.model), |path| path.trace(context.model));
            trace.ending = Ending::Stop;
            let broken = Some(near::explain(context, path.as_ref(), at));
            Ok(Retraced { broken, ..Retraced::of(trace) })
        }
    }
}

/// Judges the behaviours that a trace can be. Prefers one with the violation that the trace was kept for; otherwise a
/// fair one, if there is one.
fn judge_paths(context: &Context<'_>, paths: &[Path], is_cut: bool) -> Result<Retraced, Ended> {
    let mut best: Option<Retraced> = None;
    for path in paths {
        let retraced = judge::judge(context, path)?;
        if !retraced.findings.is_empty() {
            return Ok(retraced);
        }
        if best.as_ref().is_none_or(|best| best.unfair.is_some() && retraced.unfair.is_none()) {
            best = Some(retraced);
        }
    }
    let best = best.expect("a trace that was followed is at least one behaviour");
    let cut = is_cut.then_some(if best.unfair.is_some() { Cut::Behaviour } else { Cut::Findings });
    Ok(Retraced { cut, ..best })
}
