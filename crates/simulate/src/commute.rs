//! Steps of one process side by side, where the behaviour allows it: easier to read.
//!
//! The process of a step is its first parameter. A step is moved behind the last earlier one of its process, over steps
//! of others, if the result is a behaviour with the same steps to the same finding, and processes take turns less often.

use trace::{Datum, Step};

use crate::follow::{Closeness, Follower, Label};
use crate::path::Path;

/// Moves steps together.
pub(crate) fn together(follower: &mut Follower<'_>, mut path: Path) -> Path {
    let mut at = 1;
    while at < path.nodes.len() && !follower.is_exhausted() {
        if let Some(better) = moved(follower, &path, at) {
            path = better;
        }
        at += 1;
    }
    path
}

/// The path with the step at `at` moved behind the one before it that is of the same process.
fn moved(follower: &mut Follower<'_>, path: &Path, at: usize) -> Option<Path> {
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

/// How often a step is of another process than the one before it.
fn n_turns(path: &Path) -> usize {
    let processes = path.nodes.iter().map(|node| process(&node.step));
    processes.clone().zip(processes.skip(1)).filter(|(one, next)| one != next).count()
}
