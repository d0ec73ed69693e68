//! A candidate is judged: constraints, invariants, properties of steps and of initial states.

use eval::interp::{At, Flow, Machine, VarSet};
use eval::ir::Root;
use model::ground::{Side, ground, intern_made};
use model::{Phase, Possible, What};

use super::candidate::{Candidate, Origin, Placement};
use super::compiled::set_next;
use super::finding::{Checked, in_phase};
use super::{Expander, Recorder};
use crate::judges::Owed;
use crate::space::{OrderKey, StateSlot};

impl<'a> Expander<'a> {
    /// Places and judges the machine's state, which satisfies the initial predicate.
    pub(super) fn take_initial<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Flow {
        if machine.n_missing() > 0 {
            return self.report(candidate.key, None, What::Incomplete);
        }
        let placement = match self.place_initial(machine, candidate) {
            Ok(placement) => placement,
            Err(broken) => return self.report(candidate.key, None, broken.into()),
        };
        if !placement.is_unseen() {
            return Flow::Continue;
        }
        match self.check_initial(machine, placement.slot()) {
            Ok(None) => Flow::Continue,
            Ok(Some(what)) => self.report(candidate.key, placement.slot(), what),
            Err(broken) => self.report(candidate.key, placement.slot(), broken.into()),
        }
    }

    fn place_initial<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        if !self.constraints_hold(machine, candidate.changed)? {
            return Ok(Placement::Outside);
        }
        self.visit(machine, candidate)
    }

    fn check_initial<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        slot: Option<StateSlot>,
    ) -> Checked<Option<What>> {
        if let (Some(liveness), Some(slot)) = (self.context.liveness, slot) {
            in_phase(Phase::Temporal, liveness.ask_initial(machine, slot))?;
        }
        if let Some(index) = self.violated_invariant(machine, VarSet::ALL)? {
            return Ok(Some(What::Invariant(index)));
        }
        for (index, root) in self.context.program().implied_inits.iter().enumerate() {
            if !in_phase(Phase::InitialProperty, machine.eval_root_bool(*root))? {
                return Ok(Some(What::InitialProperty(index)));
            }
        }
        Ok(None)
    }

    /// Places and judges the machine's next state, which an action made.
    pub(super) fn take_successor<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Flow {
        let flow = self.check_successor(machine, candidate);
        self.run.since.is_checking.set(false);
        flow
    }

    fn check_successor<'r>(&mut self, machine: &mut Machine<'a, 'r>, candidate: &mut Candidate) -> Flow {
        if machine.n_missing() > 0 {
            return self.report(candidate.key, None, What::Incomplete);
        }
        // A lazy value may read the state that it was made from, which is not the current one where constraints are
        // evaluated.
        if !self.context.constraints.is_empty() {
            let span = self.span_of(candidate, machine);
            if let Err(broken) = in_phase(Phase::Next, ground(machine, Side::Next).at(span)) {
                return self.report(candidate.key, None, broken.into());
            }
        }
        candidate.changed = self.to_look_at(machine.changed_variables());
        let placement = match self.place_successor(machine, candidate) {
            Ok(placement) => placement,
            Err(broken) => return self.report(candidate.key, None, broken.into()),
        };
        if placement.is_unseen() {
            let slot = placement.slot();
            if slot.is_some() {
                self.take_interned(machine, candidate);
            }
            let run = self.run;
            run.since.is_checking.set(self.mode.is_alone() && slot.is_some());
            let changed = candidate.changed;
            let checked =
                run.about_successor(|| machine.in_next(|machine| self.violated_invariant(machine, changed)));
            let flow = match checked {
                Ok(None) => Flow::Continue,
                Ok(Some(index)) => self.report(candidate.key, slot, What::Invariant(index)),
                Err(broken) => self.report(candidate.key, slot, broken.into()),
            };
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        self.check_step(machine, candidate)
    }

    /// The variables that must be looked at in a successor, if these have changed since its parent.
    pub(super) fn to_look_at(&self, changed: VarSet) -> VarSet {
        // After a violation that was passed over, a parent may be wrong.
        if self.mode.stops_at_violation { changed } else { VarSet::ALL }
    }

    /// Looks a successor up, if the constraints admit it.
    pub(super) fn place_successor<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        let run = self.run;
        let program = self.context.program();
        let changed = candidate.changed;
        let mut in_model =
            run.about_successor(|| machine.in_next(|machine| self.constraints_hold(machine, changed)))?;
        if in_model {
            in_model = all_hold(machine, &program.action_constraints)?;
        }
        if !in_model {
            self.record_cut(machine, candidate)?;
            return Ok(Placement::Outside);
        }
        self.witness(machine, Possible::AboutSteps)?;
        self.visit(machine, candidate)
    }

    /// Checks the properties of steps. TLC: on every step, seen or not, in the model or not.
    pub(super) fn check_step<'r>(&mut self, machine: &mut Machine<'a, 'r>, candidate: &Candidate) -> Flow {
        let program = self.context.program();
        let key = candidate.key;
        if self.is_sure(candidate) || self.mode.owes_steps() && self.owe_step(machine, key) {
            return Flow::Continue;
        }
        for (index, property) in program.step_properties.iter().enumerate() {
            return match in_phase(Phase::StepProperty, machine.eval_root_bool(property.root)) {
                Ok(true) => continue,
                Ok(false) => self.report(key, None, What::StepProperty(index)),
                Err(broken) => self.report(key, None, broken.into()),
            };
        }
        Flow::Continue
    }

    /// Checks the properties of a step that code found, as [`Expander::check_step`] does. All values of the candidate are
    /// interned.
    pub(super) fn check_step_of_code<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &Candidate,
    ) -> Flow {
        let program = self.context.program();
        let mut is_set = false;
        if self.mode.owes_steps() {
            set_next(machine, &candidate.ids);
            return self.check_step(machine, candidate);
        }
        if self.is_sure(candidate) {
            return Flow::Continue;
        }
        self.known_steps.begin(program);
        for (index, property) in program.step_properties.iter().enumerate() {
            let states = [self.code.parent.as_slice(), candidate.ids.as_slice()];
            if self.known_steps.holds(index, states) {
                continue;
            }
            if !std::mem::replace(&mut is_set, true) {
                set_next(machine, &candidate.ids);
            }
            match in_phase(Phase::StepProperty, machine.eval_root_bool(property.root)) {
                Ok(true) => self.known_steps.keep(index, states),
                Ok(false) => return self.report(candidate.key, None, What::StepProperty(index)),
                Err(broken) => return self.report(candidate.key, None, broken.into()),
            }
        }
        Flow::Continue
    }

    /// Whether the properties of steps hold of every step by the action that made the candidate.
    fn is_sure(&self, candidate: &Candidate) -> bool {
        match (candidate.origin, &self.context.program().steps_in_doubt) {
            (Origin::Action(index), Some(in_doubt)) => {
                !in_doubt.contains(&self.context.actions[index].leaf.expr)
            }
            (Origin::Initial, _) | (_, None) => false,
        }
    }

    /// Leaves the step to other threads. Says whether they can judge it: values outside of the model need not be explicit.
    fn owe_step<'r>(&mut self, machine: &mut Machine<'a, 'r>, key: OrderKey) -> bool {
        let Some(ids) = intern_made(machine, Side::Next) else { return false };
        let is_new = self.harvest.found.last().is_some_and(|&slot| self.context.space.key(slot) == key);
        self.harvest.owed.push(Owed {
            key,
            next: ids.into(),
            n_generated: self.n_generated(),
            n_new: self.run.since.distinct.get(),
            is_new,
        });
        true
    }

    /// Finds the first invariant that does not hold in the machine's state.
    pub(super) fn violated_invariant<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        changed: VarSet,
    ) -> Checked<Option<usize>> {
        for (index, invariant) in self.context.invariants.iter().enumerate() {
            if !in_phase(Phase::Invariant, machine.hold(invariant, changed))? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    fn constraints_hold<'r>(&mut self, machine: &mut Machine<'a, 'r>, changed: VarSet) -> Checked<bool> {
        for constraint in self.context.constraints {
            if !in_phase(Phase::Constraint, machine.hold(constraint, changed))? {
                return Ok(false);
            }
        }
        self.witness(machine, Possible::AboutStates)?;
        Ok(true)
    }

    /// Notes which `_POSSIBLE` formulas hold. TLC has them as further constraints that are always true.
    fn witness<'r>(&mut self, machine: &mut Machine<'a, 'r>, possible: Possible) -> Checked<()> {
        in_phase(Phase::Constraint, self.context.witnesses.observe(machine, possible))
    }

    /// Writes a successor outside of the model down: it makes its action enabled all the same.
    fn record_cut<'r>(&mut self, machine: &mut Machine<'a, 'r>, candidate: &mut Candidate) -> Checked<()> {
        let is_wanted =
            self.recorder.as_ref().is_some_and(Recorder::is_open) && !self.mode.identity.is_derived();
        if is_wanted {
            self.intern_variables(machine, candidate)?;
            self.record(candidate, None);
        }
        Ok(())
    }
}

fn all_hold<'a>(machine: &mut Machine<'a, '_>, roots: &[Root]) -> Checked<bool> {
    for root in roots {
        if !in_phase(Phase::Constraint, machine.eval_root_bool(*root))? {
            return Ok(false);
        }
    }
    Ok(true)
}
