//! Formulas: code for their truth.

use diag::Span;
use sema::spec::StepKind;
use sema::std_ops::StdOp;
use value::{Items, Value, ops};

use super::super::Machine;
use super::super::code::{Get, Operand, TestCode, specialise};
use super::super::fault::{At, Evaluated, FaultKind};
use super::Compiler;
use crate::ir::{CallArg, IrId, IrKind};
use crate::native::{self, Implementation};

impl Compiler<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is evaluated and its value checked")]
    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    pub fn compile_test(&self, id: IrId) -> TestCode {
        let ir = &self.program.irs[id];
        let span = ir.span;
        match &ir.kind {
            IrKind::And(items) => self.and(items),
            IrKind::Or(items) => self.or(items),
            IrKind::Not(a) => {
                let a = self.test(*a);
                TestCode::new(move |machine| Ok(!a.holds(machine)?))
            }
            IrKind::Implies(a, b) => {
                let (a, b) = (self.test(*a), self.test(*b));
                TestCode::new(move |machine| Ok(!a.holds(machine)? || b.holds(machine)?))
            }
            IrKind::Equiv(a, b) => {
                let (a, b) = (self.test(*a), self.test(*b));
                TestCode::new(move |machine| {
                    let a = a.holds(machine)?;
                    Ok(a == b.holds(machine)?)
                })
            }
            IrKind::Quantified { kind, bounds, body } => self.quantifier(*kind, bounds, *body, id),
            IrKind::Eq(a, b) => self.equal(*a, *b, id, true),
            IrKind::Neq(a, b) => self.equal(*a, *b, id, false),
            IrKind::In(a, b) => self.member(*a, *b, id, true),
            IrKind::NotIn(a, b) => self.member(*a, *b, id, false),
            IrKind::SubsetEq(a, b) => {
                let (left, right) = (*a, *b);
                let (a, b) = (self.operand(left), self.operand(right));
                TestCode::new(move |machine| {
                    let a = a.value(machine)?;
                    let b = b.value(machine)?;
                    let compared = ops::is_subset(machine, a, b).at(span);
                    compared.map_err(|fault| machine.add_operands(fault, [(left, a), (right, b)]))
                })
            }
            IrKind::If { condition, then, otherwise } => {
                let (condition, then, otherwise) =
                    (self.test(*condition), self.test(*then), self.test(*otherwise));
                TestCode::new(move |machine| {
                    if condition.holds(machine)? { then.holds(machine) } else { otherwise.holds(machine) }
                })
            }
            IrKind::Enter { def, body } => {
                let (def, body) = (*def, self.test(*body));
                TestCode::new(move |machine| {
                    body.holds(machine).map_err(|fault| machine.add_inlined_call(fault, id, def))
                })
            }
            IrKind::Bind { memos, body } => {
                let (memos, body) = (memos.clone(), self.test(*body));
                TestCode::new(move |machine| {
                    machine.reset(&memos, false);
                    body.holds(machine)
                })
            }
            IrKind::Lazy { up: 0, memo: None, expr } => self.test(*expr),
            IrKind::Unchanged { current, next, .. } => {
                let (next, current) = (self.operand(*next), self.operand(*current));
                TestCode::new(move |machine| {
                    let next = next.value(machine)?;
                    let current = current.value(machine)?;
                    ops::equal(machine, next, current).at(span)
                })
            }
            IrKind::Step { kind, action, unchanged } => {
                let (action, unchanged) = (self.test(*action), self.test(*unchanged));
                match kind {
                    StepKind::Box => {
                        TestCode::new(move |machine| Ok(action.holds(machine)? || unchanged.holds(machine)?))
                    }
                    StepKind::Angle => {
                        TestCode::new(move |machine| Ok(action.holds(machine)? && !unchanged.holds(machine)?))
                    }
                }
            }
            IrKind::Enabled { action, primed } => {
                let (action, primed) = (*action, *primed);
                TestCode::new(move |machine| machine.eval_enabled(action, primed))
            }
            IrKind::Cdot(a, b) => {
                let (a, b) = (*a, *b);
                TestCode::new(move |machine| machine.cdot_holds(a, b))
            }
            IrKind::Native { op, args } => match self.comparison(*op, args, id) {
                Some(code) => code,
                None => self.boolean(id),
            },
            _ => self.boolean(id),
        }
    }

    /// Whether a standard operator has code for its truth that differs from the code for its value.
    pub fn has_own_test(&self, id: IrId) -> bool {
        let IrKind::Native { op, args } = &self.program.irs[id].kind else { return false };
        self.comparison(*op, args, id).is_some()
    }

    /// Returns code for any other node, which checks that its value is a boolean.
    fn boolean(&self, id: IrId) -> TestCode {
        let value = self.operand(id);
        TestCode::new(move |machine| {
            let value = value.value(machine)?;
            match value.as_bool() {
                Some(value) => Ok(value),
                None => {
                    let value = machine.show(value);
                    machine.fault(id, FaultKind::NotBoolean { value })
                }
            }
        })
    }

    fn and(&self, items: &[IrId]) -> TestCode {
        if let [a, b] = items {
            let (a, b) = (self.test(*a), self.test(*b));
            return TestCode::new(move |machine| Ok(a.holds(machine)? && b.holds(machine)?));
        }
        let items = self.tests(items);
        TestCode::new(move |machine| {
            for item in &items {
                if !item.holds(machine)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn or(&self, items: &[IrId]) -> TestCode {
        if let [a, b] = items {
            let (a, b) = (self.test(*a), self.test(*b));
            return TestCode::new(move |machine| Ok(a.holds(machine)? || b.holds(machine)?));
        }
        let items = self.tests(items);
        TestCode::new(move |machine| {
            for item in &items {
                if item.holds(machine)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    fn equal(&self, a: IrId, b: IrId, id: IrId, wanted: bool) -> TestCode {
        let span = self.program.irs[id].span;
        if let (Some(left), Some(right)) = (self.sub_seq(a), self.sub_seq(b)) {
            return equal_parts([(a, left), (b, right)], span, wanted);
        }
        let (left, right) = (self.operand(a), self.operand(b));
        specialise!(left, |left| specialise!(right, |right| TestCode::new(move |machine| {
            let left = left.value(machine)?;
            let right = right.value(machine)?;
            match ops::equal(machine, left, right).at(span) {
                Ok(is_equal) => Ok(is_equal == wanted),
                Err(fault) => Err(machine.add_operands(fault, [(a, left), (b, right)])),
            }
        })))
    }

    /// Returns the parts of a node that is `SubSeq(s, m, n)`. Where evaluations are counted it has its own code.
    fn sub_seq(&self, id: IrId) -> Option<[Operand; 3]> {
        let IrKind::Native { op: StdOp::SubSeq, args } = &self.program.irs[id].kind else { return None };
        let [CallArg::Expr(sequence), CallArg::Expr(from), CallArg::Expr(to)] = *args.as_slice() else {
            return None;
        };
        let is_plain = !self.codes.is_counting();
        is_plain.then(|| [self.operand(sequence), self.operand(from), self.operand(to)])
    }

    fn member(&self, element: IrId, set: IrId, id: IrId, wanted: bool) -> TestCode {
        let span = self.program.irs[id].span;
        let (left, right) = (self.operand(element), self.operand(set));
        TestCode::new(move |machine| {
            let left = left.value(machine)?;
            let right = right.value(machine)?;
            match ops::member(machine, left, right).at(span) {
                Ok(is_member) => Ok(is_member == wanted),
                Err(fault) => Err(machine.add_operands(fault, [(element, left), (set, right)])),
            }
        })
    }

    /// Returns code for `<` and similar operators, which need not make a value first.
    fn comparison(&self, op: StdOp, args: &[CallArg], id: IrId) -> Option<TestCode> {
        let [CallArg::Expr(a), CallArg::Expr(b)] = args else { return None };
        let Some(Implementation::Comparison(name, asked)) = native::implementation(op) else { return None };
        let (a, b, span) = (self.operand(*a), self.operand(*b), self.program.irs[id].span);
        Some(specialise!(a, |a| specialise!(b, |b| TestCode::new(move |machine| {
            let a = a.value(machine)?;
            let b = b.value(machine)?;
            Ok(asked.holds(ops::compare_ints(name, a, b).at(span)?))
        }))))
    }
}

/// Returns code for `SubSeq(s, k, l) = SubSeq(t, m, n)`, which compares the elements in place.
fn equal_parts([left, right]: [(IrId, [Operand; 3]); 2], span: Span, wanted: bool) -> TestCode {
    TestCode::new(move |machine| {
        let (left_args, left_items) = machine.part(&left)?;
        let (right_args, right_items) = machine.part(&right)?;
        if let (Some(left), Some(right)) = (left_items, right_items)
            && let Ok(are_equal) = ops::equal_sequences(machine, left, right)
        {
            return Ok(are_equal == wanted);
        }
        let [a, b, c] = left_args;
        let left_value = ops::sub_seq(machine, a, b, c).at(span)?;
        let [a, b, c] = right_args;
        let right_value = ops::sub_seq(machine, a, b, c).at(span)?;
        match ops::equal(machine, left_value, right_value).at(span) {
            Ok(is_equal) => Ok(is_equal == wanted),
            Err(fault) => Err(machine.add_operands(fault, [(left.0, left_value), (right.0, right_value)])),
        }
    })
}

impl<'r> Machine<'_, 'r> {
    /// Returns the arguments of a `SubSeq`, and the elements that it selects.
    fn part(&mut self, (id, args): &(IrId, [Operand; 3])) -> Evaluated<([Value<'r>; 3], Option<Items<'r>>)> {
        let [sequence, from, to] = args;
        let args = [sequence.value(self)?, from.value(self)?, to.value(self)?];
        let span = self.span(*id);
        let items = ops::sub_seq_items(self, args).at(span)?;
        Ok((args, items))
    }
}
