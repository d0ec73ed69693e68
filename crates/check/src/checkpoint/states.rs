//! States as records, in the order in which they were settled.
//!
//! A state is its parent and the variables in which it differs from it; then what it is compared by, where that is
//! something else. So a checkpoint costs what is new.

use value::ValueId;

use super::bytes::{Broken, Read, RecordReader, put_number};
use super::values::{NoValue, STACK, STATE, ValueReader, ValueWriter};
use crate::space::{Handle, OrderKey, Seat, Space, StateSlot, Visit};

/// Bits of a mask in one number.
const MASK_BITS: usize = 63;

/// States that were just settled.
pub(crate) struct News<'s> {
    pub states: &'s [Handle],
    /// Order key and slot of each state.
    pub found: &'s [(OrderKey, StateSlot)],
    /// The level that the ranks are about; empty for initial states.
    pub parents: &'s [Handle],
    /// The number of the first of them.
    pub parents_start: u32,
}

/// A state on the stack of a depth-first search, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stacked {
    pub state: u32,
    pub depth: u32,
}

/// A state that was found since the last checkpoint, with the number that it gets.
#[derive(Clone, Copy)]
pub(super) struct NewState<'n> {
    pub news: &'n News<'n>,
    pub index: usize,
    pub number: u32,
}

#[derive(Default)]
pub(super) struct StateWriter {
    values: ValueWriter,
    parent_ids: Vec<ValueId>,
    ids: Vec<ValueId>,
    identity_ids: Vec<ValueId>,
}

impl StateWriter {
    /// Writes a state.
    pub fn put(&mut self, out: &mut Vec<u8>, (space, seat): (&Space, &mut Seat<'_>), new: NewState<'_>) {
        let NewState { news, index, number } = new;
        let (key, slot) = news.found[index];
        let parent = news.parents.get(key.rank as usize).copied();
        let none = ValueId::from_bits(0);
        self.ids.resize(space.n_variables(), none);
        seat.state(news.states[index], &mut self.ids);
        self.parent_ids.clear();
        if let Some(parent) = parent {
            self.parent_ids.resize(space.n_variables(), none);
            seat.state(parent, &mut self.parent_ids);
        }
        self.identity_ids.clear();
        if space.has_identities() {
            self.identity_ids.resize(space.n_identity_values(), none);
            seat.identity(slot, &mut self.identity_ids);
        }
        let mut record = vec![STATE];
        let delta = parent.map_or(0, |_| number - (news.parents_start + key.rank));
        assert!(parent.is_none() || delta > 0, "a parent is written before its successors");
        put_number(&mut record, u64::from(delta));
        put_changes((&mut self.values, out), &mut record, (&self.parent_ids, &self.ids));
        if space.has_identities() {
            let base = if self.identity_ids.len() == self.ids.len() { &self.ids[..] } else { &[] };
            put_changes((&mut self.values, out), &mut record, (base, &self.identity_ids));
        }
        out.append(&mut record);
    }
}

/// Writes to `record` which of `ids` differ from `base`, and their new values; all of them if there is no base. Values that
/// are new are written to `out`, in front of the record.
fn put_changes(
    (values, out): (&mut ValueWriter, &mut Vec<u8>),
    record: &mut Vec<u8>,
    (base, ids): (&[ValueId], &[ValueId]),
) {
    let differs = |index: usize| base.get(index) != Some(&ids[index]);
    if !base.is_empty() {
        for start in (0..ids.len()).step_by(MASK_BITS) {
            let end = ids.len().min(start + MASK_BITS);
            let mask =
                (start..end).fold(0, |mask, index| mask | u64::from(differs(index)) << (index - start));
            put_number(record, mask);
        }
    }
    for index in (0..ids.len()).filter(|&index| differs(index)) {
        put_number(record, values.reference(out, ids[index]));
    }
}

/// Writes how the stack differs from the one before: the lowest `n_kept` entries are the same, and `top` is above them.
pub(super) fn put_stack(out: &mut Vec<u8>, n_kept: usize, top: impl ExactSizeIterator<Item = Stacked>) {
    out.push(STACK);
    put_number(out, n_kept as u64);
    put_number(out, top.len() as u64);
    for stacked in top {
        put_number(out, u64::from(stacked.state));
        put_number(out, u64::from(stacked.depth));
    }
}

/// Reads states of a checkpoint into the store, each with the number it had.
pub(super) struct StateReader<'s> {
    space: &'s Space,
    /// Handles, by number.
    pub handles: Vec<Handle>,
    pub stack: Vec<Stacked>,
    ids: Vec<ValueId>,
    identity_ids: Vec<ValueId>,
}

impl<'s> StateReader<'s> {
    pub fn new(space: &'s Space) -> Self {
        StateReader {
            space,
            handles: Vec::new(),
            stack: Vec::new(),
            ids: Vec::new(),
            identity_ids: Vec::new(),
        }
    }

    pub fn state_record(
        &mut self,
        seat: &mut Seat<'_>,
        values: &ValueReader,
        reader: &mut RecordReader<'_>,
    ) -> Result<(), NoValue> {
        let space = self.space;
        let number = u32::try_from(self.handles.len()).map_err(|_| NoValue::Full)?;
        let delta = reader.number_32()?;
        let parent = match delta {
            0 => None,
            _ => Some(self.handles[number.checked_sub(delta).ok_or(Broken)? as usize]),
        };
        self.ids.resize(space.n_variables(), ValueId::from_bits(0));
        if let Some(parent) = parent {
            seat.state(parent, &mut self.ids);
        }
        read_changes(values, reader, parent.is_some(), &mut self.ids)?;
        let key = OrderKey { rank: 0, ordinal: 0 };
        let visit = if space.has_identities() {
            let has_base = space.n_identity_values() == space.n_variables();
            self.identity_ids.clear();
            self.identity_ids.extend_from_slice(if has_base { &self.ids } else { &[] });
            self.identity_ids.resize(space.n_identity_values(), ValueId::from_bits(0));
            read_changes(values, reader, has_base, &mut self.identity_ids)?;
            seat.visit(&self.identity_ids, key)
        } else {
            seat.visit(&self.ids, key)
        };
        match visit.map_err(|_| NoValue::Full)? {
            Visit::Found { slot, is_first: true, .. } => {
                self.handles.push(seat.settle(slot, parent, &self.ids).map_err(|_| NoValue::Full)?);
                Ok(())
            }
            // No state is settled twice.
            Visit::Found { is_first: false, .. } | Visit::Seen { .. } => Err(NoValue::Broken),
        }
    }

    pub fn stack_record(&mut self, reader: &mut RecordReader<'_>) -> Read<()> {
        let n_kept = usize::try_from(reader.number()?).map_err(|_| Broken)?;
        if n_kept > self.stack.len() {
            return Err(Broken);
        }
        self.stack.truncate(n_kept);
        for _ in 0..reader.len()? {
            self.stack.push(Stacked { state: reader.number_32()?, depth: reader.number_32()? });
        }
        Ok(())
    }
}

fn read_changes(
    values: &ValueReader,
    reader: &mut RecordReader<'_>,
    has_base: bool,
    ids: &mut [ValueId],
) -> Result<(), NoValue> {
    let n_masks = if has_base { ids.len().div_ceil(MASK_BITS) } else { 0 };
    let masks = (0..n_masks).map(|_| reader.number()).collect::<Read<Vec<u64>>>()?;
    for (index, id) in ids.iter_mut().enumerate() {
        if masks.get(index / MASK_BITS).is_none_or(|mask| mask >> (index % MASK_BITS) & 1 == 1) {
            *id = values.id(reader)?;
        }
    }
    Ok(())
}
