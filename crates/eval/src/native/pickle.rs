//! IOUtils: values in TLC's binary form, so that either tool reads the files of the other.
//!
//! Numbers are big-endian. A reader may meet a reference to an earlier value, by the order in which values began; files
//! written here have none. LIMIT: integers have 32 bits there, and model values are numbers that mean something in one
//! run only, so both are refused where they do not fit.

use base::{GunzipError, gunzip};
use value::{Items, Value, ValueVec, View, ops};

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;
use crate::world::Opening;

type Result<'r> = Evaluated<Value<'r>>;

const BOOL: u8 = 0;
const INT: u8 = 1;
const STRING: u8 = 3;
const RECORD: u8 = 4;
const SET: u8 = 5;
const TUPLE: u8 = 7;
const FUNCTION: u8 = 9;
const INTERVAL: u8 = 23;
const REFERENCE: u8 = 26;

/// The most bytes that a compressed file may hold.
const HELD_BYTES_MAX: u64 = 1 << 32;

/// The forms in which the domain of a function is given.
const ON_INTERVAL: u8 = 0;
const NOT_NORMAL: u8 = 2;

pub(super) fn serialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value, path, compress] = call.values()?;
    let path = call.text(ArgPosition::Second, path)?;
    let compress = call.boolean(ArgPosition::Third, compress)?;
    let value = call.op(|machine| ops::force(machine, value))?;
    let mut bytes = Vec::new();
    if let Err(part) = write(value, &mut bytes) {
        return Err(call.malformed_fault(format!("{part} has no binary form")));
    }
    if compress {
        bytes = base::gzip(&bytes);
    }
    match call.machine.run().world().write(path, &bytes, Opening::REPLACE) {
        Ok(()) => Ok(Value::TRUE),
        Err(error) => Err(call.world_fault(path, &error)),
    }
}

/// A part of a value that cannot be written, printed.
type Unwritable = String;

fn write(value: Value<'_>, out: &mut Vec<u8>) -> std::result::Result<(), Unwritable> {
    base::with_stack(|| write_here(value, out))
}

fn write_here(value: Value<'_>, out: &mut Vec<u8>) -> std::result::Result<(), Unwritable> {
    match value.view() {
        View::Bool(value) => out.extend([BOOL, u8::from(value)]),
        View::Int(int) => {
            out.push(INT);
            write_int(int, out)?;
        }
        View::String(atom) => write_string(atom.text(), out),
        View::Sequence(items) => {
            out.push(TUPLE);
            write_nat(items.len(), out);
            write_all(items, out)?;
        }
        View::Record(shape, items) => {
            out.push(RECORD);
            write_int(items.len() as i64, out)?;
            for (field, value) in shape.fields().iter().zip(items) {
                write_string(field.text(), out);
                write(value, out)?;
            }
        }
        View::Function(domain, items) => write_function(domain, items, out)?,
        View::Set { elements, .. } => {
            out.push(SET);
            // A negative length means that the order is ours, not TLC's.
            write_int(-(elements.len() as i64), out)?;
            write_all(elements, out)?;
        }
        View::Interval(first, last) => {
            out.push(INTERVAL);
            write_int(first, out)?;
            write_int(last, out)?;
        }
        View::BigInt(_) | View::ModelValue(_) | View::LazyFunction { .. } => return Err(refuse_part(value)),
        View::Powerset(_) | View::KSubsets(..) | View::FunctionSet(..) => return Err(refuse_part(value)),
        View::RecordSet(..) | View::Product(_) | View::Filter(..) => return Err(refuse_part(value)),
        View::Cup(..) | View::Cap(..) | View::Difference(..) => return Err(refuse_part(value)),
        View::Union(_) | View::Naturals | View::Integers | View::Reals => return Err(refuse_part(value)),
        View::Strings | View::Sequences(_) | View::Anything => return Err(refuse_part(value)),
    }
    Ok(())
}

fn refuse_part(value: Value<'_>) -> Unwritable {
    value::print_raw(value)
}

fn write_function(
    domain: Value<'_>,
    items: Items<'_>,
    out: &mut Vec<u8>,
) -> std::result::Result<(), Unwritable> {
    out.push(FUNCTION);
    write_nat(items.len(), out);
    if let Some((first, last)) = domain.as_interval() {
        out.push(ON_INTERVAL);
        write_int(first, out)?;
        write_int(last, out)?;
        return write_all(items, out);
    }
    out.push(NOT_NORMAL);
    let keys = domain.as_normal_set().ok_or_else(|| refuse_part(domain))?;
    for (key, value) in keys.iter().zip(items) {
        write(key, out)?;
        write(value, out)?;
    }
    Ok(())
}

fn write_all<'r>(items: Items<'r>, out: &mut Vec<u8>) -> std::result::Result<(), Unwritable> {
    items.iter().try_for_each(|item| write(item, out))
}

fn write_int(int: i64, out: &mut Vec<u8>) -> std::result::Result<(), Unwritable> {
    let int = i32::try_from(int).map_err(|_| int.to_string())?;
    out.extend(int.to_be_bytes());
    Ok(())
}

/// Writes a number in two bytes, or its negative in four.
fn write_nat(nat: usize, out: &mut Vec<u8>) {
    match i16::try_from(nat) {
        Ok(nat) => out.extend(nat.to_be_bytes()),
        Err(_) => out.extend((-(nat as i32)).to_be_bytes()),
    }
}

/// Writes a string. Two numbers of TLC's table of strings come first, which readers skip.
fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(STRING);
    out.extend(0i32.to_be_bytes());
    out.extend((-1i32).to_be_bytes());
    let units: Vec<u8> = text.encode_utf16().map(|unit| unit as u8).collect();
    out.extend((units.len() as i32).to_be_bytes());
    out.extend(units);
}

pub(super) fn deserialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path, compressed] = call.values()?;
    let path = call.text(ArgPosition::First, path)?;
    let compressed = call.boolean(ArgPosition::Second, compressed)?;
    let mut bytes = call.machine.run().world().read(path).map_err(|error| call.io(path, error))?;
    if compressed {
        bytes = gunzip(&bytes, HELD_BYTES_MAX).map_err(|error| match error {
            GunzipError::Damaged => call.io(path, "it is not a gzip file"),
            GunzipError::TooLong => call.io(path, "it holds more than 4 GB"),
        })?;
    }
    let mut reader = PickleReader { bytes: &bytes, values: Vec::new() };
    match reader.value(call)? {
        Some(value) => Ok(value),
        None => Err(call.io(path, "it does not hold a value")),
    }
}

struct PickleReader<'b, 'r> {
    /// The bytes that are left.
    bytes: &'b [u8],
    /// The values that a reference can point to, by the order in which they began; names of fields as strings.
    values: Vec<Option<Value<'r>>>,
}

impl<'r> PickleReader<'_, 'r> {
    /// Reads a value. Returns `None` when the bytes are not a value.
    fn value(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        base::with_stack(|| self.value_here(call))
    }

    fn value_here(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        match self.byte() {
            Some(BOOL) => Ok(self.byte().map(|byte| Value::bool(byte != 0))),
            Some(INT) => Ok(self.int().map(Value::small)),
            Some(STRING) => Ok(self.string(call)),
            Some(INTERVAL) => {
                let bounds = self.int().zip(self.int());
                let region = call.machine.region();
                Ok(bounds.map(|(first, last)| region.interval(i64::from(first), i64::from(last))))
            }
            Some(RECORD) => self.begin(call, Self::record),
            Some(SET) => self.begin(call, Self::set),
            Some(TUPLE) => self.begin(call, Self::tuple),
            Some(FUNCTION) => self.begin(call, Self::function),
            Some(REFERENCE) => Ok(self.reference()),
            Some(_) | None => Ok(None),
        }
    }

    /// Reads a value that references can point to.
    fn begin<'a, 'p>(
        &mut self,
        call: &mut Call<'a, 'p, 'r>,
        read: fn(&mut Self, &mut Call<'a, 'p, 'r>) -> Evaluated<Option<Value<'r>>>,
    ) -> Evaluated<Option<Value<'r>>> {
        let index = self.values.len();
        self.values.push(None);
        let value = read(self, call)?;
        self.values[index] = value;
        Ok(value)
    }

    fn record(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let Some(len) = self.int() else { return Ok(None) };
        let mut fields = Vec::new();
        for _ in 0..len.unsigned_abs() {
            let name = match self.byte() {
                Some(STRING) => self.string(call),
                Some(REFERENCE) => self.reference(),
                Some(_) | None => None,
            };
            let (Some(name), Some(value)) = (name, self.value(call)?) else { return Ok(None) };
            fields.push((name, value));
        }
        call.function(&fields).map(Some)
    }

    fn set(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let Some(len) = self.int() else { return Ok(None) };
        let elements = self.list(call, len.unsigned_abs() as usize)?;
        Ok(elements.map(ValueVec::into_set))
    }

    fn tuple(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let Some(len) = self.nat() else { return Ok(None) };
        let items = self.list(call, len)?;
        Ok(items.map(ValueVec::into_sequence))
    }

    fn function(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let (Some(len), Some(form)) = (self.nat(), self.byte()) else { return Ok(None) };
        let mut first = None;
        if form == ON_INTERVAL {
            first = self.int();
            let last = self.int();
            if first.is_none() || last.is_none() {
                return Ok(None);
            }
        }
        let mut pairs = Vec::new();
        for index in 0..len {
            let key = match first {
                Some(first) => Some(call.machine.region().int(i64::from(first) + index as i64)),
                None => self.value(call)?,
            };
            let (Some(key), Some(value)) = (key, self.value(call)?) else { return Ok(None) };
            pairs.push((key, value));
        }
        call.function(&pairs).map(Some)
    }

    fn list(&mut self, call: &mut Call<'_, '_, 'r>, len: usize) -> Evaluated<Option<ValueVec<'r>>> {
        let mut values = ValueVec::new(call.machine.region());
        for _ in 0..len {
            let Some(value) = self.value(call)? else { return Ok(None) };
            values.push(value);
        }
        Ok(Some(values))
    }

    fn reference(&mut self) -> Option<Value<'r>> {
        let index = self.nat()?;
        self.values.get(index).copied().flatten()
    }

    /// Reads the rest of a string after its kind: two numbers to skip, the length, a byte for each character.
    fn string(&mut self, call: &Call<'_, '_, 'r>) -> Option<Value<'r>> {
        self.int()?;
        self.int()?;
        let len = usize::try_from(self.int()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        let text: String = text.iter().map(|&byte| char::from(byte)).collect();
        let value = call.string(&text);
        self.values.push(Some(value));
        Some(value)
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    fn int(&mut self) -> Option<i32> {
        let (bytes, rest) = self.bytes.split_first_chunk::<4>()?;
        self.bytes = rest;
        Some(i32::from_be_bytes(*bytes))
    }

    fn nat(&mut self) -> Option<usize> {
        let (bytes, rest) = self.bytes.split_first_chunk::<2>()?;
        let short = i16::from_be_bytes(*bytes);
        if short >= 0 {
            self.bytes = rest;
            return usize::try_from(short).ok();
        }
        self.int().map(|int| int.unsigned_abs() as usize)
    }
}
