//! Graphs, UndirectedGraphs: records of nodes and edges, searched by number.

use value::{Value, ops};

use super::call::{ArgPosition, Call};
use crate::interp::{Evaluated, Fault};

type Result<'r> = Evaluated<Value<'r>>;

/// The kind of edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeKind {
    /// Edges are pairs.
    Directed,
    /// Edges are sets of one or two nodes.
    Undirected,
}

/// A graph with numbered nodes.
struct Graph<'r> {
    /// The nodes in normal order.
    nodes: Vec<Value<'r>>,
    /// The targets of the edges from each node.
    successors: Vec<Vec<usize>>,
}

impl<'r> Graph<'r> {
    /// Reads a graph. TLC: anything that is not an edge, or leads out of the graph, is ignored.
    fn read(
        call: &mut Call<'_, '_, 'r>,
        value: Value<'r>,
        kind: EdgeKind,
        place: ArgPosition,
    ) -> Evaluated<Graph<'r>> {
        let nodes = part(call, value, "node", place)?;
        let edges = part(call, value, "edge", place)?;
        let nodes = call.elements(nodes)?;
        let mut graph = Graph { successors: vec![Vec::new(); nodes.len()], nodes };
        for edge in call.elements(edges)? {
            let Some((from, to)) = ends(call, edge, kind)? else { continue };
            let (Some(from), Some(to)) = (graph.find(call, from)?, graph.find(call, to)?) else { continue };
            graph.successors[from].push(to);
            if kind == EdgeKind::Undirected {
                graph.successors[to].push(from);
            }
        }
        Ok(graph)
    }

    fn find(&self, call: &mut Call<'_, '_, 'r>, node: Value<'r>) -> Evaluated<Option<usize>> {
        let (mut low, mut high) = (0, self.nodes.len());
        while low < high {
            let middle = low.midpoint(high);
            let ordering = call.op(|machine| ops::compare(machine, node, self.nodes[middle]))?;
            match ordering {
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
                std::cmp::Ordering::Less => high = middle,
                std::cmp::Ordering::Greater => low = middle + 1,
            }
        }
        Ok(None)
    }

    /// Returns for each node, by number, whether it can be reached.
    fn reachable(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        seen[from] = true;
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            for &next in &self.successors[node] {
                if !std::mem::replace(&mut seen[next], true) {
                    todo.push(next);
                }
            }
        }
        seen
    }

    fn transpose(&self) -> Graph<'r> {
        let mut successors = vec![Vec::new(); self.nodes.len()];
        for (from, nexts) in self.successors.iter().enumerate() {
            for &to in nexts {
                successors[to].push(from);
            }
        }
        Graph { nodes: self.nodes.clone(), successors }
    }
}

/// Returns a field of the graph, which must be a set.
fn part<'r>(call: &mut Call<'_, '_, 'r>, graph: Value<'r>, name: &str, place: ArgPosition) -> Result<'r> {
    match call.field(graph, name)? {
        Some(set) if set.is_set() => Ok(set),
        Some(_) | None => Err(refuse(call, graph, place)),
    }
}

fn refuse<'r>(call: &mut Call<'_, '_, 'r>, graph: Value<'r>, place: ArgPosition) -> Box<Fault> {
    call.refuse(place, "graph record with sets of nodes and edges", graph)
}

fn ends<'r>(
    call: &mut Call<'_, '_, 'r>,
    edge: Value<'r>,
    kind: EdgeKind,
) -> Evaluated<Option<(Value<'r>, Value<'r>)>> {
    let ends = match kind {
        EdgeKind::Directed => match call.op(|machine| ops::as_sequence(machine, edge))? {
            Some(items) if items.len() == 2 => vec![items.get(0), items.get(1)],
            Some(_) | None => Vec::new(),
        },
        EdgeKind::Undirected if edge.is_set() => call.elements(edge)?,
        EdgeKind::Undirected => Vec::new(),
    };
    Ok(match ends.as_slice() {
        [node] => Some((*node, *node)),
        [from, to] => Some((*from, *to)),
        _ => None,
    })
}

pub(super) fn simple_path<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    simple_paths(call, EdgeKind::Directed)
}

pub(super) fn undirected_simple_path<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    simple_paths(call, EdgeKind::Undirected)
}

/// Returns the paths that visit no node twice.
fn simple_paths<'r>(call: &mut Call<'_, '_, 'r>, kind: EdgeKind) -> Result<'r> {
    let [value] = call.values()?;
    let graph = Graph::read(call, value, kind, ArgPosition::First)?;
    let mut paths = Vec::new();
    for start in 0..graph.nodes.len() {
        extend_path(call, &graph, &mut vec![start], &mut paths)?;
    }
    Ok(call.set_of(&paths))
}

/// Adds `path` and all its extensions.
fn extend_path<'r>(
    call: &mut Call<'_, '_, 'r>,
    graph: &Graph<'r>,
    path: &mut Vec<usize>,
    paths: &mut Vec<Value<'r>>,
) -> Evaluated<()> {
    let nodes: Vec<Value<'r>> = path.iter().map(|&node| graph.nodes[node]).collect();
    paths.push(call.sequence_of(&nodes));
    if paths.len() > value::SET_SIZE_MAX {
        return Err(call.too_large("the simple paths of the graph"));
    }
    let last = path.last().copied().unwrap_or(0);
    for &next in &graph.successors[last] {
        if !path.contains(&next) {
            path.push(next);
            base::with_stack(|| extend_path(call, graph, path, paths))?;
            path.pop();
        }
    }
    Ok(())
}

pub(super) fn are_connected_in<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    are_connected(call, EdgeKind::Directed)
}

pub(super) fn undirected_are_connected_in<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    are_connected(call, EdgeKind::Undirected)
}

/// Whether two nodes are connected. TLC: FALSE when one of them is not a node.
fn are_connected<'r>(call: &mut Call<'_, '_, 'r>, kind: EdgeKind) -> Result<'r> {
    let [from, to, value] = call.values()?;
    let graph = Graph::read(call, value, kind, ArgPosition::Third)?;
    let (Some(from), Some(to)) = (graph.find(call, from)?, graph.find(call, to)?) else {
        return Ok(Value::FALSE);
    };
    Ok(Value::bool(graph.reachable(from)[to]))
}

/// `IsStronglyConnected`: every node is reached from the first, and reaches it.
pub(super) fn is_strongly_connected<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    let graph = Graph::read(call, value, EdgeKind::Directed, ArgPosition::First)?;
    let all = |graph: &Graph<'_>| graph.nodes.is_empty() || graph.reachable(0).into_iter().all(|seen| seen);
    Ok(Value::bool(all(&graph) && all(&graph.transpose())))
}

pub(super) fn connected_components<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    let graph = Graph::read(call, value, EdgeKind::Undirected, ArgPosition::First)?;
    let mut done = vec![false; graph.nodes.len()];
    let mut components = Vec::new();
    for start in 0..graph.nodes.len() {
        if done[start] {
            continue;
        }
        let seen = graph.reachable(start);
        let members = seen.iter().enumerate().filter(|(_, seen)| **seen).map(|(node, _)| node);
        let members: Vec<Value<'r>> =
            members.inspect(|&node| done[node] = true).map(|node| graph.nodes[node]).collect();
        components.push(call.set_of(&members));
    }
    Ok(call.set_of(&components))
}
