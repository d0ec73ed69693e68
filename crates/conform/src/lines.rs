//! Lines of a mapping held against the system that they are for.

use stage::script::{self, Line};
use stage::system::System;

use crate::map::LineForm;

/// A mistake in a line, and advice.
pub(crate) struct Wrong {
    pub message: String,
    pub help: String,
}

/// A stand-in for an expression whose value is not known yet. No node can be called so.
const OPEN: &str = "\u{1}";

/// Whether the system has the nodes, requests, observations and points that a line names.
pub(crate) fn check(form: &LineForm, system: &System) -> Result<(), Wrong> {
    // A line with numbers or lengths that are expressions is only known when these are.
    let text = form.fill(&mut |_| OPEN.to_owned());
    let Ok(Some(line)) = script::parse(&text) else { return Ok(()) };
    line.nodes().into_iter().try_for_each(|name| known_node(name, system))?;
    if let Line::Client { name, .. } = &line
        && name != OPEN
    {
        check_known("client request", name, system.clients.keys().map(String::as_str))?;
    }
    for name in line.points().into_iter().filter(|name| !name.contains(OPEN)) {
        check_known("point", name, system.points.iter().map(|point| point.name.as_str()))?;
    }
    Ok(())
}

fn known_node(name: &str, system: &System) -> Result<(), Wrong> {
    match name == OPEN || name == "all" {
        true => Ok(()),
        false => check_known("node", name, system.nodes.iter().map(|node| node.name.as_str())),
    }
}

fn check_known<'n>(
    kind: &str,
    name: &str,
    mut all: impl Iterator<Item = &'n str> + Clone,
) -> Result<(), Wrong> {
    let list = all.clone().collect::<Vec<_>>().join(", ");
    match all.any(|known| known == name) {
        true => Ok(()),
        false => Err(Wrong {
            message: format!("the system has no {kind} `{name}`"),
            help: format!("it has {}", if list.is_empty() { "none" } else { &list }),
        }),
    }
}
