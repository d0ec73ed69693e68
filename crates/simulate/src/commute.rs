//! Groups the steps of one process, if the behaviour allows it, so that the trace is easier to read.
//!
//! The process of a step is its first parameter. A step is moved behind the last earlier one of its process, over steps
//! of others, if the result is a behaviour with the same steps to the same finding, and the process changes less often.

use trace::{Datum, Step};

use crate::follow::{Closeness, Follower, Label};
use crate::path::Path;

/// Moves steps of the same process together.
pub(crate) fn group_steps(follower: &mut Follower<'_>, mut path: Path) -> Path {
    let mut at = 1;
    while at < path.nodes.len() && !follower.is_exhausted() {
        if let Some(better) = move_step(follower, &path, at) {
            path = better;
        }
        at += 1;
    }
    path
}

/// Returns the path with the step at `at` moved behind the previous step of the same process.
fn move_step(follower: &mut Follower<'_>, path: &Path, at: usize) -> Option<Path> {
    let process = process(&path.nodes[at].step)?;
    let before = path.nodes[..at].iter().rposition(|node| self::process(&node.step) == Some(process))?;
    let to = before + 1;
    if to == at {
        return None;
    }
    let mut labels: Vec<Label> = path.nodes[to..].iter().map(Label::from).collect();
    labels[..=at - to].rotate_right(1);
    let better = follower.follow((path, to), &labels, Closeness::Exact)?;
    (n_turns(&better) < n_turns(path) && better.nodes.len() <= path.nodes.len()).then_some(better)
}

fn process(step: &Option<Step>) -> Option<&Datum> {
    step.as_ref()?.parameters.first().map(|binding| &binding.value)
}

/// Returns how often a step is of another process than the one before it.
fn n_turns(path: &Path) -> usize {
    let processes = path.nodes.iter().map(|node| process(&node.step));
    processes.clone().zip(processes.skip(1)).filter(|(one, next)| one != next).count()
}
