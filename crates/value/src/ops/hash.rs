//! A hash by meaning.

use crate::Ground;

/// Equal values have equal hashes, in every run and on every machine; atoms count by their spelling.
pub fn hash(value: Ground<'_>) -> u64 {
    let _ = value;
    crate::later()
}
