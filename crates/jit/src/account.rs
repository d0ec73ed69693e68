//! An account of what was compiled: for each action and each conjunct of a formula, what has no code, and why.

use eval::ir::IrId;

/// What came of one action or one conjunct.
#[derive(Clone, Debug, Default)]
pub struct PartAccount {
    /// The reason why it has no code at all. `None` if it has code.
    pub refusal: Option<Refusal>,
    /// The nodes that its code leaves to the interpreter.
    pub interpreted: Vec<IrId>,
}

/// The reason why there is no code, and the node at which that was found out.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    pub why: &'static str,
    pub node: Option<IrId>,
}

/// What came of the parts of a specification, in their order. Of formulas, each conjunct is a part.
#[derive(Clone, Debug, Default)]
pub struct Account {
    pub actions: Vec<PartAccount>,
    pub invariants: Vec<PartAccount>,
    pub constraints: Vec<PartAccount>,
}
