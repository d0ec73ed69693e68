//! Determines which slots lazy sets and functions capture when they outlive the frame in which they are made.
//!
//! This runs after all code is lowered: a body may call an operator of a LET around it, which reads slots of its own,
//! and whose code comes later.

use base::{FxHashMap, FxHashSet, Id};

use super::Lowerer;
use super::env::{FrameId, SlotKey, WHOLE_FRAME};
use crate::ir::{Capture, Captures, FuncId, IrId, IrKind, SlotRef};

/// The outer slots that each function reads, directly or through functions that it calls.
type Environments = FxHashMap<FuncId, FxHashSet<SlotKey>>;

impl Lowerer<'_> {
    /// Fills in the captures of every lazy set and function.
    pub(super) fn set_captures(&mut self) {
        let environments = self.environments();
        for (id, frame) in std::mem::take(&mut self.closures) {
            let own = own_slots(&self.program.irs[id].kind);
            let Some(body) = body_of(&self.program.irs[id].kind) else { continue };
            let found = self.captures_of(&environments, (body, &own), frame);
            if let IrKind::Function { captures, .. } | IrKind::SetFilter { captures, .. } =
                &mut self.program.irs[id].kind
            {
                *captures = found;
            }
        }
    }

    /// Returns the slots that a body in `frame` reads of it and of the frames around; `own` are the slots that the
    /// closure binds.
    fn captures_of(
        &self,
        environments: &Environments,
        (body, own): (IrId, &[u16]),
        frame: FrameId,
    ) -> Captures {
        let is_own = |key: &SlotKey| key.0 == frame && own.contains(&key.1);
        let direct: FxHashSet<SlotKey> =
            self.reads(environments, body).into_iter().filter(|key| !is_own(key)).collect();
        let mut all = direct.clone();
        let mut todo: Vec<SlotKey> = direct.iter().copied().collect();
        let mut walks = self.walks_actions(body);
        while let Some(key) = todo.pop() {
            let Some(expr) = self.memo_expr(key) else { continue };
            walks |= self.walks_actions(expr);
            let read = self.reads(environments, expr);
            todo.extend(read.into_iter().filter(|key| !is_own(key) && all.insert(*key)));
        }
        let indirect: FxHashSet<SlotKey> = all.difference(&direct).copied().collect();
        let depth = all.iter().map(|&(home, _)| self.links(frame, home)).max().unwrap_or(0);
        Captures {
            direct: self.list_captures(frame, &direct),
            indirect: self.list_captures(frame, &indirect),
            depth,
            walks,
        }
    }

    /// Returns the captures of these slots, in the order of the slots.
    fn list_captures(&self, frame: FrameId, keys: &FxHashSet<SlotKey>) -> Vec<Capture> {
        let mut keys: Vec<SlotKey> = keys.iter().copied().collect();
        keys.sort_unstable();
        let captures = keys.into_iter().filter_map(|key| {
            let slot = SlotRef { up: self.links(frame, key.0), index: key.1 };
            Some(Capture { slot, reader: *self.readers.get(&key)? })
        });
        captures.collect()
    }

    /// Returns the expression whose value a memo slot holds.
    fn memo_expr(&self, key: SlotKey) -> Option<IrId> {
        let reader = *self.readers.get(&key)?;
        if let IrKind::Lazy { expr, .. } = self.program.irs[reader].kind { Some(expr) } else { None }
    }

    /// Returns the slots bound outside a node that evaluating it reads, except through expressions behind memo slots.
    fn reads(&self, environments: &Environments, node: IrId) -> FxHashSet<SlotKey> {
        let mut keys: FxHashSet<SlotKey> = self.free[node].iter().copied().collect();
        if keys.iter().any(|key| key.1 == WHOLE_FRAME) {
            for func in self.functions_in(node) {
                keys.extend(environments.get(&func).into_iter().flatten());
            }
        }
        keys
    }

    fn environments(&self) -> Environments {
        let funcs: Vec<FuncId> = (0..self.func_frames.len()).map(FuncId::from_index).collect();
        let mut environments = Environments::default();
        let mut calls: Vec<(FuncId, Vec<FuncId>)> = Vec::new();
        for &func in &funcs {
            let (body, frame) = (self.program.funcs[func].body, self.func_frames[func]);
            let outer = self.free[body].iter().copied().filter(|key| key.0 != frame);
            environments.insert(func, outer.collect());
            if self.free[body].iter().any(|key| key.1 == WHOLE_FRAME) {
                calls.push((func, self.functions_in(body)));
            }
        }
        loop {
            let mut has_grown = false;
            for (func, called) in &calls {
                let frame = self.func_frames[*func];
                let more: Vec<SlotKey> = called
                    .iter()
                    .filter_map(|other| environments.get(other))
                    .flatten()
                    .copied()
                    .filter(|key| key.0 != frame)
                    .collect();
                let environment = environments.entry(*func).or_default();
                more.into_iter().for_each(|key| has_grown |= environment.insert(key));
            }
            if !has_grown {
                return environments;
            }
        }
    }

    /// Returns the functions that a node calls or passes, except through expressions behind memo slots.
    fn functions_in(&self, root: IrId) -> Vec<FuncId> {
        let mut found = Vec::new();
        self.visit_code(root, &mut |kind| kind.for_each_func(&mut |func| found.push(func)));
        found
    }

    /// Whether evaluating a node may walk an action.
    fn walks_actions(&self, node: IrId) -> bool {
        let calls = self.free[node].iter().any(|key| key.1 == WHOLE_FRAME);
        self.walking[node]
            || calls
                && self.functions_in(node).iter().any(|&func| self.walking[self.program.funcs[func].body])
    }

    /// Calls `visit` with the nodes from `root` down, without the expressions behind memo slots.
    fn visit_code(&self, root: IrId, visit: &mut impl FnMut(&IrKind)) {
        let mut todo = vec![root];
        let mut seen = FxHashSet::from_iter([root]);
        while let Some(id) = todo.pop() {
            let kind = &self.program.irs[id].kind;
            visit(kind);
            if matches!(kind, IrKind::Lazy { memo: Some(_), .. }) {
                continue;
            }
            kind.for_each_child(&mut |child| {
                if seen.insert(child) {
                    todo.push(child);
                }
            });
        }
    }
}

/// Returns the slots that a lazy set or function binds itself.
fn own_slots(kind: &IrKind) -> Vec<u16> {
    let mut slots = Vec::new();
    kind.for_each_bound_slot(&mut |slot| slots.push(slot));
    slots
}

/// Returns the body of a lazy set or function.
fn body_of(kind: &IrKind) -> Option<IrId> {
    if let IrKind::Function { body, .. } | IrKind::SetFilter { predicate: body, .. } = kind {
        Some(*body)
    } else {
        None
    }
}
