//! Writes a trace. The outer form is written by hand, one state per line, so that files are easy to compare.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::encode::ModelNames;
use super::meta::{self, finding_word, place_text};
use crate::{Binding, Datum, Ending, Failure, Finding, Place, State, Step, Trace, headline};

/// Returns `trace` in ITF, with a line feed at the end.
pub fn write(trace: &Trace) -> String {
    let mut out = Vec::new();
    write_to(trace, &mut out).expect("memory can be written to");
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Writes `trace` in ITF, with a line feed at the end, state by state: the text of a long behaviour can be many times
/// as long as the behaviour in memory.
pub fn write_to(trace: &Trace, out: &mut dyn io::Write) -> io::Result<()> {
    let models = ModelNames::of(trace);
    out.write_all(b"{\n")?;
    write_field(out, "#meta", &Object(trace_meta(trace, &models)))?;
    if !trace.constants.is_empty() {
        let names = trace.constants.iter().map(|binding| &binding.name).collect::<Vec<_>>();
        write_field(out, "params", &names)?;
    }
    write_field(out, "vars", &trace.variables)?;
    if let Ending::Loop { to, .. } = trace.ending {
        write_field(out, "loop", &to)?;
    }
    out.write_all(b"  \"states\": [\n")?;
    for (index, state) in trace.states.iter().enumerate() {
        let constants = if index == 0 { trace.constants.as_slice() } else { &[] };
        let written = WrittenState { index, state, constants, variables: &trace.variables, models: &models };
        out.write_all(if index == 0 { b"    " } else { b",\n    " })?;
        serde_json::to_writer(&mut *out, &written)?;
    }
    out.write_all(b"\n  ]\n}\n")
}

fn write_field(out: &mut dyn io::Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    writeln!(out, "  {}: {},", to_json(name), to_json(value))
}

fn to_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("strings, numbers and maps with names always have a JSON form")
}

/// An object with its fields in this order.
struct Object<'a>(Fields<'a>);

type Fields<'a> = Vec<(String, Field<'a>)>;

/// The value of a metadata field.
enum Field<'a> {
    Text(String),
    Bindings(Bindings<'a>),
    Objects(Vec<Object<'a>>),
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, field)| (name, field)))
    }
}

impl Serialize for Field<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Field::Text(text) => serializer.serialize_str(text),
            Field::Bindings(bindings) => bindings.serialize(serializer),
            Field::Objects(objects) => serializer.collect_seq(objects),
        }
    }
}

/// Names and values: an object, or pairs if a name occurs twice.
struct Bindings<'a> {
    bindings: &'a [Binding],
    models: &'a ModelNames<'a>,
}

impl Serialize for Bindings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let encoded = self.bindings.iter().map(|binding| (&binding.name, self.models.encode(&binding.value)));
        let is_repeated = |(at, binding): (usize, &Binding)| {
            self.bindings[..at].iter().any(|before| before.name == binding.name)
        };
        match self.bindings.iter().enumerate().any(is_repeated) {
            true => serializer.collect_seq(encoded),
            false => serializer.collect_map(encoded),
        }
    }
}

fn trace_meta<'a>(trace: &Trace, models: &ModelNames<'_>) -> Fields<'a> {
    let about = &trace.about;
    let mut fields = Vec::new();
    let mut push = |name: &str, text: &str| fields.push((name.to_owned(), Field::Text(text.to_owned())));
    push(meta::FORMAT.0, meta::FORMAT.1);
    push(meta::FORMAT_DESCRIPTION.0, meta::FORMAT_DESCRIPTION.1);
    let origin = [(meta::SOURCE, &about.spec), (meta::CONFIG, &about.config), (meta::TOOL, &about.tool)];
    for (name, text) in origin {
        text.iter().for_each(|text| push(name, text));
    }
    for (name, text) in finding_fields(&trace.finding) {
        push(name, &text);
    }
    if let Some(failure) = &trace.failure {
        push(meta::FAILURE, &to_json(&failure_object(failure, models)));
    }
    match &trace.ending {
        Ending::Stuttering => push(meta::ENDING, meta::STUTTERING),
        Ending::Loop { step: Some(step), .. } => {
            push(meta::LOOP_STEP, &to_json(&Object(step_fields(step, models))));
        }
        Ending::Stop | Ending::Loop { step: None, .. } => {}
    }
    if !trace.expressions.is_empty() {
        push(meta::EXPRESSIONS, &to_json(&trace.expressions));
    }
    if !models.names.is_empty() {
        push(meta::MODEL_VALUES, &to_json(&models.names));
    }
    for (name, text) in &about.notes {
        push(&meta::note_name(name, trace.finding != Finding::Unstated), text);
    }
    fields
}

fn finding_fields(finding: &Finding) -> Vec<(&'static str, String)> {
    let Some(word) = finding_word(finding) else { return Vec::new() };
    let mut fields = vec![(meta::DESCRIPTION, headline(finding)), (meta::FINDING, word.to_owned())];
    match finding {
        Finding::Invariant { name } | Finding::ActionProperty { name } => {
            fields.push((meta::PROPERTY, name.clone()))
        }
        Finding::InitialProperty { name } | Finding::Postcondition { name } => {
            fields.push((meta::PROPERTY, name.clone()));
        }
        Finding::TemporalProperty { names } => fields.push((meta::PROPERTIES, to_json(names))),
        Finding::Assertion { message } | Finding::Example { description: message } => {
            fields.push((meta::MESSAGE, message.clone()));
        }
        Finding::EvaluationError { code, message } => {
            fields.push((meta::MESSAGE, message.clone()));
            fields.extend(code.iter().map(|code| (meta::CODE, code.clone())));
        }
        Finding::Deadlock | Finding::Unstated => {}
    }
    fields
}

fn failure_object<'a>(failure: &'a Failure, models: &'a ModelNames<'a>) -> Object<'a> {
    let mut fields = vec![(meta::TEXT.to_owned(), Field::Text(failure.text.clone()))];
    fields.extend(failure.place.iter().flat_map(place_fields));
    fields.push((meta::VALUES.to_owned(), Field::Bindings(Bindings { bindings: &failure.values, models })));
    let calls = failure.calls.iter().map(|call| Object(step_fields(call, models)));
    fields.push((meta::CALLS.to_owned(), Field::Objects(calls.collect())));
    Object(fields)
}

/// Returns the fields of a step inside a string that is already JSON.
fn step_fields<'a>(step: &'a Step, models: &'a ModelNames<'a>) -> Fields<'a> {
    let mut fields = vec![(meta::ACTION.to_owned(), Field::Text(step.name.clone()))];
    fields.extend(step.place.iter().flat_map(place_fields));
    fields.push((
        meta::PARAMETERS.to_owned(),
        Field::Bindings(Bindings { bindings: &step.parameters, models }),
    ));
    fields
}

fn place_fields<'a>(place: &Place) -> [(String, Field<'a>); 2] {
    let module = Field::Text(place.module.clone());
    [(meta::MODULE.to_owned(), module), (meta::PLACE.to_owned(), Field::Text(place_text(place)))]
}

struct WrittenState<'a> {
    index: usize,
    state: &'a State,
    constants: &'a [Binding],
    variables: &'a [String],
    models: &'a ModelNames<'a>,
}

impl Serialize for WrittenState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let no_value = Datum::Opaque(meta::NO_VALUE.to_owned());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("#meta", &WrittenMeta(self))?;
        for constant in self.constants {
            map.serialize_entry(&constant.name, &self.models.encode(&constant.value))?;
        }
        for (name, value) in self.variables.iter().zip(&self.state.values) {
            map.serialize_entry(name, &self.models.encode(value.as_ref().unwrap_or(&no_value)))?;
        }
        map.end()
    }
}

struct WrittenMeta<'a>(&'a WrittenState<'a>);

impl Serialize for WrittenMeta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WrittenState { index, state, models, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("index", index)?;
        if let Some(step) = &state.step {
            map.serialize_entry(meta::ACTION, &step.name)?;
            if !step.parameters.is_empty() {
                let parameters = Bindings { bindings: &step.parameters, models };
                map.serialize_entry(meta::PARAMETERS, &to_json(&parameters))?;
            }
            for (name, text) in step.place.iter().flat_map(place_fields) {
                map.serialize_entry(&name, &text)?;
            }
        }
        map.end()
    }
}
