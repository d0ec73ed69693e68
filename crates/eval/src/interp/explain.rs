//! Why a formula is FALSE: the innermost part that decides, and the values of what it reads.

use diag::Span;
use sema::spec::Quantifier;
use value::Value;

use super::fault::Evaluated;
use super::{Flow, Machine, NO_LINK};
use crate::ir::{IrId, IrKind, Root};

/// The part of a formula that made it FALSE.
#[derive(Debug)]
pub struct Culprit<'r> {
    pub span: Span,
    /// Expressions in it and their values, in the order of the text.
    pub values: Vec<(Span, Value<'r>)>,
}

/// No more expressions than these are told.
const VALUES_MAX: usize = 12;

impl<'r> Machine<'_, 'r> {
    /// The part that made `root` FALSE of the current state and step, if it is.
    pub fn explain(&mut self, root: Root) -> Evaluated<Option<Culprit<'r>>> {
        self.with_frame(root.n_slots, NO_LINK, |machine| {
            if machine.eval_bool(root.expr)? {
                return Ok(None);
            }
            machine.culprit(root.expr).map(Some)
        })
    }

    /// `id` is FALSE: the part of it to blame.
    fn culprit(&mut self, id: IrId) -> Evaluated<Culprit<'r>> {
        base::with_stack(|| self.culprit_here(id))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is shown whole")]
    fn culprit_here(&mut self, id: IrId) -> Evaluated<Culprit<'r>> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => {
                for &item in items {
                    if !self.eval_bool(item)? {
                        return self.culprit(item);
                    }
                }
                Ok(self.leaf(id))
            }
            IrKind::Enter { body, .. } => self.culprit(*body),
            IrKind::Bind { memos, body } => {
                self.reset(memos, false);
                self.culprit(*body)
            }
            IrKind::Implies(_, conclusion) => self.culprit(*conclusion),
            IrKind::If { condition, then, otherwise } => {
                let branch = if self.eval_bool(*condition)? { *then } else { *otherwise };
                self.culprit(branch)
            }
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } => {
                let mut found = None;
                self.for_each_binding(bounds, id, &mut |machine| {
                    if machine.eval_bool(*body)? {
                        return Ok(Flow::Continue);
                    }
                    found = Some(machine.culprit(*body)?);
                    Ok(Flow::Stop)
                })?;
                Ok(found.unwrap_or_else(|| self.leaf(id)))
            }
            _ => Ok(self.leaf(id)),
        }
    }

    fn leaf(&mut self, id: IrId) -> Culprit<'r> {
        let mut culprit = Culprit { span: self.span(id), values: Vec::new() };
        self.collect(id, &mut culprit);
        culprit.values.sort_by_key(|(span, _)| *span);
        culprit
    }

    /// The values of what `id` reads: variables, bound names, what is applied to them.
    fn collect(&mut self, id: IrId, culprit: &mut Culprit<'r>) {
        let program = self.program;
        let ir = &program.irs[id];
        let is_told = matches!(
            ir.kind,
            IrKind::Var(_)
                | IrKind::Next(_)
                | IrKind::Slot(_)
                | IrKind::FnApply { .. }
                | IrKind::Field { .. }
        ) || matches!(&ir.kind, IrKind::Native { args, .. } if !args.is_empty());
        let is_known = culprit.values.iter().any(|(span, _)| *span == ir.span);
        if culprit.values.len() >= VALUES_MAX {
            return;
        }
        if is_told
            && !is_known
            && !ir.facts.impure
            && let Ok(value) = self.eval(id)
        {
            culprit.values.push((ir.span, value));
        }
        // What binds names has no value for its parts from here.
        let binds = matches!(
            ir.kind,
            IrKind::Quantified { .. }
                | IrKind::Choose { .. }
                | IrKind::SetFilter { .. }
                | IrKind::SetMap { .. }
                | IrKind::Function { .. }
                | IrKind::Except { .. }
                | IrKind::Enabled { .. }
                | IrKind::Lazy { .. }
        );
        if !binds {
            let mut children = Vec::new();
            ir.kind.for_each_child(&mut |child| children.push(child));
            for child in children {
                self.collect(child, culprit);
            }
        }
    }
}
