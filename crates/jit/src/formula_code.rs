//! The code of invariants and constraints: made, or kept from earlier code.

use std::sync::Arc;

use eval::interp::Machine;
use value::RowPool;

use crate::account::Account;
use crate::code::{ConjunctCode, InvariantGroup, Sources};
use crate::maker::{ConjunctDraft, Maker};
use crate::memo::MemoPlan;

/// Formulas on their way to finished code.
pub(crate) enum Formulas {
    Drafts(FormulaDrafts),
    Kept(Box<FormulaCode>),
}

/// Formulas whose functions are not finished yet.
pub(crate) struct FormulaDrafts {
    invariants: Vec<Vec<ConjunctDraft>>,
    constraints: Vec<Vec<ConjunctDraft>>,
    account: Account,
    interpret: bool,
    constraints_interpret: bool,
}

/// Finished code of formulas, with the places that record their results.
#[derive(Clone)]
pub(crate) struct FormulaCode {
    pub invariants: Vec<Vec<ConjunctCode>>,
    pub constraints: Vec<Vec<ConjunctCode>>,
    pub groups: Vec<InvariantGroup>,
    pub plan: MemoPlan,
    pub rows: Arc<RowPool>,
    pub account: Account,
    /// Whether some of the code calls the interpreter, and whether that of a constraint does.
    pub interpret: bool,
    pub constraints_interpret: bool,
}

impl FormulaDrafts {
    pub fn new<'p>(
        maker: &mut Maker<'p, '_>,
        machine: &mut Machine<'p, '_>,
        sources: Sources<'_, 'p>,
    ) -> FormulaDrafts {
        let mut account = Account::default();
        let invariants = maker.formulas(machine, (sources.invariants, false));
        account.invariants = std::mem::take(&mut maker.accounts);
        let invariants_interpret = std::mem::take(&mut maker.interprets);
        let constraints = maker.formulas(machine, (sources.constraints, true));
        account.constraints = std::mem::take(&mut maker.accounts);
        let constraints_interpret = maker.interprets;
        let interpret = invariants_interpret || constraints_interpret;
        FormulaDrafts { invariants, constraints, account, interpret, constraints_interpret }
    }
}

impl Formulas {
    /// Returns the code, when all functions are finished.
    pub fn finish(self, maker: &Maker<'_, '_>) -> FormulaCode {
        let drafts = match self {
            Formulas::Kept(code) => return *code,
            Formulas::Drafts(drafts) => drafts,
        };
        let FormulaDrafts { invariants, constraints, account, interpret, constraints_interpret } = drafts;
        let mut plan = MemoPlan::default();
        let mut parts = |all: Vec<Vec<ConjunctDraft>>| -> Vec<Vec<ConjunctCode>> {
            let mut part = |part: ConjunctDraft| {
                let made = part.made.filter(|made| maker.defined.contains(&made.id));
                let kept = made.as_ref().and_then(|made| maker.room(made.reads, &mut plan));
                ConjunctCode { code: made.map(|made| maker.code(made.id)), reads: part.reads, kept }
            };
            all.into_iter().map(|one| one.into_iter().map(&mut part).collect()).collect()
        };
        let (invariants, constraints) = (parts(invariants), parts(constraints));
        let groups = InvariantGroup::all(&invariants, &mut plan);
        let rows = plan.rows();
        FormulaCode { invariants, constraints, groups, plan, rows, account, interpret, constraints_interpret }
    }
}
