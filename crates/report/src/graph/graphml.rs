//! GraphML: every variable and every mark is an attribute of its own.

use std::fmt::Write;

use crate::page::escape;

use crate::graph::model::{State, StateGraph, Step};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";

/// The attributes: id, element, name and type.
const KEYS: &[(&str, &str, &str, &str)] = &[
    ("spec", "graph", "spec", "string"),
    ("complete", "graph", "complete", "boolean"),
    ("notes", "graph", "notes", "string"),
    ("label", "node", "label", "string"),
    ("level", "node", "level", "int"),
    ("initial", "node", "initial", "boolean"),
    ("expanded", "node", "expanded", "boolean"),
    ("in_model", "node", "in_model", "boolean"),
    ("violates", "node", "violates", "string"),
    ("step", "edge", "label", "string"),
    ("action", "edge", "action", "string"),
    ("step_violates", "edge", "violates", "string"),
];

/// The graph as GraphML.
pub fn graphml(graph: &StateGraph) -> String {
    let mut text = String::from(HEAD);
    for (id, of, name, kind) in KEYS {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    for (index, name) in graph.variables.iter().enumerate() {
        let name = escape(name);
        let _ =
            writeln!(text, "  <key id=\"v{index}\" for=\"node\" attr.name=\"{name}\" attr.type=\"string\"/>");
    }
    text += "  <graph id=\"states\" edgedefault=\"directed\">\n";
    text += &data("spec", &graph.spec);
    text += &data("complete", &graph.is_complete.to_string());
    text += &data("notes", &graph.notes.join("\n"));
    graph.states.iter().for_each(|state| text += &node(graph, state));
    graph.steps.iter().for_each(|step| text += &edge(step));
    text + "  </graph>\n</graphml>\n"
}

fn data(key: &str, value: &str) -> String {
    format!("      <data key=\"{key}\">{}</data>\n", escape(value))
}

fn node(graph: &StateGraph, state: &State) -> String {
    let mut text = format!("    <node id=\"{}\">\n", state.id);
    text += &data("label", &state.label());
    text += &data("level", &state.level.to_string());
    text += &data("initial", &state.is_initial.to_string());
    text += &data("expanded", &state.is_expanded.to_string());
    text += &data("in_model", &state.is_in_model.to_string());
    if !state.violates.is_empty() {
        text += &data("violates", &state.violates.join(", "));
    }
    for value in &state.values {
        if let Some(index) = graph.variables.iter().position(|name| *name == value.name) {
            text += &data(&format!("v{index}"), &value.value);
        }
    }
    text + "    </node>\n"
}

fn edge(step: &Step) -> String {
    let mut text = format!("    <edge source=\"{}\" target=\"{}\">\n", step.from, step.to);
    text += &data("step", &step.label());
    text += &data("action", &step.action);
    if !step.violates.is_empty() {
        text += &data("step_violates", &step.violates.join(", "));
    }
    text + "    </edge>\n"
}
