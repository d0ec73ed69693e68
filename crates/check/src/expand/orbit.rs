//! States that are compared by the representatives of their orbits: from a found state to its place.

use eval::interp::{At, Machine};
use model::Phase;
use value::{Folded, Ground, Interner, ValueId};

use super::Expander;
use super::candidate::Candidate;
use super::finding::{Broken, Checked, in_phase};
use crate::space::Visit;
use crate::symmetry::OrbitPart;

impl<'a> Expander<'a> {
    /// Looks up the orbit of a candidate that is compared by these values, and adds it if it is new.
    pub(super) fn visit_parts<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        parts: &mut [OrbitPart<'r>],
        candidate: &Candidate,
    ) -> Checked<Visit> {
        let ids: Vec<ValueId> = parts.iter().map_while(|part| part.id()).collect();
        let known = (ids.len() == parts.len()).then_some(ids.as_slice());
        let folded = self.fold_orbit(machine, parts, known)?;
        let visit = self.seat.visit_folded(folded, candidate.key).map_err(|_| Broken::Full)?;
        if let (Some(memo), Some(ids)) = (&self.memo, known) {
            memo.places.put(ids, visit.slot());
        }
        Ok(visit)
    }

    /// Says that the orbit of the state with these `ids` will soon be looked for.
    pub(super) fn prefetch_orbit(&self, ids: &[ValueId]) {
        if let Some(memo) = &self.memo {
            memo.places.prefetch(ids);
        }
    }

    /// Makes the representative of a state ready to be looked up; `known` are the ids of the state, if it has all.
    pub(super) fn fold_orbit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        parts: &mut [OrbitPart<'r>],
        known: Option<&[ValueId]>,
    ) -> Checked<Folded> {
        if let (Some(symmetry), Some(memo)) = (self.context.symmetry, &mut self.memo) {
            if let Some(slot) = known.and_then(|ids| memo.places.get(ids)) {
                return Ok(slot.to_folded());
            }
            let span = machine.fallback_span();
            in_phase(Phase::View, symmetry.settle(machine, memo, parts).at(span))?;
        }
        self.identity_ids.clear();
        for part in &*parts {
            self.identity_ids.push(intern(*part)?);
        }
        self.seat.fold(&self.identity_ids).map_err(|_| Broken::Full)
    }
}

fn intern(part: OrbitPart<'_>) -> Checked<ValueId> {
    match part {
        OrbitPart::Known(id) => Ok(id),
        OrbitPart::New(value) => {
            let ground = Ground::opt(value).expect("the values of a found state are explicit");
            Interner::shared().intern(ground).map_err(|_| Broken::Full)
        }
    }
}
