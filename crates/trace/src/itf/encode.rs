//! Writes values in ITF.

use base::{FxHashSet, with_stack};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::{Datum, State, Trace};

/// The way in which the model values of a trace are written.
pub(super) struct ModelNames<'a> {
    /// Those that are written as strings, in the order of their occurrence.
    pub names: Vec<&'a str>,
    /// Those that also occur as strings in the trace, and must be distinguished.
    ambiguous: FxHashSet<&'a str>,
}

/// Returns a value in ITF, on one line. A model value is a string, unless a string in the value is spelled alike.
pub fn value_json(datum: &Datum) -> String {
    let mut found = NameCollector::default();
    found.visit(datum);
    let models = found.finish();
    serde_json::to_string(&models.encode(datum)).expect("values always have a JSON form")
}

impl<'a> ModelNames<'a> {
    pub fn of(trace: &'a Trace) -> Self {
        let mut found = NameCollector::default();
        let mut all = |datum: &'a Datum| found.visit(datum);
        trace.constants.iter().for_each(|constant| all(&constant.value));
        for state in &trace.states {
            parameters(state).chain(state.values.iter().flatten()).for_each(&mut all);
        }
        if let crate::Ending::Loop { step: Some(step), .. } = &trace.ending {
            step.parameters.iter().for_each(|binding| all(&binding.value));
        }
        if let Some(failure) = &trace.failure {
            let calls = failure.calls.iter().flat_map(|call| &call.parameters);
            failure.values.iter().chain(calls).for_each(|binding| all(&binding.value));
        }
        found.finish()
    }

    /// Returns `datum`, ready to be written.
    pub fn encode(&'a self, datum: &'a Datum) -> Encoded<'a> {
        Encoded { datum, models: self, depth: 1 }
    }
}

fn parameters(state: &State) -> impl Iterator<Item = &Datum> {
    state.step.iter().flat_map(|step| step.parameters.iter().map(|binding| &binding.value))
}

#[derive(Default)]
struct NameCollector<'a> {
    names: Vec<&'a str>,
    is_known: FxHashSet<&'a str>,
    strings: FxHashSet<&'a str>,
    /// The addresses of parts that were visited: states share them.
    seen: FxHashSet<usize>,
}

impl<'a> NameCollector<'a> {
    fn finish(self) -> ModelNames<'a> {
        let (ambiguous, names): (Vec<&str>, Vec<&str>) =
            self.names.into_iter().partition(|name| self.strings.contains(name));
        ModelNames { names, ambiguous: ambiguous.into_iter().collect() }
    }

    fn visit(&mut self, datum: &'a Datum) {
        if datum.address().is_some_and(|address| !self.seen.insert(address)) {
            return;
        }
        with_stack(|| match datum {
            Datum::Str(text) => {
                self.strings.insert(text);
            }
            Datum::Model(name) => {
                if self.is_known.insert(name) {
                    self.names.push(name);
                }
            }
            Datum::Bool(_) | Datum::Int(_) | Datum::Opaque(_) => {}
            Datum::Seq(items) | Datum::Set(items) => items.iter().for_each(|item| self.visit(item)),
            Datum::Record(fields) => fields.iter().for_each(|(name, value)| {
                // A record may have to be written as a map.
                self.strings.insert(name);
                self.visit(value);
            }),
            Datum::Function(pairs) => pairs.iter().for_each(|(argument, value)| {
                self.visit(argument);
                self.visit(value);
            }),
        });
    }
}

/// A value in ITF.
#[derive(Clone, Copy)]
pub(super) struct Encoded<'a> {
    datum: &'a Datum,
    models: &'a ModelNames<'a>,
    depth: usize,
}

impl Serialize for Encoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.depth == Datum::DEPTH_MAX && has_parts(self.datum) {
            // A producer exceeded the limit. A gap is better than a file that nobody can read.
            return write_tagged(serializer, "#unserializable", TOO_DEEP);
        }
        with_stack(|| match self.datum {
            Datum::Bool(value) => serializer.serialize_bool(*value),
            Datum::Int(value) => write_tagged(serializer, "#bigint", &value.to_string()),
            Datum::Str(text) => serializer.serialize_str(text),
            Datum::Model(name) if self.models.ambiguous.contains(name.as_str()) => {
                write_tagged(serializer, "#modelValue", name)
            }
            Datum::Model(name) => serializer.serialize_str(name),
            Datum::Opaque(text) => write_tagged(serializer, "#unserializable", text),
            Datum::Set(elements) => write_tagged(serializer, "#set", &self.all(elements)),
            Datum::Seq(items) if is_mixed(items) => write_tagged(serializer, "#tup", &self.all(items)),
            Datum::Seq(items) => self.all(items).serialize(serializer),
            Datum::Record(fields) => self.record(serializer, fields),
            Datum::Function(pairs) => {
                let pairs: Vec<_> =
                    pairs.iter().map(|(left, right)| (self.with(left), self.with(right))).collect();
                write_tagged(serializer, "#map", &pairs)
            }
        })
    }
}

/// The text in place of parts that are too deep.
const TOO_DEEP: &str = "...";

fn write_tagged<S: Serializer, T: Serialize + ?Sized>(
    serializer: S,
    tag: &str,
    value: &T,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(tag, value)?;
    map.end()
}

impl<'a> Encoded<'a> {
    fn with(&self, datum: &'a Datum) -> Encoded<'a> {
        Encoded { datum, models: self.models, depth: self.depth + 1 }
    }

    fn all(&self, items: &'a [Datum]) -> Vec<Encoded<'a>> {
        items.iter().map(|item| self.with(item)).collect()
    }

    /// Writes a record as an object, unless it is empty or a name starts with `#`, which ITF reserves.
    fn record<S: Serializer>(&self, serializer: S, fields: &'a [(String, Datum)]) -> Result<S::Ok, S::Error> {
        if fields.is_empty() || fields.iter().any(|(name, _)| name.starts_with('#')) {
            let pairs: Vec<_> = fields.iter().map(|(name, value)| (name, self.with(value))).collect();
            return write_tagged(serializer, "#map", &pairs);
        }
        serializer.collect_map(fields.iter().map(|(name, value)| (name, self.with(value))))
    }
}

fn has_parts(datum: &Datum) -> bool {
    match datum {
        Datum::Seq(parts) | Datum::Set(parts) => !parts.is_empty(),
        Datum::Record(fields) => !fields.is_empty(),
        Datum::Function(pairs) => !pairs.is_empty(),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => false,
    }
}

/// Whether the items are of different kinds: typed readers accept lists of one kind, and tuples of any.
fn is_mixed(items: &[Datum]) -> bool {
    let kind = |datum: &Datum| match datum {
        Datum::Bool(_) => 0,
        Datum::Int(_) => 1,
        Datum::Str(_) | Datum::Model(_) => 2,
        Datum::Seq(_) => 3,
        Datum::Record(_) | Datum::Function(_) => 4,
        Datum::Set(_) => 5,
        Datum::Opaque(_) => 6,
    };
    items.windows(2).any(|pair| kind(&pair[0]) != kind(&pair[1]))
}
