//! Expressions of a specification as values.

use std::rc::Rc;

use sema::config::Value as ConfigValue;
use sema::spec::{
    Arg, Bound, Builtin, ConstId, DefBody, DefId, ExceptStep, ExceptUpdate, ExprId, ExprKind, LocalId, Op,
    Pattern, VarId,
};
use sema::std_ops::StdOp;
use sema::unfold::Replacement;

use super::reader::{DEPTH_MAX, Reader, VariableForm};
use super::sym::{Env, Sym, known};
use crate::slice::Role;

impl Reader<'_> {
    pub fn value(&mut self, expr: ExprId, env: &Env) -> Rc<Sym> {
        if self.is_over() {
            return Rc::new(Sym::Int("0".to_owned()));
        }
        let key = (expr, env.id, self.is_primed);
        if let Some(known) = self.kept.get(&key) {
            return known.clone();
        }
        let value = base::with_stack(|| self.value_here(expr, env));
        self.kept.insert(key, value.clone());
        value
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other expression nothing is known")]
    fn value_here(&mut self, expr: ExprId, env: &Env) -> Rc<Sym> {
        let spec = self.spec;
        let text = |name| spec.names.text(name).to_owned();
        match &spec.exprs[expr].kind {
            ExprKind::Int(value) => Rc::new(Sym::Int(integer(&value.to_string()))),
            ExprKind::Str(name) => Rc::new(Sym::Text(text(*name))),
            ExprKind::Const(constant) => self.constant(*constant),
            ExprKind::Var(var) => self.variable(*var),
            ExprKind::Local(local) => match env.values.get(local) {
                Some(value) => value.clone(),
                None => self.unknown(),
            },
            ExprKind::Field { record, field } => {
                let record = self.value(*record, env);
                self.apply(&record, &Sym::Text(text(*field)))
            }
            ExprKind::FnApply { function, args } => match &args[..] {
                [arg] => {
                    let (function, arg) = (self.value(*function, env), self.value(*arg, env));
                    self.apply(&function, &arg)
                }
                _ => self.unknown(),
            },
            ExprKind::Record(fields) => {
                let fields = fields.iter().map(|(name, value)| (text(*name), self.value(*value, env)));
                Rc::new(Sym::Record(fields.collect()))
            }
            ExprKind::Except { base, updates } => {
                let mut value = self.value(*base, env);
                for update in updates {
                    value = self.update(&value, update, env);
                }
                value
            }
            ExprKind::Function { bounds, body } => self.function(bounds, *body, env),
            ExprKind::Tuple(items) => {
                Rc::new(Sym::Tuple(items.iter().map(|&item| self.value(item, env)).collect()))
            }
            ExprKind::SetEnum(items) => {
                Rc::new(Sym::Set(items.iter().map(|&item| self.value(item, env)).collect()))
            }
            ExprKind::SetFilter { bound, .. } => Rc::new(Sym::Part(self.value(bound.set, env))),
            ExprKind::SetMap { body, bounds } => self.items(*body, bounds, env),
            ExprKind::If { condition, then, otherwise } => {
                let condition = self.formula(*condition, env);
                if let Some(is_true) = known(&condition) {
                    return self.value(if is_true { *then } else { *otherwise }, env);
                }
                let (then, otherwise) = (self.value(*then, env), self.value(*otherwise, env));
                Rc::new(Sym::If(condition, then, otherwise))
            }
            ExprKind::Case { arms, other } => self.case(arms, *other, env),
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.value(*body, env),
            ExprKind::Apply { op: Op::Builtin(op), args } => {
                let args: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
                self.builtin_value(expr, *op, &args, env)
            }
            ExprKind::Apply { op: Op::Def(def), args } => self.def_value(*def, args, env),
            ExprKind::Bool(_) | ExprKind::Junction { .. } | ExprKind::Quantified { .. } => {
                Rc::new(Sym::Bool(self.formula(expr, env)))
            }
            _ => self.unknown(),
        }
    }

    fn function(&mut self, bounds: &[Bound], body: ExprId, env: &Env) -> Rc<Sym> {
        let [Bound { pattern: Pattern::Names(names), set }] = bounds else { return self.unknown() };
        let [local] = names[..] else { return self.unknown() };
        let set = self.value(*set, env);
        self.kept_part(&set, body, local, env).unwrap_or_else(|| {
            let (env, is_primed) = (env.clone(), self.is_primed);
            Rc::new(Sym::Function { local, body, env, is_primed })
        })
    }

    fn case(&mut self, arms: &[(ExprId, ExprId)], other: Option<ExprId>, env: &Env) -> Rc<Sym> {
        let mut value = match other {
            Some(other) => self.value(other, env),
            None => self.unknown(),
        };
        for (guard, body) in arms.iter().rev() {
            let (guard, body) = (self.formula(*guard, env), self.value(*body, env));
            value = Rc::new(Sym::If(guard, body, value));
        }
        value
    }

    /// Of `[x \in DOMAIN f \ S |-> f[x]]` with the network as `f`: the network, with less in it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a part of the network")]
    fn kept_part(&mut self, set: &Rc<Sym>, body: ExprId, local: LocalId, env: &Env) -> Option<Rc<Sym>> {
        let mut of = set;
        loop {
            match &**of {
                Sym::Minus(left, _) | Sym::Part(left) => of = left,
                Sym::Domain(function) => {
                    let ExprKind::FnApply { function: inner, args } = &self.spec.exprs[body].kind else {
                        return None;
                    };
                    let is_local = |arg: &ExprId| matches!(self.spec.exprs[*arg].kind, ExprKind::Local(at) if at == local);
                    if args.len() != 1 || !is_local(&args[0]) || !self.are_messages(function) {
                        return None;
                    }
                    let inner = self.value(*inner, env);
                    return (format!("{inner:?}") == format!("{function:?}"))
                        .then(|| Rc::new(Sym::Part(function.clone())));
                }
                _ => return None,
            }
        }
    }

    /// `{s[n] : n \in DOMAIN s}` has the elements of `s`.
    fn items(&mut self, body: ExprId, bounds: &[Bound], env: &Env) -> Rc<Sym> {
        if let ([Bound { set, .. }], ExprKind::FnApply { function, .. }) =
            (bounds, &self.spec.exprs[body].kind)
        {
            let set = self.value(*set, env);
            let function = self.value(*function, env);
            if let Sym::Domain(of) = &*set
                && self.are_messages(of)
                && format!("{of:?}") == format!("{function:?}")
            {
                return Rc::new(Sym::Range(function));
            }
        }
        self.unknown()
    }

    fn update(&mut self, base: &Rc<Sym>, update: &ExceptUpdate, env: &Env) -> Rc<Sym> {
        let mut path = Vec::new();
        let mut old = base.clone();
        for step in &update.path {
            let key = match step {
                ExceptStep::Field(name) => Rc::new(Sym::Text(self.spec.names.text(*name).to_owned())),
                ExceptStep::Index(args) => match &args[..] {
                    [arg] => self.value(*arg, env),
                    _ => self.unknown(),
                },
            };
            old = self.apply(&old, &key);
            path.push(key);
        }
        if self.are_messages(base) && !self.is_queues && self.is_less(update) {
            // There are fewer of a message.
            return Rc::new(Sym::Part(base.clone()));
        }
        let inner = self.extended(env, [(update.at, old)]);
        let value = self.value(update.value, &inner);
        if let (Sym::Record(fields), [key]) = (&**base, &path[..])
            && let Sym::Text(name) = &**key
            && fields.iter().any(|(field, _)| field == name)
        {
            let mut fields = fields.clone();
            fields.iter_mut().filter(|(field, _)| field == name).for_each(|field| field.1 = value.clone());
            return Rc::new(Sym::Record(fields));
        }
        Rc::new(Sym::Except { base: base.clone(), path, value })
    }

    /// Whether a new value is `@ - 1`, or `@` less another number.
    fn is_less(&self, update: &ExceptUpdate) -> bool {
        let spec = self.spec;
        let ExprKind::Apply { op: Op::Def(def), args } = &spec.exprs[update.value].kind else { return false };
        let args: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
        let [of, less] = args[..] else { return false };
        spec.defs[*def].std == Some(StdOp::Minus)
            && matches!(spec.exprs[of].kind, ExprKind::Local(local) if local == update.at)
            && matches!(spec.exprs[less].kind, ExprKind::Int(_))
    }

    fn constant(&mut self, constant: ConstId) -> Rc<Sym> {
        if let Some(known) = self.constants.get(&constant) {
            return known.clone();
        }
        let value = match self.replacements.constants.get(&constant) {
            Some(Replacement::Value(value)) => self.config_value(value),
            Some(Replacement::Const(other)) => Some(self.constant(*other)),
            Some(Replacement::Def(def)) => match self.spec.defs[*def].body {
                DefBody::Expr(body) => self.constant_expr(body),
                DefBody::Native | DefBody::Missing => None,
            },
            Some(Replacement::Table(_)) | None => None,
        };
        let value = value.unwrap_or_else(|| self.unknown());
        self.constants.insert(constant, value.clone());
        value
    }

    /// Returns the value of a constant. Numbers and sets are bounds, as a rule: they are left open, so that what is shown
    /// holds for all of them.
    fn config_value(&mut self, value: &ConfigValue) -> Option<Rc<Sym>> {
        let text = |name| self.spec.names.text(name).to_owned();
        match value {
            ConfigValue::Str(name) => Some(Rc::new(Sym::Text(text(*name)))),
            ConfigValue::ModelValue(name) => Some(Rc::new(Sym::Text(format!("model value {}", text(*name))))),
            ConfigValue::Bool(value) => Some(Rc::new(Sym::Bool(value.to_string()))),
            ConfigValue::Int(_) | ConfigValue::Set(_) => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all other values are left open")]
    fn constant_expr(&mut self, body: ExprId) -> Option<Rc<Sym>> {
        match &self.spec.exprs[body].kind {
            ExprKind::Str(name) => Some(Rc::new(Sym::Text(self.spec.names.text(*name).to_owned()))),
            ExprKind::Bool(value) => Some(Rc::new(Sym::Bool(value.to_string()))),
            _ => None,
        }
    }

    fn variable(&mut self, var: VarId) -> Rc<Sym> {
        match self.variables.get(&var).copied() {
            Some(VariableForm::Own(at, Role::PerNode)) => Rc::new(Sym::PerNode(at, self.is_primed)),
            Some(VariableForm::Own(_, Role::Network)) => {
                if self.is_primed && self.is_step {
                    self.lose_sendings("it reads the next value of the network");
                }
                Rc::new(Sym::Network(Vec::new()))
            }
            Some(VariableForm::Message) => self.message.clone(),
            Some(VariableForm::Node) => self.node.clone(),
            Some(VariableForm::Own(_, Role::Ghost)) | None => self.unknown(),
        }
    }

    fn builtin_value(&mut self, expr: ExprId, op: Builtin, args: &[ExprId], env: &Env) -> Rc<Sym> {
        match (op, args) {
            (Builtin::Cup, &[left, right]) => {
                Rc::new(Sym::Cup(self.value(left, env), self.value(right, env)))
            }
            (Builtin::SetMinus, &[left, right]) => {
                Rc::new(Sym::Minus(self.value(left, env), self.value(right, env)))
            }
            (Builtin::Domain, &[of]) => Rc::new(Sym::Domain(self.value(of, env))),
            (Builtin::Prime, &[of]) => {
                let before = std::mem::replace(&mut self.is_primed, true);
                let value = self.value(of, env);
                self.is_primed = before;
                value
            }
            (
                Builtin::And
                | Builtin::Or
                | Builtin::Not
                | Builtin::Implies
                | Builtin::Equiv
                | Builtin::Eq
                | Builtin::Neq
                | Builtin::In
                | Builtin::NotIn,
                _,
            ) => Rc::new(Sym::Bool(self.formula(expr, env))),
            _ => self.unknown(),
        }
    }

    fn def_value(&mut self, def: DefId, args: &[Arg], env: &Env) -> Rc<Sym> {
        if let Some(op) = self.spec.defs[def].std {
            let args: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
            return self.std_value(op, &args, env);
        }
        match self.enter(def, args, env) {
            Some((body, inner)) => {
                self.depth += 1;
                let value = self.value(body, &inner);
                self.depth -= 1;
                value
            }
            None => self.unknown(),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other operator nothing is known")]
    fn std_value(&mut self, op: StdOp, args: &[ExprId], env: &Env) -> Rc<Sym> {
        let values: Vec<Rc<Sym>> = args.iter().map(|&arg| self.value(arg, env)).collect();
        let sum = |reader: &mut Self, sign: &str| {
            let parts: Vec<String> = values.iter().map(|value| reader.terms.int(value)).collect();
            let term = reader.terms.name("Int", format!("({sign} {})", parts.join(" ")));
            Rc::new(Sym::Int(term))
        };
        match (op, &values[..]) {
            (StdOp::Plus, [_, _]) => sum(self, "+"),
            (StdOp::Minus, [_, _]) => sum(self, "-"),
            (StdOp::Times, [_, _]) => sum(self, "*"),
            (StdOp::Neg, [_]) => sum(self, "-"),
            (StdOp::Interval, [from, to]) => Rc::new(Sym::Interval(from.clone(), to.clone())),
            (StdOp::Len, [of]) => Rc::new(Sym::Int(self.terms.length(of))),
            (StdOp::Append, [of, item]) => Rc::new(Sym::Append(of.clone(), item.clone())),
            (StdOp::Concat, [one, two]) => Rc::new(Sym::Concat(one.clone(), two.clone())),
            (StdOp::SubSeq, [of, from, to]) => Rc::new(Sym::SubSeq(of.clone(), from.clone(), to.clone())),
            (StdOp::Tail, [of]) => Rc::new(Sym::Tail(of.clone())),
            (StdOp::Head, [of]) => self.apply(of, &Sym::Int("1".to_owned())),
            (StdOp::Override, [function, more]) => match &**more {
                Sym::With(_, key) => Rc::new(Sym::With(function.clone(), key.clone())),
                _ => self.unknown(),
            },
            (StdOp::MapsTo, [key, _]) => Rc::new(Sym::With(Rc::new(Sym::Tuple(Vec::new())), key.clone())),
            (StdOp::Lt | StdOp::Gt | StdOp::Leq | StdOp::Geq, _) => {
                Rc::new(Sym::Bool(self.std_formula(op, args, env)))
            }
            _ => self.unknown(),
        }
    }

    /// Returns the value of a function at an argument.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other function nothing is known")]
    pub fn apply(&mut self, function: &Rc<Sym>, key: &Sym) -> Rc<Sym> {
        match &**function {
            Sym::PerNode(at, is_next) => {
                let value = if *is_next { self.next[*at].clone() } else { self.now[*at].clone() };
                let node = self.node.clone();
                // A step uses its own node's part alone: the slice has made sure of that.
                if self.is_step || self.is_certainly(key, &node) {
                    return value;
                }
                let condition = self.terms.equal(key, &node);
                Rc::new(Sym::If(condition, value, self.unknown()))
            }
            Sym::Record(fields) => match key {
                Sym::Text(name) => match fields.iter().find(|(field, _)| field == name) {
                    Some((_, value)) => value.clone(),
                    None => self.unknown(),
                },
                _ => self.applied(function, key),
            },
            Sym::Except { base, path, value } => {
                let (first, rest) = (&path[0], &path[1..]);
                let old = self.apply(base, key);
                if let (Sym::Text(one), Sym::Text(two)) = (&**first, key)
                    && one != two
                {
                    return old;
                }
                let new = match rest {
                    [] => value.clone(),
                    _ => {
                        let (base, path, value) = (old.clone(), rest.to_vec(), value.clone());
                        Rc::new(Sym::Except { base, path, value })
                    }
                };
                match self.is_certainly(key, first) {
                    true => new,
                    false => {
                        let condition = self.terms.equal(first, key);
                        Rc::new(Sym::If(condition, new, old))
                    }
                }
            }
            Sym::Function { local, body, env, is_primed } => {
                let (local, body, env) = (*local, *body, env.clone());
                let inner = self.extended(&env, [(local, Rc::new(key.clone()))]);
                let before = std::mem::replace(&mut self.is_primed, *is_primed);
                self.depth += 1;
                let value = if self.depth < DEPTH_MAX { self.value(body, &inner) } else { self.unknown() };
                self.depth -= 1;
                self.is_primed = before;
                value
            }
            Sym::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.apply(then, key), self.apply(otherwise, key));
                Rc::new(Sym::If(condition.clone(), then, otherwise))
            }
            Sym::Network(path) => {
                let path = path.iter().cloned().chain([Rc::new(key.clone())]).collect();
                Rc::new(Sym::Network(path))
            }
            _ => self.applied(function, key),
        }
    }

    fn applied(&mut self, function: &Sym, key: &Sym) -> Rc<Sym> {
        let (function, key) = (self.terms.term(function), self.terms.term(key));
        Rc::new(Sym::Term(format!("(app {function} {key})")))
    }

    /// Whether two values are the same in every model, as far as their texts say so.
    fn is_certainly(&mut self, one: &Sym, two: &Sym) -> bool {
        self.terms.term(one) == self.terms.term(two)
    }
}

/// Returns an integer as SMT-LIB has it.
fn integer(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(digits) => format!("(- {digits})"),
        None => text.to_owned(),
    }
}
