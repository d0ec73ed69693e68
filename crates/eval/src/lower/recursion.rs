//! Finds the definitions that lead back to themselves.
//!
//! A recursive function that refers to itself alone sees itself in a slot. Where the way back leads through other
//! definitions, each of them is code that is called, and none is a value that is evaluated once.

use std::rc::Rc;

use base::FxHashSet;
use sema::spec::{DefBody, DefId, ExprId};

use super::Lowerer;
use super::node::referenced_defs;

impl Lowerer<'_> {
    /// Whether a definition refers to another one that leads back to it. For a definition of a LET, `siblings` are all
    /// definitions of that LET, and the way back must lead through these.
    pub(super) fn recurs_through_others(&mut self, def: DefId, siblings: Option<&[DefId]>) -> bool {
        if let Some(&known) = self.mutual.get(&def) {
            return known;
        }
        let is_other = |&other: &DefId| other != def && siblings.is_none_or(|defs| defs.contains(&other));
        let mut seen = FxHashSet::default();
        let mut todo: Vec<DefId> = self.references_of(def).iter().copied().filter(is_other).collect();
        let mut found = false;
        while let Some(next) = todo.pop() {
            if !seen.insert(next) {
                continue;
            }
            let referred = self.references_of(next);
            found |= referred.contains(&def);
            if found {
                break;
            }
            todo.extend(referred.iter().copied().filter(is_other));
        }
        self.mutual.insert(def, found);
        found
    }

    /// Whether a definition of a LET is recursive, or refers to a recursive one that comes after it. Then it can only
    /// be read where all of them are known.
    pub(super) fn is_open_ended(&mut self, def: DefId, siblings: &[DefId]) -> bool {
        if self.spec.defs[def].recursive {
            return true;
        }
        let referred = self.references_of(def);
        let later = siblings.iter().skip_while(|&&other| other != def).skip(1);
        later.into_iter().any(|other| self.spec.defs[*other].recursive && referred.contains(other))
    }

    /// Returns the definitions that a body refers to. Definitions of LETs in it are part of it and not counted.
    fn references_of(&mut self, def: DefId) -> Rc<[DefId]> {
        if let Some(known) = self.referred.get(&def) {
            return Rc::clone(known);
        }
        let mut found = FxHashSet::default();
        let mut own = FxHashSet::default();
        let mut bodies: Vec<ExprId> = self.body_to_read(def).into_iter().collect();
        while let Some(body) = bodies.pop() {
            self.spec.walk(body, |expr| {
                let kind = &self.spec.exprs[expr].kind;
                found.extend(referenced_defs(kind));
                let lets = kind.let_defs().iter().copied().filter(|&inner| own.insert(inner));
                bodies.extend(lets.filter_map(|inner| self.body_to_read(inner)));
                true
            });
        }
        let mut others: Vec<DefId> = found.into_iter().filter(|other| !own.contains(other)).collect();
        others.sort_unstable();
        let others: Rc<[DefId]> = others.into();
        self.referred.insert(def, Rc::clone(&others));
        others
    }

    fn body_to_read(&self, def: DefId) -> Option<ExprId> {
        match self.spec.defs[def].body {
            DefBody::Expr(body) => Some(body),
            DefBody::Native | DefBody::Missing => None,
        }
    }
}
