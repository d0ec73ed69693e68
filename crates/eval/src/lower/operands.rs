//! Arguments of applications: expressions of the specification, or the slots of a function that stands for an operator.

use std::rc::Rc;

use diag::Span;
use sema::spec::{Arg, ExprId, LocalId};

use super::Lowerer;
use super::env::{Binding, Scope, SlotKey, Thunk};
use crate::ir::{CallArg, IrId};

/// The arguments of an application.
#[derive(Clone, Copy)]
pub(super) enum Operands<'s, 'k> {
    /// Arguments that stand in the specification.
    Written(&'s [Arg]),
    /// The slots of a function that was made of an operator argument, and the place of that argument.
    Slots(&'k [SlotKey], Span),
}

impl<'s> Operands<'s, '_> {
    pub(super) const NONE: Operands<'static, 'static> = Operands::Written(&[]);

    /// Returns the last `n` arguments. Those of an INSTANCE with parameters come before them.
    pub(super) fn last(self, n: usize) -> Self {
        match self {
            Operands::Written(args) => Operands::Written(&args[args.len().saturating_sub(n)..]),
            Operands::Slots(keys, span) => Operands::Slots(&keys[keys.len().saturating_sub(n)..], span),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        match self {
            Operands::Written(args) => args.is_empty(),
            Operands::Slots(keys, _) => keys.is_empty(),
        }
    }

    /// Returns the arguments that stand in the specification.
    pub(super) fn written(self) -> &'s [Arg] {
        match self {
            Operands::Written(args) => args,
            Operands::Slots(..) => &[],
        }
    }
}

impl<'s> Lowerer<'s> {
    /// Returns `home` with `params` bound to `args`, which are read in `scope`.
    pub(super) fn bind_operands(
        &mut self,
        scope: &Scope<'s>,
        home: Scope<'s>,
        params: &[LocalId],
        args: Operands<'s, '_>,
    ) -> (Scope<'s>, Vec<Rc<Thunk<'s>>>) {
        let keys = match args {
            Operands::Written(args) => return self.bind_args(scope, home, params, args),
            Operands::Slots(keys, _) => keys,
        };
        let mut inner = home;
        for (&param, &key) in params.iter().zip(keys) {
            inner.env = inner.env.bind(param, Binding::Slot(key));
            inner.is_bare = false;
        }
        (inner, Vec::new())
    }

    /// Lowers the arguments of a function or native. Operators become functions of their own.
    pub(super) fn call_args(&mut self, scope: &Scope<'s>, args: Operands<'s, '_>) -> Vec<CallArg> {
        let lower = |arg: &'s Arg| match arg {
            Arg::Expr(expr) => CallArg::Expr(self.expr(scope, *expr)),
            Arg::Op(arg) => self.op_call_arg(scope, arg),
        };
        match args {
            Operands::Written(args) => args.iter().map(lower).collect(),
            Operands::Slots(..) => self.value_args(scope, args).into_iter().map(CallArg::Expr).collect(),
        }
    }

    /// Lowers the arguments that are values.
    pub(super) fn value_args(&mut self, scope: &Scope<'s>, args: Operands<'s, '_>) -> Vec<IrId> {
        match args {
            Operands::Written(args) => {
                let args: Vec<ExprId> = args.iter().filter_map(Self::is_expr_arg).collect();
                self.exprs(scope, &args)
            }
            Operands::Slots(keys, span) => keys.iter().map(|&key| self.read_slot(scope, key, span)).collect(),
        }
    }
}
