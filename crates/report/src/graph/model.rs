//! The data, and its form as JSON. `docs/graphs.md` is the user's copy.

use serde::{Deserialize, Serialize};

/// The version of the format. It grows with every change that can break a reader.
const SCHEMA: u32 = 1;
const KIND: &str = "state graph";

/// States and the steps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateGraph {
    /// The root module.
    pub spec: String,
    /// The variables that states show.
    pub variables: Vec<String>,
    /// Whether every state that can be reached is here, with every step from it.
    pub is_complete: bool,
    /// Remarks: what was left out and why, and other facts about states and steps.
    pub notes: Vec<String>,
    pub states: Vec<State>,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Number of the state, from 1, in the order in which states were found.
    pub id: u32,
    /// An initial state has level 1.
    pub level: u32,
    #[serde(rename = "initial")]
    pub is_initial: bool,
    /// Whether all steps from it are here.
    #[serde(rename = "expanded")]
    pub is_expanded: bool,
    /// Whether no constraint leaves it out. One that is outside is here only because it violates something.
    #[serde(rename = "in_model")]
    pub is_in_model: bool,
    /// The properties that it violates; `Deadlock` is one of them.
    pub violates: Vec<String>,
    pub values: Vec<Value>,
}

/// The value of a variable or a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    pub name: String,
    /// The value in TLA+'s notation.
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The numbers of states.
    pub from: u32,
    pub to: u32,
    pub action: String,
    pub parameters: Vec<Value>,
    /// The properties of steps that it violates.
    pub violates: Vec<String>,
}

impl State {
    /// Returns the state as text: a line such as `x = 1` for each variable.
    pub fn label(&self) -> String {
        let lines = self.values.iter().map(|Value { name, value }| format!("{name} = {value}"));
        lines.collect::<Vec<String>>().join("\n")
    }
}

impl Step {
    /// Returns the step as `Send(i = 1, j = 2)`.
    pub fn label(&self) -> String {
        if self.parameters.is_empty() {
            return self.action.clone();
        }
        let parameters = self.parameters.iter().map(|Value { name, value }| format!("{name} = {value}"));
        format!("{}({})", self.action, parameters.collect::<Vec<String>>().join(", "))
    }
}

#[derive(Serialize)]
struct Written<'a> {
    kind: &'a str,
    schema: u32,
    #[serde(flatten)]
    graph: &'a StateGraph,
}

/// The graph as JSON.
pub fn to_json(graph: &StateGraph) -> String {
    let written = Written { kind: KIND, schema: SCHEMA, graph };
    let text = serde_json::to_string_pretty(&written).expect("texts and numbers are JSON");
    text + "\n"
}

/// The reason why a text is no state graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub message: String,
}

#[derive(Deserialize)]
struct Header {
    kind: String,
    schema: u32,
}

/// Reads what [`to_json`] writes.
pub fn read(text: &str) -> Result<StateGraph, ReadError> {
    let refused = |error: serde_json::Error| ReadError { message: error.to_string() };
    let header: Header = serde_json::from_str(text).map_err(refused)?;
    if header.kind != KIND || header.schema != SCHEMA {
        let message = format!(
            "its kind is `{}`, schema {}: `{KIND}`, schema {SCHEMA} is read",
            header.kind, header.schema
        );
        return Err(ReadError { message });
    }
    let graph: StateGraph = serde_json::from_str(text).map_err(refused)?;
    match missing_state(&graph) {
        Some(id) => {
            Err(ReadError { message: format!("a step leads from or to state {id}, which is not there") })
        }
        None => Ok(graph),
    }
}

fn missing_state(graph: &StateGraph) -> Option<u32> {
    let ids: std::collections::BTreeSet<u32> = graph.states.iter().map(|state| state.id).collect();
    graph.steps.iter().flat_map(|step| [step.from, step.to]).find(|id| !ids.contains(id))
}
