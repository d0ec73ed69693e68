//! Makes the values of states explicit, and interns them.

use eval::interp::Machine;
use value::{Full, Ground, Interner, OpResult, Value, ValueId};

/// One of the two states of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its state, as an initial predicate makes it.
    Current,
    /// The successor that an action makes.
    Next,
}

impl Side {
    /// Where a state is that `action` made, or the initial predicate if there is no action.
    pub fn made_by<T>(action: Option<T>) -> Side {
        if action.is_some() { Side::Next } else { Side::Current }
    }
}

/// Makes the values of a state explicit, in place.
pub fn ground<'a, 'r>(machine: &mut Machine<'a, 'r>, side: Side) -> OpResult<()> {
    let values: for<'m> fn(&'m mut Machine<'a, 'r>) -> &'m mut [Option<Value<'r>>] = match side {
        Side::Current => Machine::state_mut,
        Side::Next => Machine::next_mut,
    };
    if values(machine).iter().flatten().all(|&value| Ground::opt(value).is_some()) {
        return Ok(());
    }
    let n_variables = values(machine).len();
    for index in 0..n_variables {
        if let Some(value) = values(machine)[index]
            && Ground::opt(value).is_none()
        {
            let ground = Ground::new(machine, value)?;
            values(machine)[index] = Some(ground.value());
        }
    }
    Ok(())
}

pub fn intern(values: &[Value<'_>], ids: &mut Vec<ValueId>) -> Result<(), Full> {
    ids.clear();
    let interner = Interner::shared();
    for &value in values {
        let ground = Ground::opt(value).expect("the values of a found state are explicit");
        ids.push(interner.intern(ground)?);
    }
    Ok(())
}

pub fn intern_all(values: &[Option<Value<'_>>], ids: &mut Vec<ValueId>) -> Result<(), Full> {
    ids.clear();
    let interner = Interner::shared();
    for value in values.iter().flatten() {
        let ground = Ground::opt(*value).expect("the values of a found state are explicit");
        ids.push(interner.intern(ground)?);
    }
    Ok(())
}

/// Interns the state that was just made; `None` if it is not complete.
pub fn intern_made(machine: &mut Machine<'_, '_>, side: Side) -> Option<Vec<ValueId>> {
    if machine.n_missing() > 0 {
        return None;
    }
    ground(machine, side).ok()?;
    let mut ids = Vec::new();
    intern_all(values_of(machine, side), &mut ids).ok()?;
    Some(ids)
}

/// Returns the values of a state of the machine; a variable without a value has `None`.
pub fn values_of<'m, 'r>(machine: &'m Machine<'_, 'r>, side: Side) -> &'m [Option<Value<'r>>] {
    match side {
        Side::Current => machine.state(),
        Side::Next => machine.next(),
    }
}
