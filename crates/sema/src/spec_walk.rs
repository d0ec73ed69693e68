//! Walks a resolved specification: the children of an expression, everything below one, the expressions of a proof.
//! Level checking, lints and dumps share this one traversal.
//!
//! Definitions are not entered: neither those that an expression applies nor those of its LETs. [`ExprKind::let_defs`]
//! returns the latter.

use crate::spec::{
    Arg, AssumeItem, Bound, ConstId, DefId, ExceptStep, ExceptUpdate, ExprId, ExprKind, InstanceId, LocalId,
    Op, OpArg, Proof, ProofKind, ProofStep, ProofStepKind, Quantifier, Spec, StepKind, VarId,
};

impl Arg {
    /// Returns the expression, or the body of a LAMBDA; `None` for a bare operator.
    pub fn expr(&self) -> Option<ExprId> {
        match self {
            Arg::Expr(expr) => Some(*expr),
            Arg::Op(OpArg::Lambda(lambda)) => Some(lambda.body),
            Arg::Op(OpArg::Ref(..)) => None,
        }
    }
}

/// The outermost construct of an expression, for readers to whom most kinds are alike: names, operators, choices and
/// steps are told apart, everything else is [`Head::Other`].
#[derive(Clone, Copy, Debug)]
pub enum Head<'s> {
    Var(VarId),
    Const(ConstId),
    Local(LocalId),
    Apply {
        op: Op,
        args: &'s [Arg],
    },
    Quantified {
        kind: Quantifier,
        bounds: &'s [Bound],
        body: ExprId,
    },
    If {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Case {
        arms: &'s [(ExprId, ExprId)],
        other: Option<ExprId>,
    },
    /// `[A]_v`, `<<A>>_v`
    Step {
        kind: StepKind,
        action: ExprId,
        subscript: ExprId,
    },
    /// `WF_v(A)`, `SF_v(A)`
    Fairness {
        subscript: ExprId,
        action: ExprId,
    },
    /// A literal, or a construct that combines its children.
    Other(&'s ExprKind),
}

impl ExprKind {
    /// Returns the outermost construct. A new kind of expression is classified here, once.
    pub fn head(&self) -> Head<'_> {
        match self {
            ExprKind::Var(var) => Head::Var(*var),
            ExprKind::Const(constant) => Head::Const(*constant),
            ExprKind::Local(local) => Head::Local(*local),
            ExprKind::Apply { op, args } => Head::Apply { op: *op, args },
            ExprKind::Quantified { kind, bounds, body } => {
                Head::Quantified { kind: *kind, bounds, body: *body }
            }
            ExprKind::If { condition, then, otherwise } => {
                Head::If { condition: *condition, then: *then, otherwise: *otherwise }
            }
            ExprKind::Case { arms, other } => Head::Case { arms, other: *other },
            ExprKind::Step { kind, action, subscript } => {
                Head::Step { kind: *kind, action: *action, subscript: *subscript }
            }
            ExprKind::Fairness { subscript, action, kind: _ } => {
                Head::Fairness { subscript: *subscript, action: *action }
            }
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::BuiltinSet(_)
            | ExprKind::Junction { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Product(_)
            | ExprKind::SetEnum(_)
            | ExprKind::SetFilter { .. }
            | ExprKind::SetMap { .. }
            | ExprKind::Function { .. }
            | ExprKind::FunctionSet { .. }
            | ExprKind::FnApply { .. }
            | ExprKind::Record(_)
            | ExprKind::RecordSet(_)
            | ExprKind::Field { .. }
            | ExprKind::Except { .. }
            | ExprKind::Unbounded { .. }
            | ExprKind::Choose { .. }
            | ExprKind::Let { .. }
            | ExprKind::Label { .. }
            | ExprKind::AssumeProve { .. }
            | ExprKind::Error => Head::Other(self),
        }
    }

    /// Returns the definition that this applies, if it applies one.
    pub fn applied_def(&self) -> Option<DefId> {
        if let ExprKind::Apply { op: Op::Def(def), args: _ } = self { Some(*def) } else { None }
    }

    /// Whether this is a literal or the name of something that has no parameters.
    pub fn is_atomic(&self) -> bool {
        matches!(
            self,
            ExprKind::Int(_)
                | ExprKind::Decimal(_)
                | ExprKind::Str(_)
                | ExprKind::Bool(_)
                | ExprKind::BuiltinSet(_)
                | ExprKind::Const(_)
                | ExprKind::Var(_)
                | ExprKind::Local(_)
        )
    }

    /// Calls `visit` with each expression directly below, in textual order.
    pub fn for_each_child(&self, visit: &mut impl FnMut(ExprId)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::BuiltinSet(_)
            | ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Local(_)
            | ExprKind::Error => {}
            ExprKind::Apply { op: _, args } => args.iter().filter_map(Arg::expr).for_each(visit),
            ExprKind::Junction { items, kind: _ }
            | ExprKind::Tuple(items)
            | ExprKind::Product(items)
            | ExprKind::SetEnum(items) => each(items, visit),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
                fields.iter().for_each(|&(_, value)| visit(value));
            }
            ExprKind::FunctionSet { domain: first, range: second }
            | ExprKind::Step { action: first, subscript: second, kind: _ }
            | ExprKind::Fairness { subscript: first, action: second, kind: _ } => {
                each(&[*first, *second], visit);
            }
            ExprKind::If { condition, then, otherwise } => each(&[*condition, *then, *otherwise], visit),
            ExprKind::FnApply { function, args } => {
                visit(*function);
                each(args, visit);
            }
            ExprKind::Field { record: child, field: _ }
            | ExprKind::Unbounded { body: child, kind: _, locals: _ }
            | ExprKind::Let { body: child, defs: _ }
            | ExprKind::Label { body: child, name: _, params: _ } => visit(*child),
            ExprKind::Except { base, updates } => {
                visit(*base);
                updates.iter().for_each(|update| update.for_each_child(visit));
            }
            ExprKind::SetFilter { bound, predicate: body } => {
                binder(std::slice::from_ref(bound), *body, visit)
            }
            ExprKind::Function { bounds, body } | ExprKind::Quantified { bounds, body, kind: _ } => {
                binder(bounds, *body, visit);
            }
            ExprKind::SetMap { body, bounds } => {
                visit(*body);
                bounds.iter().for_each(|bound| visit(bound.set));
            }
            ExprKind::Choose { set, body, pattern: _ } => {
                set.iter().for_each(|&set| visit(set));
                visit(*body);
            }
            ExprKind::Case { arms, other } => {
                arms.iter().for_each(|&(guard, value)| each(&[guard, value], visit));
                other.iter().for_each(|&other| visit(other));
            }
            ExprKind::AssumeProve { assumptions, goal } => {
                assumptions.iter().filter_map(AssumeItem::expr).for_each(&mut *visit);
                visit(*goal);
            }
        }
    }

    /// Calls `visit` with each name bound right here, including those of argument LAMBDAs. The `@` of an EXCEPT counts;
    /// a LET's definitions do not.
    pub fn for_each_binder(&self, visit: &mut impl FnMut(LocalId)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::BuiltinSet(_)
            | ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Local(_)
            | ExprKind::Junction { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Product(_)
            | ExprKind::SetEnum(_)
            | ExprKind::FunctionSet { .. }
            | ExprKind::FnApply { .. }
            | ExprKind::Record(_)
            | ExprKind::RecordSet(_)
            | ExprKind::Field { .. }
            | ExprKind::If { .. }
            | ExprKind::Case { .. }
            | ExprKind::Let { .. }
            | ExprKind::Step { .. }
            | ExprKind::Fairness { .. }
            | ExprKind::Error => {}
            ExprKind::Apply { args, op: _ } => {
                args.iter().for_each(|arg| arg.lambda_params().iter().copied().for_each(&mut *visit));
            }
            ExprKind::SetFilter { bound, predicate: _ } => locals(std::slice::from_ref(bound), visit),
            ExprKind::SetMap { bounds, body: _ }
            | ExprKind::Function { bounds, body: _ }
            | ExprKind::Quantified { bounds, body: _, kind: _ } => locals(bounds, visit),
            ExprKind::Except { updates, base: _ } => updates.iter().for_each(|update| visit(update.at)),
            ExprKind::Unbounded { locals: names, kind: _, body: _ }
            | ExprKind::Label { params: names, name: _, body: _ } => names.iter().copied().for_each(visit),
            ExprKind::Choose { pattern, set: _, body: _ } => {
                pattern.locals().iter().copied().for_each(visit);
            }
            ExprKind::AssumeProve { assumptions, goal: _ } => {
                assumptions.iter().filter_map(AssumeItem::local).for_each(visit);
            }
        }
    }

    /// Returns the definitions of a LET. Anything else has none.
    pub fn let_defs(&self) -> &[DefId] {
        if let ExprKind::Let { defs, body: _ } = self { defs } else { &[] }
    }
}

impl Arg {
    fn lambda_params(&self) -> &[LocalId] {
        match self {
            Arg::Op(OpArg::Lambda(lambda)) => &lambda.params,
            Arg::Op(OpArg::Ref(..)) | Arg::Expr(_) => &[],
        }
    }
}

impl AssumeItem {
    /// Returns the fact, or the set of `NEW x \in S`.
    pub fn expr(&self) -> Option<ExprId> {
        match *self {
            AssumeItem::Fact(fact) => Some(fact),
            AssumeItem::New { set, local: _ } => set,
        }
    }

    /// Returns the name that a NEW declares.
    pub fn local(&self) -> Option<LocalId> {
        match *self {
            AssumeItem::Fact(_) => None,
            AssumeItem::New { local, set: _ } => Some(local),
        }
    }
}

impl ExceptUpdate {
    /// Calls `visit` with the indices of the path, then with the value.
    pub fn for_each_child(&self, visit: &mut impl FnMut(ExprId)) {
        for step in &self.path {
            match step {
                ExceptStep::Field(_) => {}
                ExceptStep::Index(indices) => each(indices, visit),
            }
        }
        visit(self.value);
    }
}

impl Spec {
    /// Returns the expressions directly below `expr`, in textual order.
    pub fn children(&self, expr: ExprId) -> Vec<ExprId> {
        let mut children = Vec::new();
        self.exprs[expr].kind.for_each_child(&mut |child| children.push(child));
        children
    }

    /// Calls `visit` with `root` and everything below it, parents first, in textual order. Skips what is below an
    /// expression when `visit` returns `false` for it.
    pub fn walk(&self, root: ExprId, mut visit: impl FnMut(ExprId) -> bool) {
        let mut todo = vec![root];
        while let Some(expr) = todo.pop() {
            if visit(expr) {
                let n_before = todo.len();
                self.exprs[expr].kind.for_each_child(&mut |child| todo.push(child));
                todo[n_before..].reverse();
            }
        }
    }
}

/// A part of a proof, apart from steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofPart {
    Expr(ExprId),
    /// A definition made by a DEFINE step.
    Def(DefId),
    Instance(InstanceId),
    /// A name bound by TAKE or PICK.
    Local(LocalId),
}

impl Proof {
    /// Calls `visit` with every part of the proof and of the proofs below it, in textual order.
    pub fn for_each_part(&self, visit: &mut impl FnMut(ProofPart)) {
        // Proofs nest in the text, so the parser limits their depth.
        base::with_stack(|| match &self.kind {
            ProofKind::Leaf { facts } => facts.iter().for_each(|&fact| visit(ProofPart::Expr(fact))),
            ProofKind::Steps(steps) => steps.iter().for_each(|step| {
                step.for_each_own_part(visit);
                if let Some(proof) = &step.proof {
                    proof.for_each_part(visit);
                }
            }),
        });
    }
}

impl ProofStep {
    /// Calls `visit` with the parts of the step itself, without its proof.
    pub fn for_each_own_part(&self, visit: &mut impl FnMut(ProofPart)) {
        match &self.kind {
            ProofStepKind::Define(defs) => defs.iter().for_each(|&def| visit(ProofPart::Def(def))),
            ProofStepKind::Instance(instance) => {
                instance.iter().for_each(|&instance| visit(ProofPart::Instance(instance)));
            }
            ProofStepKind::UseHide { facts: exprs } | ProofStepKind::Witness(exprs) => {
                exprs.iter().for_each(|&expr| visit(ProofPart::Expr(expr)));
            }
            ProofStepKind::Have(expr)
            | ProofStepKind::Case(expr)
            | ProofStepKind::Assert { statement: expr, suffices: _ } => visit(ProofPart::Expr(*expr)),
            ProofStepKind::Take(bounds) => bound_parts(bounds, visit),
            ProofStepKind::Pick { bounds, body } => {
                bound_parts(bounds, visit);
                visit(ProofPart::Expr(*body));
            }
            ProofStepKind::Qed => {}
        }
    }
}

fn bound_parts(bounds: &[Bound], visit: &mut impl FnMut(ProofPart)) {
    for bound in bounds {
        bound.pattern.locals().iter().for_each(|&local| visit(ProofPart::Local(local)));
        visit(ProofPart::Expr(bound.set));
    }
}

fn each(exprs: &[ExprId], visit: &mut impl FnMut(ExprId)) {
    exprs.iter().copied().for_each(visit);
}

fn binder(bounds: &[Bound], body: ExprId, visit: &mut impl FnMut(ExprId)) {
    bounds.iter().for_each(|bound| visit(bound.set));
    visit(body);
}

fn locals(bounds: &[Bound], visit: &mut impl FnMut(LocalId)) {
    bounds.iter().for_each(|bound| bound.pattern.locals().iter().copied().for_each(&mut *visit));
}
