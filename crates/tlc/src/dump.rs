//! `-dump FILE` and `-dump dot FILE`: all states that were found, in TLC's two forms. Numbers stand where TLC has fingerprints.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use check::{Answer, GraphWish, Options, state_graph};
use model::Verdict;
use report::graph::{State, StateGraph, Step, Value};
use sema::Spec;

use super::arguments::{arguments, parameters};
use super::options::Dump;
use super::outcome::Teller;

/// Words that may be written after `dot`.
const FORMS: &[&str] = &["actionlabels", "colorize", "constrained", "snapshot", "strict", "stuttering"];

/// Returns why there can be no dump, if the command line shows it.
pub fn refusal(dump: &Dump) -> Option<String> {
    let form = dump.form.as_deref()?;
    let is_dot = form.split(',').next().is_some_and(|word| word.eq_ignore_ascii_case("dot"));
    (!is_dot).then(|| format!("-dump {form}: there are no classes of Java here"))
}

/// Returns a complaint about an unknown word after `dot`. TLC makes none.
pub fn unknown_word(dump: &Dump) -> Option<String> {
    let words = dump.form.as_deref()?.split(',').skip(1);
    let mut unknown = words.filter(|word| !FORMS.contains(&word.to_ascii_lowercase().as_str()));
    let known = FORMS.join(", ");
    unknown.next().map(|word| format!("`-dump dot,{word}`: this word has no effect; known are {known}"))
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug)]
struct Drawing {
    has_labels: bool,
    is_coloured: bool,
    /// Whether states that a constraint leaves out are included.
    has_outside: bool,
    /// Whether two states have at most one edge between them.
    is_strict: bool,
    /// Whether steps in which nothing happens are included.
    stutters: bool,
}

impl Drawing {
    fn of(form: &str) -> Drawing {
        let form = form.to_ascii_lowercase();
        let has = |word: &str| form.split(',').any(|it| it == word);
        Drawing {
            has_labels: has("actionlabels"),
            is_coloured: has("colorize"),
            has_outside: has("constrained"),
            is_strict: has("strict"),
            stutters: has("stuttering"),
        }
    }
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

/// Writes the states of a search, and returns whether the file could be written. If the states cannot be
/// explored again, that is reported, and the run ends as without a dump.
pub fn write(teller: Teller<'_>, dump: &Dump, options: &Options<'_>, answer: &Answer) -> io::Result<bool> {
    let marks_violations = !matches!(answer.outcome, Ok(Verdict::Holds));
    let mut drawing = dump.form.as_deref().map(Drawing::of);
    let keeps_outside = drawing.is_some_and(|drawing| drawing.has_outside);
    let wish = GraphWish { states_max: usize::MAX, marks_violations, keeps_outside };
    let graph = match state_graph(teller.model, options, (wish, answer.counts)) {
        Ok(graph) => graph,
        Err(error) => {
            let text = format!("`-dump` has no effect: {}", error.headline);
            return teller.voice.aside(&text).map(|()| true);
        }
    };
    let mut graph = in_order(graph, keeps_outside, teller.shown.variables);
    for step in &mut graph.steps {
        keep_arguments(teller.model.spec, step);
    }
    if let Some(drawing) = &mut drawing {
        // TLC: behaviours that stop matter to temporal properties alone.
        drawing.stutters &= !teller.model.program.temporal.is_empty();
    }
    let text = drawing.map_or_else(|| listing(&graph), |drawing| dot(&graph, drawing));
    let path = file(dump);
    match std::fs::write(&path, text) {
        Ok(()) => Ok(true),
        Err(error) => {
            let text = format!("Cannot write {}: {error}.", path.display());
            teller.voice.trouble(&text).map(|()| false)
        }
    }
}

/// Puts variables into TLC's order, and removes states outside of the constraints: initial ones always,
/// others unless `keeps_outside`.
fn in_order(mut graph: StateGraph, keeps_outside: bool, order: &[String]) -> StateGraph {
    graph.states.retain(|state| state.is_in_model || keeps_outside && !state.is_initial);
    for state in &mut graph.states {
        state.values.sort_by_key(|value| order.iter().position(|name| *name == value.name));
    }
    merge(&mut graph);
    let known: BTreeSet<u32> = graph.states.iter().map(|state| state.id).collect();
    graph.steps.retain(|step| known.contains(&step.from) && known.contains(&step.to));
    graph
}

/// Merges a state that an action constraint excludes with the same state reached by another step.
fn merge(graph: &mut StateGraph) {
    let inside = graph.states.iter().filter(|state| state.is_in_model);
    let ids: BTreeMap<Vec<String>, u32> = inside.map(|state| (lines(state), state.id)).collect();
    let mut same: BTreeMap<u32, u32> = BTreeMap::new();
    for state in graph.states.iter().filter(|state| !state.is_in_model) {
        same.extend(ids.get(&lines(state)).map(|&id| (state.id, id)));
    }
    graph.states.retain(|state| !same.contains_key(&state.id));
    for step in &mut graph.steps {
        step.to = same.get(&step.to).copied().unwrap_or(step.to);
    }
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

fn dot(graph: &StateGraph, drawing: Drawing) -> String {
    let scheme = if drawing.is_coloured { "edge [colorscheme=\"paired12\"]\n" } else { "" };
    let mut text = format!(
        "strict digraph DiskGraph {{\nnode [shape=box,style=rounded]\n{scheme}nodesep=0.35;\n\
         subgraph cluster_graph {{\ncolor=\"white\";\n",
    );
    let mut levels: BTreeMap<u32, String> = BTreeMap::new();
    for state in &graph.states {
        push_state(&mut text, state);
        if state.is_in_model {
            write!(levels.entry(state.level).or_default(), "{};", state.id).expect("a string takes all");
        }
    }
    let colours = Colours::of(graph);
    push_steps(&mut text, graph, drawing, &colours);
    for ids in levels.values() {
        writeln!(text, "{{rank = same; {ids}}}").expect("a string takes all");
    }
    text.push_str("}\n");
    if drawing.is_coloured {
        text.push_str(&colours.legend());
    }
    text.push_str("}\n");
    text
}

fn push_state(text: &mut String, state: &State) {
    let (id, label) = (state.id, quote(&lines(state).join("\n")));
    let rest = match (state.is_initial, state.is_in_model) {
        (true, _) => ",style = filled]".to_owned(),
        (false, true) => format!(",tooltip=\"{label}\"];"),
        (false, false) => format!(",tooltip=\"{label}\",style = filled, fillcolor=lightyellow];"),
    };
    writeln!(text, "{id} [label=\"{label}\"{rest}").expect("a string takes all");
}

fn push_steps(text: &mut String, graph: &StateGraph, drawing: Drawing, colours: &Colours<'_>) {
    let (mut told, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    for step in &graph.steps {
        let (from, to) = (step.from, step.to);
        let label = if drawing.has_labels { quote(&step_label(step)) } else { String::new() };
        let is_again = drawing.is_strict && !pairs.insert((from.min(to), from.max(to)));
        if is_again || !told.insert((from, to, label.clone())) {
            continue;
        }
        let colour = match drawing.is_coloured {
            true => colours.number(&step.action).to_string(),
            false => "black".to_owned(),
        };
        writeln!(text, "{from} -> {to} [label=\"{label}\",color=\"{colour}\",fontcolor=\"{colour}\"];")
            .expect("a string takes all");
    }
    for state in graph.states.iter().filter(|state| drawing.stutters && state.is_expanded) {
        let id = state.id;
        writeln!(text, "{id} -> {id} [style=\"dashed\",color=\"lightgray\"];").expect("a string takes all");
    }
}

/// A colour for each action, as they come.
struct Colours<'a>(Vec<&'a str>);

impl<'a> Colours<'a> {
    fn of(graph: &'a StateGraph) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for step in &graph.steps {
            if !names.contains(&step.action.as_str()) {
                names.push(&step.action);
            }
        }
        Colours(names)
    }

    /// Returns the colour of an action. TLC: the first colour of the scheme is for steps of no action.
    fn number(&self, action: &str) -> usize {
        self.0.iter().position(|name| *name == action).map_or(1, |at| at + 2)
    }

    /// Returns the legend of the colours, if there are several.
    fn legend(&self) -> String {
        if self.0.len() < 2 {
            return String::new();
        }
        let mut text = String::from(
            "subgraph cluster_legend {\ngraph [style=bold];\nlabel = \"Actions\" style=\"solid\"\n\
             node [labeljust=\"l\",colorscheme=\"paired12\",style=filled,shape=record]\n",
        );
        for name in &self.0 {
            let (name, number) = (quote(name), self.number(name));
            writeln!(text, "\"{name}\" [label=\"{name}\",fillcolor={number}]").expect("a string takes all");
        }
        text.push_str("}\n");
        text
    }
}

/// Keeps of a step only the arguments of its action. TLC: values that are chosen inside the action are not
/// shown.
fn keep_arguments(spec: &Spec, step: &mut Step) {
    let root = spec.names.text(spec.modules[spec.root].name);
    let names = parameters(spec, &step.action, Some(root));
    step.parameters = arguments(&names, &step.parameters, |value: &Value| &value.name);
}

/// Returns a step as `Inc(1)`.
fn step_label(step: &Step) -> String {
    let values: Vec<&str> = step.parameters.iter().map(|parameter| parameter.value.as_str()).collect();
    if values.is_empty() { step.action.clone() } else { format!("{}({})", step.action, values.join(",")) }
}

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
