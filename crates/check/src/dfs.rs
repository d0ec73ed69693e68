//! Depth-first: the newest state first, over the same store. TLC: `StateDeque`, all successors of a state are
//! found and put on a stack, and the last of them is expanded first.

use std::sync::atomic::Ordering;

use eval::interp::Machine;
use model::What;
use value::Region;

use crate::bfs::Expanded;
use crate::context::Context;
use crate::expand::{Company, Expander, Exploration, Finding, StepJudge};
use crate::run::WorkerRun;
use crate::space::Handle;

/// Expands one state. It is not complete if it was cut off in the middle.
pub(crate) fn expand_one<'a>(
    context: &'a Context<'a>,
    region: &mut Region,
    (handle, depth): (Handle, u32),
    judge: StepJudge,
) -> Expanded {
    region.reset();
    let run = WorkerRun::new(context, 0);
    let mut machine = Machine::new(context.program(), context.shared, region, &run);
    let mut expander = Expander::new(context, &run, Company::Alone, Exploration::DepthFirst(judge));
    expander.expand(&mut machine, handle, 0, depth);
    let harvest = expander.finish();
    if harvest.findings.iter().any(|finding| matches!(finding.what, What::Full)) {
        context.board.limits.memory_over.store(true, Ordering::Relaxed);
    }
    let is_cut_off = |finding: &Finding| finding.what.is_interruption() || matches!(finding.what, What::Full);
    let n_complete = usize::from(!harvest.findings.iter().any(is_cut_off));
    Expanded { harvests: vec![harvest], n_complete, is_to_spill: false }
}
