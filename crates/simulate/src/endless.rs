//! Checks temporal properties of a walk that has ended, with its states and steps as a graph
//! (`model::WalkLiveness`).

use base::FxIndexSet;
use eval::interp::Fault;
use model::{Limit, NoVerdict, Outcome, Verdict, WalkLasso, WalkStop, WalkedStates};
use value::{Ground, Interner, Region, Value, ValueId};

use crate::context::Context;
use crate::path::{self, Forever, Node, Path};
use crate::run::WalkRun;
use crate::walk::{Ending, FinishedWalk, decode_state};

/// The states of a walk, each kept once.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    states: FxIndexSet<Vec<u8>>,
    /// For each position on the walk, the number of its state.
    numbers: Vec<u32>,
}

impl Footprints {
    pub fn add(&mut self, state: Vec<u8>) {
        let number = match self.states.get_index_of(&state) {
            Some(number) => number,
            None => self.states.insert_full(state).0,
        };
        self.numbers.push(number as u32);
    }

    fn bytes(&self, number: u32) -> &[u8] {
        &self.states[number as usize]
    }
}

/// The result of checking the temporal properties of a walk.
#[derive(Debug)]
pub(crate) struct Outlook {
    footprints: Footprints,
    found: TemporalFinding,
}

#[derive(Debug)]
enum TemporalFinding {
    Lasso(WalkLasso),
    /// An evaluation error at this position on the walk.
    Fault(usize, Box<Fault>),
    Unsupported(NoVerdict),
}

/// A walk, as the check of temporal properties reads it.
struct WalkGraph<'w, 'a> {
    context: &'w Context<'a>,
    footprints: &'w Footprints,
}

impl WalkedStates for WalkGraph<'_, '_> {
    fn numbers(&self) -> &[u32] {
        &self.footprints.numbers
    }

    fn values<'r>(&self, region: &'r Region, number: u32) -> Vec<Value<'r>> {
        decode_state(region, self.footprints.bytes(number), self.context.program().variables.len())
    }

    fn is_over(&self) -> bool {
        self.context.board.tick();
        self.context.board.is_over()
    }
}

/// Checks the temporal properties of a walk that reached its end.
pub(crate) fn judge(context: &Context<'_>, run: &WalkRun<'_>, walked: &mut FinishedWalk) {
    let (Some(footprints), Some(liveness)) = (walked.footprints.take(), &context.liveness) else { return };
    match walked.ending {
        Ending::Depth | Ending::Stuck => {}
        Ending::Cut | Ending::Found(_) | Ending::Temporal(_) => return,
    }
    let asked = WalkGraph { context, footprints: &footprints };
    let found = match liveness.find(context.evaluation(run), &asked) {
        Ok(None) => return,
        Ok(Some(lasso)) => TemporalFinding::Lasso(lasso),
        Err(WalkStop::Over) => {
            walked.ending = Ending::Cut;
            return;
        }
        Err(WalkStop::Fault(at, fault)) => TemporalFinding::Fault(at, fault),
        Err(WalkStop::Unsupported(reason)) => TemporalFinding::Unsupported(reason),
    };
    walked.ending = Ending::Temporal(Box::new(Outlook { footprints, found }));
}

/// The number of a walk, and the walk made again, if that was possible.
#[derive(Clone, Copy)]
pub(crate) struct WalkAgain<'p> {
    pub number: u64,
    pub path: Option<&'p Path>,
}

/// Reports the result for a walk.
pub(crate) fn tell(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    walk: WalkAgain<'_>,
    outlook: Outlook,
) -> Outcome {
    let Outlook { footprints, found } = outlook;
    match found {
        TemporalFinding::Lasso(lasso) => describe_violation(context, run, walk, (&footprints, &lasso)),
        TemporalFinding::Fault(at, fault) => {
            let order = &footprints.numbers[..=at];
            let told = path_through(order, walk, &footprints);
            Err(model::undefined_temporal(context.model, fault, path::noted_trace(context, run, &told)))
        }
        TemporalFinding::Unsupported(reason) => Err(reason),
    }
}

fn describe_violation(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    walk: WalkAgain<'_>,
    (footprints, lasso): (&Footprints, &WalkLasso),
) -> Outcome {
    let mut told = path_through(&lasso.states, walk, footprints);
    told.forever = Some(match lasso.back_to {
        None => Forever::Stuttering,
        Some(to) => {
            let last = *lasso.states.last().expect("a behaviour has states");
            Forever::Back(
                to,
                step(walk.path, footprints, (last, lasso.states[to])).and_then(|node| node.step.clone()),
            )
        }
    });
    let ids = lasso
        .states
        .iter()
        .map(|&number| intern_state(context, footprints.bytes(number)))
        .collect::<Option<Vec<_>>>();
    let ids = ids.ok_or(NoVerdict::Limit(Limit::Memory))?;
    let trace = path::noted_trace(context, run, &told);
    let liveness = context.liveness.as_ref().expect("a walk was judged by them");
    let violation = liveness.violation(context.evaluation(run), lasso, &ids, trace)?;
    Ok(Verdict::Violated(Box::new(violation)))
}

/// Returns the behaviour through these states, with the steps that the walk made between them.
fn path_through(order: &[u32], walk: WalkAgain<'_>, footprints: &Footprints) -> Path {
    let pairs = order.iter().zip(order.iter().skip(1));
    let nodes = pairs.map(|(&from, &to)| match step(walk.path, footprints, (from, to)) {
        Some(node) => node.clone(),
        None => Node { action: 0, step: None, state: footprints.bytes(to).to_vec() },
    });
    Path {
        walk: walk.number,
        initial: footprints.bytes(order[0]).to_vec(),
        nodes: nodes.collect(),
        partial: None,
        forever: None,
    }
}

/// Returns the first step of the walk between two states; `None` if the state stays the same.
fn step<'p>(path: Option<&'p Path>, footprints: &Footprints, (from, to): (u32, u32)) -> Option<&'p Node> {
    let numbers = &footprints.numbers;
    let at = numbers.windows(2).position(|pair| from != to && pair == [from, to])?;
    path?.nodes.get(at).filter(|node| node.state == footprints.bytes(to))
}

/// Returns the ids of a state's values, if there is memory for them.
fn intern_state(context: &Context<'_>, state: &[u8]) -> Option<Vec<ValueId>> {
    let region = Region::new();
    let values = decode_state(&region, state, context.program().variables.len());
    let intern = |value: Value<'_>| {
        let ground = Ground::opt(value).expect("the values of a state are explicit");
        Interner::shared().intern(ground).ok()
    };
    values.into_iter().map(intern).collect()
}
