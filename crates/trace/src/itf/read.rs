//! Reads a trace: our own with everything in it, those of Apalache and Quint with what they have.

use base::FxHashSet;

use super::ItfError;
use super::decode::{Decoder, array, string, wrong_kind};
use super::error::Path;
use super::json::Json;
use super::meta;
use crate::{About, Binding, Datum, Ending, Failure, Finding, State, Step, Trace};

/// Reads the trace in `text`.
///
/// Metadata in a form that is not ours is skipped; errors in states and values are reported.
pub fn read(text: &str) -> Result<Trace, ItfError> {
    let json = Json::parse(text)?;
    let Json::Object(fields) = &json else {
        return Err(wrong_kind(&Path::Root, "an object with `vars` and `states`", &json));
    };
    let root = TraceReader::new(json.get("#meta").unwrap_or(&Json::Null));
    let mut trace = Trace::new(root.names(&json, "vars")?.unwrap_or_default());
    let Some(states) = json.get("states") else {
        let found: Vec<&str> = fields.iter().take(5).map(|(name, _)| name.as_str()).collect();
        let message = format!("there is no field `states`, only `{}`", found.join("`, `"));
        return Err(ItfError::shape(&Path::Root, message, "is this a trace in the Informal Trace Format?"));
    };
    let states = array(states, &Path::Root.field("states"))?;
    if json.get("vars").is_none() {
        trace.variables = variables_of(states);
    }
    check_names(&trace.variables)?;
    if let (Some(mut names), Some(first)) = (root.names(&json, "params")?, states.first()) {
        names.retain(|name| !trace.variables.contains(name));
        trace.constants = root.constants(&names, first)?;
    }
    trace.states = root.states(&trace.variables, states)?;
    trace.ending = root.ending(json.get("loop"), states.len())?;
    root.describe(&mut trace);
    remove_quints_variables(&mut trace);
    Ok(trace)
}

/// Returns the fields of the first state, for a trace that does not list its variables.
fn variables_of(states: &[Json]) -> Vec<String> {
    match states.first() {
        Some(Json::Object(fields)) => {
            fields.iter().map(|(name, _)| name.clone()).filter(|name| name != "#meta").collect()
        }
        Some(Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_)) => Vec::new(),
        Some(Json::String(_) | Json::Array(_)) | None => Vec::new(),
    }
}

fn check_names(variables: &[String]) -> Result<(), ItfError> {
    let error = |message: String, help: &str| Err(ItfError::shape(&Path::Root.field("vars"), message, help));
    let mut known = FxHashSet::default();
    for name in variables {
        if name.starts_with('#') {
            return error(format!("`{name}` is no variable"), "names with `#` belong to the format");
        }
        if !known.insert(name) {
            return error(format!("the variable `{name}` is listed twice"), "list each variable once");
        }
    }
    Ok(())
}

/// Reads a trace, using its own metadata.
struct TraceReader<'j> {
    meta: &'j Json,
    decoder: Decoder,
}

impl<'j> TraceReader<'j> {
    fn new(meta: &'j Json) -> Self {
        let models = meta.get(meta::MODEL_VALUES).and_then(opt_names).unwrap_or_default();
        TraceReader { meta, decoder: Decoder { models: models.into_iter().collect() } }
    }

    /// Reads the names in the array `field`.
    fn names(&self, json: &Json, field: &str) -> Result<Option<Vec<String>>, ItfError> {
        let path = Path::Root.field(field);
        let Some(names) = json.get(field) else { return Ok(None) };
        let names = array(names, &path)?.iter().enumerate();
        let name = |(index, name): (usize, &Json)| string(name, &path.index(index)).map(str::to_owned);
        names.map(name).collect::<Result<_, _>>().map(Some)
    }

    fn states(&self, variables: &[String], states: &[Json]) -> Result<Vec<State>, ItfError> {
        let all = Path::Root.field("states");
        let states = states.iter().enumerate();
        states.map(|(index, state)| self.state(variables, state, &all.index(index))).collect()
    }

    fn state(&self, variables: &[String], json: &Json, path: &Path<'_>) -> Result<State, ItfError> {
        let Json::Object(_) = json else { return Err(wrong_kind(path, "an object", json)) };
        let value = |name: &String| match json.get(name) {
            Some(value) => self.opt_value(value, &path.field(name)),
            None => {
                let message = format!("this state has no value for `{name}`");
                Err(ItfError::shape(path, message, "every state has a value for each of `vars`"))
            }
        };
        let values = variables.iter().map(value).collect::<Result<_, _>>()?;
        let step = json.get("#meta").and_then(|meta| self.opt_step(meta));
        Ok(State { step, values })
    }

    /// Reads a value, or `None` if the text says that there is none.
    fn opt_value(&self, json: &Json, path: &Path<'_>) -> Result<Option<Datum>, ItfError> {
        let value = self.decoder.value(json, path)?;
        let is_none = matches!(&value, Datum::Opaque(text) if text == meta::NO_VALUE);
        Ok((!is_none).then_some(value))
    }

    fn constants(&self, names: &[String], first: &Json) -> Result<Vec<Binding>, ItfError> {
        let states = Path::Root.field("states");
        let path = states.index(0);
        let constant = |name: &String| {
            let value = first.get(name)?;
            let value = self.decoder.value(value, &path.field(name));
            Some(value.map(|value| Binding::new(name, value)))
        };
        names.iter().filter_map(constant).collect()
    }

    fn ending(&self, target: Option<&Json>, n_states: usize) -> Result<Ending, ItfError> {
        let path = Path::Root.field("loop");
        match target {
            None | Some(Json::Null) if self.text(meta::ENDING) == Some(meta::STUTTERING) => {
                Ok(Ending::Stuttering)
            }
            None | Some(Json::Null) => Ok(Ending::Stop),
            Some(Json::Integer(index)) => match usize::try_from(*index) {
                Ok(to) if to < n_states => {
                    let step = self.meta.get(meta::LOOP_STEP).and_then(opt_inner);
                    Ok(Ending::Loop { to, step: step.and_then(|step| self.opt_step(&step)) })
                }
                Ok(_) | Err(_) => {
                    let message = format!("{index} is not the index of a state");
                    let help =
                        format!("it is at least 0 and less than the number of states, which is {n_states}");
                    Err(ItfError::shape(&path, message, help))
                }
            },
            Some(other) => Err(wrong_kind(&path, "an integer", other)),
        }
    }

    fn text(&self, name: &str) -> Option<&'j str> {
        self.meta.get(name).and_then(Json::as_str)
    }

    /// Reads the trace's description of itself.
    fn describe(&self, trace: &mut Trace) {
        let owned = |name: &str| self.text(name).map(str::to_owned);
        let word = self.text(meta::FINDING);
        let names = self.meta.get(meta::PROPERTIES).and_then(opt_names).unwrap_or_default();
        trace.finding = word.map_or(Finding::Unstated, |word| meta::finding(word, owned, names));
        trace.failure =
            self.meta.get(meta::FAILURE).and_then(opt_inner).and_then(|failure| self.opt_failure(&failure));
        trace.expressions = self.meta.get(meta::EXPRESSIONS).and_then(opt_names).unwrap_or_default();
        trace.expressions.retain(|name| trace.variables.contains(name));
        trace.about = About {
            spec: owned(meta::SOURCE),
            config: owned(meta::CONFIG),
            tool: owned(meta::TOOL),
            notes: self.notes(trace.finding != Finding::Unstated),
        };
    }

    /// Returns the texts that have no place of their own.
    fn notes(&self, has_finding: bool) -> Vec<(String, String)> {
        let Json::Object(fields) = self.meta else { return Vec::new() };
        let note = |(name, value): &(String, Json)| {
            Some((meta::opt_note(name, has_finding)?.to_owned(), value.as_str()?.to_owned()))
        };
        fields.iter().filter_map(note).collect()
    }

    fn opt_step(&self, json: &Json) -> Option<Step> {
        let name = json.get(meta::ACTION)?.as_str()?.to_owned();
        let parameters = json.get(meta::PARAMETERS).and_then(opt_inner);
        let parameters = parameters.and_then(|parameters| self.opt_bindings(&parameters)).unwrap_or_default();
        Some(Step { name, place: opt_place(json), parameters })
    }

    fn opt_failure(&self, json: &Json) -> Option<Failure> {
        let calls = match json.get(meta::CALLS) {
            Some(Json::Array(calls)) => calls.iter().filter_map(|call| self.opt_step(call)).collect(),
            Some(_) | None => Vec::new(),
        };
        Some(Failure {
            text: json.get(meta::TEXT)?.as_str()?.to_owned(),
            place: opt_place(json),
            values: json.get(meta::VALUES).and_then(|values| self.opt_bindings(values)).unwrap_or_default(),
            calls,
        })
    }

    /// Reads an object, or an array of pairs.
    fn opt_bindings(&self, json: &Json) -> Option<Vec<Binding>> {
        let binding =
            |name: &str, value: &Json| Some(Binding::new(name, self.decoder.value(value, &Path::Root).ok()?));
        match json {
            Json::Object(fields) => fields.iter().map(|(name, value)| binding(name, value)).collect(),
            Json::Array(pairs) => {
                let pair = |pair: &Json| {
                    let Json::Array(pair) = pair else { return None };
                    let [Json::String(name), value] = pair.as_slice() else { return None };
                    binding(name, value)
                };
                pairs.iter().map(pair).collect()
            }
            Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::String(_) => None,
        }
    }
}

/// Reads JSON inside a string, or as it is if the writer did not use a string.
fn opt_inner(json: &Json) -> Option<Json> {
    match json {
        Json::String(text) => Json::parse(text).ok(),
        Json::Object(_) | Json::Array(_) => Some(json.clone()),
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) => None,
    }
}

fn opt_names(json: &Json) -> Option<Vec<String>> {
    match opt_inner(json)? {
        Json::Array(names) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) => None,
        Json::String(_) | Json::Object(_) => None,
    }
}

fn opt_place(json: &Json) -> Option<crate::Place> {
    let module = json.get(meta::MODULE).and_then(Json::as_str).unwrap_or_default();
    meta::opt_place(json.get(meta::PLACE)?.as_str()?, module)
}

/// Removes the variables that Quint writes for the action and its choices, and makes them the step.
fn remove_quints_variables(trace: &mut Trace) {
    let position = |trace: &Trace, name: &str| trace.variables.iter().position(|variable| variable == name);
    let Some(action) = position(trace, meta::QUINT_ACTION) else { return };
    let picks = position(trace, meta::QUINT_PICKS);
    for state in &mut trace.states {
        if let (None, Some(Some(Datum::Str(name)))) = (&state.step, state.values.get(action)) {
            let parameters =
                picks.and_then(|picks| state.values.get(picks)?.as_ref()).map_or_else(Vec::new, read_picks);
            state.step = Some(Step { name: name.clone(), place: None, parameters });
        }
    }
    let mut gone: Vec<usize> = [Some(action), picks].into_iter().flatten().collect();
    gone.sort_unstable();
    for index in gone.into_iter().rev() {
        trace.variables.remove(index);
        trace.states.iter_mut().for_each(|state| drop(state.values.remove(index)));
    }
}

/// Returns the parameter `x` of `{"x": {"tag": "Some", "value": 1}, "y": {"tag": "None", ...}}`.
fn read_picks(picks: &Datum) -> Vec<Binding> {
    let Datum::Record(picks) = picks else { return Vec::new() };
    let some = |option: &Datum| {
        let Datum::Record(fields) = option else { return None };
        let field = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        (field("tag") == Some(&Datum::string("Some"))).then(|| field("value").cloned())?
    };
    picks.iter().filter_map(|(name, option)| Some(Binding::new(name, some(option)?))).collect()
}
