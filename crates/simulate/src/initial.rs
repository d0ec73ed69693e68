//! The initial states: all of them are found and checked before the first walk. They are interned, which walks are not.

use eval::interp::{Flow, Machine};
use model::{Ended, Limit, NoVerdict, Phase, Side, Verdict, What};
use value::{Ground, Interner, Value, ValueId};

use crate::board::Board;
use crate::context::Context;
use crate::expand::judge_initial;
use crate::run::WalkRun;

/// Number of states between two checks of the clock.
const BETWEEN_LOOKS: u64 = 1 << 10;

/// The initial states that are in the model.
#[derive(Debug, Default)]
pub(crate) struct InitialStates {
    n_variables: usize,
    ids: Vec<ValueId>,
    pub n_generated: u64,
}

impl InitialStates {
    pub fn len(&self) -> usize {
        // A specification with a next-state relation has variables.
        self.ids.len() / self.n_variables.max(1)
    }

    /// Returns the ids of each state.
    pub fn ids(&self) -> impl Iterator<Item = &[ValueId]> {
        self.ids.chunks_exact(self.n_variables.max(1))
    }

    /// Returns the ids of one of the states.
    pub fn state(&self, index: usize) -> &[ValueId] {
        &self.ids[index * self.n_variables..(index + 1) * self.n_variables]
    }

    /// Returns the values of one of the states.
    pub fn values<'r>(&self, index: usize) -> impl Iterator<Item = Value<'r>> {
        self.state(index).iter().map(|&id| -> Value<'r> { Interner::shared().value(id) })
    }
}

/// Finds the initial states.
pub(crate) fn find<'a>(context: &'a Context<'a>, run: &'a WalkRun<'a>) -> Result<InitialStates, Ended> {
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    let mut states =
        InitialStates { n_variables: context.program().variables.len(), ids: Vec::new(), n_generated: 0 };
    let mut found = None;
    run.stand_at(0);
    let walked = machine.initial_states(&context.program().init, &mut |machine| {
        states.n_generated += 1;
        if states.n_generated.is_multiple_of(BETWEEN_LOOKS) && is_over(context.board) {
            return Ok(Flow::Stop);
        }
        run.stand_at(1);
        let judged = judge_initial(context, machine);
        run.stand_at(0);
        match judged {
            Ok(true) => {
                if !intern(machine, &mut states.ids) {
                    found = Some(Discovery { what: What::Full, values: Vec::new(), explained: None });
                }
            }
            Ok(false) => {}
            Err(what) => found = Some(Discovery::new(context, run, machine, what)),
        }
        Ok(if found.is_some() { Flow::Stop } else { Flow::Continue })
    });
    if let Err(fault) = walked {
        let what = What::Fault(Phase::Init, fault);
        found = found.or(Some(Discovery { what, values: Vec::new(), explained: None }));
    }
    match found {
        Some(discovery) => Err(describe_end(context, discovery)),
        None if states.len() == 0 && !context.board.is_over() => {
            Err(Ended::NoVerdict(match states.n_generated {
                0 => model::no_initial_state(context.model),
                _ => model::no_initial_in_model(context.model),
            }))
        }
        None => Ok(states),
    }
}

fn is_over(board: &Board<'_>) -> bool {
    board.tick();
    board.is_over()
}

/// Interns the values of a state; returns whether there was room.
fn intern(machine: &Machine<'_, '_>, ids: &mut Vec<ValueId>) -> bool {
    for value in machine.state().iter().flatten() {
        let ground = Ground::opt(*value).expect("the values of an initial state are explicit");
        match Interner::shared().intern(ground) {
            Ok(id) => ids.push(id),
            Err(_) => return false,
        }
    }
    true
}

/// A finding about an initial state.
struct Discovery {
    what: What,
    values: Vec<Option<trace::Datum>>,
    explained: Option<(diag::Span, trace::Failure)>,
}

impl Discovery {
    fn new(context: &Context<'_>, run: &WalkRun<'_>, machine: &mut Machine<'_, '_>, what: What) -> Self {
        let values = model::state_data(machine, Side::Current);
        let (_, root) = model::property(context.program(), &what);
        let explain = |root| model::quietly(run, || model::failing_part(context.model, machine, root));
        Discovery { what, values, explained: root.and_then(explain) }
    }
}

fn describe_end(context: &Context<'_>, discovery: Discovery) -> Ended {
    let Discovery { what, values, explained } = discovery;
    if what.is_interruption() {
        return NoVerdict::Interrupted.into();
    }
    if matches!(what, What::Full) {
        return NoVerdict::Limit(Limit::Memory).into();
    }
    let mut trace = model::no_states(context.model);
    let has_state = !values.is_empty() && !matches!(what, What::Fault(Phase::Init, _));
    if has_state {
        trace.states.push(trace::State { step: None, values });
    }
    match what.is_violation() {
        false => model::no_verdict(context.model, what, true, trace).into(),
        true => {
            let violation = model::violation(context.model, &what, trace, explained);
            Ended::Verdict(Verdict::Violated(Box::new(violation)))
        }
    }
}
