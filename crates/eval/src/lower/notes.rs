//! Keeps notes about the text for messages and traces: parameters of inlined calls, and the places of these calls.
//!
//! Nothing here may change what is evaluated: no slot is made for a parameter that nothing reads.

use diag::Span;
use sema::spec::{DefId, ExprKind, LocalId};

use super::Lowerer;
use super::env::{Binding, Scope, Tense, Thunk};
use crate::ir::{IrId, Param};

impl<'s> Lowerer<'s> {
    /// Notes the parameters of the call `entered`, whose body was lowered in `inner`, and its place.
    pub(super) fn note_call(&mut self, inner: &Scope<'s>, (def, entered): (DefId, IrId), site: Span) {
        let spec = self.spec;
        let params: Vec<Param> =
            spec.defs[def].params.iter().filter_map(|&local| self.param(inner, local, entered)).collect();
        if !params.is_empty() {
            self.program.notes.params.insert(entered, params);
        }
        self.program.notes.sites.entry(entered).or_default().push(site);
    }

    /// Reads an argument or LET definition by the name at `site`.
    pub(super) fn read_thunk_at(&mut self, scope: &Scope<'s>, thunk: &Thunk<'s>, site: Span) -> IrId {
        let reader = self.read_thunk(scope, thunk);
        self.program.notes.sites.entry(reader).or_default().push(site);
        reader
    }

    fn param(&mut self, inner: &Scope<'s>, local: LocalId, entered: IrId) -> Option<Param> {
        if !self.can_read(inner, local) {
            return None;
        }
        let reader = match inner.env.local(local).cloned()? {
            Binding::Slot(key) => self.read_slot(inner, key, self.spec.locals[local].span),
            Binding::Thunk(thunk) => self.read_thunk(inner, &thunk),
            Binding::Op { .. } | Binding::OpSlot(_) | Binding::Let(_) => return None,
        };
        let is_safe = self.free[reader].iter().all(|key| self.free[entered].contains(key));
        Some(Param { name: self.spec.locals[local].name, reader, is_safe })
    }

    /// Whether reading a name makes no new slot, because it is lowered already or has nothing to remember.
    fn can_read(&self, scope: &Scope<'s>, local: LocalId) -> bool {
        match scope.env.local(local) {
            Some(Binding::Slot(_)) => true,
            Some(Binding::Thunk(thunk)) => {
                self.is_lowered(thunk, (scope.primed || thunk.scope.primed, scope.own))
            }
            Some(Binding::Op { .. } | Binding::OpSlot(_) | Binding::Let(_)) | None => false,
        }
    }

    fn is_lowered(&self, thunk: &Thunk<'s>, (primed, own): Tense) -> bool {
        if !self.is_trivial(thunk.expr) {
            return thunk.lowered.borrow().iter().any(|known| known.0 == (primed, own));
        }
        let ExprKind::Local(local) = self.spec.exprs[thunk.expr].kind else { return true };
        let home = Scope { primed, own, ..thunk.scope.clone() };
        self.can_read(&home, local)
    }
}
