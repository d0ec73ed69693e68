//! Endings in words, each in a line.

use std::fmt;

use crate::outcome::{Divergence, Ending, Obstacle};

impl Ending {
    /// Returns how it ended, in a line.
    pub fn reason(&self) -> String {
        match self {
            Ending::Agreed => "it agrees".to_owned(),
            Ending::Confirmed(confirmed) => format!("`{}` is violated", confirmed.property.name()),
            Ending::Diverged(divergence) => divergence.to_string(),
            Ending::CouldNot(obstacle) => obstacle.to_string(),
        }
    }
}

fn divergence_text(divergence: &Divergence) -> String {
    match divergence {
        Divergence::Values(differences) => {
            let names: Vec<String> =
                differences.iter().map(|difference| format!("`{}`", difference.variable)).collect();
            let verb = if names.len() == 1 { "differs" } else { "differ" };
            format!("{} {verb}", names.join(", "))
        }
        Divergence::Message { from, to, held: Some(_), .. } => {
            format!("the next message from {from} to {to} is another one")
        }
        Divergence::Message { from, to, held: None, .. } => {
            format!("no message is under way from {from} to {to}")
        }
        Divergence::Alarm { node, line } => format!("{node} wrote: {}", visible(line)),
    }
}

fn obstacle_text(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Died { node, how, .. } => format!("{node} {how}"),
        Obstacle::Impossible { event, why } => format!("`{}`: {}", visible(event), visible(why)),
        Obstacle::Unseen(why) | Obstacle::Unconfirmed(why) => visible(why),
        Obstacle::Undefined(diagnostic) => visible(&diagnostic.headline),
        Obstacle::Interrupted => "it was interrupted".to_owned(),
    }
}

/// Makes text of a node's visible: it may hold anything, and a terminal must not obey it.
pub fn visible(text: &str) -> String {
    text.chars().map(base::visible).collect()
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&divergence_text(self))
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&obstacle_text(self))
    }
}
