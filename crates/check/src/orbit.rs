//! States that are compared by the representatives of their orbits: from a found state to its place.

use eval::interp::{At, Machine};
use value::{Folded, Ground, Interner, ValueId};

use crate::answer::Phase;
use crate::expand::{Broken, Checked, Expander, in_phase};
use crate::space::{Key, Visit};
use crate::symmetry::Part;

impl<'a> Expander<'a> {
    /// Looks up the orbit of a state, and adds it if it is new. If all its values are interned, their ids are in `ids`.
    pub fn visit_parts<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        parts: &mut [Part<'r>],
        key: Key,
    ) -> Checked<Visit> {
        let is_known = self.know(parts);
        let folded = self.fold_orbit(machine, parts, is_known)?;
        let visit = self.seat.visit_folded(folded, key).map_err(|_| Broken::Full)?;
        if let Some(memo) = self.memo.as_ref().filter(|_| is_known) {
            memo.places.put(&self.ids, visit.place());
        }
        Ok(visit)
    }

    /// Whether all values of a state are interned: then their ids are in `ids`.
    pub fn know(&mut self, parts: &[Part<'_>]) -> bool {
        self.ids.clear();
        self.ids.extend(parts.iter().map_while(|part| part.id()));
        self.ids.len() == parts.len()
    }

    /// Says that the orbit of the state with these `ids` will soon be looked for.
    pub fn prefetch_orbit(&self) {
        if let Some(memo) = &self.memo {
            memo.places.prefetch(&self.ids);
        }
    }

    /// The representative of a state, ready to be looked up; `is_known` if the ids of the state are in `ids`.
    pub fn fold_orbit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        parts: &mut [Part<'r>],
        is_known: bool,
    ) -> Checked<Folded> {
        if let (Some(symmetry), Some(memo)) = (self.context.symmetry, &mut self.memo) {
            if let Some(place) = is_known.then(|| memo.places.get(&self.ids)).flatten() {
                return Ok(place.folded());
            }
            let span = machine.fallback_span();
            in_phase(Phase::View, symmetry.settle(machine, memo, parts).at(span))?;
        }
        self.key_ids.clear();
        for part in &*parts {
            self.key_ids.push(interned(*part)?);
        }
        self.seat.fold(&self.key_ids).map_err(|_| Broken::Full)
    }
}

fn interned(part: Part<'_>) -> Checked<ValueId> {
    match part {
        Part::Known(id) => Ok(id),
        Part::New(value) => {
            let ground = Ground::opt(value).expect("the values of a found state are explicit");
            Interner::shared().intern(ground).map_err(|_| Broken::Full)
        }
    }
}
