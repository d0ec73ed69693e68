//! Domains that have a number: most functions of a specification have one of a few domains.
//!
//! The set of numbered domains must not change while texts are compared. A domain gets its number when it is first
//! written, or never, if the table is full by then.

use std::sync::{Mutex, PoisonError};

use base::{FxBuildHasher, FxHashMap};

use crate::segments::Segments;
use crate::{Ground, Interner, Value, ValueId};

/// Limit on the total number of elements of the domains in the table, which are never freed.
const N_ELEMENTS_MAX: usize = 1 << 16;

struct DomainTable {
    domains: Segments<ValueId, 64>,
    numbers: Mutex<DomainNumbers>,
}

struct DomainNumbers {
    by_id: FxHashMap<ValueId, u32>,
    n_elements: usize,
}

static TABLE: DomainTable = DomainTable {
    domains: Segments::new(),
    numbers: Mutex::new(DomainNumbers { by_id: FxHashMap::with_hasher(FxBuildHasher), n_elements: 0 }),
};

/// Returns the number of a domain of `n_elements`, if it has one or can get one.
pub(super) fn number(domain: Ground<'_>, n_elements: usize) -> Option<u32> {
    let mut numbers = TABLE.numbers.lock().unwrap_or_else(PoisonError::into_inner);
    // A domain with a number is interned.
    let known = Interner::shared().find(domain);
    if let Some(&number) = known.and_then(|id| numbers.by_id.get(&id)) {
        return Some(number);
    }
    let n_elements = numbers.n_elements + n_elements;
    if n_elements > N_ELEMENTS_MAX {
        return None;
    }
    // If the interner is full, the table is closed, so that all later domains are treated alike.
    let Ok(id) = Interner::shared().intern(domain) else {
        numbers.n_elements = N_ELEMENTS_MAX;
        return None;
    };
    let number = numbers.by_id.len() as u32;
    TABLE.domains.set(number as usize, id);
    numbers.by_id.insert(id, number);
    numbers.n_elements = n_elements;
    Some(number)
}

/// Returns the domain with this number.
pub(super) fn domain(number: u64) -> Option<Value<'static>> {
    let id = TABLE.domains.get(usize::try_from(number).ok().filter(|&number| number < N_ELEMENTS_MAX)?)?;
    Some(Interner::shared().value(*id))
}
