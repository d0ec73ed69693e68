//! Selects parts of a graph, and notes what is left out.

use std::collections::BTreeSet;

use crate::graph::model::StateGraph;

/// Selects the states and steps to show. The default shows all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Variables to show; two states that look the same stay two.
    pub variables: Vec<String>,
    /// Actions whose steps are shown, with the states that they lead from and to.
    pub actions: Vec<String>,
    /// Largest level that is shown.
    pub level_max: Option<u32>,
}

impl Filter {
    /// The part of `graph`, with a note on everything that it lacks.
    #[must_use]
    pub fn apply(&self, mut graph: StateGraph) -> StateGraph {
        if let Some(max) = self.level_max {
            let n_before = graph.states.len();
            graph.states.retain(|state| state.level <= max);
            let n_out = n_before - graph.states.len();
            cut_steps(&mut graph);
            note_left_out(&mut graph, n_out, &format!("states beyond level {max}"));
        }
        if !self.actions.is_empty() {
            self.keep_actions(&mut graph);
        }
        if !self.variables.is_empty() {
            self.keep_variables(&mut graph);
        }
        graph
    }

    fn keep_actions(&self, graph: &mut StateGraph) {
        let (n_states, n_steps) = (graph.states.len(), graph.steps.len());
        let out: BTreeSet<u32> = graph
            .steps
            .iter()
            .filter(|step| !self.actions.contains(&step.action))
            .map(|step| step.from)
            .collect();
        graph.steps.retain(|step| self.actions.contains(&step.action));
        let ends: BTreeSet<u32> = graph.steps.iter().flat_map(|step| [step.from, step.to]).collect();
        graph
            .states
            .retain(|state| ends.contains(&state.id) || state.is_initial || !state.violates.is_empty());
        for state in graph.states.iter_mut().filter(|state| out.contains(&state.id)) {
            state.is_expanded = false;
        }
        let n_steps_out = n_steps - graph.steps.len();
        let n_states_out = n_states - graph.states.len();
        note_left_out(
            graph,
            n_steps_out,
            &format!("steps of actions other than {}", self.actions.join(", ")),
        );
        note_left_out(graph, n_states_out, "states that the other steps lead from or to");
    }

    fn keep_variables(&self, graph: &mut StateGraph) {
        let hidden: Vec<String> =
            graph.variables.iter().filter(|name| !self.variables.contains(name)).cloned().collect();
        graph.variables.retain(|name| self.variables.contains(name));
        for state in &mut graph.states {
            state.values.retain(|value| self.variables.contains(&value.name));
        }
        if !hidden.is_empty() {
            graph.notes.push(format!(
                "not shown: {}; states that look the same may differ there",
                hidden.join(", ")
            ));
        }
    }
}

/// Removes steps that lack one of their states.
fn cut_steps(graph: &mut StateGraph) {
    let ids: BTreeSet<u32> = graph.states.iter().map(|state| state.id).collect();
    let out: BTreeSet<u32> =
        graph.steps.iter().filter(|step| !ids.contains(&step.to)).map(|step| step.from).collect();
    graph.steps.retain(|step| ids.contains(&step.from) && ids.contains(&step.to));
    for state in graph.states.iter_mut().filter(|state| out.contains(&state.id)) {
        state.is_expanded = false;
    }
}

fn note_left_out(graph: &mut StateGraph, n: usize, what: &str) {
    if n > 0 {
        graph.is_complete = false;
        graph.notes.push(format!("left out: {n} {what}"));
    }
}
