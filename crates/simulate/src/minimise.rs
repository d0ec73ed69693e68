//! Shortens a walk that found something: delta debugging over its steps.
//!
//! Steps are left out in ever smaller pieces, from the end to the beginning, and the rest is followed from the first
//! step that is missing: by the same action, with the same parameters if possible, otherwise with others. The same
//! finding must be made again. When nothing can be left out any more, steps change places ([`crate::commute`]).

use base::FxHashMap;
use model::What;

use crate::answer::Shortened;
use crate::commute;
use crate::context::Context;
use crate::follow::{Closeness, Follower, Label};
use crate::path::Path;
use crate::run::WalkRun;

/// The most steps that are left out at once without being adjacent.
const SEVERAL_MAX: usize = 3;
/// The most steps that a walk may have for that, by the number of steps that are left out.
const SEVERAL_STEPS_MAX: [usize; SEVERAL_MAX + 1] = [0, 0, 80, 24];

/// Returns a shorter path to the same finding.
pub(crate) fn minimise(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    path: Path,
    what: &What,
) -> (Path, Option<Shortened>) {
    let n_steps_before = path.nodes.len();
    // A path with an incomplete state cannot be followed.
    if path.partial.is_some() || path.nodes.is_empty() {
        return (path, None);
    }
    let mut follower = Follower::new(context, run, what, path.walk);
    let path = remove_cycles(&mut follower, path);
    let path = remove_steps(&mut follower, path);
    let path = remove_several(&mut follower, path);
    let is_minimal = !follower.is_exhausted();
    let path = commute::group_steps(&mut follower, path);
    let n_steps = path.nodes.len();
    (path, Some(Shortened { n_steps_before, n_steps, is_minimal }))
}

/// Leaves out steps that lead from a state back to itself.
fn remove_cycles(follower: &mut Follower<'_>, path: Path) -> Path {
    let mut last_at: FxHashMap<&[u8], usize> = FxHashMap::default();
    for n_steps in 0..=path.nodes.len() {
        last_at.insert(path.state(n_steps), n_steps);
    }
    let mut kept = Vec::new();
    let mut at = 0;
    while at <= path.nodes.len() {
        let last = last_at[path.state(at)];
        at = last + 1;
        kept.extend(path.nodes.get(last).map(Label::from));
    }
    if kept.len() == path.nodes.len() {
        return path;
    }
    follower.follow((&path, 0), &kept, Closeness::Near).unwrap_or(path)
}

/// Leaves out pieces of half the length, then of a quarter, and at last single steps until none can be left out.
fn remove_steps(follower: &mut Follower<'_>, mut path: Path) -> Path {
    let mut len = path.nodes.len().div_ceil(2);
    while len > 0 && !follower.is_exhausted() {
        let n_before = path.nodes.len();
        path = remove_pieces(follower, path, len);
        let has_changed = path.nodes.len() < n_before;
        if !(len == 1 && has_changed) {
            len /= 2;
        }
    }
    path
}

/// Leaves out two or three steps that are only needed together, wherever they are.
fn remove_several(follower: &mut Follower<'_>, mut path: Path) -> Path {
    let mut n_out = 2;
    while n_out <= SEVERAL_MAX && !follower.is_exhausted() {
        let n_steps = path.nodes.len();
        if n_steps > SEVERAL_STEPS_MAX[n_out] {
            break;
        }
        path = remove_some(follower, path, (n_out, n_steps));
        // After that, single steps may have become unnecessary too.
        if path.nodes.len() < n_steps {
            path = remove_steps(follower, path);
            n_out = 2;
        } else {
            n_out += 1;
        }
    }
    path
}

/// Leaves out the first `n_out` steps for which this is possible, the last of them before `end`.
fn remove_some(follower: &mut Follower<'_>, path: Path, (n_out, end): (usize, usize)) -> Path {
    let mut out: Vec<usize> = (0..n_out).collect();
    while !follower.is_exhausted() {
        let kept = path.nodes.iter().enumerate().skip(out[0]).filter(|(index, _)| !out.contains(index));
        let kept: Vec<Label> = kept.map(|(_, node)| Label::from(node)).collect();
        if let Some(shorter) = follower.follow((&path, out[0]), &kept, Closeness::Near) {
            return shorter;
        }
        if !next_choice(&mut out, end) {
            break;
        }
    }
    path
}

/// Advances to the next choice of numbers below `end`; returns whether there is one.
fn next_choice(out: &mut [usize], end: usize) -> bool {
    let n = out.len();
    let Some(at) = (0..n).rev().find(|&at| out[at] + (n - at) < end) else { return false };
    out[at] += 1;
    for later in at + 1..n {
        out[later] = out[later - 1] + 1;
    }
    true
}

fn remove_pieces(follower: &mut Follower<'_>, mut path: Path, len: usize) -> Path {
    let mut end = path.nodes.len();
    while end > 0 && !follower.is_exhausted() {
        let start = end.saturating_sub(len);
        let rest: Vec<Label> = path.nodes[end..].iter().map(Label::from).collect();
        if let Some(shorter) = follower.follow((&path, start), &rest, Closeness::Near) {
            path = shorter;
        }
        end = start.min(path.nodes.len());
    }
    path
}

#[cfg(test)]
mod tests {
    use super::next_choice;

    #[test]
    fn every_way_to_choose_comes_once() {
        let mut out = vec![0, 1];
        let mut all = vec![out.clone()];
        while next_choice(&mut out, 4) {
            all.push(out.clone());
        }
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
