//! Json: writes values as JSON text, and reads them back.

use std::fmt;

use num_bigint::BigInt;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use value::{Value, ValueVec, View, ops};

use super::call::{ArgPosition, Call};
use crate::interp::{Evaluated, Fault};
use crate::world::Opening;

type Result<'r> = Evaluated<Value<'r>>;

/// Limit on the exponent of a number.
const EXPONENT_MAX: i64 = 10_000;

pub(super) fn to_json<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    let text = json(call, value)?;
    Ok(call.string(&text))
}

/// `ToJsonArray`. TLC: functions that are not sequences become objects all the same, and records are refused.
pub(super) fn to_json_array<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    if !(value.is_set() || value.is_function()) || value.as_record().is_some() {
        return Err(unsupported_fault(call, value));
    }
    let text = json(call, value)?;
    Ok(call.string(&text))
}

/// `ToJsonObject`. This differs from TLC: a tuple written `<<a, b>>` has its elements numbered from 0 there, while any
/// other function on `1..n` is an array. Here they are one value, and an array.
pub(super) fn to_json_object<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    if !value.is_function() {
        return Err(unsupported_fault(call, value));
    }
    let text = json(call, value)?;
    Ok(call.string(&text))
}

fn unsupported_fault<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Box<Fault> {
    let value = call.machine.show(value);
    call.malformed_fault(format!("{value} cannot be written as this kind of JSON"))
}

/// Writes the value as a JSON text.
pub(super) fn json<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<String> {
    let mut text = String::new();
    write(call, value, &mut text)?;
    Ok(text)
}

fn write<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>, out: &mut String) -> Evaluated<()> {
    base::with_stack(|| write_here(call, value, out))
}

fn write_here<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>, out: &mut String) -> Evaluated<()> {
    match value.view() {
        View::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        View::Int(value) => out.push_str(&value.to_string()),
        View::BigInt(value) => out.push_str(&value.to_string()),
        View::String(atom) | View::ModelValue(atom) => write_string(atom.text(), out),
        View::Sequence(items) => write_array(call, items, out)?,
        View::Record(shape, items) => {
            let names = shape.fields().iter().map(|field| field.text().to_owned());
            write_object(call, names.zip(items).collect(), out)?;
        }
        View::Function(..) => write_function(call, value, out)?,
        View::LazyFunction { .. } => {
            let function = call.op(|machine| ops::explicit_function(machine, value))?;
            write(call, function, out)?;
        }
        View::Set { .. } | View::Interval(..) | View::Powerset(_) | View::KSubsets(..) => {
            write_set(call, value, out)?;
        }
        View::FunctionSet(..) | View::RecordSet(..) | View::Product(_) => write_set(call, value, out)?,
        View::Filter(..) | View::Cup(..) | View::Cap(..) => write_set(call, value, out)?,
        View::Difference(..) | View::Union(_) => write_set(call, value, out)?,
        View::Naturals | View::Integers | View::Reals | View::Strings => {
            return Err(unsupported_fault(call, value));
        }
        View::Sequences(_) | View::Anything => return Err(unsupported_fault(call, value)),
    }
    Ok(())
}

fn write_set<'r>(call: &mut Call<'_, '_, 'r>, set: Value<'r>, out: &mut String) -> Evaluated<()> {
    let elements = call.elements(set)?;
    write_array(call, elements, out)
}

/// Writes a function. TLC: keys that are not strings are written as they print.
fn write_function<'r>(call: &mut Call<'_, '_, 'r>, function: Value<'r>, out: &mut String) -> Evaluated<()> {
    let mut members = Vec::new();
    for (key, value) in call.graph(function)?.unwrap_or_default() {
        let name = match key.as_string() {
            Some(atom) => atom.text().to_owned(),
            None => call.show(key)?,
        };
        members.push((name, value));
    }
    write_object(call, members, out)
}

fn write_array<'r>(
    call: &mut Call<'_, '_, 'r>,
    items: impl IntoIterator<Item = Value<'r>>,
    out: &mut String,
) -> Evaluated<()> {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(call, item, out)?;
    }
    out.push(']');
    Ok(())
}

fn write_object<'r>(
    call: &mut Call<'_, '_, 'r>,
    members: Vec<(String, Value<'r>)>,
    out: &mut String,
) -> Evaluated<()> {
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(&name, out);
        out.push(':');
        write(call, value, out)?;
    }
    out.push('}');
    Ok(())
}

fn write_string(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

pub(super) fn serialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path, value] = call.values()?;
    let path = call.text(ArgPosition::First, path)?;
    let is_sequence = call.op(|machine| ops::as_sequence(machine, value))?.is_some();
    if !is_sequence && value.as_record().is_none() {
        return Err(call.refuse(ArgPosition::Second, "sequence or record", value));
    }
    let text = json(call, value)?;
    save(call, path, &text, Opening::REPLACE)
}

pub(super) fn nd_serialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path, value] = call.values()?;
    let path = call.text(ArgPosition::First, path)?;
    let text = lines(call, ArgPosition::Second, value)?;
    save(call, path, &text, Opening::REPLACE)
}

/// Writes the elements of a sequence, one JSON text on each line.
pub(super) fn lines<'r>(
    call: &mut Call<'_, '_, 'r>,
    place: ArgPosition,
    value: Value<'r>,
) -> Evaluated<String> {
    let mut text = String::new();
    for item in call.sequence(place, value)? {
        write(call, item, &mut text)?;
        text.push('\n');
    }
    Ok(text)
}

pub(super) fn save<'r>(call: &mut Call<'_, '_, 'r>, path: &str, text: &str, opening: Opening) -> Result<'r> {
    match call.machine.run().world().write(path, text.as_bytes(), opening) {
        Ok(()) => Ok(Value::TRUE),
        Err(error) => Err(call.world_fault(path, &error)),
    }
}

pub(super) fn deserialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path] = call.values()?;
    let path = call.text(ArgPosition::Only, path)?;
    let text = load(call, path)?;
    parse(call, without_mark(&text)).map_err(|reason| call.io(path, reason))?
}

/// Returns a text without the byte order mark that some editors and shells of Windows begin a file with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

pub(super) fn nd_deserialize<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path] = call.values()?;
    let path = call.text(ArgPosition::Only, path)?;
    let text = load(call, path)?;
    let mut values = ValueVec::new(call.machine.region());
    // Files that were put together have marks in the middle.
    for (index, line) in text.lines().map(without_mark).enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = index + 1;
        let raw: &RawValue =
            serde_json::from_str(line).map_err(|error| call.io(path, no_line(number, &error)))?;
        let value = read(call, raw).map_err(|reason| call.io(path, format!("line {number}: {reason}")))??;
        values.push(value);
    }
    Ok(values.into_sequence())
}

/// Describes the error of a line that is not JSON, and what can be done.
fn no_line(number: usize, error: &serde_json::Error) -> String {
    match error.is_eof() {
        true => format!(
            "line {number} ends before its JSON does, at column {}; write an event in one line; a program that is killed \
             leaves such a line, which can be removed",
            error.column()
        ),
        false => {
            let (column, text) = (error.column(), error.to_string());
            let reason = text.split(" at line ").next().unwrap_or(&text);
            format!("line {number}, column {column}: {reason}; remove what is no event, or repair the line")
        }
    }
}

pub(super) fn load(call: &mut Call<'_, '_, '_>, path: &str) -> Evaluated<String> {
    let bytes = call.machine.run().world().read(path).map_err(|error| call.io(path, error))?;
    String::from_utf8(bytes).map_err(|_| call.io(path, "it is not UTF-8 text"))
}

/// The value of a JSON text, or the reason why it is not JSON or has no value here.
type Parsed<'r> = std::result::Result<Result<'r>, String>;

fn parse<'r>(call: &mut Call<'_, '_, 'r>, text: &str) -> Parsed<'r> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    read(call, raw)
}

fn read<'r>(call: &mut Call<'_, '_, 'r>, raw: &RawValue) -> Parsed<'r> {
    base::with_stack(|| read_here(call, raw))
}

fn read_here<'r>(call: &mut Call<'_, '_, 'r>, raw: &RawValue) -> Parsed<'r> {
    let text = raw.get();
    let reason = |error: serde_json::Error| error.to_string();
    match text.as_bytes().first() {
        Some(b'{') => {
            let members: Members<'_> = serde_json::from_str(text).map_err(reason)?;
            read_object(call, members)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(reason)?;
            let mut values = ValueVec::with_capacity(call.machine.region(), items.len());
            for item in items {
                match read(call, item)? {
                    Ok(value) => values.push(value),
                    Err(fault) => return Ok(Err(fault)),
                }
            }
            Ok(Ok(values.into_sequence()))
        }
        Some(b'"') => {
            let string: String = serde_json::from_str(text).map_err(reason)?;
            Ok(Ok(call.string(&string)))
        }
        Some(b't') => Ok(Ok(Value::TRUE)),
        Some(b'f') => Ok(Ok(Value::FALSE)),
        Some(b'n') | None => Err("null has no value in TLA+".to_owned()),
        Some(_) => Ok(Ok(call.machine.region().big_int(&whole_part(text)?))),
    }
}

/// Reads an object. Of equal names the last wins.
fn read_object<'r>(call: &mut Call<'_, '_, 'r>, members: Members<'_>) -> Parsed<'r> {
    let mut pairs = Vec::with_capacity(members.0.len());
    for (name, raw) in members.0.into_iter().rev() {
        match read(call, raw)? {
            Ok(value) => pairs.push((call.string(&name), value)),
            Err(fault) => return Ok(Err(fault)),
        }
    }
    Ok(call.function(&pairs))
}

/// Returns a JSON number without its fraction.
fn whole_part(text: &str) -> std::result::Result<BigInt, String> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().map_err(|_| format!("{text} is too large"))?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{whole}{fraction}");
    let shift = exponent - fraction.len() as i64;
    if shift > EXPONENT_MAX {
        return Err(format!("{text} is too large"));
    }
    if shift >= 0 {
        digits.extend(std::iter::repeat_n('0', shift as usize));
    } else {
        let n_kept = (digits.len() as i64 + shift).max(0) as usize;
        digits.truncate(n_kept);
    }
    match digits.as_str() {
        "" | "-" => Ok(BigInt::from(0)),
        digits => digits.parse().map_err(|_| format!("{text} is not a number")),
    }
}

/// The members of an object, in the order of the text.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Members<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor).map(Members)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
