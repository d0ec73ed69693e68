//! Questions about lines, for code that compares them with a system before they are carried out.

use super::Line;

impl Line {
    /// Returns the nodes that the line names; `all` may be among them.
    pub fn nodes(&self) -> Vec<&str> {
        match self {
            Line::Start { nodes } => nodes.iter().map(String::as_str).collect(),
            Line::Crash { node, .. }
            | Line::Lose { node }
            | Line::LosePart { node, .. }
            | Line::Unsynced { node }
            | Line::At { node, .. }
            | Line::AtPoint { node, .. }
            | Line::Release { node, .. }
            | Line::Step { node, .. }
            | Line::Tick { node, .. }
            | Line::Advance { node, .. }
            | Line::Accept { node, .. }
            | Line::Refuse { node, .. }
            | Line::TimeOut { node, .. }
            | Line::Client { node, .. }
            | Line::Observe { node, .. } => vec![node],
            Line::Deliver { from, to, .. }
            | Line::Drop { from, to, .. }
            | Line::Duplicate { from, to, .. } => {
                vec![from, to]
            }
            Line::Cut { one, other } | Line::Heal { one, other } => {
                std::iter::once(one.as_str()).chain(other.as_deref()).collect()
            }
            Line::Break { one, other } => vec![one, other],
            Line::Expect { .. } | Line::Save { .. } => Vec::new(),
            Line::Held | Line::Nodes | Line::Help | Line::Quit => Vec::new(),
        }
    }

    /// Returns the points that the line names.
    pub fn points(&self) -> Vec<&str> {
        if let Line::AtPoint { point, .. } | Line::Release { point: Some(point), .. } = self {
            return vec![point];
        }
        if let Line::Step { from, to, .. } = self { vec![from, to] } else { Vec::new() }
    }

    /// Whether the line is about one message.
    pub fn is_about_message(&self) -> bool {
        matches!(self, Line::Deliver { .. } | Line::Drop { .. } | Line::Duplicate { .. })
    }

    /// Whether the line only tells a person something and does nothing.
    pub fn is_question(&self) -> bool {
        matches!(
            self,
            Line::Held | Line::Nodes | Line::Help | Line::Quit | Line::Expect { .. } | Line::Unsynced { .. }
        )
    }
}
