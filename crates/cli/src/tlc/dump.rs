//! `-dump FILE` and `-dump dot FILE`: all states that were found, in TLC's two forms. Numbers stand where TLC has fingerprints.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use check::{Answer, GraphWish, Options, Verdict, state_graph};
use graph::{State, StateGraph, Step, Value};

use super::options::Dump;
use super::outcome::Teller;
use super::words::sentence;

/// What is written after `dot`, and what becomes of it.
const FORMS: &[&str] = &["actionlabels", "strict", "snapshot"];

/// Why there will be no such file, if that is known from the command line.
pub fn refusal(dump: &Dump) -> Option<String> {
    let form = dump.form.as_deref()?;
    let mut words = form.split(',').map(str::to_ascii_lowercase);
    if words.next().as_deref() != Some("dot") {
        return Some(format!("-dump {form}: there are no classes of Java here"));
    }
    let unknown = words.find(|word| !FORMS.contains(&word.as_str()))?;
    Some(format!("-dump dot,{unknown}: only {} are known here", FORMS.join(", ")))
}

/// The file, with the ending that TLC gives it.
pub fn file(dump: &Dump) -> PathBuf {
    let ending = if dump.form.is_some() { "dot" } else { "dump" };
    if dump.file.extension().is_some_and(|it| it == ending) {
        return dump.file.clone();
    }
    let mut name = dump.file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Writes what a search has found. What cannot be written is told, and changes nothing about the answer.
pub fn write(teller: Teller<'_>, dump: &Dump, options: &Options<'_>, answer: &Answer) -> io::Result<()> {
    let marks_violations = !matches!(answer.outcome, Ok(Verdict::Holds));
    let wish = GraphWish { states_max: usize::MAX, marks_violations };
    let graph = match state_graph(teller.model, options, (wish, answer.counts)) {
        Ok(graph) => graph,
        Err(error) => return teller.voice.trouble(&format!("-dump: {}.", sentence(&error.headline))),
    };
    let graph = in_order(graph, teller.shown.variables);
    let text = match &dump.form {
        Some(form) => dot(&graph, form.to_ascii_lowercase().contains("actionlabels")),
        None => listing(&graph),
    };
    let path = file(dump);
    match std::fs::write(&path, text) {
        Ok(()) => Ok(()),
        Err(error) => teller.voice.trouble(&format!("Cannot write {}: {error}.", path.display())),
    }
}

/// Variables as TLC has them, and only states that constraints leave in.
fn in_order(mut graph: StateGraph, order: &[String]) -> StateGraph {
    graph.states.retain(|state| state.is_in_model);
    for state in &mut graph.states {
        state.values.sort_by_key(|value| order.iter().position(|name| *name == value.name));
    }
    let known: BTreeSet<u32> = graph.states.iter().map(|state| state.id).collect();
    graph.steps.retain(|step| known.contains(&step.from) && known.contains(&step.to));
    graph
}

fn lines(state: &State) -> Vec<String> {
    let bullet = if state.values.len() == 1 { "" } else { "/\\ " };
    state.values.iter().map(|Value { name, value }| format!("{bullet}{name} = {value}")).collect()
}

fn listing(graph: &StateGraph) -> String {
    let mut text = String::new();
    for (index, state) in graph.states.iter().enumerate() {
        writeln!(text, "State {}:\n{}\n", index + 1, lines(state).join("\n")).expect("a string takes all");
    }
    text
}

fn dot(graph: &StateGraph, has_labels: bool) -> String {
    let mut text = String::from(
        "strict digraph DiskGraph {\nnode [shape=box,style=rounded]\nnodesep=0.35;\n\
         subgraph cluster_graph {\ncolor=\"white\";\n",
    );
    let mut levels: BTreeMap<u32, String> = BTreeMap::new();
    for state in &graph.states {
        let (id, label) = (state.id, quoted(&lines(state).join("\n")));
        let rest =
            if state.is_initial { ",style = filled]".to_owned() } else { format!(",tooltip=\"{label}\"];") };
        writeln!(text, "{id} [label=\"{label}\"{rest}").expect("a string takes all");
        write!(levels.entry(state.level).or_default(), "{id};").expect("a string takes all");
    }
    let mut told = BTreeSet::new();
    for step in &graph.steps {
        let label = if has_labels { quoted(&step_label(step)) } else { String::new() };
        if told.insert((step.from, step.to, label.clone())) {
            let (from, to) = (step.from, step.to);
            writeln!(text, "{from} -> {to} [label=\"{label}\",color=\"black\",fontcolor=\"black\"];")
                .expect("a string takes all");
        }
    }
    for ids in levels.values() {
        writeln!(text, "{{rank = same; {ids}}}").expect("a string takes all");
    }
    text.push_str("}\n}\n");
    text
}

/// `Inc(1)`
fn step_label(step: &Step) -> String {
    let values: Vec<&str> = step.parameters.iter().map(|parameter| parameter.value.as_str()).collect();
    if values.is_empty() { step.action.clone() } else { format!("{}({})", step.action, values.join(",")) }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
