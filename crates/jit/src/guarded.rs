//! Tests that are the same for every element of `\E`: the code makes them once, before the loop. In an action that follows
//! a log, they often say that the next line is about somebody else, and no element need be tried.

use cranelift_codegen::ir::InstBuilder;
use eval::ir::{Bound, IrId};

use crate::binders::{Body, BoundName, Source};
use crate::emit::{Emitted, Emitter};

impl<'e, 'p, 'r> Emitter<'e, 'p, 'r> {
    /// Runs `body` for each way to bind the names of `\E` around `node`. Where a test that `node` begins with and that does not
    /// depend on the names is false, no element is tried. Continues after all of them.
    pub fn for_each_guarded_binding(
        &mut self,
        bounds: &[Bound],
        node: IrId,
        body: Body<'_, 'e, 'p, 'r>,
    ) -> Emitted<()> {
        let guards = self.guards_before(bounds, node);
        let mut names = self.names(bounds, false)?;
        self.compact_names(&mut names, node);
        if guards.is_empty() || !names.iter().any(is_loop) {
            return self.nest(&names, body);
        }
        let saved = self.env.clone();
        let after = self.block();
        // Without elements nothing is tested: a test may have no value then.
        for name in &names {
            let len = self.source_len(&name.source);
            let some = self.block();
            self.b.ins().brif(len, some, &[], after, &[]);
            self.start(some);
        }
        for &guard in &guards {
            self.assume(guard, after)?;
        }
        self.nest(&names, body)?;
        self.jump(after);
        self.start(after);
        self.forget_to(saved);
        Ok(())
    }

    /// Returns the tests that the body of `\E` begins with and that are the same for every element.
    fn guards_before(&self, bounds: &[Bound], body: IrId) -> Vec<IrId> {
        let mut guards = eval::interp::settled_beginning(self.program, bounds, body);
        let is_guard = |id: IrId| self.only_tests(id) && !self.program.irs[id].facts.reads_next;
        let n_guards = guards.iter().take_while(|&&id| is_guard(id)).count();
        guards.truncate(n_guards);
        guards
    }
}

/// Whether there is a loop over the elements, and not a copy of the code for each of them.
fn is_loop(name: &BoundName<'_>) -> bool {
    match &name.source {
        Source::Constants(_) | Source::Pair(..) => false,
        Source::Range(..) | Source::Slots { .. } | Source::Words { .. } | Source::Ids { .. } => true,
    }
}
