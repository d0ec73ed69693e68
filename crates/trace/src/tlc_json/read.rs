//! Reads a trace that TLC wrote: the states by their numbers, the steps between them, and the step that closes a cycle.

use super::Written;
use crate::itf::{ItfError, Json, Path, array, string, wrong_kind};
use crate::{Place, Point};

/// A trace of TLC.
#[derive(Clone, Debug, PartialEq)]
pub struct TlcTrace {
    /// The names of variables, or of the fields of the ALIAS.
    pub variables: Vec<String>,
    pub states: Vec<TlcState>,
    /// The index of the state that comes after the last one, with the step to it: the last state itself if nothing
    /// happens any more.
    pub back_to: Option<(usize, Option<TlcStep>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TlcState {
    /// The step that led to it.
    pub step: Option<TlcStep>,
    /// The values, one for each variable of the trace, in that order.
    pub values: Vec<Option<Written>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TlcStep {
    pub name: String,
    /// The place, without a file, which TLC does not write.
    pub place: Option<Place>,
    pub parameters: Vec<(String, Written)>,
}

/// Whether the text is a trace of TLC rather than one in the Informal Trace Format, judging by its outer form.
pub fn is_tlc(text: &str) -> bool {
    Json::parse(text).is_ok_and(|json| json.get(COUNTEREXAMPLE).is_some() && json.get("states").is_none())
}

const COUNTEREXAMPLE: &str = "counterexample";

/// Reads the trace in `text`.
pub fn read(text: &str) -> Result<TlcTrace, ItfError> {
    let json = Json::parse(text)?;
    let root = Path::Root.field(COUNTEREXAMPLE);
    let counterexample = field(&json, COUNTEREXAMPLE, &Path::Root)?;
    let states = order_states(field(counterexample, "state", &root)?, &root.field("state"))?;
    let variables = match json.get("vars") {
        Some(names) => names_of(names, &Path::Root.field("vars"))?,
        None => states.first().map_or_else(Vec::new, |state| field_names(state)),
    };
    let state = |fields: &&Json| TlcState {
        step: None,
        values: variables.iter().map(|name| fields.get(name).cloned().map(Written)).collect(),
    };
    let states: Vec<TlcState> = states.iter().map(state).collect();
    let mut trace = TlcTrace { variables, states, back_to: None };
    let path = root.field("action");
    for (index, edge) in array(field(counterexample, "action", &root)?, &path)?.iter().enumerate() {
        trace.add_edge(edge, &path.index(index))?;
    }
    Ok(trace)
}

impl TlcTrace {
    fn add_edge(&mut self, edge: &Json, path: &Path<'_>) -> Result<(), ItfError> {
        let [from, action, to] = array(edge, path)? else {
            return Err(ItfError::shape(path, "this is no step", "a step is [state, action, state]"));
        };
        let number = |json: &Json, at: usize| {
            let path = path.index(at);
            let number = array(json, &path)?.first().and_then(as_index);
            let is_there = number.filter(|&number| number < self.states.len());
            is_there.ok_or_else(|| ItfError::shape(&path, "there is no such state", HELP))
        };
        let (from, to) = (number(from, 0)?, number(to, 2)?);
        let step = step(action, &path.index(1))?;
        if to == from + 1 {
            self.states[to].step = step;
        } else if to <= from && from + 1 == self.states.len() {
            self.back_to = Some((to, step));
        } else {
            let message = format!("a step leads from state {} to state {}", from + 1, to + 1);
            return Err(ItfError::shape(path, message, HELP));
        }
        Ok(())
    }
}

const HELP: &str = "states are numbered from 1, and a step leads to the next one, or from the last one back";

fn field<'j>(json: &'j Json, name: &str, path: &Path<'_>) -> Result<&'j Json, ItfError> {
    let help = "TLC writes such a file with `-dumpTrace json FILE`";
    json.get(name).ok_or_else(|| ItfError::shape(path, format!("there is no field `{name}`"), help))
}

/// Converts a number from 1 to an index.
fn as_index(json: &Json) -> Option<usize> {
    let Json::Integer(number) = json else { return None };
    usize::try_from(*number).ok()?.checked_sub(1)
}

/// Returns the states in the order of their numbers.
fn order_states<'j>(json: &'j Json, path: &Path<'_>) -> Result<Vec<&'j Json>, ItfError> {
    let pairs = array(json, path)?;
    let mut states: Vec<Option<&Json>> = vec![None; pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let path = path.index(at);
        let [number, state] = array(pair, &path)? else {
            return Err(ItfError::shape(&path, "this is no state", "a state is [number, values]"));
        };
        let Json::Object(_) = state else { return Err(wrong_kind(&path.index(1), "an object", state)) };
        match as_index(number).and_then(|index| states.get_mut(index)) {
            Some(slot @ None) => *slot = Some(state),
            Some(Some(_)) | None => return Err(ItfError::shape(&path, "the number is not right", HELP)),
        }
    }
    Ok(states.into_iter().flatten().collect())
}

fn names_of(json: &Json, path: &Path<'_>) -> Result<Vec<String>, ItfError> {
    let names = array(json, path)?.iter().enumerate();
    names.map(|(index, name)| string(name, &path.index(index)).map(str::to_owned)).collect()
}

fn field_names(json: &Json) -> Vec<String> {
    let Json::Object(fields) = json else { return Vec::new() };
    fields.iter().map(|(name, _)| name.clone()).collect()
}

/// Reads a step. TLC writes an empty record for a step without a name.
fn step(json: &Json, path: &Path<'_>) -> Result<Option<TlcStep>, ItfError> {
    let Some(name) = json.get("name") else { return Ok(None) };
    let name = string(name, &path.field("name"))?.to_owned();
    let parameters = match json.get("context") {
        Some(Json::Object(fields)) => {
            fields.iter().map(|(name, json)| (name.clone(), Written(json.clone()))).collect()
        }
        Some(_) | None => Vec::new(),
    };
    Ok(Some(TlcStep { name, place: json.get("location").and_then(place), parameters }))
}

fn place(json: &Json) -> Option<Place> {
    let number = |name: &str| match json.get(name) {
        Some(Json::Integer(number)) => u32::try_from(*number).ok(),
        Some(_) | None => None,
    };
    Some(Place {
        file: String::new(),
        module: json.get("module")?.as_str()?.to_owned(),
        start: Point { line: number("beginLine")?, column: number("beginColumn")? },
        end: Point { line: number("endLine")?, column: number("endColumn")?.saturating_add(1) },
    })
}
