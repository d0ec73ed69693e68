//! An account of what was compiled: for each action and each conjunct of a formula, what has no code, and why.

use std::time::Duration;

use eval::ir::IrId;

/// Whether one action or one conjunct was compiled, and why not.
#[derive(Clone, Debug, Default)]
pub struct PartAccount {
    /// The numbers of the actions that the code is for.
    pub of: Vec<usize>,
    /// The conjunct that the code is for.
    pub conjunct: Option<IrId>,
    /// The reason why it has no code at all. `None` if it has code.
    pub refusal: Option<Refusal>,
    /// The nodes that its code leaves to the interpreter.
    pub interpreted: Vec<IrId>,
    /// The number of instructions, before they are compiled.
    pub n_instructions: usize,
}

/// The reason why there is no code, and the node at which that was found out.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    pub why: &'static str,
    pub node: Option<IrId>,
}

/// How the code of one action ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActionRuns {
    pub n_runs: u64,
    pub n_given_up: u64,
    /// The node at which it last gave up, if the code notes that.
    pub gave_up_at: Option<IrId>,
    /// The time that it took, estimated from a sample.
    pub time: Duration,
}

impl ActionRuns {
    /// Adds the runs of other code.
    pub fn add(&mut self, other: ActionRuns) {
        self.n_runs += other.n_runs;
        self.n_given_up += other.n_given_up;
        self.gave_up_at = other.gave_up_at.or(self.gave_up_at);
        self.time += other.time;
    }
}

/// The accounts of the parts of a specification, in their order. An action can have several pieces, and instances share
/// them; of formulas, each conjunct is a part.
#[derive(Clone, Debug, Default)]
pub struct Account {
    pub actions: Vec<PartAccount>,
    pub invariants: Vec<PartAccount>,
    pub constraints: Vec<PartAccount>,
}
