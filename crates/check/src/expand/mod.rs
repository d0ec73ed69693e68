//! One state and its successors: TLC's order of checks for each successor (contract 4.1).
//!
//! A [`Candidate`] is made by an initial predicate or an action, interpreted here or [compiled](compiled). It is looked up
//! ([`visit`]), and judged ([`judge`]) if nobody else took the state. Whatever comes of it goes into the [`Harvest`].

mod candidate;
mod compiled;
mod finding;
mod interned;
mod judge;
mod levels;
mod mode;
mod orbit;
mod steps;
mod visit;

use std::mem;

use diag::Span;
use eval::interp::{Evaluated, Flow, Machine, VarSet};
use model::{Phase, What};
use value::{Interner, ValueId};

use crate::context::Context;
use crate::credit::Credit;
use crate::live::Recorder;
use crate::run::WorkerRun;
use crate::space::{Handle, OrderKey, Seat, StateSlot};
use crate::spill::Sink;
use crate::symmetry::Memo;

use candidate::{Candidate, Origin};
use compiled::CodeAtHand;
pub(crate) use finding::{Finding, Harvest};
use levels::LevelAnswers;
pub(crate) use mode::{Company, Exploration, StepJudge};
use steps::KnownSteps;

use mode::Mode;

/// After this many initial states progress is told, and the clock looked at.
const INITIAL_BETWEEN_LOOKS: u32 = 1 << 10;

/// The state that is being expanded, and how far that has come.
#[derive(Clone, Copy, Default)]
struct Expansion {
    rank: u32,
    level: u32,
    n_successors: u32,
    /// States between the steps of a composition, which count as generated.
    n_intermediate: u32,
}

/// One worker's way from states to their successors.
pub(crate) struct Expander<'a> {
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    seat: Seat<'a>,
    mode: Mode,
    pub harvest: Harvest,
    expansion: Expansion,
    /// The buffer of the last candidate, for the next one.
    spare_ids: Vec<ValueId>,
    /// A buffer for the ids that a state is compared by.
    identity_ids: Vec<ValueId>,
    /// Sink for new states when the search goes on from disk.
    pub sink: Option<Box<Sink<'a>>>,
    memo: Option<Memo>,
    /// Writes down steps, where there are temporal properties.
    recorder: Option<Recorder<'a>>,
    code: CodeAtHand<'a>,
    /// Answers of constraints about the level of the successors.
    levels: LevelAnswers,
    known_steps: KnownSteps,
}

impl<'a> Expander<'a> {
    pub fn new(
        context: &'a Context<'a>,
        run: &'a WorkerRun<'a>,
        company: Company,
        exploration: Exploration,
    ) -> Self {
        Expander {
            context,
            run,
            seat: context.space.seat(),
            mode: Mode::new(context, company, exploration),
            harvest: Harvest::default(),
            expansion: Expansion::default(),
            spare_ids: Vec::new(),
            identity_ids: Vec::new(),
            sink: None,
            memo: context.symmetry.map(|symmetry| symmetry.borrow_memo(context.space.len())),
            recorder: context.liveness.map(|liveness| liveness.recorder(context.board)),
            code: CodeAtHand::new(context),
            levels: LevelAnswers::default(),
            known_steps: KnownSteps::default(),
        }
    }

    /// An expander for a moment in which no search is under way.
    pub fn in_passing(context: &'a Context<'a>, run: &'a WorkerRun<'a>) -> Self {
        Expander::new(context, run, Company::Alone, Exploration::BreadthFirst)
    }

    /// Finds every initial state. Its findings have rank 0.
    pub fn initial<'r>(&mut self, machine: &mut Machine<'a, 'r>) {
        self.expansion = Expansion::default();
        self.run.expand(0, None);
        let context = self.context;
        let mut candidate = self.candidate(Origin::Initial);
        let walked = machine.initial_states(&context.program().init, &mut |machine| {
            candidate.key = self.next_key(machine);
            let run = self.run;
            if candidate.key.ordinal.is_multiple_of(INITIAL_BETWEEN_LOOKS) {
                context.board.tick(context.space);
                // States beyond `--max-states` are left out when the level is settled.
                let is_full = |max| context.space.is_longer_than(max);
                if context.board.is_over() || context.board.options.states_max.is_some_and(is_full) {
                    return Ok(Flow::Stop);
                }
            }
            Ok(run.about_successor(|| self.take_initial(machine, &mut candidate)))
        });
        self.recycle(candidate);
        self.end(walked, Phase::Init);
    }

    /// Finds every successor of a stored state.
    pub fn expand<'r>(&mut self, machine: &mut Machine<'a, 'r>, handle: Handle, rank: u32, level: u32) {
        let parent = &mut self.code.parent;
        parent.resize(self.context.space.n_variables(), ValueId::from_bits(0));
        self.seat.state(handle, parent);
        let interner = Interner::shared();
        machine.set_state(parent.iter().map(|&id| interner.value(id)));
        self.run.expand(level, Some(handle));
        if self.mode.is_alone() {
            self.run.since.expanded.set(u64::from(rank) + 1);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(handle);
        }
        self.successors(machine, rank, level);
        if let Some(recorder) = &mut self.recorder {
            recorder.end();
            recorder.ask(machine, &self.code.parent);
        }
    }

    /// Finds every successor of the machine's state.
    pub fn successors<'r>(&mut self, machine: &mut Machine<'a, 'r>, rank: u32, level: u32) {
        self.expansion = Expansion { rank, level, ..Expansion::default() };
        let context = self.context;
        let mut next = 0;
        loop {
            let (left, flow) = self.compiled_steps(machine, next);
            let walked = match (flow, left) {
                (Flow::Continue, None) => break,
                (Flow::Continue, Some(index)) => self.interpreted_step(machine, index),
                (Flow::Stop, _) => Ok(flow),
            };
            let goes_on = matches!(walked, Ok(Flow::Continue));
            if !goes_on {
                return self.end(walked, Phase::Next);
            }
            next = left.map_or(context.actions.len(), |index| index + 1);
        }
        self.take_intermediate(machine);
        self.end(Ok(Flow::Continue), Phase::Next);
        if self.expansion.n_successors == 0 && context.board.options.check_deadlock {
            self.report(OrderKey { rank, ordinal: 0 }, None, What::Deadlock);
        }
    }

    /// Returns what was found; the seat is free then.
    pub fn finish(self) -> Harvest {
        if let (Some(symmetry), Some(memo)) = (self.context.symmetry, self.memo) {
            symmetry.return_memo(memo);
        }
        self.harvest
    }

    /// Evaluates the invariants for the machine's state, which a state of this level was found to lead to.
    pub fn check_found<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: OrderKey) -> Option<Finding> {
        let run = self.run;
        let what = match run.about_successor(|| self.violated_invariant(machine, VarSet::ALL)) {
            Ok(None) => return None,
            Ok(Some(index)) => What::Invariant(index),
            Err(broken) => broken.into(),
        };
        Some(Finding { key, slot: None, stored: None, n_generated: key.ordinal + 1, what })
    }

    /// Whether a finding surely ends the search.
    pub fn is_end(&self, finding: &Finding) -> bool {
        let is_certain = self.mode.is_in_order || finding.slot.is_none();
        is_certain && (self.mode.stops_at_violation || !finding.what.is_violation())
    }

    fn interpreted_step<'r>(&mut self, machine: &mut Machine<'a, 'r>, index: usize) -> Evaluated<Flow> {
        let first = self.upcoming_key();
        let mut candidate = self.candidate(Origin::Action(index));
        let clock = self.context.board.options.clock;
        let began = self.code.begin_interpreted(clock);
        let walked = machine.step(&self.context.actions[index], &mut |machine| {
            candidate.key = self.next_key(machine);
            Ok(self.take_successor(machine, &mut candidate))
        });
        self.code.count_interpreted(index, began, clock);
        self.recycle(candidate);
        if self.context.board.options.counts_evaluations && self.expansion.n_successors > first.ordinal {
            self.harvest.credits.push(Credit { first, action: index });
        }
        walked
    }

    fn end(&mut self, walked: Evaluated<Flow>, phase: Phase) {
        if let Err(fault) = walked {
            self.report(self.upcoming_key(), None, What::Fault(phase, fault));
        }
        self.code.n_generated += u64::from(self.n_generated());
        self.harvest.generated.push(self.expansion.rank, self.n_generated());
    }

    fn candidate(&mut self, origin: Origin) -> Candidate {
        let (key, ids) = (self.upcoming_key(), mem::take(&mut self.spare_ids));
        Candidate { origin, key, changed: VarSet::ALL, ids }
    }

    fn recycle(&mut self, candidate: Candidate) {
        self.spare_ids = candidate.ids;
    }

    /// Where a fault in the making of a candidate is, unless it says so itself.
    fn span_of(&self, candidate: &Candidate, machine: &Machine<'a, '_>) -> Span {
        match candidate.origin {
            Origin::Initial => self.context.program().init.first().map(|root| root.span),
            Origin::Action(index) => Some(self.context.actions[index].leaf.span),
        }
        .unwrap_or_else(|| machine.fallback_span())
    }

    fn n_generated(&self) -> u32 {
        self.expansion.n_successors + self.expansion.n_intermediate
    }

    fn upcoming_key(&self) -> OrderKey {
        OrderKey { rank: self.expansion.rank, ordinal: self.expansion.n_successors }
    }

    fn next_key(&mut self, machine: &mut Machine<'a, '_>) -> OrderKey {
        self.take_intermediate(machine);
        self.next_key_of_code()
    }

    /// Counts the states between the steps of a composition.
    fn take_intermediate(&mut self, machine: &mut Machine<'a, '_>) {
        let n_intermediate = machine.take_intermediate() as u32;
        self.expansion.n_intermediate += n_intermediate;
        self.count_alone(u64::from(n_intermediate));
    }

    /// The key of the next successor, where there are no intermediate states.
    #[inline]
    fn next_key_of_code(&mut self) -> OrderKey {
        let key = self.upcoming_key();
        self.expansion.n_successors += 1;
        self.count_alone(1);
        key
    }

    #[inline]
    fn count_alone(&self, n_generated: u64) {
        if self.mode.is_alone() {
            let generated = &self.run.since.generated;
            generated.set(generated.get() + n_generated);
        }
    }

    /// Reports, and says whether the walk goes on.
    fn report(&mut self, key: OrderKey, slot: Option<StateSlot>, what: What) -> Flow {
        let finding = Finding { key, slot, stored: None, n_generated: self.n_generated(), what };
        let flow = if self.is_end(&finding) { Flow::Stop } else { Flow::Continue };
        self.harvest.findings.push(finding);
        flow
    }
}
