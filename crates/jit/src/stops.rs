//! Parts of an action that have no code: the code gives up where it comes to one, and not before.

use eval::ir::{IrId, IrKind};
use sema::spec::Quantifier;

use crate::emit::{Emitted, Emitter};
use crate::outline::REPEATED_MAX;

impl Emitter<'_, '_, '_> {
    /// Gives up if this part of an action has no code: it could not be compiled, or only guards are. Returns whether it
    /// gave up.
    pub fn stops_at(&mut self, part: IrId) -> bool {
        let stops = self.common.stops.contains(&part) || self.common.only_guards && self.is_past_guards(part);
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

    /// Whether a part of an action gives a variable a value that takes much code. What comes after a short one may still be
    /// a guard.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "every other node is a guard, or has parts that are looked at"
    )]
    fn is_past_guards(&self, id: IrId) -> bool {
        let node = &self.program.irs[id];
        match &node.kind {
            IrKind::Eq(left, right) if self.target(*left).is_some() => {
                self.size(&[*right], REPEATED_MAX) >= REPEATED_MAX
            }
            IrKind::In(left, _) | IrKind::SubsetEq(left, _) => self.target(*left).is_some(),
            IrKind::Step { .. } | IrKind::Cdot(..) | IrKind::Unchanged { vars: None, .. } => true,
            IrKind::Quantified { kind: Quantifier::Forall, .. } => node.facts.reads_next,
            _ => false,
        }
    }
}
