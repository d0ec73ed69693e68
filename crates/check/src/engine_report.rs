//! An account of how actions and formulas were evaluated: by compiled code or by the interpreter, how often, how long.

use std::time::Duration;

use base::FxIndexMap;
use diag::Span;
use eval::ir::IrId;
use jit::{ActionRuns, Compiled, PartAccount};

use crate::context::Context;

/// How the parts of a specification were evaluated.
#[derive(Clone, Debug, Default)]
pub struct EngineReport {
    /// The actions, in the order of the text. Instances of one action count together.
    pub actions: Vec<ActionEngine>,
    /// The conjuncts of invariants and constraints that are not compiled, or not as a whole.
    pub formulas: Vec<PartEngine>,
    /// Whether there was compiled code at all.
    pub has_code: bool,
}

/// How one action was evaluated. Times are estimates from a sample, and leave out what becomes of successors.
#[derive(Clone, Debug)]
pub struct ActionEngine {
    pub name: String,
    pub span: Span,
    pub n_instances: usize,
    /// Number of instructions of its code, before they are compiled.
    pub n_instructions: usize,
    /// Runs of code. Results that were kept are used without a run.
    pub n_runs: u64,
    /// Runs of code that met something that it was not made for: the interpreter did these again.
    pub n_given_up: u64,
    /// Where it last gave up.
    pub gave_up_at: Option<Span>,
    pub n_interpreted: u64,
    pub code_time: Duration,
    pub interpreted_time: Duration,
    pub part: PartEngine,
}

impl ActionEngine {
    pub fn time(&self) -> Duration {
        self.code_time + self.interpreted_time
    }
}

/// The parts of an action or a formula that have no code.
#[derive(Clone, Debug)]
pub struct PartEngine {
    pub span: Span,
    /// The reason why it has no code at all, and where that was found out.
    pub refusal: Option<(&'static str, Option<Span>)>,
    /// The places that its code leaves to the interpreter.
    pub interpreted: Vec<Span>,
}

impl EngineReport {
    pub(crate) fn new(
        context: &Context<'_>,
        code: Option<&Compiled>,
        compiled: &[ActionRuns],
        interpreted: &[ActionRuns],
    ) -> EngineReport {
        let mut by_leaf: FxIndexMap<IrId, Vec<usize>> = FxIndexMap::default();
        for (index, action) in context.actions.iter().enumerate() {
            by_leaf.entry(action.leaf.expr).or_default().push(index);
        }
        let accounts = code.map(Compiled::account);
        let of_actions = accounts.map_or(&[][..], |account| &account.actions);
        let action = |members: &Vec<usize>| {
            let leaf = context.actions[members[0]].leaf;
            let sum = |runs: &[ActionRuns]| {
                let mut all = ActionRuns::default();
                members.iter().for_each(|&index| all.add(runs[index]));
                all
            };
            let (by_code, by_interpreter) = (sum(compiled), sum(interpreted));
            let accounts: Vec<&PartAccount> =
                of_actions.iter().filter(|account| account.of.contains(&members[0])).collect();
            ActionEngine {
                name: context.text(leaf.name).to_owned(),
                span: leaf.span,
                n_instances: members.len(),
                n_instructions: accounts.iter().map(|account| account.n_instructions).sum(),
                n_runs: by_code.n_runs,
                n_given_up: by_code.n_given_up,
                gave_up_at: by_code.gave_up_at.map(|at| context.program().irs[at].span),
                n_interpreted: by_interpreter.n_runs,
                code_time: by_code.time,
                interpreted_time: by_interpreter.time,
                part: PartEngine::new(context, leaf.span, &accounts),
            }
        };
        let formulas = accounts.into_iter().flat_map(|account| {
            account.invariants.iter().chain(&account.constraints).filter_map(|part| {
                let span = context.program().irs[part.conjunct?].span;
                Some(PartEngine::new(context, span, &[part]))
            })
        });
        let is_wanting = |part: &PartEngine| part.refusal.is_some() || !part.interpreted.is_empty();
        EngineReport {
            actions: by_leaf.values().map(action).collect(),
            formulas: formulas.filter(is_wanting).collect(),
            has_code: code.is_some(),
        }
    }

    /// Returns the action that took most of the time without code, if that was a large part of all.
    pub fn slowest_interpreted(&self) -> Option<&ActionEngine> {
        let total: Duration = self.actions.iter().map(ActionEngine::time).sum();
        let slowest = self.actions.iter().max_by_key(|action| action.interpreted_time)?;
        (self.has_code && slowest.interpreted_time * 4 > total).then_some(slowest)
    }
}

impl PartEngine {
    fn new(context: &Context<'_>, span: Span, accounts: &[&PartAccount]) -> PartEngine {
        let span_of = |node: IrId| context.program().irs[node].span;
        let refusal = accounts.iter().find_map(|account| account.refusal);
        let mut interpreted: Vec<Span> = accounts
            .iter()
            .flat_map(|account| account.interpreted.iter().map(|&node| span_of(node)))
            .collect();
        interpreted.sort_unstable_by_key(|span| (span.start, span.end));
        interpreted.dedup();
        PartEngine {
            span,
            refusal: refusal.map(|refusal| (refusal.why, refusal.node.map(span_of))),
            interpreted,
        }
    }
}
