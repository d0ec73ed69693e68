//! Compiled code in a search: when it is made, and what is done with the successors that it finds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eval::interp::{Flow, Machine, VarSet};
use eval::ir::VarIdx;
use jit::{Compiled, Forge, Found, Ran, Scratch, Sources, Successor};
use value::{Folded, Interner, ValueId};

use crate::answer::Phase;
use crate::context::Context;
use crate::expand::{Broken, Checked, Expander, What, in_phase};
use crate::options::Engine;
use crate::run::WorkerRun;
use crate::space::{Handle, Key, Place};
use crate::symmetry::Part;

/// Fewer states than this are generated sooner than code is made, which takes some tenths of a second.
const GENERATED_MIN: u64 = 100_000;
/// How many states are looked at for what variables look like.
const EXAMPLES_PER_LEVEL: usize = 1000;
const EXAMPLES_MAX: usize = 8000;
/// Code that gives up more often than once in so many runs is made again with newer examples.
const RUNS_PER_GIVEN_UP: u64 = 50;

/// How much of what code gave is kept: workers share it.
const KEPT_BYTES_PER_STATE: usize = 2;
const KEPT_BYTES_MIN: usize = 4 << 20;
const KEPT_BYTES_MAX: usize = 64 << 20;
/// And no more than this part of the share of all memory that a worker has.
const KEPT_SHARES: usize = 16;

/// The code of a search, as it is now.
#[derive(Default)]
pub(crate) struct CodeShelf {
    code: Mutex<Shelf>,
    /// How often code was made.
    n_made: AtomicUsize,
    /// Where it is made.
    forge: Forge,
    /// What workers keep from level to level.
    scratches: Mutex<Vec<Scratch>>,
}

#[derive(Default)]
struct Shelf {
    code: Option<Arc<Compiled>>,
    /// How many states there were when it was made.
    n_states: usize,
    examples: Vec<Vec<ValueId>>,
}

impl CodeShelf {
    /// The code for whoever begins to expand states, and what it needs to run.
    fn current(&self, n_states: usize, bytes_max: usize) -> (Option<Arc<Compiled>>, Option<Box<Scratch>>) {
        let code = self.code.lock().unwrap_or_else(PoisonError::into_inner).code.clone();
        let scratch = code.as_ref().map(|code| {
            let mut scratches = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
            let mut scratch = scratches.pop().unwrap_or_default();
            let bytes = (n_states * KEPT_BYTES_PER_STATE).clamp(KEPT_BYTES_MIN, KEPT_BYTES_MAX);
            scratch.prepare(code, bytes.min(bytes_max / KEPT_SHARES));
            Box::new(scratch)
        });
        (code, scratch)
    }

    fn give_back(&self, scratch: Option<Box<Scratch>>) {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).extend(scratch.map(|scratch| *scratch));
    }

    /// Before states are expanded: makes code if that pays, or makes it again if it gives up too often.
    pub fn prepare<'a>(&self, context: &'a Context<'a>, level: &[Handle]) {
        let n_states = context.space.len();
        let mut shelf = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = match &shelf.code {
            None => shelf.is_first_due(context, context.board.counts().generated),
            Some(code) => {
                let (n_runs, n_given_up) = code.take_counts();
                n_states >= 2 * shelf.n_states && n_given_up > n_runs / RUNS_PER_GIVEN_UP
            }
        };
        if is_wanted {
            shelf.make(context, level, &self.forge);
            self.n_made.fetch_add(1, Ordering::Release);
        }
    }

    /// While states are expanded: makes code if by now so many states have been generated that it pays, or helps
    /// another worker who does.
    fn prepare_meanwhile<'a>(&self, context: &'a Context<'a>, level: &[Handle], n_generated: u64) {
        let Ok(mut shelf) = self.code.try_lock() else { return self.forge.help() };
        if shelf.is_first_due(context, n_generated) {
            shelf.make(context, level, &self.forge);
            self.n_made.fetch_add(1, Ordering::Release);
        }
    }
}

impl Shelf {
    /// Whether it is time for the first code.
    fn is_first_due(&self, context: &Context<'_>, n_generated: u64) -> bool {
        let n_generated_min = match context.board.options.engine {
            // What is compiled does not count.
            _ if context.board.options.counts_evaluations => return false,
            Engine::Interpreted => return false,
            Engine::Compiled => 0,
            Engine::Auto => GENERATED_MIN,
        };
        n_generated >= n_generated_min && self.n_states == 0
    }

    fn add_examples(&mut self, context: &Context<'_>, level: &[Handle]) {
        let step = (level.len() / EXAMPLES_PER_LEVEL).max(1);
        for &handle in level.iter().step_by(step) {
            let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
            context.space.state(handle, &mut ids);
            self.examples.push(ids);
        }
        if self.examples.len() > EXAMPLES_MAX {
            let mut is_second = false;
            self.examples.retain(|_| {
                is_second = !is_second;
                is_second
            });
        }
    }

    fn make<'a>(&mut self, context: &'a Context<'a>, level: &[Handle], forge: &Forge) {
        self.n_states = context.space.len();
        self.add_examples(context, level);
        let region = context.board.region();
        let run = WorkerRun::new(context, 0);
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        let sources = Sources {
            program: context.program(),
            actions: context.actions,
            invariants: context.invariants,
            constraints: context.constraints,
        };
        let examples = self.examples.iter().map(Vec::as_slice);
        self.code = Compiled::new((sources, forge), &mut machine, examples).map(Arc::new);
        // The compiler takes megabytes for a moment, which would be counted against the states.
        value::trim();
    }
}

/// A successor that is about to be looked up.
#[derive(Clone, Copy)]
struct FoundState {
    folded: Folded,
    /// Where it is in what was found.
    position: u32,
    /// Where it may be in the store.
    guess: Option<Place>,
}

/// What an expander has at hand for compiled code.
pub(crate) struct Hand<'a> {
    shelf: &'a CodeShelf,
    code: Option<Arc<Compiled>>,
    // PERF: it is taken out for each state.
    scratch: Option<Box<Scratch>>,
    /// The ids of the state that is expanded.
    pub parent: Vec<ValueId>,
    /// The ids of the state that comes after it.
    upcoming: Vec<u32>,
    /// What was found, folded.
    folded: Vec<FoundState>,
    n_runs: u64,
    n_given_up: u64,
    /// How often code had been made when this was taken up.
    n_made: usize,
    /// Since then.
    pub n_generated: u64,
}

impl<'a> Hand<'a> {
    pub fn new(context: &Context<'a>) -> Hand<'a> {
        let shelf = context.code;
        let options = context.board.options;
        let bytes_max = options.memory_bytes_max / options.n_workers.max(1);
        let n_made = shelf.n_made.load(Ordering::Acquire);
        let (code, scratch) = shelf.current(context.space.len(), bytes_max);
        Hand {
            shelf,
            code,
            scratch,
            parent: Vec::new(),
            upcoming: Vec::new(),
            folded: Vec::new(),
            n_runs: 0,
            n_given_up: 0,
            n_made,
            n_generated: 0,
        }
    }
}

impl Drop for Hand<'_> {
    fn drop(&mut self) {
        if let Some(code) = &self.code {
            code.count(self.n_runs, self.n_given_up);
        }
        self.shelf.give_back(self.scratch.take());
    }
}

impl<'a> Expander<'a> {
    /// Between states: sees whether there is code by now, or makes it. `n_generated` states had been generated when
    /// the level began.
    pub fn look_for_code(&mut self, level: &[Handle], n_generated: u64, n_workers: usize) {
        if self.hand.code.is_some() || self.sink.is_some() {
            return;
        }
        let (context, shelf) = (self.context, self.hand.shelf);
        // The others will have done about as much.
        let n_generated = n_generated + self.hand.n_generated * n_workers as u64;
        shelf.prepare_meanwhile(context, level, n_generated);
        if shelf.n_made.load(Ordering::Acquire) != self.hand.n_made {
            self.hand = Hand::new(context);
        }
    }

    /// Says which state is expanded after the next one, so that what is kept for it is at hand then.
    pub fn foresee(&mut self, handle: Handle) {
        if let Some(scratch) = self.hand.scratch.as_mut().filter(|_| self.sink.is_none()) {
            self.seat.peek(handle, &mut self.hand.upcoming);
            scratch.foresee(&self.hand.upcoming);
        }
    }

    /// Finds successors with compiled code, by the actions from `first` on. Says which action the interpreter must do
    /// next, if there is one, and whether to go on.
    pub fn compiled_steps<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        first: usize,
    ) -> (Option<usize>, Flow) {
        let n_actions = self.context.actions.len();
        // States that come from disk are not interned where code looks for them.
        let from_disk = self.sink.is_some();
        let (false, Some(code), Some(mut scratch)) =
            (from_disk, self.hand.code.take(), self.hand.scratch.take())
        else {
            return ((first < n_actions).then_some(first), Flow::Continue);
        };
        let left = code.run_actions(first, machine, &self.hand.parent, &mut scratch);
        scratch.fetch();
        let last = left.map_or(n_actions, |(index, _)| index);
        self.hand.n_runs += (last - first) as u64;
        self.hand.n_given_up += u64::from(matches!(left, Some((_, Ran::GaveUp))));
        let flow = self.found_all(machine, &code, &mut scratch);
        (self.hand.code, self.hand.scratch) = (Some(code), Some(scratch));
        (left.map(|(index, _)| index), flow)
    }

    fn found_all<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        code: &Compiled,
        scratch: &mut Scratch,
    ) -> Flow {
        let found = scratch.take_found();
        let is_simple = self.is_plain && self.context.constraints.is_empty() && !code.formulas_interpret();
        let flow = match is_simple && self.fold_all(machine, &found) {
            true => {
                self.prefetch_all(&found, scratch);
                self.visit_all(machine, (code, scratch), &found)
            }
            false => self.found_one_by_one(machine, (code, scratch), &found),
        };
        scratch.give_back(found);
        flow
    }

    /// Folds all that was found, so that the store can be asked for all of it at once. `false` when that cannot be
    /// done: then nothing has happened.
    fn fold_all<'r>(&mut self, machine: &mut Machine<'a, 'r>, found: &Found) -> bool {
        self.hand.folded.clear();
        let are_folded = match self.is_by_orbit {
            true => self.fold_orbits(machine, found),
            false => self.fold_steps(found),
        };
        are_folded.is_some()
    }

    /// Asks for what will be looked at: the states that what was found may be, and what is kept about new ones.
    fn prefetch_all(&mut self, found: &Found, scratch: &mut Scratch) {
        for index in 0..self.hand.folded.len() {
            let FoundState { folded, position, .. } = self.hand.folded[index];
            let guess = self.seat.prefetch(folded);
            self.hand.folded[index].guess = guess;
            if guess.is_none() {
                let (successor, _) = found.at(position as usize).expect("what was folded was found");
                self.turn_to(successor);
                scratch.foresee_formulas(&self.ids);
            }
        }
        scratch.fetch_formulas();
    }

    fn fold_steps(&mut self, found: &Found) -> Option<()> {
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            let folded = self.seat.fold_step(successor.ids()).ok()?;
            self.hand.folded.push(FoundState { folded, position: position as u32, guess: None });
            position = next;
        }
        Some(())
    }

    fn fold_orbits<'r>(&mut self, machine: &mut Machine<'a, 'r>, found: &Found) -> Option<()> {
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            self.turn_to(successor);
            self.prefetch_orbit();
            position = next;
        }
        let mut parts = Vec::new();
        position = 0;
        while let Some((successor, next)) = found.at(position) {
            self.turn_to(successor);
            parts.clear();
            parts.extend(self.ids.iter().map(|&id| Part::Known(id)));
            let folded = self.fold_orbit(machine, &mut parts, true).ok()?;
            self.hand.folded.push(FoundState { folded, position: position as u32, guess: None });
            position = next;
        }
        Some(())
    }

    fn visit_all<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        found: &Found,
    ) -> Flow {
        let has_steps = !self.context.program().step_properties.is_empty();
        self.take_intermediate(machine);
        for index in 0..self.hand.folded.len() {
            let key = self.next_key_of_code();
            let (is_unseen, place) = match self.visit_step((index, key), found) {
                Ok(placed) => placed,
                Err(broken) => return self.report_broken(key, None, broken),
            };
            if is_unseen && self.check_invariants(machine, (code, scratch), (key, place)) == Flow::Stop {
                return Flow::Stop;
            }
            if has_steps {
                self.set_next_from_ids(machine);
                if self.check_step(machine, key) == Flow::Stop {
                    return Flow::Stop;
                }
            }
        }
        Flow::Continue
    }

    /// Looks a folded successor up; what is unseen of it is then in `ids` and `changed`.
    #[inline]
    fn visit_step(&mut self, (index, key): (usize, Key), found: &Found) -> Checked<(bool, Option<Place>)> {
        let FoundState { folded, position, guess } = self.hand.folded[index];
        let visit = self.seat.visit_guessed(folded, guess, key).map_err(|_| Broken::Full)?;
        let placed = self.placed(visit, key);
        let has_steps = !self.context.program().step_properties.is_empty();
        let is_news = self.is_by_orbit && matches!(folded, Folded::Root(_));
        let is_recorded = self.recorder.is_some();
        if placed.0 || has_steps || is_news || is_recorded {
            let (successor, _) = found.at(position as usize).expect("what was folded was found");
            self.turn_to(successor);
            self.action = successor.action;
        }
        if is_recorded {
            self.record(Some(visit.place()));
        }
        if placed.0 && self.is_by_orbit {
            self.harvest.concrete.extend_from_slice(&self.ids);
        }
        if let Some(memo) = self.memo.as_mut().filter(|_| is_news) {
            memo.places.put(&self.ids, visit.place());
        }
        Ok(placed)
    }

    fn found_one_by_one<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        found: &Found,
    ) -> Flow {
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            self.place = Some(self.context.actions[successor.action].leaf.span);
            self.action = successor.action;
            if self.found_compiled(machine, (code, scratch), successor) == Flow::Stop {
                return Flow::Stop;
            }
            position = next;
        }
        Flow::Continue
    }

    fn found_compiled<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        successor: Successor<'_>,
    ) -> Flow {
        let key = self.next_key(machine);
        self.turn_to(successor);
        if !self.is_plain || code.formulas_interpret() {
            self.set_next_from_ids(machine);
        }
        let placed = match self.is_plain {
            true => self.place_compiled(machine, (code, scratch), key),
            false => self.place_keeping_ids(machine, key),
        };
        let (is_unseen, place) = match placed {
            Ok(placed) => placed,
            Err(broken) => return self.report_broken(key, None, broken),
        };
        if is_unseen {
            let flow = self.check_invariants(machine, (code, scratch), (key, place));
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        if self.context.program().step_properties.is_empty() {
            return Flow::Continue;
        }
        self.set_next_from_ids(machine);
        self.check_step(machine, key)
    }

    /// The general way to look a successor up, which needs `ids` for itself.
    fn place_keeping_ids<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        key: Key,
    ) -> Checked<(bool, Option<Place>)> {
        let ids = self.ids.clone();
        let placed = self.place_successor(machine, key);
        self.ids = ids;
        placed
    }

    /// Makes `ids` those of a successor, and `changed` what is new in it.
    #[inline]
    fn turn_to(&mut self, successor: Successor<'_>) {
        self.ids.clear();
        self.ids.extend_from_slice(&self.hand.parent);
        let mut changed = VarSet::NONE;
        for (index, id) in successor.ids() {
            if self.ids[index] != id {
                self.ids[index] = id;
                changed = changed.with(VarSet::one(VarIdx(index as u16)));
            }
        }
        self.changed = self.since_parent(changed);
    }

    /// What has to be looked at, if this has changed since the parent.
    fn since_parent(&self, changed: VarSet) -> VarSet {
        // After a violation that was passed over, a parent may be wrong.
        if self.stops_at_violation { changed } else { VarSet::ALL }
    }

    fn place_compiled<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        key: Key,
    ) -> Checked<(bool, Option<Place>)> {
        for index in 0..self.context.constraints.len() {
            let held = self.in_successor(machine, code, |expander, machine| {
                code.constraint(index, machine, (&expander.ids, expander.changed), scratch)
            });
            let holds = match held {
                Some(holds) => holds,
                None => self.interpreted_constraint(machine, index)?,
            };
            if !holds {
                self.record(None);
                return Ok((true, None));
            }
        }
        if !self.is_by_orbit {
            let visit = self.seat.visit(&self.ids, key).map_err(|_| Broken::Full)?;
            self.record(Some(visit.place()));
            return Ok(self.placed(visit, key));
        }
        let mut parts: Vec<Part<'r>> = self.ids.iter().map(|&id| Part::Known(id)).collect();
        let visit = self.visit_parts(machine, &mut parts, key)?;
        let placed = self.placed(visit, key);
        if placed.0 {
            self.harvest.concrete.extend_from_slice(&self.ids);
        }
        Ok(placed)
    }

    /// Runs code about the successor: the machine is there too if the code asks it.
    fn in_successor<'r, T>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        code: &Compiled,
        body: impl FnOnce(&mut Self, &mut Machine<'a, 'r>) -> T,
    ) -> T {
        match code.formulas_interpret() {
            true => machine.in_next(|machine| body(self, machine)),
            false => body(self, machine),
        }
    }

    fn interpreted_constraint<'r>(&mut self, machine: &mut Machine<'a, 'r>, index: usize) -> Checked<bool> {
        self.set_next_from_ids(machine);
        let (run, context) = (self.run, self.context);
        let held = run.about_successor(|| {
            machine.in_next(|machine| machine.hold(&context.constraints[index], self.changed))
        });
        in_phase(Phase::Constraint, held)
    }

    fn set_next_from_ids<'r>(&self, machine: &mut Machine<'a, 'r>) {
        let interner = Interner::shared();
        let next: Vec<_> = self.ids.iter().map(|&id| interner.value(id)).collect();
        machine.set_successor(next);
    }

    fn check_invariants<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        (key, place): (Key, Option<Place>),
    ) -> Flow {
        let hold = self.in_successor(machine, code, |expander, machine| {
            code.all_invariants(machine, (&expander.ids, expander.changed), scratch)
        });
        self.hand.n_runs += 1;
        if hold {
            return Flow::Continue;
        }
        for index in 0..self.context.invariants.len() {
            let held = self.in_successor(machine, code, |expander, machine| {
                code.invariant(index, machine, (&expander.ids, expander.changed), scratch)
            });
            if held == Some(true) {
                continue;
            }
            self.hand.n_given_up += u64::from(held.is_none());
            // What is wrong is told by the interpreter, which also has the last word.
            self.set_next_from_ids(machine);
            let (run, context) = (self.run, self.context);
            run.since.is_checking.set(self.is_alone && place.is_some());
            let held = run.about_successor(|| {
                machine.in_next(|machine| machine.hold(&context.invariants[index], self.changed))
            });
            run.since.is_checking.set(false);
            match in_phase(Phase::Invariant, held) {
                Ok(true) => {}
                Ok(false) => return self.report(key, place, What::Invariant(index)),
                Err(broken) => return self.report_broken(key, place, broken),
            }
        }
        Flow::Continue
    }
}
