//! A small graph as a page with its picture.

use crate::page::Page;
use serde::Serialize;

use crate::graph::layout::Layout;
use crate::graph::model::StateGraph;

const BODY: &str = include_str!("html/body.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// A picture of more is of no use to anybody.
pub const STATES_DRAWN_MAX: usize = 500;
pub const STEPS_DRAWN_MAX: usize = 3_000;

/// The error that a graph is too large to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub n_states: usize,
    pub n_steps: usize,
}

#[derive(Serialize)]
struct Data<'a> {
    graph: &'a StateGraph,
    layout: &'a Layout,
}

/// The page of a graph, unless it is too large.
pub fn html(graph: &StateGraph) -> Result<String, TooLarge> {
    let (n_states, n_steps) = (graph.states.len(), graph.steps.len());
    if n_states > STATES_DRAWN_MAX || n_steps > STEPS_DRAWN_MAX {
        return Err(TooLarge { n_states, n_steps });
    }
    let data = Data { graph, layout: &Layout::of(graph) };
    let data = serde_json::to_string(&data).expect("texts and numbers are JSON");
    let title = format!("States of {}", graph.spec);
    Ok(Page { title: &title, body: BODY, style: STYLE, script: SCRIPT, data: &data }.text())
}
