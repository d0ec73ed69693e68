//! Compiled code in a search: when it is made, and what is done with the successors that it finds.

use std::sync::{Arc, Mutex, PoisonError};

use eval::interp::{Flow, Machine, VarSet};
use eval::ir::VarIdx;
use jit::{Compiled, Found, Ran, Scratch, Sources, Successor};
use value::{Folded, Ground, Interner, ValueId};

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

/// The code of a search, as it is now.
#[derive(Default)]
pub(crate) struct CodeShelf {
    code: Mutex<Shelf>,
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
    fn current(&self) -> (Option<Arc<Compiled>>, Option<Scratch>) {
        let code = self.code.lock().unwrap_or_else(PoisonError::into_inner).code.clone();
        let scratch = code.is_some().then(|| {
            let mut scratches = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
            scratches.pop().unwrap_or_default()
        });
        (code, scratch)
    }

    fn give_back(&self, scratch: Option<Scratch>) {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).extend(scratch);
    }

    /// Before states are expanded: makes code if that pays, or makes it again if it gives up too often.
    pub fn prepare<'a>(&self, context: &'a Context<'a>, level: &[Handle]) {
        // What is compiled does not count.
        if context.board.options.counts_evaluations {
            return;
        }
        let n_states = context.space.len();
        let n_generated_min = match context.board.options.engine {
            Engine::Interpreted => return,
            Engine::Compiled => 0,
            Engine::Auto => GENERATED_MIN,
        };
        let mut shelf = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = match &shelf.code {
            None => context.board.counts().generated >= n_generated_min && shelf.n_states == 0,
            Some(code) => {
                let (n_runs, n_given_up) = code.take_counts();
                n_states >= 2 * shelf.n_states && n_given_up > n_runs / RUNS_PER_GIVEN_UP
            }
        };
        if !is_wanted {
            return;
        }
        shelf.n_states = n_states;
        shelf.add_examples(context, level);
        shelf.make(context);
    }
}

impl Shelf {
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

    fn make<'a>(&mut self, context: &'a Context<'a>) {
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
        self.code = Compiled::new(sources, &mut machine, examples).map(Arc::new);
    }
}

/// What an expander has at hand for compiled code.
pub(crate) struct Hand<'a> {
    shelf: &'a CodeShelf,
    code: Option<Arc<Compiled>>,
    scratch: Option<Scratch>,
    /// The ids of the state that is expanded.
    pub parent: Vec<ValueId>,
    /// What was found, ready to be looked up.
    folded: Vec<FoldedStep>,
    /// The ids of each of these, if they are known.
    folded_ids: Vec<ValueId>,
    n_runs: u64,
    n_given_up: u64,
}

/// A successor that is ready to be looked up.
#[derive(Clone, Copy)]
struct FoldedStep {
    folded: Folded,
    changed: VarSet,
    /// Where it is in what was found.
    position: usize,
    /// All its values are interned, and the first of their ids is here.
    is_known: bool,
    first_id: usize,
}

impl<'a> Hand<'a> {
    pub fn new(shelf: &'a CodeShelf) -> Hand<'a> {
        let (code, scratch) = shelf.current();
        Hand {
            shelf,
            code,
            scratch,
            parent: Vec::new(),
            folded: Vec::new(),
            folded_ids: Vec::new(),
            n_runs: 0,
            n_given_up: 0,
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
            true => self.visit_all(machine, (code, scratch), &found),
            false => self.found_one_by_one(machine, (code, scratch), &found),
        };
        scratch.give_back(found);
        flow
    }

    /// Folds all that was found, so that the store can be asked for all of it at once. `false` when that cannot be
    /// done: then nothing has happened.
    fn fold_all<'r>(&mut self, machine: &mut Machine<'a, 'r>, found: &Found) -> bool {
        self.hand.folded.clear();
        self.hand.folded_ids.clear();
        let mut parts = Vec::new();
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            let first_id = self.hand.folded_ids.len();
            let folded = match self.is_by_orbit {
                true => self.fold_by_orbit(machine, successor, &mut parts),
                false => self.fold_as_it_is(machine, successor),
            };
            let Some((folded, is_known)) = folded else { return false };
            let changed = self.changed;
            self.hand.folded.push(FoldedStep { folded, changed, position, is_known, first_id });
            position = next;
        }
        for step in &self.hand.folded {
            self.seat.prefetch(step.folded);
        }
        true
    }

    fn fold_as_it_is<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        successor: Successor<'_>,
    ) -> Option<(Folded, bool)> {
        let Ok(true) = self.intern_successor(machine, successor) else { return None };
        let folded = self.seat.fold(&self.ids).ok()?;
        self.hand.folded_ids.extend_from_slice(&self.ids);
        Some((folded, true))
    }

    fn fold_by_orbit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        successor: Successor<'_>,
        parts: &mut Vec<Part<'r>>,
    ) -> Option<(Folded, bool)> {
        self.changed = self.successor_parts(machine, successor, parts)?;
        let is_known = self.know(parts);
        let folded = self.fold_orbit(machine, parts, is_known).ok()?;
        if is_known {
            self.hand.folded_ids.extend_from_slice(&self.ids);
        }
        Some((folded, is_known))
    }

    fn visit_all<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        found: &Found,
    ) -> Flow {
        let has_steps = !self.context.program().step_properties.is_empty();
        for index in 0..self.hand.folded.len() {
            let key = self.next_key(machine);
            let (is_unseen, place) = match self.visit_step(machine, (index, key), found) {
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
    fn visit_step<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (index, key): (usize, Key),
        found: &Found,
    ) -> Checked<(bool, Option<Place>)> {
        let step = self.hand.folded[index];
        let visit = self.seat.visit_folded(step.folded, key).map_err(|_| Broken::Full)?;
        let placed = self.placed(visit, key);
        let has_steps = !self.context.program().step_properties.is_empty();
        if placed.0 || has_steps {
            self.take_step(machine, step, found)?;
        }
        if placed.0 && self.is_by_orbit {
            self.harvest.concrete.extend_from_slice(&self.ids);
        }
        let is_news = self.is_by_orbit && step.is_known && matches!(step.folded, Folded::Root(_));
        if let Some(memo) = self.memo.as_mut().filter(|_| is_news) {
            let ids = step.first_id..step.first_id + self.hand.parent.len();
            memo.places.put(&self.hand.folded_ids[ids], visit.place());
        }
        Ok(placed)
    }

    /// Makes `ids` and `changed` those of a successor.
    fn take_step<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        step: FoldedStep,
        found: &Found,
    ) -> Checked<()> {
        if !step.is_known {
            let (successor, _) = found.at(step.position).expect("what was folded was found");
            return self.intern_successor(machine, successor).map(|_| ());
        }
        self.changed = step.changed;
        self.ids.clear();
        let first = step.first_id;
        self.ids.extend_from_slice(&self.hand.folded_ids[first..first + self.hand.parent.len()]);
        Ok(())
    }

    fn found_one_by_one<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (code, scratch): (&Compiled, &mut Scratch),
        found: &Found,
    ) -> Flow {
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            self.place = found.action(position).map(|action| self.context.actions[action].leaf.span);
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
        match self.intern_successor(machine, successor) {
            Ok(true) => {}
            // The general way says what is wrong with it.
            Ok(false) => {
                self.set_next(machine, successor);
                return self.found_successor(machine, key);
            }
            Err(broken) => return self.report_broken(key, None, broken),
        }
        if !self.is_plain || code.formulas_interpret() {
            self.set_next(machine, successor);
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
        self.set_next(machine, successor);
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

    /// The ids of a successor, in `ids`; `false` if a value cannot be made explicit.
    fn intern_successor<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        successor: Successor<'_>,
    ) -> Checked<bool> {
        let interner = Interner::shared();
        self.ids.clear();
        self.ids.extend_from_slice(&self.hand.parent);
        let mut changed = VarSet::NONE;
        for (index, value) in successor.values(machine) {
            let Ok(ground) = Ground::new(machine, value) else { return Ok(false) };
            let id = interner.intern(ground).map_err(|_| Broken::Full)?;
            if self.ids[index] != id {
                self.ids[index] = id;
                changed = changed.with(VarSet::one(VarIdx(index as u16)));
            }
        }
        self.changed = self.since_parent(changed);
        Ok(true)
    }

    /// What has to be looked at, if this has changed since the parent.
    pub fn since_parent(&self, changed: VarSet) -> VarSet {
        // After a violation that was passed over, a parent may be wrong.
        if self.stops_at_violation { changed } else { VarSet::ALL }
    }

    fn set_next<'r>(&self, machine: &mut Machine<'a, 'r>, successor: Successor<'_>) {
        let mut next: Vec<_> = machine.state().iter().flatten().copied().collect();
        for (index, value) in successor.values(machine) {
            next[index] = value;
        }
        machine.set_successor(next);
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
                return Ok((true, None));
            }
        }
        if !self.is_by_orbit {
            let visit = self.seat.visit(&self.ids, key).map_err(|_| Broken::Full)?;
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
        for index in 0..self.context.invariants.len() {
            let held = self.in_successor(machine, code, |expander, machine| {
                code.invariant(index, machine, (&expander.ids, expander.changed), scratch)
            });
            self.hand.n_runs += 1;
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
