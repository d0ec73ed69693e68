//! TLCGet, TLCSet and the operators built on them.

use value::{Atom, Value};

use super::call::{ArgPosition, Call};
use crate::interp::{Evaluated, FaultKind};
use crate::owned::Owned;
use crate::run::{Fact, Register, Request};

type Result<'r> = Evaluated<Value<'r>>;

/// The prefix of registers with names.
const NAMED: &str = "s:";
/// The prefix of properties of the process.
const PROPERTY: &str = "-D";
/// The property that switches `\cdot` on in TLC. Here it is always on.
const COMPOSITION: &str = "-Dtlc2.tool.impl.Tool.cdot";

/// The first argument of TLCGet and TLCSet.
enum RegisterKey {
    Register(Register),
    /// A register that reads as its own name until it is set.
    Property(Atom),
    /// A name of TLC's own.
    Name(Atom),
}

fn key<'r>(call: &mut Call<'_, '_, 'r>, place: ArgPosition, value: Value<'r>) -> Evaluated<RegisterKey> {
    if let Some(atom) = value.as_string() {
        return Ok(match atom.text() {
            text if text.starts_with(NAMED) => RegisterKey::Register(Register::Named(atom)),
            text if text.starts_with(PROPERTY) => RegisterKey::Property(atom),
            _ => RegisterKey::Name(atom),
        });
    }
    match value.as_i64().and_then(|index| u64::try_from(index).ok()) {
        Some(index) => Ok(RegisterKey::Register(Register::Index(index))),
        None => Err(call.refuse(place, "nonnegative integer", value)),
    }
}

pub(super) fn tlc_get<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [index] = call.values()?;
    let found = match key(call, ArgPosition::Only, index)? {
        RegisterKey::Register(register) => call.machine.run().register(&register),
        RegisterKey::Property(atom) => {
            let value = call.machine.run().register(&Register::Named(atom));
            Some(value.unwrap_or_else(|| unset_property(atom)))
        }
        RegisterKey::Name(atom) => fact(atom.text()).and_then(|fact| call.machine.run().fact(fact)),
    };
    match found {
        Some(value) => load_owned(call, &value),
        None => {
            let name = call.machine.show(index);
            Err(call.fault(FaultKind::NoRegister { name }))
        }
    }
}

fn unset_property(atom: Atom) -> Owned {
    if atom.text() == COMPOSITION { Owned::text("true") } else { Owned::Atom(atom) }
}

pub(super) fn load_owned<'r>(call: &mut Call<'_, '_, 'r>, value: &Owned) -> Result<'r> {
    let atoms = call.machine.program().atoms;
    call.op(|machine| value.to_value(machine, atoms))
}

fn fact(name: &str) -> Option<Fact> {
    Some(match name {
        "level" => Fact::Level,
        "diameter" => Fact::Diameter,
        "generated" => Fact::Generated,
        "distinct" => Fact::Distinct,
        "queue" => Fact::Queue,
        "duration" => Fact::Duration,
        "stats" => Fact::Stats,
        "config" => Fact::Config,
        "spec" => Fact::Spec,
        "revision" => Fact::Revision,
        "action" => Fact::Action,
        "all" => Fact::AllIndexed,
        "all:named" => Fact::AllNamed,
        _ => return None,
    })
}

pub(super) fn tlc_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [index, value] = call.values()?;
    match key(call, ArgPosition::First, index)? {
        RegisterKey::Register(register) => set(call, register, value),
        RegisterKey::Property(atom) => set(call, Register::Named(atom), value),
        RegisterKey::Name(atom) => {
            let request = match atom.text() {
                "exit" => Request::Exit,
                "pause" => Request::Pause,
                _ => return Err(call.refuse(ArgPosition::First, "nonnegative integer", index)),
            };
            if value.as_bool() == Some(true) {
                call.machine.run().request(request);
            }
            Ok(Value::TRUE)
        }
    }
}

fn set<'r>(call: &mut Call<'_, '_, 'r>, register: Register, value: Value<'r>) -> Result<'r> {
    let kept = call.op(|machine| Owned::of(machine, value))?;
    if call.machine.run().set_register(register, kept) {
        Ok(Value::TRUE)
    } else {
        Err(call.unavailable_fault("registers"))
    }
}

pub(super) fn tlc_get_or_default<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [index, default] = call.values()?;
    get_or_default(call, index, default)
}

/// Reads a register. TLC: anything that is not a register has the default value.
fn get_or_default<'r>(call: &mut Call<'_, '_, 'r>, index: Value<'r>, default: Value<'r>) -> Result<'r> {
    let register = match index.as_string() {
        Some(atom) if atom.text().starts_with(NAMED) => Some(Register::Named(atom)),
        Some(_) => None,
        None => index.as_i64().and_then(|index| u64::try_from(index).ok()).map(Register::Index),
    };
    match register.and_then(|register| call.machine.run().register(&register)) {
        Some(value) => load_owned(call, &value),
        None => Ok(default),
    }
}

/// `TLCGetAndSet`: returns the old value; the register becomes `Op(old, val)`.
pub(super) fn tlc_get_and_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let index = call.value(0)?;
    let op = call.operator(1)?;
    let value = call.value(2)?;
    let default = call.value(3)?;
    let old = get_or_default(call, index, default)?;
    let new = call.apply(op, &[old, value])?;
    match key(call, ArgPosition::First, index)? {
        RegisterKey::Register(register) => set(call, register, new)?,
        RegisterKey::Property(atom) => set(call, Register::Named(atom), new)?,
        RegisterKey::Name(_) => return Err(call.refuse(ArgPosition::First, "nonnegative integer", index)),
    };
    Ok(old)
}
