//! A candidate is looked up, and added if its state is new.

use eval::interp::{At, Evaluated, Machine};
use model::Phase;
use model::ground::{Side, ground, intern, intern_all, values_of};
use value::{Ground, Value, ValueId};

use super::Expander;
use super::candidate::{Candidate, Origin, Placement};
use super::finding::{Broken, Checked, in_phase};
use crate::context::Identity;
use crate::space::{OrderKey, StateSlot, Visit};
use crate::spill::{FoundState, Sink};
use crate::symmetry::OrbitPart;

impl<'a> Expander<'a> {
    /// Looks the candidate up, and adds it if it is new.
    pub(super) fn visit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        if self.mode.identity == Identity::Variables {
            return self.visit_variables(machine, candidate);
        }
        self.make_explicit(machine, candidate)?;
        let side = candidate.origin.side();
        let values: Vec<Value<'r>> = values_of(machine, side).iter().flatten().copied().collect();
        if self.mode.identity == Identity::Orbit && self.sink.is_none() {
            let compared = self.context.compared(&values);
            let mut parts: Vec<OrbitPart<'r>> = compared.into_iter().map(OrbitPart::find).collect();
            let visit = self.visit_parts(machine, &mut parts, candidate)?;
            self.record_derived(machine, visit)?;
            return self.keep_concrete(&values, visit, candidate);
        }
        let run = self.run;
        let mut identify = |machine: &mut Machine<'a, 'r>| self.identify(machine, &values);
        let identity = match side {
            Side::Current => identify(machine),
            Side::Next => run.about_successor(|| machine.in_next(identify)),
        };
        let identity = in_phase(Phase::View, identity)?;
        if let Some(sink) = &mut self.sink {
            return Ok(to_disk(sink, machine, Some(&identity), candidate.key));
        }
        intern(&identity, &mut self.identity_ids).map_err(|_| Broken::Full)?;
        let visit = self.seat.visit(&self.identity_ids, candidate.key).map_err(|_| Broken::Full)?;
        self.record_derived(machine, visit)?;
        self.keep_concrete(&values, visit, candidate)
    }

    /// Looks the candidate up where a state is its variables and nothing else.
    fn visit_variables<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        if self.sink.is_some() {
            self.make_explicit(machine, candidate)?;
        }
        if let Some(sink) = &mut self.sink {
            return Ok(to_disk(sink, machine, None, candidate.key));
        }
        self.intern_variables(machine, candidate)?;
        let visit = self.seat.visit(&candidate.ids, candidate.key).map_err(|_| Broken::Full)?;
        self.record(candidate, Some(visit.slot()));
        Ok(self.place(visit, candidate.key))
    }

    fn make_explicit<'r>(&self, machine: &mut Machine<'a, 'r>, candidate: &Candidate) -> Checked<()> {
        let phase = match candidate.origin {
            Origin::Initial => Phase::Init,
            Origin::Action(_) => Phase::Next,
        };
        let span = self.span_of(candidate, machine);
        in_phase(phase, ground(machine, candidate.origin.side()).at(span))
    }

    /// Interns the values of the candidate, into its ids.
    pub(super) fn intern_variables<'r>(
        &self,
        machine: &mut Machine<'a, 'r>,
        candidate: &mut Candidate,
    ) -> Checked<()> {
        self.make_explicit(machine, candidate)?;
        let values = values_of(machine, candidate.origin.side());
        intern_all(values, &mut candidate.ids).map_err(|_| Broken::Full)
    }

    /// Keeps the state itself, where it is compared by something else.
    fn keep_concrete(
        &mut self,
        values: &[Value<'_>],
        visit: Visit,
        candidate: &mut Candidate,
    ) -> Checked<Placement> {
        if let Visit::Found { is_least: true, .. } = visit {
            intern(values, &mut candidate.ids).map_err(|_| Broken::Full)?;
            self.harvest.concrete.extend_from_slice(&candidate.ids);
        }
        Ok(self.place(visit, candidate.key))
    }

    /// Writes a step of the state that is expanded down, with the actions that it is, where states are compared by
    /// something other than their variables.
    fn record_derived<'r>(&mut self, machine: &mut Machine<'a, 'r>, visit: Visit) -> Checked<()> {
        match self.recorder.as_mut().filter(|recorder| recorder.is_open()) {
            Some(recorder) => in_phase(Phase::Temporal, recorder.push_labelled(visit.slot(), machine)),
            None => Ok(()),
        }
    }

    /// Writes a successor down; `slot` is where it is, if it is in the model.
    #[inline]
    pub(super) fn record(&mut self, candidate: &Candidate, slot: Option<StateSlot>) {
        if let Origin::Action(action) = candidate.origin
            && let Some(recorder) = &mut self.recorder
            && recorder.is_open()
        {
            recorder.push_generated(action, slot, [&self.code.parent, &candidate.ids]);
        }
    }

    /// Takes the state for the candidate with this key, if it falls to it.
    #[inline]
    pub(super) fn place(&mut self, visit: Visit, key: OrderKey) -> Placement {
        let Visit::Found { slot, is_first, is_least } = visit else { return Placement::Seen };
        // One visit takes the state and checks it: any one where all have the same values, the one with the least key
        // where the values depend on the visit.
        let takes = if self.mode.identity.is_derived() { is_least } else { is_first };
        if !takes {
            return Placement::Seen;
        }
        self.harvest.found.push(slot);
        if self.mode.identity.is_derived() {
            self.harvest.keys.push(key);
        }
        if self.mode.is_alone() {
            let distinct = &self.run.since.distinct;
            distinct.set(distinct.get() + 1);
            self.run.since.depth.set(self.expansion.level + 1);
        }
        Placement::Taken(slot)
    }

    /// Interns what the machine's state is compared by; `None` if it has no value.
    pub fn identity_ids<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        values: &[Value<'r>],
    ) -> Option<Vec<ValueId>> {
        let identity = self.identify(machine, values).ok()?;
        let mut ids = Vec::new();
        intern(&identity, &mut ids).ok()?;
        Some(ids)
    }

    /// Returns what a state is compared by: its VIEW, or itself, as the representative of what its permutations have.
    fn identify<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        values: &[Value<'r>],
    ) -> Evaluated<Vec<Value<'r>>> {
        let context = self.context;
        let symmetry = context.symmetry.zip(self.memo.as_mut());
        let view = context.program().view.filter(|_| context.viewed.is_none());
        match (view, symmetry) {
            (Some(view), Some((symmetry, memo))) => {
                Ok(vec![symmetry.settle_view(machine, memo, view, values)?])
            }
            (Some(view), None) => {
                let seen = machine.with_state(values, |machine| machine.eval_root(view))?;
                Ok(vec![Ground::new(machine, seen).at(view.span)?.value()])
            }
            (None, Some((symmetry, memo))) => {
                let compared = context.compared(values);
                let mut parts: Vec<OrbitPart<'r>> = compared.into_iter().map(OrbitPart::find).collect();
                let span = machine.fallback_span();
                symmetry.settle(machine, memo, &mut parts).at(span)?;
                Ok(parts.iter().map(|part| part.value()).collect())
            }
            (None, None) => Ok(context.compared(values)),
        }
    }
}

/// Hands a successor to the disk. It is checked now if it may be new: which states are is known at the end of the level.
fn to_disk<'r>(
    sink: &mut Sink<'_>,
    machine: &Machine<'_, 'r>,
    identity: Option<&[Value<'r>]>,
    key: OrderKey,
) -> Placement {
    /// No state has a place in memory: any will do.
    const ANY_SLOT: StateSlot = StateSlot(0);
    let found = FoundState { parent: machine.state(), state: machine.next(), key: identity };
    if sink.visit(found, key) { Placement::Taken(ANY_SLOT) } else { Placement::Seen }
}
