//! Finds out whose step an action is: the node at whose index it reads and changes the variables that each node has.
//!
//! Indices are compared by their texts after the definitions on the way were followed: `i` in
//! `LET i == m.dest IN term[i]` is `m.dest`. Two texts that differ are taken for two nodes.

use base::{FxHashMap, FxHashSet};
use diag::Span;
use sema::Spec;
use sema::spec::{
    Arg, Builtin, DefBody, DefId, ExceptStep, ExprId, ExprKind, JunctionKind, LocalId, Op, OpArg, Quantifier,
    VarId,
};
use sema::std_ops::StdOp;

/// The role of a variable in the slice at one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A function on the nodes, of which the process has one value.
    PerNode,
    /// Messages under way.
    Network,
    /// A variable that the process does not have.
    Ghost,
}

/// The uses that an action makes of variables.
#[derive(Clone, Debug, Default)]
pub struct ActionUses {
    /// The indices at which per-node variables are changed, and then those at which they are read: texts, each with its
    /// place. The first is that of the node whose step it is.
    pub indices: Vec<(String, VarId, Span)>,
    n_changed: usize,
    /// Places where a per-node variable is used as a whole.
    pub whole: Vec<(VarId, Span)>,
    /// Whether the network is read outside of its own next value: the action receives.
    pub receives: Option<Span>,
    /// Whether the network may change, may have less than before, and may have more.
    pub changes_network: bool,
    pub may_remove: bool,
    pub may_add: bool,
}

pub(super) type Env = FxHashMap<LocalId, String>;

/// Returns the place where a formula reads the network, outside of the network's own next value.
pub fn reads_network(spec: &Spec, roles: &FxHashMap<VarId, Role>, formula: ExprId) -> Option<Span> {
    let mut reader =
        UseReader { spec, roles, uses: ActionUses::default(), seen: FxHashSet::default(), open: Vec::new() };
    reader.walk(formula, &Env::default());
    reader.uses.receives
}

/// The way in which the next value of the network may differ from the present one.
#[derive(Clone, Copy)]
struct Change {
    may_remove: bool,
    may_add: bool,
}

impl Change {
    const NONE: Change = Change { may_remove: false, may_add: false };
    const ANY: Change = Change { may_remove: true, may_add: true };

    fn or(self, other: Change) -> Change {
        Change { may_remove: self.may_remove || other.may_remove, may_add: self.may_add || other.may_add }
    }
}

/// Whether a formula looks at the network otherwise than by choosing one message of it: `\E m \in net : ...`.
pub fn reads_many(spec: &Spec, roles: &FxHashMap<VarId, Role>, formula: ExprId) -> bool {
    let mut reader =
        UseReader { spec, roles, uses: ActionUses::default(), seen: FxHashSet::default(), open: Vec::new() };
    reader.choices(formula, &Env::default()).is_none_or(|n| n > 1)
}

/// Reads the body of an action.
pub fn uses(spec: &Spec, roles: &FxHashMap<VarId, Role>, action: DefId) -> ActionUses {
    let mut reader =
        UseReader { spec, roles, uses: ActionUses::default(), seen: FxHashSet::default(), open: Vec::new() };
    if let DefBody::Expr(body) = spec.defs[action].body {
        reader.walk(body, &Env::default());
    }
    reader.uses
}

/// Returns the text of a parameter's index.
pub fn local_text(local: LocalId) -> String {
    format!("{local:?}")
}

pub(super) struct UseReader<'a> {
    pub spec: &'a Spec,
    pub roles: &'a FxHashMap<VarId, Role>,
    pub uses: ActionUses,
    /// Definitions that were followed with these arguments.
    pub seen: FxHashSet<(DefId, String)>,
    pub open: Vec<DefId>,
}

/// The prefix of the text of a variable.
const VARIABLE: &str = "var ";

impl UseReader<'_> {
    pub fn role(&self, var: VarId) -> Role {
        self.roles.get(&var).copied().unwrap_or(Role::PerNode)
    }

    /// Returns the variable that an expression is, through parameters and primes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a variable")]
    pub fn variable(&self, expr: ExprId, env: &Env) -> Option<VarId> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Var(var) => Some(*var),
            ExprKind::Local(local) => {
                let number = env.get(local)?.strip_prefix(VARIABLE)?.parse::<usize>().ok()?;
                self.spec.variables.ids().nth(number)
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args } => {
                args.first().and_then(Arg::expr).and_then(|inner| self.variable(inner, env))
            }
            _ => None,
        }
    }

    /// Returns the text of an expression.
    pub fn text(&self, expr: ExprId, env: &Env) -> String {
        base::with_stack(|| self.text_here(expr, env))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other expression stands for itself")]
    fn text_here(&self, expr: ExprId, env: &Env) -> String {
        if let Some(var) = self.variable(expr, env) {
            let number = self.spec.variables.ids().position(|id| id == var).unwrap_or_default();
            return format!("{VARIABLE}{number}");
        }
        match &self.spec.exprs[expr].kind {
            ExprKind::Local(local) => env.get(local).cloned().unwrap_or_else(|| local_text(*local)),
            ExprKind::Const(constant) => format!("{constant:?}"),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Str(name) => format!("{:?}", self.spec.names.text(*name)),
            ExprKind::Field { record, field } => {
                format!("{}.{}", self.text(*record, env), self.spec.names.text(*field))
            }
            ExprKind::FnApply { function, args } => {
                let args: Vec<String> = args.iter().map(|arg| self.text(*arg, env)).collect();
                format!("{}[{}]", self.text(*function, env), args.join(","))
            }
            ExprKind::Apply { op: Op::Def(def), args } if self.follows(*def) => {
                let inner = self.bind(*def, args, env);
                match self.spec.defs[*def].body {
                    DefBody::Expr(body) => self.text(body, &inner),
                    DefBody::Native | DefBody::Missing => format!("{expr:?}"),
                }
            }
            ExprKind::Label { body, .. } | ExprKind::Let { body, .. } => self.text(*body, env),
            _ => format!("{expr:?}"),
        }
    }

    /// Whether the body of a definition is looked at.
    pub fn follows(&self, def: DefId) -> bool {
        let entry = &self.spec.defs[def];
        entry.std.is_none() && !entry.recursive && !self.open.contains(&def)
    }

    pub fn bind(&self, def: DefId, args: &[Arg], env: &Env) -> Env {
        let mut inner = env.clone();
        for (param, arg) in self.spec.defs[def].params.iter().zip(args) {
            if let Arg::Expr(expr) = arg {
                inner.insert(*param, self.text(*expr, env));
            }
        }
        inner
    }

    fn walk(&mut self, expr: ExprId, env: &Env) {
        base::with_stack(|| self.walk_here(expr, env));
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of all other kinds, the parts are walked")]
    fn walk_here(&mut self, expr: ExprId, env: &Env) {
        let spec = self.spec;
        let span = spec.exprs[expr].span;
        if let Some(var) = self.variable(expr, env) {
            return self.use_whole(var, span);
        }
        match &spec.exprs[expr].kind {
            ExprKind::FnApply { function, args } => {
                match self.variable(*function, env).map(|var| (var, self.role(var))) {
                    Some((var, Role::PerNode)) => {
                        let index = args.iter().map(|arg| self.text(*arg, env)).collect::<Vec<_>>().join(",");
                        self.uses.indices.push((index, var, span));
                    }
                    Some((var, Role::Network | Role::Ghost)) => self.use_whole(var, span),
                    None => self.walk(*function, env),
                }
                args.iter().for_each(|arg| self.walk(*arg, env));
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::Unchanged), .. } => {}
            ExprKind::Apply { op: Op::Builtin(Builtin::Eq), args } => self.equation(args, env),
            ExprKind::Apply { op: Op::Def(def), args } => self.call(*def, args, env),
            kind => {
                let mut children = Vec::new();
                kind.for_each_child(&mut |child| children.push(child));
                children.into_iter().for_each(|child| self.walk(child, env));
            }
        }
    }

    fn use_whole(&mut self, var: VarId, span: Span) {
        match self.role(var) {
            Role::PerNode => self.uses.whole.push((var, span)),
            Role::Network => drop(self.uses.receives.get_or_insert(span)),
            Role::Ghost => {}
        }
    }

    fn call(&mut self, def: DefId, args: &[Arg], env: &Env) {
        let spec = self.spec;
        let follows = self.follows(def);
        for arg in args {
            match arg {
                // What the body does with a variable counts, and not that it is handed over.
                Arg::Expr(expr) if follows && self.variable(*expr, env).is_some() => {}
                Arg::Expr(expr) => self.walk(*expr, env),
                Arg::Op(OpArg::Lambda(lambda)) => self.walk(lambda.body, env),
                Arg::Op(OpArg::Ref(..)) => {}
            }
        }
        let DefBody::Expr(body) = spec.defs[def].body else { return };
        let inner = self.bind(def, args, env);
        let mut key: Vec<String> = inner.iter().map(|(local, text)| format!("{local:?}={text}")).collect();
        key.sort_unstable();
        if follows && self.seen.insert((def, key.join(";"))) {
            self.open.push(def);
            self.walk(body, &inner);
            self.open.pop();
        }
    }

    /// Reads `v' = e`, in which `e` may pass on the values of other nodes, and any other equation.
    fn equation(&mut self, args: &[Arg], env: &Env) {
        let sides: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
        if let [left, right] = sides[..]
            && let ExprKind::Apply { op: Op::Builtin(Builtin::Prime), .. } = &self.spec.exprs[left].kind
            && let Some(var) = self.variable(left, env)
        {
            match self.role(var) {
                Role::PerNode => return self.next_value(var, right, env),
                Role::Network => return self.next_network(right, env),
                Role::Ghost => return,
            }
        }
        sides.into_iter().for_each(|side| self.walk(side, env));
    }

    /// Reads the next value of the network. Only what it is made of counts: messages that were there are not received by
    /// being there.
    fn next_network(&mut self, expr: ExprId, env: &Env) {
        self.uses.changes_network = true;
        let change = self.change(expr, env);
        self.uses.may_remove |= change.may_remove;
        self.uses.may_add |= change.may_add;
        let before = self.uses.receives;
        self.walk(expr, env);
        self.uses.receives = before;
    }

    /// Compares the next value of the network with the present one, by the text.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of all other expressions nothing is known")]
    fn change(&mut self, expr: ExprId, env: &Env) -> Change {
        let spec = self.spec;
        if let Some(var) = self.variable(expr, env) {
            return if self.role(var) == Role::Network { Change::NONE } else { Change::ANY };
        }
        match &spec.exprs[expr].kind {
            ExprKind::Apply { op: Op::Builtin(op @ (Builtin::SetMinus | Builtin::Cup)), args } => {
                let sides: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
                let [left, right] = sides[..] else { return Change::ANY };
                let left = self.change(left, env);
                match op {
                    Builtin::SetMinus => Change { may_remove: true, ..left },
                    _ => {
                        let right = self.change(right, env);
                        Change { may_remove: left.may_remove && right.may_remove, may_add: true }
                    }
                }
            }
            ExprKind::Apply { op: Op::Def(def), args } if self.follows(*def) => {
                let DefBody::Expr(body) = spec.defs[*def].body else { return Change::ANY };
                let inner = self.bind(*def, args, env);
                self.open.push(*def);
                let change = self.change(body, &inner);
                self.open.pop();
                change
            }
            ExprKind::Except { base, updates } => {
                let is_less = updates.iter().all(|update| self.is_less(update.value, update.at));
                let change = self.change(*base, env);
                if is_less { Change { may_remove: true, ..change } } else { Change::ANY }
            }
            ExprKind::If { then, otherwise, .. } => self.change(*then, env).or(self.change(*otherwise, env)),
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.change(*body, env),
            _ => Change::ANY,
        }
    }

    /// Whether a value is a part of the one that it replaces: `@ - 1`, `Tail(@)`, `SubSeq(@, ...)`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of all other expressions nothing is known")]
    fn is_less(&self, value: ExprId, at: LocalId) -> bool {
        let ExprKind::Apply { op: Op::Def(def), args } = &self.spec.exprs[value].kind else { return false };
        let first = args.first().and_then(Arg::expr);
        let is_at = first.is_some_and(|first| match &self.spec.exprs[first].kind {
            ExprKind::Local(local) => *local == at,
            _ => false,
        });
        is_at && matches!(self.spec.defs[*def].std, Some(StdOp::Minus | StdOp::Tail | StdOp::SubSeq))
    }

    /// Returns how many messages a formula chooses from the network; `None` if it looks at it in another way.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other formula is looked at as a whole")]
    fn choices(&mut self, expr: ExprId, env: &Env) -> Option<usize> {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Junction { kind, items } => self.choices_of(*kind == JunctionKind::And, items, env),
            ExprKind::Apply { op: Op::Builtin(op @ (Builtin::And | Builtin::Or)), args } => {
                let items: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
                self.choices_of(*op == Builtin::And, &items, env)
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.choices(*body, env),
            ExprKind::Quantified { bounds, body, kind: Quantifier::Exists } => {
                let n_chosen = bounds.iter().filter(|bound| self.looks(bound.set, env)).count();
                Some(n_chosen + self.choices(*body, env)?)
            }
            ExprKind::If { condition, then, otherwise } if !self.looks(*condition, env) => {
                Some(self.choices(*then, env)?.max(self.choices(*otherwise, env)?))
            }
            ExprKind::Apply { op: Op::Def(def), args } if self.follows(*def) => {
                let DefBody::Expr(body) = spec.defs[*def].body else { return Some(0) };
                let mut inner = self.bind(*def, args, env);
                // An argument that is made of the network stands for it: how it is used in the body counts.
                for (param, arg) in spec.defs[*def].params.iter().zip(args) {
                    if let Some(arg) = arg.expr()
                        && self.variable(arg, env).is_none()
                        && self.looks(arg, env)
                    {
                        inner.insert(*param, self.network_text()?);
                    }
                }
                self.open.push(*def);
                let found = self.choices(body, &inner);
                self.open.pop();
                found
            }
            _ => (!self.looks(expr, env)).then_some(0),
        }
    }

    /// Returns the text of the variable that is the network.
    pub fn network_text(&self) -> Option<String> {
        let is_network = |id: &VarId| self.role(*id) == Role::Network;
        let number = self.spec.variables.ids().position(|id| is_network(&id))?;
        Some(format!("{VARIABLE}{number}"))
    }

    fn choices_of(&mut self, is_and: bool, items: &[ExprId], env: &Env) -> Option<usize> {
        let mut all = 0;
        for &item in items {
            let found = self.choices(item, env)?;
            all = if is_and { all + found } else { all.max(found) };
        }
        Some(all)
    }

    /// Whether a part of a formula reads the network, outside of its own next value.
    fn looks(&mut self, expr: ExprId, env: &Env) -> bool {
        let before = self.uses.receives.take();
        self.seen.clear();
        self.walk(expr, env);
        let found = self.uses.receives.is_some();
        self.uses.receives = before;
        found
    }

    /// Reads the next value of a per-node variable.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else passes on the values of other nodes")]
    fn next_value(&mut self, var: VarId, expr: ExprId, env: &Env) {
        let spec = self.spec;
        if self.variable(expr, env) == Some(var) {
            return;
        }
        match &spec.exprs[expr].kind {
            ExprKind::Except { base, updates } if self.variable(*base, env) == Some(var) => {
                for update in updates {
                    if let Some(ExceptStep::Index(args)) = update.path.first() {
                        let text = args.iter().map(|arg| self.text(*arg, env)).collect::<Vec<_>>().join(",");
                        self.uses.indices.insert(self.uses.n_changed, (text, var, update.span));
                        self.uses.n_changed += 1;
                    }
                    for step in &update.path {
                        if let ExceptStep::Index(args) = step {
                            args.iter().for_each(|arg| self.walk(*arg, env));
                        }
                    }
                    self.walk(update.value, env);
                }
            }
            ExprKind::If { condition, then, otherwise } => {
                self.walk(*condition, env);
                self.next_value(var, *then, env);
                self.next_value(var, *otherwise, env);
            }
            ExprKind::Case { arms, other } => {
                for (guard, value) in arms {
                    self.walk(*guard, env);
                    self.next_value(var, *value, env);
                }
                other.iter().for_each(|value| self.next_value(var, *value, env));
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.next_value(var, *body, env),
            ExprKind::Apply { op: Op::Def(def), args } if self.follows(*def) => {
                let DefBody::Expr(body) = spec.defs[*def].body else { return self.walk(expr, env) };
                for arg in args.iter().filter_map(Arg::expr) {
                    if self.variable(arg, env).is_none() {
                        self.walk(arg, env);
                    }
                }
                let inner = self.bind(*def, args, env);
                self.open.push(*def);
                self.next_value(var, body, &inner);
                self.open.pop();
            }
            ExprKind::Function { bounds, body } => {
                // `[n \in Node |-> IF n = i THEN e ELSE v[n]]`: v[n] passes on the value of each node.
                bounds.iter().for_each(|bound| self.walk(bound.set, env));
                let n_before = self.uses.indices.len();
                self.walk(*body, env);
                let names: Vec<String> = bounds
                    .iter()
                    .flat_map(|bound| bound.pattern.locals())
                    .map(|&local| local_text(local))
                    .collect();
                let later = self.uses.indices.split_off(n_before);
                let own = |(text, at, _): &(String, VarId, Span)| *at == var && names.contains(text);
                self.uses.indices.extend(later.into_iter().filter(|used| !own(used)));
            }
            _ => self.walk(expr, env),
        }
    }
}
