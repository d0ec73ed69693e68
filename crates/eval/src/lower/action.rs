//! Splits the next-state relation into actions, as far as no state is needed (contract 3.1).

use std::rc::Rc;

use base::Name;
use sema::spec::{Arg, Builtin, DefBody, DefId, DefKind, ExprId, ExprKind, JunctionKind, Op, Quantifier};

use super::Lowerer;
use super::consts::inline;
use super::env::{Binding, Env, Scope, Thunk};
use crate::ir::{ActionLeaf, ActionTree, Bound, Facts, Failure, IrId, IrKind};

/// The way from Next to an action.
#[derive(Clone, Default)]
struct ActionPath {
    def: Option<DefId>,
    /// Whether it is below the definition of Next.
    is_named: bool,
    params: Vec<(Name, IrId)>,
}

impl<'s> Lowerer<'s> {
    /// Returns the tree of actions of `expr`, which stands in the body of `def`.
    pub(super) fn action_tree(&mut self, scope: &Scope<'s>, expr: ExprId, def: Option<DefId>) -> ActionTree {
        self.tree(scope, expr, &ActionPath { def, is_named: false, params: Vec::new() })
    }

    fn tree(&mut self, scope: &Scope<'s>, expr: ExprId, way: &ActionPath) -> ActionTree {
        base::with_stack(|| self.tree_here(scope, expr, way))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is one action")]
    fn tree_here(&mut self, scope: &Scope<'s>, expr: ExprId, way: &ActionPath) -> ActionTree {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Junction { kind: JunctionKind::Or, items } => {
                ActionTree::Or(items.iter().map(|&item| self.tree(scope, item, way)).collect())
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::Or), args } => {
                let items: Vec<ExprId> = args.iter().filter_map(Self::is_expr_arg).collect();
                ActionTree::Or(items.iter().map(|&item| self.tree(scope, item, way)).collect())
            }
            ExprKind::Label { body, .. } => self.tree(scope, *body, way),
            ExprKind::Let { defs, body } => {
                let (inner, thunks) = self.let_scope(scope, defs);
                let body = self.tree(&inner, *body, way);
                self.bound_tree(&thunks, body)
            }
            ExprKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                let (lowered, inner) = self.bounds(scope, bounds);
                if !lowered.iter().all(|bound| self.needs_no_state(bound.set)) {
                    return self.leaf(scope, expr, way);
                }
                let lowered = self.fold_bounds(lowered);
                let whole = self.whole_leaf(scope, expr, &lowered, way);
                let mut way = way.clone();
                for local in bounds.iter().flat_map(|bound| bound.pattern.locals()) {
                    if let Some(&Binding::Slot(key)) = inner.env.local(*local) {
                        let span = spec.locals[*local].span;
                        way.params.push((spec.locals[*local].name, self.read_slot(&inner, key, span)));
                    }
                }
                let body = Box::new(self.tree(&inner, *body, &way));
                ActionTree::Exists { bounds: lowered, body, whole }
            }
            ExprKind::Apply { op: Op::Def(def), args } => self.def_tree(scope, (*def, args), expr, way),
            _ => self.leaf(scope, expr, way),
        }
    }

    fn fold_bounds(&mut self, bounds: Vec<Bound>) -> Vec<Bound> {
        bounds.into_iter().map(|bound| Bound { set: self.fold(bound.set), ..bound }).collect()
    }

    /// Whether a node can be evaluated before there is a state.
    fn needs_no_state(&self, node: IrId) -> bool {
        let facts = self.program.irs[node].facts;
        facts == Facts::default()
    }

    /// Returns the tree of a definition. If its arguments need no state, the definition is looked through and names the
    /// actions below it.
    fn def_tree(
        &mut self,
        scope: &Scope<'s>,
        (def, args): (DefId, &'s [Arg]),
        expr: ExprId,
        way: &ActionPath,
    ) -> ActionTree {
        let replaced = self.config.replacements.defs.contains_key(&def);
        let entry = &self.spec.defs[def];
        let DefBody::Expr(body) = entry.body else { return self.leaf(scope, expr, way) };
        let is_let = scope.env.def(def).is_some();
        if replaced
            || is_let
            || self.is_recursive(def)
            || entry.kind == DefKind::Function
            || entry.std.is_some()
        {
            return self.leaf(scope, expr, way);
        }
        let constant_args = args.iter().all(|arg| match arg {
            Arg::Expr(arg) => {
                let node = self.expr(scope, *arg);
                self.needs_no_state(node)
            }
            Arg::Op(_) => false,
        });
        if !constant_args {
            return self.leaf(scope, expr, way);
        }
        let home = Scope { env: Env::default(), ..scope.clone() };
        let (inner, thunks) = self.bind_args(scope, home, &entry.params, args);
        let mut way = ActionPath {
            def: Some(def),
            is_named: way.is_named || way.def != Some(def),
            params: way.params.clone(),
        };
        for (&param, thunk) in entry.params.iter().zip(&thunks) {
            let reader = self.read_thunk(&inner, thunk);
            way.params.push((self.spec.locals[param].name, reader));
        }
        let body = self.tree(&inner, body, &way);
        self.bound_tree(&thunks, body)
    }

    pub(super) fn bound_tree(&mut self, thunks: &[Rc<Thunk<'s>>], body: ActionTree) -> ActionTree {
        let memos = self.memos(thunks);
        if memos.is_empty() { body } else { ActionTree::Bind { memos, body: Box::new(body) } }
    }

    /// Makes an action that cannot be taken: looking for its successors is an error.
    pub(super) fn refused_tree(&mut self, scope: &Scope<'s>, expr: ExprId) -> ActionTree {
        let span = self.spec.exprs[expr].span;
        let expr = self.fail(scope, Failure::Temporal, span);
        let name = self.spec.modules[self.spec.root].name;
        ActionTree::Leaf(ActionLeaf { def: None, name, is_named: false, expr, span, params: Vec::new() })
    }

    fn leaf(&mut self, scope: &Scope<'s>, expr: ExprId, way: &ActionPath) -> ActionTree {
        let lowered = self.expr(scope, expr);
        ActionTree::Leaf(self.action_leaf(expr, lowered, way))
    }

    /// Makes the action that is tried in place of those below `\E`, if its bounds turn out to have no value.
    fn whole_leaf(
        &mut self,
        scope: &Scope<'s>,
        expr: ExprId,
        bounds: &[Bound],
        way: &ActionPath,
    ) -> ActionLeaf {
        let span = self.spec.exprs[expr].span;
        let body = self.node(scope.frame, IrKind::Const(inline(value::Value::bool(false))), span);
        let kind = IrKind::Quantified { kind: Quantifier::Exists, bounds: bounds.to_vec(), body };
        let lowered = self.node(scope.frame, kind, span);
        self.action_leaf(expr, lowered, way)
    }

    fn action_leaf(&self, expr: ExprId, lowered: IrId, way: &ActionPath) -> ActionLeaf {
        let span = self.spec.exprs[expr].span;
        let name = match way.def {
            Some(def) => self.spec.defs[def].name,
            None => self.spec.modules[self.spec.root].name,
        };
        let ActionPath { def, is_named, ref params } = *way;
        ActionLeaf { def, name, is_named, expr: lowered, span, params: params.clone() }
    }
}
