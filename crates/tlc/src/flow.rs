//! `-simulate stats=basic|full`: which action came after which on the walks, as a graph for GraphViz.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use simulate::Flow;
use trace::Step;

use super::options::FlowForm;
use super::outcome::Teller;

/// The file, after the name of the root module and where TLC has it: in the current folder.
pub fn file(root: &str) -> PathBuf {
    PathBuf::from(format!("{root}_actions.dot"))
}

/// Writes the graph; whether it could be written.
pub fn write(teller: Teller<'_>, form: FlowForm, flow: &Flow) -> io::Result<bool> {
    let spec = teller.model.spec;
    let init = teller.model.program.init.first().map(|root| model::root_name(spec, root));
    let path = file(spec.names.text(spec.modules[spec.root].name));
    let text = Graph::new(form, init.as_deref().unwrap_or("Init"), flow).text();
    match std::fs::write(&path, text) {
        Ok(()) => Ok(true),
        Err(error) => {
            teller.voice.trouble(&format!("Cannot write {}: {error}.", path.display()))?;
            Ok(false)
        }
    }
}

/// The graph of which action follows which. Node 0 is the initial predicate.
struct Graph<'f> {
    nodes: Vec<&'f str>,
    /// The nodes by their arguments; empty for `stats=basic`, which does not show arguments.
    clusters: BTreeMap<String, Vec<usize>>,
    counts: BTreeMap<(usize, usize), u64>,
}

impl<'f> Graph<'f> {
    fn new(form: FlowForm, init: &'f str, flow: &'f Flow) -> Graph<'f> {
        let mut graph = Graph { nodes: vec![init], clusters: BTreeMap::new(), counts: BTreeMap::new() };
        let numbers: Vec<usize> = flow.actions.iter().map(|action| graph.node(form, action)).collect();
        if form == FlowForm::Full {
            graph.clusters.entry("[]".to_owned()).or_default().insert(0, 0);
        }
        for (&(before, after), &n_times) in &flow.counts {
            let from = before.map_or(0, |before| numbers[before as usize]);
            *graph.counts.entry((from, numbers[after as usize])).or_insert(0) += n_times;
        }
        graph
    }

    /// The number of an action's node.
    fn node(&mut self, form: FlowForm, action: &'f Step) -> usize {
        // TLC: an action that is called as the initial predicate is another one.
        let known = self.nodes.iter().skip(1).position(|name| *name == action.name);
        if let (FlowForm::Basic, Some(known)) = (form, known) {
            return known + 1;
        }
        let number = self.nodes.len();
        self.nodes.push(&action.name);
        if form == FlowForm::Full {
            self.clusters.entry(arguments(action)).or_default().push(number);
        }
        number
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        match self.clusters.is_empty() {
            true => (0..self.nodes.len()).for_each(|number| self.push_node(&mut text, number)),
            false => self.push_clusters(&mut text),
        }
        for from in 0..self.nodes.len() {
            for to in 0..self.nodes.len() {
                self.push_edge(&mut text, (from, to));
            }
        }
        text.push('}');
        text
    }

    fn push_node(&self, text: &mut String, number: usize) {
        let style = if number == 0 { ",style = filled" } else { "" };
        let name = quote(self.nodes[number]);
        writeln!(text, "{number} [shape=box,label=\"{name}\"{style}]").expect("a string takes all");
    }

    fn push_clusters(&self, text: &mut String) {
        for (index, (label, numbers)) in self.clusters.iter().enumerate() {
            let label = quote(label);
            writeln!(text, "subgraph cluster_{index} {{\ncolor=\"white\"\nlabel=\"{label}\"")
                .expect("a string takes all");
            numbers.iter().for_each(|&number| self.push_node(text, number));
            text.push_str("}\n");
        }
    }

    /// Writes an edge. One that was taken has TLC's width; one that was not is dotted, unless it leads to the
    /// initial predicate.
    fn push_edge(&self, text: &mut String, (from, to): (usize, usize)) {
        let style = match self.counts.get(&(from, to)) {
            Some(&n_times) => format!("penwidth={:?}", width(n_times)),
            None if to == 0 => return,
            None => "color=\"green\",style=dotted".to_owned(),
        };
        writeln!(text, "{from} -> {to}[{style}];").expect("a string takes all");
    }
}

const HEAD: &str = "digraph ActionGraph {
nodesep=0.35;
subgraph cluster_legend {
label = \"Coverage\";
node [shape=point] {
d0 [style = invis];
d1 [style = invis];
p0 [style = invis];
p1 [style = invis];
}
d0 -> d1 [label=unseen, color=\"green\", style=dotted]
p0 -> p1 [label=seen]
}
";

/// Returns the width of an edge in hundredths, by TLC's formula: the logarithm of the logarithm. At least
/// 0.01.
fn width(n_times: u64) -> f64 {
    let width = ((n_times + 1) as f64).log10().log10().abs();
    ((width * 100.0).round() / 100.0).max(0.01)
}

/// Returns the arguments of a step as `[p->p1]`.
fn arguments(action: &Step) -> String {
    let one = |binding: &trace::Binding| format!("{}->{}", binding.name, binding.value);
    let all: Vec<String> = action.parameters.iter().map(one).collect();
    format!("[{}]", all.join(", "))
}

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::{quote, width};

    #[test]
    fn widths_are_those_of_tlc() {
        // One less than a power of ten has no width at all, and would not be seen.
        let widths = [1, 2, 9, 10, 99, 1_000].map(width);
        assert_eq!(widths, [0.52, 0.32, 0.01, 0.02, 0.3, 0.48]);
        assert_eq!(quote("[p->\"a\"]"), "[p->\\\"a\\\"]");
    }
}
