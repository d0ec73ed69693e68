//! A replay from its beginning to its end.

use std::sync::atomic::AtomicBool;

use check::kit::{self, QuietRun, STACK_BYTES, What};
use check::{Model, NoVerdict, Phase, Verdict};
use eval::World;
use eval::interp::{ActionInstance, At, Flow, Machine, Shared};
use eval::ir::{IrKind, Program, Root};
use sema::std_ops::StdOp;
use trace::given::Given;
use trace::{Ending, Finding, State};

use crate::answer::Replay;
use crate::follow::{Followed, Follower};
use crate::judge;
use crate::near;
use crate::run::ReplayRun;

/// How a replay is run.
pub struct Options<'a> {
    pub check_deadlock: bool,
    /// How much memory values that are being computed may take.
    pub memory_bytes_max: usize,
    /// For random operators.
    pub seed: u64,
    /// What the trace was made for, as far as it says so: of several findings this is the one that is told first.
    pub finding: Option<&'a Finding>,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// What every part of a replay reads.
pub(crate) struct Context<'a> {
    pub model: Model<'a>,
    pub options: &'a Options<'a>,
    pub shared: &'a Shared,
    pub run: &'a ReplayRun<'a>,
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
pub fn replay(
    model: Model<'_>,
    options: &Options<'_>,
    given: &Given,
) -> Result<Replay, Result<Verdict, NoVerdict>> {
    // Evaluation recurses as deep as the specification does: give it room.
    std::thread::scope(|scope| {
        let main = std::thread::Builder::new().stack_size(STACK_BYTES);
        let spawned = main.spawn_scoped(scope, || replay_here(model, options, given));
        let joined = spawned.expect("a thread can be started").join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn replay_here(
    model: Model<'_>,
    options: &Options<'_>,
    given: &Given,
) -> Result<Replay, Result<Verdict, NoVerdict>> {
    let shared = Shared::new(model.program);
    let run = ReplayRun::new(model, options);
    let actions = kit::prepare(model, &shared, &run)?;
    let names: Vec<&str> = model.program.variables.iter().map(|&name| model.spec.names.text(name)).collect();
    let columns: Vec<Option<usize>> =
        names.iter().map(|name| given.variables.iter().position(|known| known == name)).collect();
    let given = &finished(given);
    let context = Context {
        alias: model.program.alias.filter(|_| columns.iter().all(Option::is_none)),
        keeps_history: asks_for_history(model.program),
        model,
        options,
        shared: &shared,
        run: &run,
        actions: &actions,
        given,
        columns: &columns,
    };
    let mut replay = follow(&context)?;
    if context.alias.is_some() {
        return Ok(replay);
    }
    let is_open = |column: &&Option<usize>| column.is_none();
    let named = names.iter().zip(&columns).filter(|(_, column)| is_open(column));
    replay.open = named.map(|(name, _)| (*name).to_owned()).collect();
    let is_unknown = |name: &&String| !names.contains(&name.as_str());
    replay.unknown = given.variables.iter().filter(is_unknown).cloned().collect();
    Ok(replay)
}

/// The trace without an unfinished state at its end, which is part of what was found.
fn finished(given: &Given) -> Given {
    let mut given = given.clone();
    if given.states.last().is_some_and(|state| state.values.iter().any(Option::is_none)) {
        given.states.pop();
        // A cycle went by way of that state.
        (given.back_to, given.last_step) = (None, None);
    }
    given
}

/// Whether `Trace` occurs in it.
fn asks_for_history(program: &Program) -> bool {
    program.irs.iter().any(|ir| matches!(ir.kind, IrKind::Native { op: StdOp::Trace, .. }))
}

/// A trace without a finished state: what is wrong was found among the initial states.
fn without_state(context: &Context<'_>) -> Result<Replay, Result<Verdict, NoVerdict>> {
    let Context { model, shared, run, .. } = *context;
    let region = run.region();
    let mut machine = Machine::new(model.program, shared, &region, run);
    let mut trace = kit::no_states(model);
    let mut is_incomplete = false;
    let walked = machine.initial_states(&model.program.init, &mut |machine| {
        is_incomplete = machine.n_missing() > 0;
        if is_incomplete {
            trace.states.push(State { step: None, values: kit::state_data(machine) });
            return Ok(Flow::Stop);
        }
        let span = machine.anywhere();
        kit::ground_state(machine).at(span)?;
        Ok(Flow::Continue)
    });
    match walked {
        Err(fault) => Err(Err(kit::no_verdict(model, What::Fault(Phase::Init, fault), true, trace))),
        Ok(_) if is_incomplete => Err(Err(kit::no_verdict(model, What::Incomplete, true, trace))),
        Ok(_) => Ok(Replay::of(trace)),
    }
}

fn follow(context: &Context<'_>) -> Result<Replay, Result<Verdict, NoVerdict>> {
    if context.given.states.is_empty() {
        return without_state(context);
    }
    let followed = Follower::new(context).follow();
    if context.options.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(Err(NoVerdict::Interrupted));
    }
    match followed {
        Followed::Paths(paths) => {
            let mut judged: Vec<Replay> = Vec::new();
            for path in &paths {
                judged.push(judge::judge(context, path)?);
                if judged.last().is_some_and(|replay| !replay.findings.is_empty()) {
                    break;
                }
            }
            // One that violates something is what the trace was kept for.
            let best = judged.iter().position(|replay| !replay.findings.is_empty()).unwrap_or(0);
            Ok(judged.swap_remove(best))
        }
        Followed::Broken { path, at } => {
            let mut trace =
                path.as_ref().map_or_else(|| kit::no_states(context.model), |path| path.trace(context.model));
            trace.ending = Ending::Stop;
            let broken = Some(near::explain(context, path.as_ref(), at));
            Ok(Replay { broken, ..Replay::of(trace) })
        }
    }
}
