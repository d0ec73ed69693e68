//! One state and what follows from it: TLC's order of checks for each successor (contract 4.1).

use std::sync::atomic::Ordering;

use diag::Span;
use eval::interp::{At, Evaluated, Fault, FaultKind, Flow, Machine, VarSet};
use eval::ir::Root;
use value::{Full, Ground, Interner, OpResult, Value, ValueId};

use crate::answer::Phase;
use crate::compiled::Hand;
use crate::context::Context;
use crate::credit::Credit;
use crate::generated::Generated;
use crate::judges::Owed;
use crate::live::Recorder;
use crate::run::WorkerRun;
use crate::space::{Handle, Key, Place, Seat, Visit};
use crate::spill::{FoundState, Sink};
use crate::symmetry::{Memo, Part, Symmetry};

/// After this many initial states progress is told, and the clock looked at.
const INITIAL_BETWEEN_LOOKS: u32 = 1 << 10;

/// What one worker found, to be put in order when the level is finished.
#[derive(Default)]
pub(crate) struct Harvest {
    pub generated: Generated,
    /// Places that nobody had before, or candidates for them.
    pub found: Vec<Place>,
    /// The keys of each of `found`, where states are compared by something else.
    pub keys: Vec<Key>,
    /// The values of each of `found`, where states are compared by something else.
    pub concrete: Vec<ValueId>,
    pub findings: Vec<Finding>,
    /// Steps that somebody else judges.
    pub owed: Vec<Owed>,
    /// Which action made which successors, where that is counted.
    pub credits: Vec<Credit>,
}

/// Something to report.
#[derive(Debug)]
pub(crate) struct Finding {
    pub key: Key,
    /// The new state that it is about: then the least key of that state counts.
    pub place: Option<Place>,
    /// The state that was found with this key and stored, once the level is settled.
    pub stored: Option<Handle>,
    /// How many states the parent had generated.
    pub n_generated: u32,
    pub what: What,
}

/// What there is to report.
#[derive(Debug)]
pub enum What {
    Invariant(usize),
    StepProperty(usize),
    InitialProperty(usize),
    Deadlock,
    /// A variable has no value.
    Incomplete,
    Fault(Phase, Box<Fault>),
    /// The tables are full.
    Full,
}

impl What {
    /// Whether the search can go on after it.
    pub fn is_violation(&self) -> bool {
        match self {
            What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) | What::Deadlock => true,
            What::Incomplete | What::Fault(..) | What::Full => false,
        }
    }

    /// Whether nothing was found: the search was cut off.
    pub fn is_interruption(&self) -> bool {
        match self {
            What::Fault(_, fault) => is_interruption(fault),
            What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) => false,
            What::Deadlock | What::Incomplete | What::Full => false,
        }
    }
}

/// Why a check has no answer.
pub(crate) enum Broken {
    Fault(Phase, Box<Fault>),
    Full,
}

pub(crate) type Checked<T> = Result<T, Broken>;

pub(crate) fn in_phase<T>(phase: Phase, result: Evaluated<T>) -> Checked<T> {
    result.map_err(|fault| Broken::Fault(phase, fault))
}

/// Which state the values are taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Initial,
    Successor,
}

pub(crate) struct Expander<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) run: &'a WorkerRun<'a>,
    pub(crate) seat: Seat<'a>,
    pub harvest: Harvest,
    /// No other worker is at work.
    pub(crate) is_alone: bool,
    pub(crate) is_depth_first: bool,
    /// Others judge the steps.
    pub(crate) owes_steps: bool,
    /// A finding is certain when it is made: nobody can come with a lesser key.
    in_order: bool,
    pub(crate) stops_at_violation: bool,
    /// What is new in the state that is being checked. Of the rest is known that it is right: its parent is.
    pub(crate) changed: VarSet,
    /// The action whose steps are found, and where it is.
    pub(crate) action: usize,
    pub(crate) place: Option<Span>,
    /// The state that is expanded, its key parts.
    rank: u32,
    level: u32,
    n_successors: u32,
    n_intermediate: u32,
    pub(crate) ids: Vec<ValueId>,
    pub(crate) key_ids: Vec<ValueId>,
    /// Where found states go when the search goes on from disk.
    pub sink: Option<Box<Sink<'a>>>,
    pub(crate) memo: Option<Memo>,
    /// States are compared by the representatives of their orbits, and by nothing else.
    pub(crate) is_by_orbit: bool,
    /// Writes down steps, where there are temporal properties.
    pub(crate) recorder: Option<Recorder<'a>>,
    /// Successors are only looked up: nothing but constraints is asked about a step before.
    pub(crate) is_plain: bool,
    pub(crate) hand: Hand<'a>,
}

impl<'a> Expander<'a> {
    pub fn new(context: &'a Context<'a>, run: &'a WorkerRun<'a>, is_alone: bool) -> Self {
        let program = context.program();
        Expander {
            context,
            run,
            seat: context.space.seat(),
            harvest: Harvest::default(),
            is_alone,
            is_depth_first: false,
            owes_steps: false,
            in_order: is_alone || !context.is_keyed(),
            stops_at_violation: context.board.options.violations_max == Some(1),
            changed: VarSet::ALL,
            action: 0,
            place: context.program().init.first().map(|root| root.span),
            rank: 0,
            level: 0,
            n_successors: 0,
            n_intermediate: 0,
            ids: Vec::new(),
            key_ids: Vec::new(),
            sink: None,
            memo: context.symmetry.map(Symmetry::borrow_memo),
            is_by_orbit: context.is_keyed() && program.view.is_none(),
            recorder: context.liveness.map(|liveness| liveness.recorder(context.board)),
            is_plain: program.action_constraints.is_empty()
                && program.possible.is_empty()
                && program.view.is_none()
                // The actions that a step is are evaluated at once.
                && !(context.is_keyed() && context.liveness.is_some()),
            hand: Hand::new(context),
        }
    }

    /// Finds every initial state. What it finds has rank 0.
    pub fn initial<'r>(&mut self, machine: &mut Machine<'a, 'r>) {
        self.start(0);
        self.changed = VarSet::ALL;
        self.run.expand(0, None);
        let context = self.context;
        let walked = machine.initial_states(&context.program().init, &mut |machine| {
            let key = self.next_key(machine);
            let run = self.run;
            if key.ordinal.is_multiple_of(INITIAL_BETWEEN_LOOKS) {
                context.board.tick(context.space);
                // What is beyond `--max-states` is left out when the states are settled.
                let is_full = |max| context.space.is_longer_than(max);
                if context.board.is_over() || context.board.options.states_max.is_some_and(is_full) {
                    return Ok(Flow::Stop);
                }
            }
            Ok(run.about_successor(|| self.found_initial(machine, key)))
        });
        self.end(walked, Phase::Init);
    }

    /// Finds every successor of a state.
    pub fn expand<'r>(&mut self, machine: &mut Machine<'a, 'r>, handle: Handle, rank: u32, level: u32) {
        self.ids.resize(self.context.space.n_variables(), ValueId::from_bits(0));
        self.seat.state(handle, &mut self.ids);
        let interner = Interner::shared();
        machine.set_state(self.ids.iter().map(|&id| interner.value(id)));
        self.hand.parent.clone_from(&self.ids);
        self.run.expand(level, Some(handle));
        if self.is_alone {
            self.run.since.expanded.set(u64::from(rank) + 1);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(handle);
        }
        self.successors(machine, rank, level);
        if let Some(recorder) = &mut self.recorder {
            recorder.end();
            recorder.ask(machine, &self.hand.parent);
        }
    }

    /// Finds every successor of the machine's state.
    pub fn successors<'r>(&mut self, machine: &mut Machine<'a, 'r>, rank: u32, level: u32) {
        self.start(rank);
        self.level = level;
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
        if self.n_successors == 0 && context.board.options.check_deadlock {
            self.report(Key { rank, ordinal: 0 }, None, What::Deadlock);
        }
    }

    /// What was found; the seat is free then.
    pub fn finish(self) -> Harvest {
        if let (Some(symmetry), Some(memo)) = (self.context.symmetry, self.memo) {
            symmetry.return_memo(memo);
        }
        self.harvest
    }

    /// Evaluates the invariants for the machine's state, which a state of this level was found to lead to.
    pub fn check_found<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: Key) -> Option<Finding> {
        self.changed = VarSet::ALL;
        let run = self.run;
        let what = match run.about_successor(|| self.violated_invariant(machine)) {
            Ok(None) => return None,
            Ok(Some(index)) => What::Invariant(index),
            Err(Broken::Fault(phase, fault)) => What::Fault(phase, fault),
            Err(Broken::Full) => What::Full,
        };
        Some(Finding { key, place: None, stored: None, n_generated: key.ordinal + 1, what })
    }

    fn interpreted_step<'r>(&mut self, machine: &mut Machine<'a, 'r>, index: usize) -> Evaluated<Flow> {
        let action = &self.context.actions[index];
        self.place = Some(action.leaf.span);
        self.action = index;
        let first = Key { rank: self.rank, ordinal: self.n_successors };
        let walked = machine.step(action, &mut |machine| {
            let key = self.next_key(machine);
            Ok(self.found_successor(machine, key))
        });
        if self.context.board.options.counts_evaluations && self.n_successors > first.ordinal {
            self.harvest.credits.push(Credit { first, action: index });
        }
        walked
    }

    /// Whether a finding surely ends the search.
    pub fn is_end(&self, finding: &Finding) -> bool {
        let is_certain = self.in_order || finding.place.is_none();
        is_certain && (self.stops_at_violation || !finding.what.is_violation())
    }

    fn start(&mut self, rank: u32) {
        self.rank = rank;
        self.n_successors = 0;
        self.n_intermediate = 0;
    }

    fn end(&mut self, walked: Evaluated<Flow>, phase: Phase) {
        if let Err(fault) = walked {
            let key = Key { rank: self.rank, ordinal: self.n_successors };
            self.report(key, None, What::Fault(phase, fault));
        }
        self.hand.n_generated += u64::from(self.n_generated());
        self.harvest.generated.push(self.rank, self.n_generated());
    }

    pub(crate) fn n_generated(&self) -> u32 {
        self.n_successors + self.n_intermediate
    }

    pub(crate) fn next_key(&mut self, machine: &mut Machine<'a, '_>) -> Key {
        self.take_intermediate(machine);
        self.next_key_of_code()
    }

    /// Counts the states between the steps of a composition.
    pub(crate) fn take_intermediate(&mut self, machine: &mut Machine<'a, '_>) {
        let n_intermediate = machine.take_intermediate() as u32;
        self.n_intermediate += n_intermediate;
        self.count_alone(u64::from(n_intermediate));
    }

    /// The same where no intermediate states are.
    #[inline]
    pub(crate) fn next_key_of_code(&mut self) -> Key {
        let key = Key { rank: self.rank, ordinal: self.n_successors };
        self.n_successors += 1;
        self.count_alone(1);
        key
    }

    #[inline]
    fn count_alone(&self, n_generated: u64) {
        if self.is_alone {
            let generated = &self.run.since.generated;
            generated.set(generated.get() + n_generated);
        }
    }

    /// Reports, and says whether the walk goes on.
    pub(crate) fn report(&mut self, key: Key, place: Option<Place>, what: What) -> Flow {
        let finding = Finding { key, place, stored: None, n_generated: self.n_generated(), what };
        let flow = if self.is_end(&finding) { Flow::Stop } else { Flow::Continue };
        self.harvest.findings.push(finding);
        flow
    }

    pub(crate) fn report_broken(&mut self, key: Key, place: Option<Place>, broken: Broken) -> Flow {
        let what = match broken {
            Broken::Fault(phase, fault) => What::Fault(phase, fault),
            Broken::Full => What::Full,
        };
        self.report(key, place, what)
    }

    fn found_initial<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: Key) -> Flow {
        if machine.n_missing() > 0 {
            return self.report(key, None, What::Incomplete);
        }
        let (is_unseen, place) = match self.place_initial(machine, key) {
            Ok(placed) => placed,
            Err(broken) => return self.report_broken(key, None, broken),
        };
        if !is_unseen {
            return Flow::Continue;
        }
        match self.check_initial(machine, place) {
            Ok(None) => Flow::Continue,
            Ok(Some(what)) => self.report(key, place, what),
            Err(broken) => self.report_broken(key, place, broken),
        }
    }

    fn place_initial<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        key: Key,
    ) -> Checked<(bool, Option<Place>)> {
        if !self.constraints_hold(machine)? {
            return Ok((true, None));
        }
        self.visit(machine, key, Side::Initial)
    }

    fn check_initial<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        place: Option<Place>,
    ) -> Checked<Option<What>> {
        if let (Some(liveness), Some(place)) = (self.context.liveness, place) {
            in_phase(Phase::Temporal, liveness.ask_initial(machine, place))?;
        }
        if let Some(index) = self.violated_invariant(machine)? {
            return Ok(Some(What::Invariant(index)));
        }
        for (index, root) in self.context.program().implied_inits.iter().enumerate() {
            if !in_phase(Phase::InitialProperty, machine.eval_root_bool(*root))? {
                return Ok(Some(What::InitialProperty(index)));
            }
        }
        Ok(None)
    }

    pub(crate) fn found_successor<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: Key) -> Flow {
        let flow = self.check_successor(machine, key);
        self.run.since.is_checking.set(false);
        flow
    }

    fn check_successor<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: Key) -> Flow {
        if machine.n_missing() > 0 {
            return self.report(key, None, What::Incomplete);
        }
        // What is lazy may read the state that it was made from, which is not the current one where constraints are
        // evaluated.
        if !self.context.constraints.is_empty() {
            let span = self.place.unwrap_or_else(|| machine.fallback_span());
            if let Err(broken) = in_phase(Phase::Next, ground(machine, Machine::next_mut).at(span)) {
                return self.report_broken(key, None, broken);
            }
        }
        // After a violation that was passed over, a parent may be wrong.
        self.changed = if self.stops_at_violation { machine.changed_variables() } else { VarSet::ALL };
        let (is_unseen, place) = match self.place_successor(machine, key) {
            Ok(placed) => placed,
            Err(broken) => return self.report_broken(key, None, broken),
        };
        if is_unseen {
            if place.is_some() {
                self.take_interned(machine);
            }
            let run = self.run;
            run.since.is_checking.set(self.is_alone && place.is_some());
            let checked = run.about_successor(|| machine.in_next(|machine| self.violated_invariant(machine)));
            let flow = match checked {
                Ok(None) => Flow::Continue,
                Ok(Some(index)) => self.report(key, place, What::Invariant(index)),
                Err(broken) => self.report_broken(key, place, broken),
            };
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        self.check_step(machine, key)
    }

    /// Whether the state is unseen, and its place if it is in the model.
    pub(crate) fn place_successor<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        key: Key,
    ) -> Checked<(bool, Option<Place>)> {
        let run = self.run;
        let program = self.context.program();
        let mut in_model =
            run.about_successor(|| machine.in_next(|machine| self.constraints_hold(machine)))?;
        if in_model {
            in_model = all_hold(machine, &program.action_constraints)?;
        }
        if !in_model {
            self.record_cut(machine)?;
            return Ok((true, None));
        }
        self.witness(machine, true)?;
        self.visit(machine, key, Side::Successor)
    }

    /// TLC: on every step, seen or not, in the model or not.
    pub(crate) fn check_step<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: Key) -> Flow {
        let (program, action) = (self.context.program(), self.context.actions[self.action].leaf.expr);
        let is_sure = program.steps_in_doubt.as_ref().is_some_and(|in_doubt| !in_doubt.contains(&action));
        if is_sure || self.owes_steps && self.owe_step(machine, key) {
            return Flow::Continue;
        }
        for (index, property) in program.step_properties.iter().enumerate() {
            return match machine.eval_root_bool(property.root) {
                Ok(true) => continue,
                Ok(false) => self.report(key, None, What::StepProperty(index)),
                Err(fault) => self.report_broken(key, None, Broken::Fault(Phase::StepProperty, fault)),
            };
        }
        Flow::Continue
    }

    fn violated_invariant<'r>(&mut self, machine: &mut Machine<'a, 'r>) -> Checked<Option<usize>> {
        for (index, invariant) in self.context.invariants.iter().enumerate() {
            if !in_phase(Phase::Invariant, machine.hold(invariant, self.changed))? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    fn constraints_hold<'r>(&mut self, machine: &mut Machine<'a, 'r>) -> Checked<bool> {
        for constraint in self.context.constraints {
            if !in_phase(Phase::Constraint, machine.hold(constraint, self.changed))? {
                return Ok(false);
            }
        }
        self.witness(machine, false)?;
        Ok(true)
    }

    /// `_POSSIBLE`: TLC has them as further constraints that are always true.
    fn witness<'r>(&mut self, machine: &mut Machine<'a, 'r>, about_steps: bool) -> Checked<()> {
        let context = self.context;
        for (root, witnessed) in context.program().possible.iter().zip(context.witnessed) {
            if context.is_about_steps(root) == about_steps
                && !witnessed.load(Ordering::Relaxed)
                && in_phase(Phase::Constraint, machine.eval_root_bool(*root))?
            {
                witnessed.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Looks the state up, and adds it if it is new.
    fn visit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        key: Key,
        side: Side,
    ) -> Checked<(bool, Option<Place>)> {
        let span = self.place.unwrap_or_else(|| machine.fallback_span());
        let grounded = match side {
            Side::Initial => ground(machine, Machine::state_mut),
            Side::Successor => ground(machine, Machine::next_mut),
        };
        let phase = if side == Side::Initial { Phase::Init } else { Phase::Next };
        in_phase(phase, grounded.at(span))?;
        let values = match side {
            Side::Initial => machine.state(),
            Side::Successor => machine.next(),
        };
        if !self.context.is_keyed() {
            if let Some(sink) = &mut self.sink {
                return Ok(to_disk(sink, machine, None, key));
            }
            intern_all(values, &mut self.ids).map_err(|_| Broken::Full)?;
            let visit = self.seat.visit(&self.ids, key).map_err(|_| Broken::Full)?;
            self.record(Some(visit.place()));
            return Ok(self.placed(visit, key));
        }
        let values: Vec<Value<'r>> = values.iter().flatten().copied().collect();
        if self.is_by_orbit && self.sink.is_none() {
            let mut parts: Vec<Part<'r>> = values.iter().copied().map(Part::met).collect();
            let visit = self.visit_parts(machine, &mut parts, key)?;
            self.record_keyed(machine, visit)?;
            return self.keep_concrete(&values, visit, key);
        }
        let run = self.run;
        let mut in_view = |machine: &mut Machine<'a, 'r>| self.key_values(machine, &values);
        let key_values = match side {
            Side::Initial => in_view(machine),
            Side::Successor => run.about_successor(|| machine.in_next(in_view)),
        };
        let key_values = in_phase(Phase::View, key_values)?;
        if let Some(sink) = &mut self.sink {
            return Ok(to_disk(sink, machine, Some(&key_values), key));
        }
        intern(&key_values, &mut self.key_ids).map_err(|_| Broken::Full)?;
        let visit = self.seat.visit(&self.key_ids, key).map_err(|_| Broken::Full)?;
        self.record_keyed(machine, visit)?;
        self.keep_concrete(&values, visit, key)
    }

    /// The state itself is kept where it is compared by something else.
    fn keep_concrete(
        &mut self,
        values: &[Value<'_>],
        visit: Visit,
        key: Key,
    ) -> Checked<(bool, Option<Place>)> {
        if let Visit::Found { is_least: true, .. } = visit {
            intern(values, &mut self.ids).map_err(|_| Broken::Full)?;
            self.harvest.concrete.extend_from_slice(&self.ids);
        }
        Ok(self.placed(visit, key))
    }

    /// Writes a step of the state that is expanded down, with the actions that it is, where states are compared by
    /// something other than their variables.
    fn record_keyed<'r>(&mut self, machine: &mut Machine<'a, 'r>, visit: Visit) -> Checked<()> {
        match self.recorder.as_mut().filter(|recorder| recorder.is_open()) {
            Some(recorder) => in_phase(Phase::Temporal, recorder.labelled(visit.place(), machine)),
            None => Ok(()),
        }
    }

    /// Writes the successor with these `ids` down; `place` is where it is, if it is in the model.
    #[inline]
    pub(crate) fn record(&mut self, place: Option<Place>) {
        if let Some(recorder) = &mut self.recorder
            && recorder.is_open()
        {
            recorder.generated(self.action, place, [&self.hand.parent, &self.ids]);
        }
    }

    /// Likewise, when it is outside of the model: still it makes its action enabled.
    fn record_cut<'r>(&mut self, machine: &mut Machine<'a, 'r>) -> Checked<()> {
        let is_wanted = self.recorder.as_ref().is_some_and(Recorder::is_open) && !self.context.is_keyed();
        if is_wanted {
            let span = self.place.unwrap_or_else(|| machine.fallback_span());
            in_phase(Phase::Next, ground(machine, Machine::next_mut).at(span))?;
            intern_all(machine.next(), &mut self.ids).map_err(|_| Broken::Full)?;
            self.record(None);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn placed(&mut self, visit: Visit, key: Key) -> (bool, Option<Place>) {
        match visit {
            Visit::Seen { .. } => (false, None),
            Visit::Found { place, is_first, is_least } => {
                // One visit takes the state and checks it: any one where all have the same values, the one with
                // the least key where the values depend on the visit.
                let takes = if self.context.is_keyed() { is_least } else { is_first };
                if takes {
                    self.harvest.found.push(place);
                    if self.context.space.is_keyed() {
                        self.harvest.keys.push(key);
                    }
                    if self.is_alone {
                        let distinct = &self.run.since.distinct;
                        distinct.set(distinct.get() + 1);
                        self.run.since.depth.set(self.level + 1);
                    }
                }
                (takes, Some(place))
            }
        }
    }

    /// What the machine's state is compared by, as it is stored; `None` if it has no value.
    pub(crate) fn key_ids<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        values: &[Value<'r>],
    ) -> Option<Vec<ValueId>> {
        let key_values = self.key_values(machine, values).ok()?;
        let mut ids = Vec::new();
        intern(&key_values, &mut ids).ok()?;
        Some(ids)
    }

    /// What a state is compared by: its VIEW, or itself, as the representative of what its permutations have.
    fn key_values<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        values: &[Value<'r>],
    ) -> Evaluated<Vec<Value<'r>>> {
        let context = self.context;
        let symmetry = context.symmetry.zip(self.memo.as_mut());
        match (context.program().view, symmetry) {
            (Some(view), Some((symmetry, memo))) => {
                Ok(vec![symmetry.settle_view(machine, memo, view, values)?])
            }
            (Some(view), None) => {
                let seen = machine.with_state(values, |machine| machine.eval_root(view))?;
                Ok(vec![Ground::new(machine, seen).at(view.span)?.value()])
            }
            (None, Some((symmetry, memo))) => {
                let mut parts: Vec<Part<'r>> = values.iter().copied().map(Part::met).collect();
                let span = machine.fallback_span();
                symmetry.settle(machine, memo, &mut parts).at(span)?;
                Ok(parts.iter().map(|part| part.value()).collect())
            }
            (None, None) => Ok(values.to_vec()),
        }
    }
}

/// Whether a successor is to be checked, and a place that says that it may be new: which states are is known at the
/// end of the level.
fn to_disk<'r>(
    sink: &mut Sink<'_>,
    machine: &Machine<'_, 'r>,
    key_values: Option<&[Value<'r>]>,
    key: Key,
) -> (bool, Option<Place>) {
    let found = FoundState { parent: machine.state(), state: machine.next(), key: key_values };
    (sink.visit(found, key), Some(Place(0)))
}

/// Makes `handle` the current state of the machine.
pub(crate) fn load<'a>(context: &Context<'a>, machine: &mut Machine<'a, '_>, handle: Handle) {
    let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
    context.space.state(handle, &mut ids);
    let interner = Interner::shared();
    machine.set_state(ids.iter().map(|&id| interner.value(id)));
}

fn all_hold<'a>(machine: &mut Machine<'a, '_>, roots: &[Root]) -> Checked<bool> {
    for root in roots {
        if !in_phase(Phase::Constraint, machine.eval_root_bool(*root))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes the values of a state explicit, in place.
pub(crate) fn ground<'a, 'r>(
    machine: &mut Machine<'a, 'r>,
    values: for<'m> fn(&'m mut Machine<'a, 'r>) -> &'m mut [Option<Value<'r>>],
) -> OpResult<()> {
    if values(machine).iter().flatten().all(|&value| Ground::opt(value).is_some()) {
        return Ok(());
    }
    let n_variables = values(machine).len();
    for index in 0..n_variables {
        if let Some(value) = values(machine)[index]
            && Ground::opt(value).is_none()
        {
            let ground = Ground::new(machine, value)?;
            values(machine)[index] = Some(ground.value());
        }
    }
    Ok(())
}

fn intern(values: &[Value<'_>], ids: &mut Vec<ValueId>) -> Result<(), Full> {
    ids.clear();
    let interner = Interner::shared();
    for &value in values {
        let ground = Ground::opt(value).expect("the values of a found state are explicit");
        ids.push(interner.intern(ground)?);
    }
    Ok(())
}

fn intern_all(values: &[Option<Value<'_>>], ids: &mut Vec<ValueId>) -> Result<(), Full> {
    ids.clear();
    let interner = Interner::shared();
    for value in values.iter().flatten() {
        let ground = Ground::opt(*value).expect("the values of a found state are explicit");
        ids.push(interner.intern(ground)?);
    }
    Ok(())
}

/// The ids of the state that was just made; `None` if it is not complete.
pub(crate) fn interned<'a>(machine: &mut Machine<'a, '_>, is_initial: bool) -> Option<Vec<ValueId>> {
    if machine.n_missing() > 0 {
        return None;
    }
    let mut ids = Vec::new();
    match is_initial {
        true => {
            ground(machine, Machine::state_mut).ok()?;
            intern_all(machine.state(), &mut ids).ok()?;
        }
        false => {
            ground(machine, Machine::next_mut).ok()?;
            intern_all(machine.next(), &mut ids).ok()?;
        }
    }
    Some(ids)
}

/// A fault that ends a search which was told to stop.
pub(crate) fn is_interruption(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Interrupted)
}
