//! Follows labelled steps, to see whether the same finding is made when some of the steps are left out or change
//! places.

use std::sync::atomic::Ordering;
use std::time::Duration;

use eval::interp::{Flow, Machine};
use model::{Side, What};
use trace::Step;
use value::Region;

use crate::context::Context;
use crate::expand::judge;
use crate::path::{Node, Path};
use crate::run::WalkRun;
use crate::walk::{encode_state, load};

/// The most successors of a step that are tried.
const TRIED_PER_STEP: usize = 3;
/// The most times that an attempt may go back, for each of its steps.
const TRIES_PER_STEP: usize = 3;
/// The most expansions in all; after that the best result so far is used.
const EXPANSIONS_MAX: usize = 200_000;
/// The time that is left to a walk found at the end of the run's time.
const TIME_GRACE: Duration = Duration::from_secs(5);

/// A wanted step: the action, and the parameters if it has them.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub action: usize,
    pub step: Option<Step>,
}

impl From<&Node> for Label {
    fn from(node: &Node) -> Label {
        Label { action: node.action, step: node.step.clone() }
    }
}

/// The required similarity of a step to its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closeness {
    /// The parameters must be the same.
    Exact,
    /// Steps with equal parameters are tried first, then others.
    Near,
}

/// Follows labels.
pub(crate) struct Follower<'a> {
    pub context: &'a Context<'a>,
    pub run: &'a WalkRun<'a>,
    /// The finding that must be made.
    pub what: &'a What,
    pub walk: u64,
    n_expansions: usize,
}

/// A successor, and whether it has the parameters of the label.
struct Candidate {
    node: Node,
    is_exact: bool,
    /// Whether the finding that is looked for is made there.
    is_end: bool,
}

impl<'a> Follower<'a> {
    pub fn new(context: &'a Context<'a>, run: &'a WalkRun<'a>, what: &'a What, walk: u64) -> Self {
        Follower { context, run, what, walk, n_expansions: 0 }
    }

    /// Whether nothing more is tried.
    pub fn is_exhausted(&self) -> bool {
        let options = self.context.options;
        let is_time_over =
            || options.time_max.is_some_and(|limit| options.clock.elapsed() >= limit + TIME_GRACE);
        self.n_expansions >= EXPANSIONS_MAX || options.interrupted.load(Ordering::Relaxed) || is_time_over()
    }

    /// Returns a path whose first `n_kept` steps are those of `path`, and the others follow `labels`. It ends where the
    /// finding is made, which may be before the last label.
    pub fn follow(
        &mut self,
        (path, n_kept): (&Path, usize),
        labels: &[Label],
        closeness: Closeness,
    ) -> Option<Path> {
        self.run.restart(self.walk);
        let mut tries_left = TRIES_PER_STEP * (labels.len() + 1);
        let start = path.state(n_kept);
        let mut nodes = model::quietly(self.run, || {
            self.from(start, (labels, closeness), n_kept as u32 + 1, &mut tries_left)
        })?;
        let mut all: Vec<Node> = path.nodes[..n_kept].to_vec();
        nodes.reverse();
        all.append(&mut nodes);
        Some(Path {
            walk: path.walk,
            initial: path.initial.clone(),
            nodes: all,
            partial: None,
            forever: None,
        })
    }

    /// Returns the steps to the finding, the last one first.
    fn from(
        &mut self,
        state: &[u8],
        (labels, closeness): (&[Label], Closeness),
        level: u32,
        tries_left: &mut usize,
    ) -> Option<Vec<Node>> {
        let Some((label, rest)) = labels.split_first() else {
            return self.is_found_here(state, level).then(Vec::new);
        };
        if *tries_left == 0 || self.is_exhausted() {
            return None;
        }
        *tries_left -= 1;
        let mut candidates = self.candidates(state, label, level);
        if closeness == Closeness::Exact {
            candidates.retain(|candidate| candidate.is_exact);
        }
        candidates.sort_by_key(|candidate| (!candidate.is_end, !candidate.is_exact));
        for candidate in candidates.into_iter().take(TRIED_PER_STEP) {
            if candidate.is_end {
                return Some(vec![candidate.node]);
            }
            let after = &candidate.node.state;
            let found = base::with_stack(|| self.from(after, (rest, closeness), level + 1, tries_left));
            if let Some(mut nodes) = found {
                nodes.push(candidate.node);
                return Some(nodes);
            }
        }
        None
    }

    /// Returns the successors by the action of a label that are in the model, and those where the finding is made.
    fn candidates(&mut self, state: &[u8], label: &Label, level: u32) -> Vec<Candidate> {
        self.n_expansions += 1;
        let (context, run) = (self.context, self.run);
        let region = context.board.region();
        let mut machine = Machine::new(context.program(), context.shared, &region, run);
        load(&region, &mut machine, state);
        machine.set_recording(true);
        run.stand_at(level);
        run.try_action(label.action);
        let instance = &context.actions[label.action];
        let mut candidates = Vec::new();
        let _ = machine.step(instance, &mut |machine| {
            let judged = judge(context, run, machine);
            let is_end = matches!(&judged, Err(what) if what.is_same_as(self.what));
            if (is_end || matches!(judged, Ok(true))) && model::ground(machine, Side::Next).is_ok() {
                let step = model::step(context.spec(), machine, instance);
                let is_exact = label.step.as_ref().is_some_and(|wanted| step.parameters == wanted.parameters);
                let node =
                    Node { action: label.action, step: Some(step), state: encode_state(machine.next()) };
                candidates.push(Candidate { node, is_exact, is_end });
            }
            Ok(Flow::Continue)
        });
        candidates
    }

    /// Whether the finding is about this state itself: it has no successor, or computing them fails.
    fn is_found_here(&mut self, state: &[u8], level: u32) -> bool {
        match self.what {
            What::Deadlock | What::Fault(model::Phase::Next, _) => {}
            What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) => return false,
            What::Incomplete | What::Full | What::Fault(..) => return false,
        }
        self.n_expansions += 1;
        let (context, run) = (self.context, self.run);
        let region = Region::new();
        let mut machine = Machine::new(context.program(), context.shared, &region, run);
        load(&region, &mut machine, state);
        run.stand_at(level);
        let mut expander = crate::expand::Expander::new(context, run);
        for action in 0..context.actions.len() {
            if let Err(found) = expander.add_by(&mut machine, action) {
                return found.choice.is_none() && found.what.is_same_as(self.what);
            }
        }
        matches!(self.what, What::Deadlock) && expander.choices.is_empty()
    }
}
