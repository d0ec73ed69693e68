//! Findings about the state before, part by part. Successors of one state have most parts in common, so most of
//! it holds for the next state too.

use value::ValueId;

use super::group::{Colours, N_ATOMS_MAX};
use super::part::OrbitPart;
use super::profile::{Profile, bits, mix};

/// The roles of atoms in the parts of a state.
#[derive(Default)]
pub(super) struct RecentRoles {
    parts: Vec<PartRoles>,
    /// The sum of the roles of each atom in the parts.
    pub sums: [u64; N_ATOMS_MAX],
}

/// The roles that atoms have in one part of a state.
#[derive(Clone, Copy, Default)]
struct PartRoles {
    /// `None` if the part is not interned, or not looked at yet.
    id: Option<ValueId>,
    /// Which atoms occur, one bit each.
    mask: u32,
    roles: [u64; N_ATOMS_MAX],
}

impl RecentRoles {
    /// Prepares for a state of so many parts.
    pub fn begin(&mut self, n_parts: usize) {
        if self.parts.len() != n_parts {
            self.parts = vec![PartRoles::default(); n_parts];
            self.sums = [0; N_ATOMS_MAX];
        }
    }

    /// Whether this part is that of the state before.
    #[inline]
    pub fn has(&self, index: usize, part: OrbitPart<'_>) -> bool {
        part.id().is_some_and(|id| self.parts[index].id == Some(id))
    }

    /// Replaces what is known of a part.
    pub fn replace(&mut self, index: usize, id: Option<ValueId>, profile: &Profile<N_ATOMS_MAX>) {
        let part = &mut self.parts[index];
        for atom in bits(part.mask) {
            self.sums[atom] = self.sums[atom].wrapping_sub(part.roles[atom]);
        }
        (part.id, part.mask) = (id, profile.mask);
        for atom in bits(profile.mask) {
            part.roles[atom] = mix(index as u64, profile.roles[atom].into());
            self.sums[atom] = self.sums[atom].wrapping_add(part.roles[atom]);
        }
    }

    /// Returns which atoms occur in a part, one bit each.
    #[inline]
    pub fn mask(&self, index: usize) -> u32 {
        self.parts[index].mask
    }
}

/// Permuted parts of recent states, for a few permutations.
#[derive(Default)]
pub(super) struct RecentlyRenamed {
    rows: [RenamedRow; N_ROWS],
}

const N_ROWS: usize = 8;

#[derive(Default)]
struct RenamedRow {
    permutation: Colours,
    /// Each part that was permuted last, and what became of it.
    parts: Vec<Option<[ValueId; 2]>>,
}

impl RecentlyRenamed {
    fn row(permutation: Colours) -> usize {
        (mix(0, permutation.0) >> (u64::BITS - N_ROWS.ilog2())) as usize
    }

    /// Returns what a part becomes, if it was the same part in the last state that was permuted so.
    #[inline]
    pub fn get(&self, permutation: Colours, index: usize, id: ValueId) -> Option<ValueId> {
        let row = &self.rows[RecentlyRenamed::row(permutation)];
        let &[of, renamed] = row.parts.get(index).filter(|_| row.permutation == permutation)?.as_ref()?;
        (of == id).then_some(renamed)
    }

    pub fn put(&mut self, permutation: Colours, index: usize, [of, renamed]: [ValueId; 2]) {
        let row = &mut self.rows[RecentlyRenamed::row(permutation)];
        if row.permutation != permutation {
            row.permutation = permutation;
            row.parts.clear();
        }
        if row.parts.len() <= index {
            row.parts.resize(index + 1, None);
        }
        row.parts[index] = Some([of, renamed]);
    }
}
