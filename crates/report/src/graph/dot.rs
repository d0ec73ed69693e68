//! Graphviz's DOT. Initial states are filled, violations are red, states whose steps are not all here are dashed.

use std::fmt::Write;

use crate::graph::model::{State, StateGraph, Step};

/// The graph in DOT.
pub fn dot(graph: &StateGraph) -> String {
    let mut text = String::from("digraph States {\n");
    for note in &graph.notes {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "  // {}", note.replace(['\n', '\r'], " "));
    }
    if !graph.notes.is_empty() {
        let _ = writeln!(text, "  label={};\n  labelloc=t;", quote(&graph.notes.join("\n")));
    }
    text += "  node [shape=box, style=rounded, fontname=monospace];\n";
    for state in &graph.states {
        let _ = writeln!(text, "  {} [{}];", state.id, state_attributes(state));
    }
    for step in &graph.steps {
        let _ = writeln!(text, "  {} -> {} [{}];", step.from, step.to, step_attributes(step));
    }
    text + "}\n"
}

fn state_attributes(state: &State) -> String {
    let mut label = state.label();
    let mut styles = vec!["rounded"];
    let mut colours = "";
    if state.is_initial {
        styles.push("filled");
        colours = ", fillcolor=\"#dbe9ff\"";
    }
    if !state.violates.is_empty() {
        styles.push("filled");
        colours = ", fillcolor=\"#ffd3d3\", color=red, penwidth=2";
        label = format!("violates {}\n{label}", state.violates.join(", "));
    }
    if !state.is_in_model {
        label = format!("outside of the constraint\n{label}");
    }
    if !state.is_expanded {
        styles.push("dashed");
    }
    styles.dedup();
    format!("label={}, style=\"{}\"{colours}", quote(&label), styles.join(","))
}

fn step_attributes(step: &Step) -> String {
    let label = step.label();
    if step.violates.is_empty() {
        return format!("label={}", quote(&label));
    }
    let label = format!("{label}\nviolates {}", step.violates.join(", "));
    format!("label={}, color=red, fontcolor=red, penwidth=2", quote(&label))
}

/// A string between double quotes. `\n` is a line break; no other escape of DOT's means what it would.
fn quote(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "");
    format!("\"{escaped}\"")
}
