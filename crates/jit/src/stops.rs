//! Conjuncts that cannot be compiled: the code of an action gives up there, and not before.

use eval::ir::IrId;

use crate::emit::{Emitted, Emitter};

impl Emitter<'_, '_, '_> {
    /// Gives up if this is a conjunct that has no code. Returns whether it is.
    pub fn stops_at(&mut self, conjunct: IrId) -> bool {
        let stops = self.common.stops.contains(&conjunct);
        if stops {
            self.draft = None;
            self.give_up_here();
        }
        stops
    }

    /// Notes the innermost conjunct that cannot be compiled. Code for what comes before it still shows whether the action
    /// is possible, and gives up only then.
    pub fn may_stop_at<T>(&mut self, conjunct: IrId, made: &Emitted<T>) {
        if made.is_err() {
            self.common.no_code_at.get_or_insert(conjunct);
        }
    }
}
