//! Depth-first: the newest state first, over the same store. TLC: `StateDeque`, all successors of a state are
//! found and put on a stack, and the last of them is expanded first.

use eval::interp::Machine;
use value::Region;

use crate::context::Context;
use crate::expand::{Expander, Harvest};
use crate::run::WorkerRun;
use crate::space::Handle;

/// Expands one state.
pub(crate) fn expand_one<'a>(
    context: &'a Context<'a>,
    region: &mut Region,
    (handle, depth): (Handle, u32),
) -> Harvest {
    region.reset();
    let run = WorkerRun::new(context, 0);
    let mut machine = Machine::new(context.program(), context.shared, region, &run);
    let mut expander = Expander::new(context, &run, true);
    expander.expand(&mut machine, handle, 0, depth);
    expander.finish()
}
