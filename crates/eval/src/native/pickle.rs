//! IOUtils: values in TLC's binary form, so that either tool reads the files of the other.
//!
//! A reader may meet a reference to an earlier value, by the order in which values began; files written here have none.
//! LIMIT: integers have 32 bits there, and model values are numbers that mean something in one
//! run only, so both are refused where they do not fit.

use base::{GunzipError, gunzip};
use pickle::{Arguments, Kind, PartOrder, Reader, TooManyParts, Writer};
use value::{Items, Value, ValueVec, View, ops};

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;
use crate::world::Opening;

type Result<'r> = Evaluated<Value<'r>>;

/// The most bytes that a compressed file may hold.
const HELD_BYTES_MAX: u64 = 1 << 32;

pub(super) fn serialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value, path, compress] = call.values()?;
    let path = call.text(ArgPosition::Second, path)?;
    let compress = call.boolean(ArgPosition::Third, compress)?;
    let value = call.op(|machine| ops::force(machine, value))?;
    let mut out = Writer::default();
    if let Err(part) = write(value, &mut out) {
        return Err(call.malformed_fault(format!("{part} has no binary form")));
    }
    let mut bytes = out.into_bytes();
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
type Written = std::result::Result<(), Unwritable>;

fn write(value: Value<'_>, out: &mut Writer) -> Written {
    base::with_stack(|| write_here(value, out))
}

fn write_here(value: Value<'_>, out: &mut Writer) -> Written {
    match value.view() {
        View::Bool(value) => out.bool(value),
        View::Int(int) => out.int(number(int)?),
        View::String(atom) => write_string(atom.text(), out)?,
        View::Sequence(items) => {
            out.begin_tuple(items.len()).map_err(too_many_parts)?;
            write_all(items, out)?;
        }
        View::Record(shape, items) => {
            out.begin_record(items.len(), PartOrder::Normal).map_err(too_many_parts)?;
            for (field, value) in shape.fields().iter().zip(items) {
                write_string(field.text(), out)?;
                write(value, out)?;
            }
        }
        View::Function(domain, items) => write_function(domain, items, out)?,
        View::Set { elements, .. } => {
            out.begin_set(elements.len()).map_err(too_many_parts)?;
            write_all(elements, out)?;
        }
        View::Interval(first, last) => out.interval(number(first)?, number(last)?),
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

fn write_function(domain: Value<'_>, items: Items<'_>, out: &mut Writer) -> Written {
    if let Some((first, last)) = domain.as_interval() {
        let arguments = Arguments::Interval(number(first)?, number(last)?);
        out.begin_function(items.len(), arguments).map_err(too_many_parts)?;
        return write_all(items, out);
    }
    out.begin_function(items.len(), Arguments::Written).map_err(too_many_parts)?;
    let keys = domain.as_normal_set().ok_or_else(|| refuse_part(domain))?;
    for (key, value) in keys.iter().zip(items) {
        write(key, out)?;
        write(value, out)?;
    }
    Ok(())
}

fn write_all(items: Items<'_>, out: &mut Writer) -> Written {
    items.iter().try_for_each(|item| write(item, out))
}

fn write_string(text: &str, out: &mut Writer) -> Written {
    out.string(text).map_err(too_many_parts)
}

fn number(int: i64) -> std::result::Result<i32, Unwritable> {
    i32::try_from(int).map_err(|_| int.to_string())
}

fn too_many_parts(TooManyParts(n): TooManyParts) -> Unwritable {
    format!("a value with {n} parts")
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
    let mut reader = PickleReader { input: Reader::new(&bytes), values: Vec::new() };
    match reader.value(call)? {
        Some(value) => Ok(value),
        None => Err(call.io(path, "it does not hold a value")),
    }
}

struct PickleReader<'b, 'r> {
    input: Reader<'b>,
    /// The values that a reference can point to, by the order in which they began; names of fields as strings.
    values: Vec<Option<Value<'r>>>,
}

impl<'r> PickleReader<'_, 'r> {
    /// Reads a value. Returns `None` when the bytes are not a value.
    fn value(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        base::with_stack(|| self.value_here(call))
    }

    fn value_here(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        match self.kind() {
            Some(Kind::Bool) => Ok(self.input.bool().map(Value::bool)),
            Some(Kind::Int) => Ok(self.input.int().map(Value::small)),
            Some(Kind::String) => Ok(self.string(call)),
            Some(Kind::Interval) => {
                let bounds = self.input.interval();
                let region = call.machine.region();
                Ok(bounds.map(|(first, last)| region.interval(i64::from(first), i64::from(last))))
            }
            Some(Kind::Record) => self.begin(call, Self::record),
            Some(Kind::Set) => self.begin(call, Self::set),
            Some(Kind::Tuple) => self.begin(call, Self::tuple),
            Some(Kind::Function) => self.begin(call, Self::function),
            Some(Kind::Reference) => Ok(self.reference()),
            // Numbers of model values mean something in one run only.
            Some(Kind::Model) | None => Ok(None),
        }
    }

    fn kind(&mut self) -> Option<Kind> {
        self.input.byte().and_then(Kind::of)
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
        let Some(len) = self.input.signed_len() else { return Ok(None) };
        let mut fields = Vec::new();
        for _ in 0..len {
            let name = match self.kind() {
                Some(Kind::String) => self.string(call),
                Some(Kind::Reference) => self.reference(),
                Some(_) | None => None,
            };
            let (Some(name), Some(value)) = (name, self.value(call)?) else { return Ok(None) };
            fields.push((name, value));
        }
        call.function(&fields).map(Some)
    }

    fn set(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let Some(len) = self.input.signed_len() else { return Ok(None) };
        let elements = self.list(call, len)?;
        Ok(elements.map(ValueVec::into_set))
    }

    fn tuple(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let Some(len) = self.input.length() else { return Ok(None) };
        let items = self.list(call, len)?;
        Ok(items.map(ValueVec::into_sequence))
    }

    fn function(&mut self, call: &mut Call<'_, '_, 'r>) -> Evaluated<Option<Value<'r>>> {
        let (Some(len), Some(arguments)) = (self.input.length(), self.input.arguments()) else {
            return Ok(None);
        };
        let mut pairs = Vec::new();
        for index in 0..len {
            let key = match arguments {
                Arguments::Interval(first, _) => {
                    Some(call.machine.region().int(i64::from(first) + index as i64))
                }
                Arguments::Written => self.value(call)?,
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
        let index = self.input.length()?;
        self.values.get(index).copied().flatten()
    }

    /// Reads the rest of a string after its kind.
    fn string(&mut self, call: &Call<'_, '_, 'r>) -> Option<Value<'r>> {
        let value = call.string(&pickle::text(self.input.string()?));
        self.values.push(Some(value));
        Some(value)
    }
}
