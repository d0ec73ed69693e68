//! The interface of a graph of states that a search needs.

/// The class of a node. Nodes where the same state atoms hold have the same class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// The label of a step. Steps on which the same action atoms hold have the same label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A finite graph: nodes are numbers below [`Graph::n_nodes`].
pub trait Graph {
    fn n_nodes(&self) -> u32;
    /// Returns the nodes that behaviours begin with.
    fn initial(&self) -> &[u32];
    fn class(&self, node: u32) -> ClassId;
    /// Returns the class that counts for what must happen again and again: that of a behaviour that stays in the node.
    fn class_there(&self, node: u32) -> ClassId {
        self.class(node)
    }
    /// Returns the label of the step that changes nothing; `None` for a node in which a behaviour does not stay: its
    /// steps are not known, or doing nothing leads to another one.
    fn stutter(&self, node: u32) -> Option<LabelId>;
    /// Adds the other steps from `node`, with their labels.
    fn steps(&self, node: u32, steps: &mut Vec<(u32, LabelId)>);
    fn class_has(&self, class: ClassId, state_atom: u32) -> bool;
    fn label_has(&self, label: LabelId, action_atom: u32) -> bool;
    /// Whether to end without an answer. The caller holds about `n_bytes`.
    fn is_over(&self, n_bytes: usize) -> bool;
}
