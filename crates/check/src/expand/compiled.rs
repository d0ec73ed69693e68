//! Successors that compiled code finds, from the code to their places in the store.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base::Clock;
use eval::interp::{Flow, Machine, VarSet};
use eval::ir::VarIdx;
use jit::{ActionRuns, Compiled, FoundSuccessors, NotRun, Scratch, Successor, SuccessorUse};
use model::{Phase, What};
use value::{Folded, Interner, ValueId};

use super::Expander;
use super::candidate::{Candidate, Origin, Placement};
use super::finding::{Broken, Checked, in_phase};
use crate::code_shelf::CodeShelf;
use crate::context::{Context, Identity};
use crate::space::{Handle, StateSlot};
use crate::symmetry::OrbitPart;

/// A successor that is about to be looked up.
#[derive(Clone, Copy)]
struct FoldedStep {
    /// `None` if a constraint cuts it off, and before it is folded.
    folded: Option<Folded>,
    /// Its position among the states found.
    position: u32,
    /// Slot in the store at which it may be.
    guess: Option<StateSlot>,
    /// Whether the constraints hold.
    is_admitted: bool,
}

impl FoldedStep {
    /// Makes one that no constraint cuts off, not folded yet.
    fn admitted(position: u32) -> FoldedStep {
        FoldedStep { folded: None, position, guess: None, is_admitted: true }
    }
}

/// The states that were found, where all of each is needed before it is looked up: in a row.
#[derive(Default)]
struct ListedStates {
    ids: Vec<ValueId>,
    /// The ids by which they are compared, if not by all.
    compared: Vec<ValueId>,
    /// The variables of each that constraints must look at.
    changed: Vec<VarSet>,
}

impl ListedStates {
    fn clear(&mut self) {
        self.ids.clear();
        self.compared.clear();
        self.changed.clear();
    }

    /// Returns the ids of one of the states.
    fn state(&self, index: usize) -> &[ValueId] {
        row(&self.ids, index, self.changed.len())
    }

    /// Returns the ids by which one of the states is compared.
    fn compared(&self, index: usize) -> &[ValueId] {
        match self.compared.is_empty() {
            true => self.state(index),
            false => row(&self.compared, index, self.changed.len()),
        }
    }
}

/// Returns one of the rows of equal length that ids consist of.
fn row(ids: &[ValueId], index: usize, n_rows: usize) -> &[ValueId] {
    let len = ids.len() / n_rows;
    &ids[index * len..][..len]
}

/// Compiled code as one expander has it at hand.
pub(super) struct CodeAtHand<'a> {
    shelf: &'a CodeShelf,
    code: Option<Arc<Compiled>>,
    // PERF: it is taken out for each state.
    scratch: Option<Box<Scratch>>,
    /// The ids of the state that is expanded.
    pub parent: Vec<ValueId>,
    /// The ids of the state that comes after it.
    upcoming: Vec<u32>,
    /// The successors of the state that is expanded, folded.
    folded: Vec<FoldedStep>,
    listed: ListedStates,
    n_runs: u64,
    n_given_up: u64,
    /// Number of times that code had been made when this was taken up.
    n_made: usize,
    /// States generated since then.
    pub n_generated: u64,
    /// Runs of each action by the interpreter.
    pub interpreted: Vec<ActionRuns>,
    n_samples: u32,
    /// The time of the interpreter on rare actions since this was taken up, and the time after which code is made for them.
    interpreted_time: Duration,
    interpreted_time_max: Duration,
}

/// The time of the interpreter is taken in one of so many steps. A prime, because the steps of a state repeat.
const STEPS_PER_SAMPLE: u32 = 31;

impl<'a> CodeAtHand<'a> {
    pub fn new(context: &Context<'a>) -> CodeAtHand<'a> {
        let shelf = context.code;
        let options = context.board.options;
        let bytes_max = options.memory_bytes_max / options.n_workers.max(1);
        let n_made = shelf.n_made.load(Ordering::Acquire);
        let interpreted_time_max = shelf.interpreted_time_max();
        let (code, scratch) = shelf.current(context.space.len(), bytes_max);
        CodeAtHand {
            shelf,
            code,
            scratch,
            parent: Vec::new(),
            upcoming: Vec::new(),
            folded: Vec::new(),
            listed: ListedStates::default(),
            n_runs: 0,
            n_given_up: 0,
            n_made,
            n_generated: 0,
            interpreted: vec![ActionRuns::default(); context.actions.len()],
            n_samples: 0,
            interpreted_time: Duration::ZERO,
            interpreted_time_max,
        }
    }

    /// Whether the interpreter has worked so long on rare actions that making their code would have paid.
    fn is_held_up(&self) -> bool {
        self.interpreted_time > self.interpreted_time_max
    }

    /// Hands over how often the interpreter did each action.
    fn report_interpreted(&mut self) {
        self.shelf.add_interpreted(&self.interpreted);
        self.interpreted.fill(ActionRuns::default());
    }

    /// Begins a step of the interpreter. Returns the time if it is one whose time is taken.
    pub fn begin_interpreted(&mut self, clock: &dyn Clock) -> Option<Duration> {
        self.n_samples = self.n_samples.wrapping_add(1);
        self.n_samples.is_multiple_of(STEPS_PER_SAMPLE).then(|| clock.elapsed())
    }

    /// Counts a step of the interpreter.
    pub fn count_interpreted(&mut self, action: usize, began: Option<Duration>, clock: &dyn Clock) {
        let time = began.map_or(Duration::ZERO, |began| (clock.elapsed() - began) * STEPS_PER_SAMPLE);
        if self.code.as_ref().is_some_and(|code| code.is_rare(action)) {
            self.interpreted_time += time;
        }
        self.interpreted[action].add(ActionRuns { n_runs: 1, time, ..ActionRuns::default() });
    }
}

impl Drop for CodeAtHand<'_> {
    fn drop(&mut self) {
        if let Some(code) = &self.code {
            code.count(self.n_runs, self.n_given_up);
        }
        self.shelf.give_back(self.scratch.take());
        self.report_interpreted();
    }
}

/// Code that is taken out of [`CodeAtHand`] while it runs, with the memory that it works in.
struct Running<'c> {
    code: &'c Compiled,
    scratch: &'c mut Scratch,
}

impl<'a> Expander<'a> {
    /// Between states: sees whether there is code by now, or makes it. `n_generated` states had been generated when
    /// the level began.
    pub fn look_for_code(&mut self, level: &[Handle], n_generated: u64, n_workers: usize) {
        let is_wanted = self.code.code.is_none() || self.code.is_held_up();
        if !is_wanted || self.sink.is_some() {
            return;
        }
        let (context, shelf) = (self.context, self.code.shelf);
        self.code.report_interpreted();
        // The others will have done about as much.
        let n_generated = n_generated + self.code.n_generated * n_workers as u64;
        shelf.prepare_meanwhile(context, level, n_generated);
        if shelf.n_made.load(Ordering::Acquire) != self.code.n_made {
            self.code = CodeAtHand::new(context);
        }
    }

    /// Says which state is expanded after the next one, so that what is kept for it is at hand then.
    pub fn foresee(&mut self, handle: Handle) {
        if let Some(scratch) = self.code.scratch.as_mut().filter(|_| self.sink.is_none()) {
            self.seat.peek(handle, &mut self.code.upcoming);
            scratch.foresee(&self.code.upcoming);
        }
    }

    /// Finds successors with compiled code, by the actions from `first` on. Says which action the interpreter must do
    /// next, if there is one, and whether to go on.
    pub(super) fn compiled_steps<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        first: usize,
    ) -> (Option<usize>, Flow) {
        let n_actions = self.context.actions.len();
        // States that come from disk are not interned where code looks for them.
        let from_disk = self.sink.is_some();
        let (false, Some(code), Some(mut scratch)) =
            (from_disk, self.code.code.take(), self.code.scratch.take())
        else {
            return ((first < n_actions).then_some(first), Flow::Continue);
        };
        if !self.context.constraints.is_empty() {
            let asked = (self.context.constraints, self.run);
            self.levels.turn_to(self.expansion.level, asked, machine);
        }
        let successor_use = self.successor_use();
        let left = code.run_actions((first, successor_use), machine, &self.code.parent, &mut scratch);
        scratch.fetch();
        let last = left.map_or(n_actions, |(index, _)| index);
        self.code.n_runs += (last - first) as u64;
        self.code.n_given_up += u64::from(matches!(left, Some((_, NotRun::GaveUp))));
        let flow = match successor_use {
            SuccessorUse::Visit => self.take_all(machine, Running { code: &code, scratch: &mut scratch }),
            SuccessorUse::Count => self.count_all(machine, &mut scratch),
        };
        (self.code.code, self.code.scratch) = (Some(code), Some(scratch));
        (left.map(|(index, _)| index), flow)
    }

    /// Says what the successors of this state are for: if the level alone puts them outside of the model, and nobody asks
    /// about them or about steps, they are counted. Invariants are asked of states outside of the model, too, as in TLC.
    fn successor_use(&self) -> SuccessorUse {
        let asks_about_steps = !self.context.program().step_properties.is_empty() || self.recorder.is_some();
        let is_asked = !self.context.invariants.is_empty() || asks_about_steps;
        match self.mode.is_plain && !is_asked && self.levels.admit_none() {
            true => SuccessorUse::Count,
            false => SuccessorUse::Visit,
        }
    }

    /// Counts successors that are outside of the model.
    fn count_all(&mut self, machine: &mut Machine<'a, '_>, scratch: &mut Scratch) -> Flow {
        let found = scratch.take_found();
        self.take_intermediate(machine);
        let mut position = 0;
        while let Some((_, next)) = found.at(position) {
            self.next_key_of_code();
            position = next;
        }
        scratch.give_back(found);
        Flow::Continue
    }

    fn take_all<'r>(&mut self, machine: &mut Machine<'a, 'r>, mut running: Running<'_>) -> Flow {
        let found = running.scratch.take_found();
        // The action is that of each successor in turn.
        let mut candidate = self.candidate(Origin::Action(0));
        let flow = match self.mode.is_plain && self.fold_all(machine, &mut running, &found) {
            true => {
                self.prefetch_all(&found, running.scratch, &mut candidate);
                self.visit_all(machine, &mut running, &found, &mut candidate)
            }
            false => self.take_one_by_one(machine, &mut running, &found, &mut candidate),
        };
        self.recycle(candidate);
        running.scratch.give_back(found);
        flow
    }

    /// Folds all that was found, so that the store can be asked for all of it at once. `false` when that cannot be
    /// done: then nothing has happened.
    fn fold_all<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        found: &FoundSuccessors,
    ) -> bool {
        self.code.folded.clear();
        let is_by_orbit = self.mode.identity == Identity::Orbit;
        if !is_by_orbit && self.context.constraints.is_empty() {
            return self.fold_steps(found).is_some();
        }
        let mut listed = std::mem::take(&mut self.code.listed);
        self.list_states(found, &mut listed);
        let are_admitted = self.admit_states(machine, running, &listed);
        let are_folded = are_admitted.and_then(|()| match is_by_orbit {
            true => self.fold_orbits(machine, &listed),
            false => self.fold_admitted(found),
        });
        self.code.listed = listed;
        are_folded.is_some()
    }

    /// Asks for what will be looked at: the states that what was found may be, and what is kept about new ones.
    fn prefetch_all(&mut self, found: &FoundSuccessors, scratch: &mut Scratch, candidate: &mut Candidate) {
        for index in 0..self.code.folded.len() {
            let FoldedStep { folded, position, .. } = self.code.folded[index];
            let guess = folded.and_then(|folded| self.seat.prefetch(folded));
            self.code.folded[index].guess = guess;
            if guess.is_none() {
                let (successor, _) = found.at(position as usize).expect("what was folded was found");
                self.turn_to(candidate, successor);
                scratch.foresee_formulas(&candidate.ids);
            }
        }
        scratch.fetch_formulas();
    }

    fn fold_steps(&mut self, found: &FoundSuccessors) -> Option<()> {
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            let folded = self.seat.fold_step(successor.ids()).ok()?;
            let position_here = position as u32;
            self.code.folded.push(FoldedStep { folded: Some(folded), ..FoldedStep::admitted(position_here) });
            position = next;
        }
        Some(())
    }

    /// Lists the states that were found.
    fn list_states(&mut self, found: &FoundSuccessors, listed: &mut ListedStates) {
        listed.clear();
        let (mut position, mut first) = (0, 0);
        while let Some((successor, next)) = found.at(position) {
            listed.ids.extend_from_slice(&self.code.parent);
            let ids = &mut listed.ids[first..];
            let mut changed = VarSet::NONE;
            for (index, id) in successor.ids() {
                if ids[index] != id {
                    ids[index] = id;
                    changed = changed.with(VarSet::one(VarIdx(index as u16)));
                }
            }
            let compared: &[ValueId] = match self.context.viewed {
                Some(viewed) => {
                    let before = listed.compared.len();
                    listed.compared.extend(viewed.iter().map(|&variable| ids[variable]));
                    &listed.compared[before..]
                }
                None => ids,
            };
            self.prefetch_orbit(compared);
            listed.changed.push(self.to_look_at(changed));
            self.code.folded.push(FoldedStep::admitted(position as u32));
            first += self.code.parent.len();
            position = next;
        }
    }

    /// Tests the constraints for all states that were found. `None` if the interpreter must decide.
    fn admit_states<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        listed: &ListedStates,
    ) -> Option<()> {
        let n_constraints = self.context.constraints.len();
        let interprets = running.code.constraints_interpret();
        for index in 0..self.code.folded.len() {
            let state = (listed.state(index), listed.changed[index]);
            let mut is_admitted = true;
            if interprets {
                set_next(machine, state.0);
            }
            for constraint in 0..n_constraints {
                let asked = (constraint, self.levels.of(constraint));
                is_admitted = running.in_successor(machine, interprets, |running, machine| {
                    running.code.constraint(asked, machine, state, running.scratch)
                })?;
                if !is_admitted {
                    break;
                }
            }
            self.code.folded[index].is_admitted = is_admitted;
        }
        Some(())
    }

    fn fold_admitted(&mut self, found: &FoundSuccessors) -> Option<()> {
        for step in self.code.folded.iter_mut().filter(|step| step.is_admitted) {
            let (successor, _) = found.at(step.position as usize).expect("what was listed was found");
            step.folded = Some(self.seat.fold_step(successor.ids()).ok()?);
        }
        Some(())
    }

    fn fold_orbits<'r>(&mut self, machine: &mut Machine<'a, 'r>, listed: &ListedStates) -> Option<()> {
        let mut parts = Vec::new();
        for index in 0..self.code.folded.len() {
            if !self.code.folded[index].is_admitted {
                continue;
            }
            let compared = listed.compared(index);
            parts.clear();
            parts.extend(compared.iter().map(|&id| OrbitPart::Known(id)));
            let folded = self.fold_orbit(machine, &mut parts, Some(compared)).ok()?;
            self.code.folded[index].folded = Some(folded);
        }
        Some(())
    }

    fn visit_all<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        found: &FoundSuccessors,
        candidate: &mut Candidate,
    ) -> Flow {
        let has_steps = !self.context.program().step_properties.is_empty();
        self.take_intermediate(machine);
        for index in 0..self.code.folded.len() {
            candidate.key = self.next_key_of_code();
            let placement = match self.visit_step(index, found, candidate) {
                Ok(placement) => placement,
                Err(broken) => return self.report(candidate.key, None, broken.into()),
            };
            if placement.is_unseen() {
                if running.code.formulas_interpret() {
                    set_next(machine, &candidate.ids);
                }
                if self.check_invariants(machine, running, candidate, placement) == Flow::Stop {
                    return Flow::Stop;
                }
            }
            if has_steps && self.check_step_of_code(machine, candidate) == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Continue
    }

    /// Looks a folded successor up. The candidate is that successor then, if anything is still asked about it.
    #[inline]
    fn visit_step(
        &mut self,
        index: usize,
        found: &FoundSuccessors,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        let FoldedStep { folded, position, guess, .. } = self.code.folded[index];
        let successor = || found.at(position as usize).expect("what was folded was found").0;
        let Some(folded) = folded else {
            self.turn_to(candidate, successor());
            self.record(candidate, None);
            return Ok(Placement::Outside);
        };
        let visit = self.seat.visit_guessed(folded, guess, candidate.key).map_err(|_| Broken::Full)?;
        let placement = self.place(visit, candidate.key);
        let has_steps = !self.context.program().step_properties.is_empty();
        let is_by_orbit = self.mode.identity == Identity::Orbit;
        let is_recorded = self.recorder.is_some();
        if placement.is_unseen() || has_steps || is_recorded {
            self.turn_to(candidate, successor());
        }
        if is_recorded {
            self.record(candidate, Some(visit.slot()));
        }
        if placement.is_unseen() && is_by_orbit {
            self.harvest.concrete.extend_from_slice(&candidate.ids);
        }
        let is_news = is_by_orbit && matches!(folded, Folded::Root(_));
        if let Some(memo) = self.memo.as_mut().filter(|_| is_news) {
            memo.places.put(self.code.listed.compared(index), visit.slot());
        }
        Ok(placement)
    }

    fn take_one_by_one<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        found: &FoundSuccessors,
        candidate: &mut Candidate,
    ) -> Flow {
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            candidate.key = self.next_key(machine);
            self.turn_to(candidate, successor);
            if self.take_compiled(machine, running, candidate) == Flow::Stop {
                return Flow::Stop;
            }
            position = next;
        }
        Flow::Continue
    }

    fn take_compiled<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        candidate: &mut Candidate,
    ) -> Flow {
        if !self.mode.is_plain || running.code.formulas_interpret() {
            set_next(machine, &candidate.ids);
        }
        let placed = match self.mode.is_plain {
            true => self.place_compiled(machine, running, candidate),
            false => self.place_keeping_ids(machine, candidate),
        };
        let placement = match placed {
            Ok(placement) => placement,
            Err(broken) => return self.report(candidate.key, None, broken.into()),
        };
        if placement.is_unseen() {
            let flow = self.check_invariants(machine, running, candidate, placement);
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        if self.context.program().step_properties.is_empty() {
            return Flow::Continue;
        }
        self.check_step_of_code(machine, candidate)
    }

    /// Looks a successor up in the general way, which needs the ids for itself.
    fn place_keeping_ids<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        let ids = candidate.ids.clone();
        let placed = self.place_successor(machine, candidate);
        candidate.ids = ids;
        placed
    }

    /// Makes the candidate a successor that code found.
    #[inline]
    fn turn_to(&self, candidate: &mut Candidate, successor: Successor<'_>) {
        candidate.origin = Origin::Action(successor.action);
        let ids = &mut candidate.ids;
        ids.clear();
        ids.extend_from_slice(&self.code.parent);
        let mut changed = VarSet::NONE;
        for (index, id) in successor.ids() {
            if ids[index] != id {
                ids[index] = id;
                changed = changed.with(VarSet::one(VarIdx(index as u16)));
            }
        }
        candidate.changed = self.to_look_at(changed);
    }

    fn place_compiled<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        for index in 0..self.context.constraints.len() {
            let interprets = running.code.constraints_interpret();
            let held = running.in_successor(machine, interprets, |running, machine| {
                let state = (candidate.ids.as_slice(), candidate.changed);
                let asked = (index, self.levels.of(index));
                running.code.constraint(asked, machine, state, running.scratch)
            });
            let holds = match held {
                Some(holds) => holds,
                None => self.interpreted_constraint(machine, index, candidate)?,
            };
            if !holds {
                self.record(candidate, None);
                return Ok(Placement::Outside);
            }
        }
        if self.mode.identity != Identity::Orbit {
            let visit = self.seat.visit(&candidate.ids, candidate.key).map_err(|_| Broken::Full)?;
            self.record(candidate, Some(visit.slot()));
            return Ok(self.place(visit, candidate.key));
        }
        let compared = self.context.compared(&candidate.ids);
        let mut parts: Vec<OrbitPart<'r>> = compared.into_iter().map(OrbitPart::Known).collect();
        let visit = self.visit_parts(machine, &mut parts, candidate)?;
        let placement = self.place(visit, candidate.key);
        if placement.is_unseen() {
            self.harvest.concrete.extend_from_slice(&candidate.ids);
        }
        Ok(placement)
    }

    fn interpreted_constraint<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        index: usize,
        candidate: &Candidate,
    ) -> Checked<bool> {
        set_next(machine, &candidate.ids);
        let (run, context) = (self.run, self.context);
        let held = run.about_successor(|| {
            machine.in_next(|machine| machine.hold(&context.constraints[index], candidate.changed))
        });
        in_phase(Phase::Constraint, held)
    }

    fn check_invariants<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        running: &mut Running<'_>,
        candidate: &Candidate,
        placement: Placement,
    ) -> Flow {
        let state = (candidate.ids.as_slice(), candidate.changed);
        let interprets = running.code.formulas_interpret();
        let hold = running.in_successor(machine, interprets, |running, machine| {
            running.code.all_invariants(machine, state, running.scratch)
        });
        self.code.n_runs += 1;
        if hold {
            return Flow::Continue;
        }
        for index in 0..self.context.invariants.len() {
            let held = running.in_successor(machine, interprets, |running, machine| {
                running.code.invariant(index, machine, state, running.scratch)
            });
            if held == Some(true) {
                continue;
            }
            self.code.n_given_up += u64::from(held.is_none());
            // The interpreter says what is wrong, and has the last word.
            set_next(machine, &candidate.ids);
            let (run, context, slot) = (self.run, self.context, placement.slot());
            run.since.is_checking.set(self.mode.is_alone() && slot.is_some());
            let held = run.about_successor(|| {
                machine.in_next(|machine| machine.hold(&context.invariants[index], candidate.changed))
            });
            run.since.is_checking.set(false);
            match in_phase(Phase::Invariant, held) {
                Ok(true) => {}
                Ok(false) => return self.report(candidate.key, slot, What::Invariant(index)),
                Err(broken) => return self.report(candidate.key, slot, broken.into()),
            }
        }
        Flow::Continue
    }
}

impl Running<'_> {
    /// Runs code about the machine's successor: the machine is there too if the code asks it.
    fn in_successor<'a, 'r, T>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        asks: bool,
        body: impl FnOnce(&mut Self, &mut Machine<'a, 'r>) -> T,
    ) -> T {
        match asks {
            true => machine.in_next(|machine| body(self, machine)),
            false => body(self, machine),
        }
    }
}

/// Makes the state with these ids the next state of the machine.
pub(super) fn set_next(machine: &mut Machine<'_, '_>, ids: &[ValueId]) {
    let interner = Interner::shared();
    let next: Vec<_> = ids.iter().map(|&id| interner.value(id)).collect();
    machine.set_successor(next);
}
