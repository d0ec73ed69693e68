//! VectorClocks: a log in causal order.

use value::{Value, ops};

use super::call::{ArgPosition, Call};
use crate::interp::{Evaluated, Operator};

type Result<'r> = Evaluated<Value<'r>>;

/// One entry of the log.
struct LogEntry<'r> {
    value: Value<'r>,
    clock: Value<'r>,
    /// The time of its own node in its clock.
    time: Value<'r>,
    /// The nodes of its clock.
    nodes: Vec<Value<'r>>,
    /// Entries that must come first, by node and position.
    after: Vec<(usize, usize)>,
}

/// The log of each node, in the order in which nodes first occur.
struct Logs<'r> {
    nodes: Vec<Value<'r>>,
    entries: Vec<Vec<LogEntry<'r>>>,
}

/// The operators `clock`, `node` and `domain`.
struct Readers {
    clock: Operator,
    node: Operator,
    domain: Operator,
}

/// `CausalOrder`: sorts the entries of one node by their own time, each after those that its clock has seen. If several
/// could come next, the nodes take turns in the order in which they first occur: TLC's order is that of a hash table.
pub(super) fn causal_order<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let log = call.value(0)?;
    let readers = Readers { clock: call.operator(1)?, node: call.operator(2)?, domain: call.operator(3)? };
    let log = call.sequence(ArgPosition::First, log)?;
    let mut logs = Logs { nodes: Vec::new(), entries: Vec::new() };
    for value in log {
        logs.add(call, value, &readers)?;
    }
    for node in 0..logs.nodes.len() {
        sort(call, &mut logs.entries[node])?;
    }
    for node in 0..logs.nodes.len() {
        logs.link(call, node)?;
    }
    let sorted = logs.merge();
    if sorted.len() < log.len() {
        return Err(call.malformed_fault("the clocks of the log contradict one another"));
    }
    Ok(call.sequence_of(&sorted))
}

impl<'r> Logs<'r> {
    fn add(&mut self, call: &mut Call<'_, '_, 'r>, value: Value<'r>, readers: &Readers) -> Evaluated<()> {
        let node = call.apply(readers.node, &[value])?;
        let clock = call.apply(readers.clock, &[value])?;
        let time = call.op(|machine| ops::apply(machine, clock, node))?;
        let nodes = call.apply(readers.domain, &[clock])?;
        let nodes = call.elements(nodes)?;
        let index = match self.index(call, node)? {
            Some(index) => index,
            None => {
                self.nodes.push(node);
                self.entries.push(Vec::new());
                self.nodes.len() - 1
            }
        };
        self.entries[index].push(LogEntry { value, clock, time, nodes, after: Vec::new() });
        Ok(())
    }

    fn index(&self, call: &mut Call<'_, '_, 'r>, node: Value<'r>) -> Evaluated<Option<usize>> {
        for (index, &known) in self.nodes.iter().enumerate() {
            if call.equal(known, node)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Finds for each entry of a node the entries of the others that it has newly seen.
    fn link(&mut self, call: &mut Call<'_, '_, 'r>, node: usize) -> Evaluated<()> {
        let mut seen = vec![Value::small(0); self.nodes.len()];
        for position in 0..self.entries[node].len() {
            let (clock, time) = (self.entries[node][position].clock, self.entries[node][position].time);
            let others = self.entries[node][position].nodes.clone();
            seen[node] = time;
            for other in others {
                let time = call.op(|machine| ops::apply(machine, clock, other))?;
                let Some(index) = self.index(call, other)? else {
                    return Err(missing_entry_fault(call, other, time));
                };
                if call.op(|machine| ops::compare(machine, seen[index], time))?.is_lt() {
                    seen[index] = time;
                    let before = time.as_i64().and_then(|time| usize::try_from(time - 1).ok());
                    let before = before.filter(|&before| before < self.entries[index].len());
                    let Some(before) = before else { return Err(missing_entry_fault(call, other, time)) };
                    self.entries[node][position].after.push((index, before));
                }
            }
        }
        Ok(())
    }

    /// Takes the first entry of each node in turn, if everything that must come before it has been taken.
    fn merge(&self) -> Vec<Value<'r>> {
        let mut n_taken = vec![0; self.nodes.len()];
        let mut sorted = Vec::new();
        loop {
            let n_before = sorted.len();
            for node in 0..self.nodes.len() {
                let Some(entry) = self.entries[node].get(n_taken[node]) else { continue };
                if entry.after.iter().all(|&(other, position)| position < n_taken[other]) {
                    sorted.push(entry.value);
                    n_taken[node] += 1;
                }
            }
            if sorted.len() == n_before {
                return sorted;
            }
        }
    }
}

fn missing_entry_fault<'r>(
    call: &mut Call<'_, '_, 'r>,
    node: Value<'r>,
    time: Value<'r>,
) -> Box<crate::interp::Fault> {
    let (node, time) = (call.machine.show(node), call.machine.show(time));
    call.malformed_fault(format!("the log has no entry {time} of {node}"))
}

/// Sorts by time. Entries of the same time keep their order.
fn sort<'r>(call: &mut Call<'_, '_, 'r>, entries: &mut [LogEntry<'r>]) -> Evaluated<()> {
    for index in 1..entries.len() {
        let mut place = index;
        while place > 0 {
            let (before, here) = (entries[place - 1].time, entries[place].time);
            if call.op(|machine| ops::compare(machine, here, before))?.is_ge() {
                break;
            }
            entries.swap(place - 1, place);
            place -= 1;
        }
    }
    Ok(())
}
