//! Where states and steps are drawn: a layer for each level, states of a layer in an order that has few crossings.
//!
//! The order comes from sweeps over the layers that put each state at the mean of its neighbours (Sugiyama's method with
//! barycentres); steps that do not lead one layer down go round the side.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::graph::model::{State, StateGraph};

const LETTER_WIDTH: f64 = 7.4;
const LINE_HEIGHT: f64 = 15.0;
const PADDING: f64 = 10.0;
const GAP: f64 = 56.0;
const LAYER_GAP: f64 = 84.0;
const SWEEPS: usize = 12;
/// Positions of labels along an arrow. Arrows from one state use them in turn, so that fewer labels overlap.
const LABELS_AT: [f64; 3] = [0.35, 0.5, 0.62];
/// Number of lines of a state's label, at most. The page shows the whole state beside the picture.
const LINES_MAX: usize = 8;
const LETTERS_MAX: usize = 36;

#[derive(Debug, Serialize)]
pub(crate) struct Layout {
    pub width: f64,
    pub height: f64,
    /// Boxes, in the order of the states.
    pub boxes: Vec<Box>,
    /// Paths, in the order of the steps.
    pub paths: Vec<Path>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Box {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Path {
    /// Value of the attribute `d`.
    pub d: String,
    /// Position of its label.
    pub x: f64,
    pub y: f64,
}

impl Layout {
    pub fn of(graph: &StateGraph) -> Layout {
        let mut boxes: Vec<Box> = graph.states.iter().map(Box::of).collect();
        let edges = edges(graph);
        let mut layers = layers(graph);
        order(&mut layers, &edges, boxes.len());
        place(&mut boxes, &layers, &edges);
        let paths = paths(&boxes, &edges, &layer_numbers(&layers, boxes.len()));
        assert_eq!(paths.len(), graph.steps.len(), "each step is drawn");
        let right = boxes.iter().map(|one| one.x + one.width).fold(0.0, f64::max);
        let below = boxes.iter().map(|one| one.y + one.height).fold(0.0, f64::max);
        let n_aside = edges.iter().filter(|(from, to)| boxes[*from].y >= boxes[*to].y).count();
        let aside = if n_aside == 0 { 0.0 } else { 90.0 };
        Layout { width: right + GAP + aside, height: below + GAP, boxes, paths }
    }
}

impl Box {
    fn of(state: &State) -> Box {
        let mut lines: Vec<String> = state.label().lines().map(cut_line).collect();
        if lines.len() > LINES_MAX {
            lines.truncate(LINES_MAX - 1);
            lines.push("…".to_owned());
        }
        lines.insert(0, format!("{}", state.id));
        let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1);
        Box {
            x: 0.0,
            y: 0.0,
            width: letters as f64 * LETTER_WIDTH + 2.0 * PADDING,
            height: lines.len() as f64 * LINE_HEIGHT + PADDING,
            lines,
        }
    }

    fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }
}

fn cut_line(line: &str) -> String {
    if line.chars().count() <= LETTERS_MAX {
        return line.to_owned();
    }
    line.chars().take(LETTERS_MAX - 1).chain(['…']).collect()
}

/// Returns the steps as pairs of indices of states.
fn edges(graph: &StateGraph) -> Vec<(usize, usize)> {
    let index: BTreeMap<u32, usize> =
        graph.states.iter().enumerate().map(|(index, state)| (state.id, index)).collect();
    graph.steps.iter().filter_map(|step| Some((*index.get(&step.from)?, *index.get(&step.to)?))).collect()
}

/// The states of each level. A level that has none, which filters may leave, takes no room.
fn layers(graph: &StateGraph) -> Vec<Vec<usize>> {
    let mut layers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, state) in graph.states.iter().enumerate() {
        layers.entry(state.level).or_default().push(index);
    }
    layers.into_values().collect()
}

fn layer_numbers(layers: &[Vec<usize>], n_states: usize) -> Vec<usize> {
    let mut numbers = vec![0; n_states];
    for (number, layer) in layers.iter().enumerate() {
        layer.iter().for_each(|&index| numbers[index] = number);
    }
    numbers
}

/// Orders each layer in sweeps down and up: a state moves to the mean of its neighbours in the layer before.
fn order(layers: &mut [Vec<usize>], edges: &[(usize, usize)], n_states: usize) {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); n_states];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let numbers = layer_numbers(layers, n_states);
    let mut positions = vec![0.0; n_states];
    let settle = |layer: &[usize], positions: &mut Vec<f64>| {
        let step = 1.0 / layer.len().max(1) as f64;
        layer.iter().enumerate().for_each(|(at, &index)| positions[index] = at as f64 * step);
    };
    layers.iter().for_each(|layer| settle(layer, &mut positions));
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        for turn in 1..layers.len() {
            let at = if is_down { turn } else { layers.len() - 1 - turn };
            let before = if is_down { at.wrapping_sub(1) } else { at + 1 };
            let mean = |index: usize| {
                let near = neighbours[index].iter().filter(|&&other| numbers[other] == before);
                let (sum, n) = near.fold((0.0, 0), |(sum, n), &other| (sum + positions[other], n + 1));
                if n == 0 { positions[index] } else { sum / f64::from(n) }
            };
            let mut keyed: Vec<(f64, usize)> = layers[at].iter().map(|&index| (mean(index), index)).collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            layers[at] = keyed.into_iter().map(|(_, index)| index).collect();
            settle(&layers[at], &mut positions);
        }
    }
}

/// Gives every box its place: first side by side, then towards its neighbours as far as there is room.
fn place(boxes: &mut [Box], layers: &[Vec<usize>], edges: &[(usize, usize)]) {
    let mut y = GAP;
    for layer in layers {
        let mut x = GAP;
        for &index in layer {
            boxes[index].x = x;
            boxes[index].y = y;
            x += boxes[index].width + GAP;
        }
        y += layer.iter().map(|&index| boxes[index].height).fold(0.0, f64::max) + LAYER_GAP;
    }
    let numbers = layer_numbers(layers, boxes.len());
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    for &(from, to) in edges.iter().filter(|&&(from, to)| numbers[from] < numbers[to]) {
        above[to].push(from);
        below[from].push(to);
    }
    for sweep in 0..SWEEPS {
        let near = if sweep % 2 == 0 { &above } else { &below };
        layers.iter().for_each(|layer| shift(boxes, layer, near));
    }
    let left = boxes.iter().map(|one| one.x).fold(f64::INFINITY, f64::min);
    boxes.iter_mut().for_each(|one| one.x += GAP - left);
}

/// Moves the boxes of a layer towards the middle of their neighbours, and keeps their order and the gaps between them.
fn shift(boxes: &mut [Box], layer: &[usize], near: &[Vec<usize>]) {
    let wanted = |boxes: &[Box], index: usize| {
        let others = &near[index];
        if others.is_empty() {
            return boxes[index].x;
        }
        let sum: f64 = others.iter().map(|&other| boxes[other].middle()).sum();
        sum / others.len() as f64 - boxes[index].width / 2.0
    };
    let mut places: Vec<f64> = layer.iter().map(|&index| wanted(boxes, index)).collect();
    // What is too far to the left is pushed to the right; then the whole layer goes back by the mean of that.
    let asked = places.clone();
    for at in 1..layer.len() {
        let free = places[at - 1] + boxes[layer[at - 1]].width + GAP;
        places[at] = places[at].max(free);
    }
    let pushed: f64 = places.iter().zip(&asked).map(|(got, asked)| got - asked).sum();
    let back = pushed / layer.len().max(1) as f64;
    for (&index, place) in layer.iter().zip(places) {
        boxes[index].x = place - back;
    }
}

/// The lines of all steps. Several between the same states are drawn beside each other.
fn paths(boxes: &[Box], edges: &[(usize, usize)], numbers: &[usize]) -> Vec<Path> {
    let mut drawn: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut n_from: BTreeMap<usize, u32> = BTreeMap::new();
    let mut n_aside = 0;
    let path = |&(from, to): &(usize, usize)| {
        let n_before = drawn.entry((from, to)).or_insert(0);
        let nth = f64::from(*n_before);
        *n_before += 1;
        if from == to {
            return loop_path(&boxes[from], nth);
        }
        if numbers[from] + 1 == numbers[to] {
            let n_siblings = n_from.entry(from).or_insert(0);
            *n_siblings += 1;
            return down_path(
                &boxes[from],
                &boxes[to],
                (nth, LABELS_AT[*n_siblings as usize % LABELS_AT.len()]),
            );
        }
        n_aside += 1;
        let turn = f64::from(n_aside % 6);
        match numbers[from] == numbers[to] {
            true => level_path(&boxes[from], &boxes[to], turn),
            false => aside_path(&boxes[from], &boxes[to], turn),
        }
    };
    edges.iter().map(path).collect()
}

fn loop_path(one: &Box, nth: f64) -> Path {
    let (x, y, out) = (one.x + one.width, one.y + one.height / 2.0, 28.0 + 12.0 * nth);
    let d = format!(
        "M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}",
        y - 8.0,
        x + out,
        y - 16.0,
        x + out,
        y + 16.0,
        y + 8.0
    );
    Path { d, x: x + 34.0, y: y - 14.0 + 11.0 * nth }
}

/// Returns the path of an arrow to the next layer. `at` is the position of its label along the way.
fn down_path(from: &Box, to: &Box, (nth, at): (f64, f64)) -> Path {
    let (x1, y1) = (from.middle() + 14.0 * nth, from.y + from.height);
    let (x2, y2) = (to.middle() + 14.0 * nth, to.y);
    let bend = (y2 - y1) / 2.0;
    let d = format!("M{x1:.1} {y1:.1}C{x1:.1} {:.1} {x2:.1} {:.1} {x2:.1} {y2:.1}", y1 + bend, y2 - bend);
    // A Bézier curve with these ends.
    let along = |start: f64, middle: (f64, f64), end: f64| {
        let back = 1.0 - at;
        back.powi(3) * start + 3.0 * back * at * (back * middle.0 + at * middle.1) + at.powi(3) * end
    };
    let y = along(y1, (y1 + bend, y2 - bend), y2) + 4.0 + 12.0 * nth;
    Path { d, x: along(x1, (x1, x2), x2), y }
}

/// Returns the path of an arrow within a layer, below the boxes.
fn level_path(from: &Box, to: &Box, turn: f64) -> Path {
    let (y1, y2) = (from.y + from.height, to.y + to.height);
    let (x1, x2) = (from.middle() + 20.0, to.middle() - 20.0);
    let dip = y1.max(y2) + 22.0 + 7.0 * turn;
    let d = format!("M{x1:.1} {y1:.1}C{x1:.1} {dip:.1} {x2:.1} {dip:.1} {x2:.1} {y2:.1}");
    Path { d, x: f64::midpoint(x1, x2), y: dip - 2.0 }
}

/// Returns the path of an arrow up, or down by more than one layer. It leaves and enters on the right side.
fn aside_path(from: &Box, to: &Box, nth: f64) -> Path {
    let (x1, y1) = (from.x + from.width, from.y + from.height / 2.0 + 3.0 * nth);
    let (x2, y2) = (to.x + to.width, to.y + to.height / 2.0 - 3.0 * nth);
    let out = x1.max(x2) + 26.0 + 9.0 * nth;
    let d = format!("M{x1:.1} {y1:.1}C{out:.1} {y1:.1} {out:.1} {y2:.1} {x2:.1} {y2:.1}");
    Path { d, x: out - 10.0, y: f64::midpoint(y1, y2) }
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use crate::graph::model::{State, StateGraph, Step};

    fn graph(levels: &[u32], steps: &[(u32, u32)]) -> StateGraph {
        let state = |(index, &level): (usize, &u32)| State {
            id: index as u32 + 1,
            level,
            is_initial: level == 1,
            is_expanded: true,
            is_in_model: true,
            violates: Vec::new(),
            values: Vec::new(),
        };
        let step = |&(from, to): &(u32, u32)| Step {
            from,
            to,
            action: "A".to_owned(),
            parameters: Vec::new(),
            violates: Vec::new(),
        };
        StateGraph {
            states: levels.iter().enumerate().map(state).collect(),
            steps: steps.iter().map(step).collect(),
            ..StateGraph::default()
        }
    }

    #[test]
    fn boxes_do_not_overlap_and_levels_go_down() {
        let graph = graph(&[1, 1, 2, 2, 2, 3], &[(1, 3), (1, 4), (2, 5), (2, 3), (5, 6), (6, 1), (3, 3)]);
        let layout = Layout::of(&graph);
        assert_eq!(layout.paths.len(), graph.steps.len());
        for (at, one) in layout.boxes.iter().enumerate() {
            assert!(one.x >= 0.0 && one.x + one.width <= layout.width, "{one:?}");
            for (other_at, other) in layout.boxes.iter().enumerate().skip(at + 1) {
                let apart = one.x + one.width <= other.x || other.x + other.width <= one.x;
                assert!(apart || one.y + one.height <= other.y, "{at} {other_at}");
            }
        }
        assert!(layout.boxes[0].y < layout.boxes[2].y && layout.boxes[2].y < layout.boxes[5].y);
    }

    #[test]
    fn crossings_that_need_not_be_are_not() {
        // Two chains that were found crosswise.
        let graph = graph(&[1, 1, 2, 2], &[(1, 4), (2, 3)]);
        let layout = Layout::of(&graph);
        assert!(layout.boxes[3].x < layout.boxes[2].x, "{:?}", layout.boxes);
    }
}
