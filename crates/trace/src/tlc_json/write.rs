//! Writes a trace as TLC does.

use std::io;

use base::with_stack;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::{Binding, Datum, Place, State, Step, Trace};

/// Returns `trace` as TLC writes it, with a line feed at the end.
///
/// Unlike in TLC, all parameters of a step are included, while TLC has only the arguments of the action's definition. A
/// variable without a value is left out.
pub fn write(trace: &Trace) -> String {
    let mut out = Vec::new();
    write_to(trace, &mut out).expect("memory can be written to");
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Writes a trace as TLC's `-dumpTrace json` does, state by state.
pub fn write_to(trace: &Trace, out: &mut dyn io::Write) -> io::Result<()> {
    let states: Vec<NumberedState<'_>> =
        (0..trace.states.len()).map(|index| NumberedState { trace, index }).collect();
    let object = File {
        counterexample: CounterExample { action: edges(trace, &states), state: &states },
        vars: &trace.variables,
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct File<'a> {
    counterexample: CounterExample<'a>,
    vars: &'a [String],
}

#[derive(Serialize)]
struct CounterExample<'a> {
    action: Vec<(NumberedState<'a>, Action<'a>, NumberedState<'a>)>,
    state: &'a [NumberedState<'a>],
}

fn edges<'a>(
    trace: &'a Trace,
    states: &[NumberedState<'a>],
) -> Vec<(NumberedState<'a>, Action<'a>, NumberedState<'a>)> {
    let edges = crate::tlc_forms::edges(trace).into_iter();
    edges.map(|edge| (states[edge.from], Action(edge.step), states[edge.to])).collect()
}

/// A state with its number, from 1.
#[derive(Clone, Copy)]
struct NumberedState<'a> {
    trace: &'a Trace,
    index: usize,
}

impl Serialize for NumberedState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = Values { names: &self.trace.variables, state: &self.trace.states[self.index] };
        (self.index + 1, state).serialize(serializer)
    }
}

struct Values<'a> {
    names: &'a [String],
    state: &'a State,
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = self.names.iter().zip(&self.state.values);
        serializer.collect_map(known.filter_map(|(name, value)| Some((name, Value(value.as_ref()?)))))
    }
}

struct Action<'a>(Option<&'a Step>);

impl Serialize for Action<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(step) = self.0 {
            map.serialize_entry("name", &step.name)?;
            if let Some(place) = &step.place {
                map.serialize_entry("location", &Location::new(place))?;
            }
            if !step.parameters.is_empty() {
                map.serialize_entry("context", &Context(&step.parameters))?;
                let names: Vec<&String> = step.parameters.iter().map(|binding| &binding.name).collect();
                map.serialize_entry("parameters", &names)?;
            }
        }
        map.end()
    }
}

struct Context<'a>(&'a [Binding]);

impl Serialize for Context<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|binding| (&binding.name, Value(&binding.value))))
    }
}

/// The location of a step. TLC: the last column is that of the last character.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    begin_line: u32,
    begin_column: u32,
    end_line: u32,
    end_column: u32,
    module: &'a str,
}

impl<'a> Location<'a> {
    fn new(place: &'a Place) -> Self {
        Location {
            begin_line: place.start.line,
            begin_column: place.start.column,
            end_line: place.end.line,
            end_column: place.end.column.saturating_sub(1),
            module: &place.module,
        }
    }
}

struct Value<'a>(&'a Datum);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        with_stack(|| match self.0 {
            Datum::Bool(value) => serializer.serialize_bool(*value),
            Datum::Int(value) => match i64::try_from(value) {
                Ok(value) => serializer.serialize_i64(value),
                // LIMIT: JSON readers lose digits of such numbers, and TLC has none so large.
                Err(_) => serializer.serialize_str(&value.to_string()),
            },
            Datum::Str(text) | Datum::Model(text) | Datum::Opaque(text) => serializer.serialize_str(text),
            Datum::Seq(items) | Datum::Set(items) => serializer.collect_seq(items.iter().map(Value)),
            Datum::Record(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, Value(value))))
            }
            Datum::Function(pairs) => match as_sequence(pairs) {
                Some(items) => serializer.collect_seq(items.into_iter().map(Value)),
                None => serializer
                    .collect_map(pairs.iter().map(|(argument, value)| (key(argument), Value(value)))),
            },
        })
    }
}

/// Returns the values of a function on `1..n` in order: it is a sequence.
pub(super) fn as_sequence(pairs: &[(Datum, Datum)]) -> Option<Vec<&Datum>> {
    let mut items: Vec<Option<&Datum>> = vec![None; pairs.len()];
    for (argument, value) in pairs {
        let Datum::Int(at) = argument else { return None };
        let at = usize::try_from(at).ok()?.checked_sub(1)?;
        *items.get_mut(at)? = Some(value);
    }
    items.into_iter().collect()
}

/// Returns the name of the field for an argument. TLC: arguments that are not strings are written as they print.
pub(super) fn key(argument: &Datum) -> String {
    match argument {
        Datum::Str(text) => text.clone(),
        Datum::Bool(_) | Datum::Int(_) | Datum::Model(_) | Datum::Opaque(_) => argument.to_string(),
        Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) | Datum::Set(_) => argument.to_string(),
    }
}
