//! Formulas of a specification as formulas of SMT-LIB. Every real step is a model of the formula of its action; the formula
//! may have more models: what is not understood is a constant of which nothing is known. So what holds in no model
//! happens in no step.

use std::rc::Rc;

use base::FxHashMap;
use sema::Spec;
use sema::spec::{
    Arg, Bound, Builtin, ConstId, DefBody, DefId, ExprId, ExprKind, JunctionKind, LocalId, Op, Pattern,
    Quantifier, VarId,
};
use sema::std_ops::StdOp;
use sema::unfold::Replacements;

use super::sym::{Env, Sending, Sym, Terms, and, known, not, or};
use crate::slice::Role;

/// The deepest nesting of definitions that is followed.
pub(super) const DEPTH_MAX: usize = 60;
/// The most terms for one action: past these it is not translated.
const LINES_LEN_MAX: usize = 20_000;

/// The meaning of a variable in the formulas.
#[derive(Clone, Copy, Debug)]
pub(super) enum VariableForm {
    /// The variable of the slice of that number.
    Own(usize, Role),
    Message,
    Node,
}

pub(super) struct Reader<'a> {
    pub spec: &'a Spec,
    pub replacements: &'a Replacements,
    pub variables: FxHashMap<VarId, VariableForm>,
    pub terms: Terms,
    /// The node's part of each variable before and after the step.
    pub now: Vec<Rc<Sym>>,
    pub next: Vec<Rc<Sym>>,
    pub node: Rc<Sym>,
    /// The message that a condition is about.
    pub message: Rc<Sym>,
    /// The message that an action takes from the network; of several, each one is another.
    pub taken: Option<Rc<Sym>>,
    /// The messages that the step may put into the network.
    pub sendings: Vec<Sending>,
    /// Why the action cannot be translated.
    pub trouble: Option<String>,
    /// Whether it matters what the step puts into the network.
    pub needs_sendings: bool,
    pub is_queues: bool,
    pub is_primed: bool,
    /// Whether equations of next values are those of the step.
    pub is_step: bool,
    pub depth: usize,
    n_envs: u32,
    pub constants: FxHashMap<ConstId, Rc<Sym>>,
    pub kept: FxHashMap<(ExprId, u32, bool), Rc<Sym>>,
}

impl<'a> Reader<'a> {
    pub fn new(
        spec: &'a Spec,
        replacements: &'a Replacements,
        variables: FxHashMap<VarId, VariableForm>,
        (n_variables, is_queues): (usize, bool),
    ) -> Reader<'a> {
        let mut terms = Terms::default();
        let mut fresh = || Rc::new(Sym::Term(terms.fresh("V")));
        let (node, message) = (fresh(), fresh());
        let now = (0..n_variables).map(|_| fresh()).collect();
        let next = (0..n_variables).map(|_| fresh()).collect();
        Reader {
            spec,
            replacements,
            variables,
            terms,
            now,
            next,
            node,
            message,
            taken: None,
            sendings: Vec::new(),
            trouble: None,
            needs_sendings: false,
            is_queues,
            is_primed: false,
            is_step: false,
            depth: 0,
            n_envs: 0,
            constants: FxHashMap::default(),
            kept: FxHashMap::default(),
        }
    }

    /// Returns the formula of a step.
    pub fn step(&mut self, expr: ExprId) -> String {
        self.is_step = true;
        let formula = self.formula(expr, &Env::default());
        self.is_step = false;
        formula
    }

    /// Returns a formula about a state, before or after the step.
    pub fn state_formula(&mut self, expr: ExprId, is_next: bool) -> String {
        self.is_primed = is_next;
        let formula = self.formula(expr, &Env::default());
        self.is_primed = false;
        formula
    }

    fn refuse(&mut self, why: &str) {
        if self.trouble.is_none() {
            self.trouble = Some(why.to_owned());
        }
    }

    /// Notes that it is not known what the step puts into the network.
    pub fn lose_sendings(&mut self, why: &str) {
        if self.needs_sendings {
            self.refuse(why);
        }
    }

    pub fn unknown(&mut self) -> Rc<Sym> {
        Rc::new(Sym::Term(self.terms.fresh("V")))
    }

    pub fn unknown_formula(&mut self) -> String {
        self.terms.fresh("Bool")
    }

    pub fn extended(&mut self, env: &Env, more: impl IntoIterator<Item = (LocalId, Rc<Sym>)>) -> Env {
        let mut values = (*env.values).clone();
        values.extend(more);
        self.n_envs += 1;
        Env { id: self.n_envs, values: Rc::new(values) }
    }

    /// Whether there is no more room, or no sense in going on.
    pub fn is_over(&mut self) -> bool {
        if self.terms.lines.len() > LINES_LEN_MAX {
            self.refuse("its formula is too long");
        }
        self.trouble.is_some()
    }

    pub fn formula(&mut self, expr: ExprId, env: &Env) -> String {
        if self.is_over() {
            return "true".to_owned();
        }
        let formula = base::with_stack(|| self.formula_here(expr, env));
        self.terms.name("Bool", formula)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other formula nothing is known")]
    fn formula_here(&mut self, expr: ExprId, env: &Env) -> String {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Junction { kind, items } => {
                let parts: Vec<String> = items.iter().map(|&item| self.formula(item, env)).collect();
                if *kind == JunctionKind::And { and(&parts) } else { or(&parts) }
            }
            ExprKind::Apply { op: Op::Builtin(op), args } => {
                let args: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
                self.builtin_formula(*op, &args, env)
            }
            ExprKind::Apply { op: Op::Def(def), args } => self.def_formula(*def, args, env),
            ExprKind::If { condition, then, otherwise } => {
                let condition = self.formula(*condition, env);
                if let Some(is_true) = known(&condition) {
                    return self.formula(if is_true { *then } else { *otherwise }, env);
                }
                let (then, otherwise) = (self.formula(*then, env), self.formula(*otherwise, env));
                format!("(ite {condition} {then} {otherwise})")
            }
            ExprKind::Case { arms, other } => {
                let mut formula = match other {
                    Some(other) => self.formula(*other, env),
                    None => self.unknown_formula(),
                };
                for (guard, body) in arms.iter().rev() {
                    let (guard, body) = (self.formula(*guard, env), self.formula(*body, env));
                    formula = format!("(ite {guard} {body} {formula})");
                }
                formula
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.formula(*body, env),
            ExprKind::Quantified { kind, bounds, body } => self.quantified(*kind, bounds, *body, env),
            ExprKind::Var(_) | ExprKind::Local(_) | ExprKind::Field { .. } | ExprKind::FnApply { .. } => {
                let value = self.value(expr, env);
                self.terms.bool(&value)
            }
            ExprKind::Const(_) => {
                let value = self.value(expr, env);
                self.terms.bool(&value)
            }
            _ => self.left_open(expr),
        }
    }

    /// Returns a formula of which nothing is known. That would lose what a step sends.
    fn left_open(&mut self, expr: ExprId) -> String {
        if self.is_step && self.primes_network(expr) {
            self.lose_sendings("what it puts into the network is said in a way that is not translated");
        }
        self.unknown_formula()
    }

    /// Whether an expression has a next value in it, also in definitions.
    fn primes_network(&self, expr: ExprId) -> bool {
        let mut seen: Vec<DefId> = Vec::new();
        let mut todo = vec![expr];
        let mut is_found = false;
        while let Some(expr) = todo.pop() {
            self.spec.walk(expr, |expr| {
                if let ExprKind::Apply { op, .. } = &self.spec.exprs[expr].kind {
                    match op {
                        Op::Builtin(Builtin::Prime | Builtin::Unchanged) => is_found = true,
                        Op::Def(def) if !seen.contains(def) => {
                            seen.push(*def);
                            if let DefBody::Expr(body) = self.spec.defs[*def].body {
                                todo.push(body);
                            }
                        }
                        Op::Def(_) | Op::Const(_) | Op::Param(_) | Op::Builtin(_) => {}
                    }
                }
                true
            });
        }
        is_found
    }

    fn builtin_formula(&mut self, op: Builtin, args: &[ExprId], env: &Env) -> String {
        match (op, args) {
            (Builtin::And, _) => {
                let parts: Vec<String> = args.iter().map(|&item| self.formula(item, env)).collect();
                and(&parts)
            }
            (Builtin::Or, _) => {
                let parts: Vec<String> = args.iter().map(|&item| self.formula(item, env)).collect();
                or(&parts)
            }
            (Builtin::Not, &[of]) => not(&self.formula(of, env)),
            (Builtin::Implies, &[left, right]) => {
                let (left, right) = (self.formula(left, env), self.formula(right, env));
                or(&[not(&left), right])
            }
            (Builtin::Equiv, &[left, right]) => {
                let (left, right) = (self.formula(left, env), self.formula(right, env));
                format!("(= {left} {right})")
            }
            (Builtin::Eq, &[left, right]) => self.equation(left, right, env),
            (Builtin::Neq, &[left, right]) => {
                let (left, right) = (self.value(left, env), self.value(right, env));
                not(&self.terms.equal(&left, &right))
            }
            (Builtin::In, &[left, right]) => {
                let left = self.value(left, env);
                self.member(&left, right, env)
            }
            (Builtin::NotIn, &[left, right]) => {
                let left = self.value(left, env);
                not(&self.member(&left, right, env))
            }
            (Builtin::Unchanged, &[of]) => self.unchanged(of),
            (Builtin::Prime, &[of]) => {
                let before = std::mem::replace(&mut self.is_primed, true);
                let formula = self.formula(of, env);
                self.is_primed = before;
                formula
            }
            _ => {
                for &arg in args {
                    if self.is_step && self.primes_network(arg) {
                        self.lose_sendings("a next value stands where it is not translated");
                    }
                }
                self.unknown_formula()
            }
        }
    }

    /// Returns the variable whose next value an expression is.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a next value")]
    fn next_variable(&self, expr: ExprId) -> Option<VarId> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args } => {
                match self.spec.exprs[args.first().and_then(Arg::expr)?].kind {
                    ExprKind::Var(var) => Some(var),
                    _ => None,
                }
            }
            ExprKind::Label { body, .. } => self.next_variable(*body),
            _ => None,
        }
    }

    fn equation(&mut self, left: ExprId, right: ExprId, env: &Env) -> String {
        let form = self.next_variable(left).filter(|_| self.is_step);
        match form.and_then(|var| self.variables.get(&var).copied()) {
            Some(VariableForm::Own(at, Role::PerNode)) => {
                let function = self.value(right, env);
                let node = self.node.clone();
                let value = self.apply(&function, &node);
                let next = self.next[at].clone();
                self.terms.equal(&next, &value)
            }
            Some(VariableForm::Own(_, Role::Network)) => {
                let network = self.value(right, env);
                // Whether this equation is the one that holds.
                let holds = self.unknown_formula();
                self.add_sendings(&network, &holds);
                holds
            }
            Some(VariableForm::Own(_, Role::Ghost)) => self.unknown_formula(),
            Some(VariableForm::Message | VariableForm::Node) => "true".to_owned(),
            None => {
                let (left, right) = (self.value(left, env), self.value(right, env));
                self.terms.equal(&left, &right)
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of everything else that stays nothing is known")]
    fn unchanged(&mut self, of: ExprId) -> String {
        match &self.spec.exprs[of].kind {
            ExprKind::Var(var) => match self.variables.get(var) {
                Some(VariableForm::Own(at, Role::PerNode)) => {
                    let (now, next) = (self.now[*at].clone(), self.next[*at].clone());
                    self.terms.equal(&next, &now)
                }
                Some(_) => "true".to_owned(),
                None => self.unknown_formula(),
            },
            ExprKind::Tuple(items) => {
                let parts: Vec<String> = items.iter().map(|&item| self.unchanged(item)).collect();
                and(&parts)
            }
            ExprKind::Apply { op: Op::Def(def), args } if args.is_empty() => {
                match self.spec.defs[*def].body {
                    DefBody::Expr(body) if !self.replacements.defs.contains_key(def) => self.unchanged(body),
                    _ => self.unknown_formula(),
                }
            }
            ExprKind::Label { body, .. } => self.unchanged(*body),
            _ => self.unknown_formula(),
        }
    }

    /// Binds the parameters of a definition whose body can be read.
    pub fn enter(&mut self, def: DefId, args: &[Arg], env: &Env) -> Option<(ExprId, Env)> {
        let entry = &self.spec.defs[def];
        let DefBody::Expr(body) = entry.body else { return None };
        let is_plain = entry.std.is_none() && !entry.recursive && self.depth < DEPTH_MAX;
        if !is_plain || self.replacements.defs.contains_key(&def) {
            return None;
        }
        let exprs: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
        if exprs.len() != args.len() || entry.params.len() != args.len() {
            return None;
        }
        if exprs.is_empty() {
            return Some((body, env.clone()));
        }
        let params = entry.params.clone();
        let values: Vec<Rc<Sym>> = exprs.into_iter().map(|expr| self.value(expr, env)).collect();
        let inner = self.extended(env, params.into_iter().zip(values));
        Some((body, inner))
    }

    fn def_formula(&mut self, def: DefId, args: &[Arg], env: &Env) -> String {
        if let Some(op) = self.spec.defs[def].std {
            let args: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
            return self.std_formula(op, &args, env);
        }
        match self.enter(def, args, env) {
            Some((body, inner)) => {
                self.depth += 1;
                let formula = self.formula(body, &inner);
                self.depth -= 1;
                formula
            }
            None => {
                let mut exprs: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
                if let DefBody::Expr(body) = self.spec.defs[def].body {
                    exprs.push(body);
                }
                if self.is_step && exprs.into_iter().any(|expr| self.primes_network(expr)) {
                    self.lose_sendings("a definition with next values is not translated");
                }
                self.unknown_formula()
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other operator nothing is known")]
    pub fn std_formula(&mut self, op: StdOp, args: &[ExprId], env: &Env) -> String {
        let sign = match op {
            StdOp::Lt => "<",
            StdOp::Gt => ">",
            StdOp::Leq => "<=",
            StdOp::Geq => ">=",
            _ => return self.unknown_formula(),
        };
        let &[left, right] = args else { return self.unknown_formula() };
        let (left, right) = (self.value(left, env), self.value(right, env));
        // Numbers alone can be compared.
        let mut parts = Vec::new();
        for side in [&left, &right] {
            if !matches!(**side, Sym::Int(_)) {
                let term = self.terms.term(side);
                parts.push(format!("((_ is vi) {term})"));
            }
        }
        parts.push(format!("({sign} {} {})", self.terms.int(&left), self.terms.int(&right)));
        and(&parts)
    }

    /// A quantifier is left out, and its names are constants of which nothing else is known: for some values of these the
    /// body is what the whole formula is.
    fn quantified(&mut self, kind: Quantifier, bounds: &[Bound], body: ExprId, env: &Env) -> String {
        let mut env = env.clone();
        let mut ranges = Vec::new();
        for bound in bounds {
            let set = self.value(bound.set, &env);
            if let (Sym::Set(items), Pattern::Names(names)) = (&*set, &bound.pattern)
                && let [item] = &items[..]
            {
                env = self.extended(&env, names.iter().map(|&name| (name, item.clone())));
                continue;
            }
            let locals: Vec<LocalId> = bound.pattern.locals().to_vec();
            let is_tuple = matches!(bound.pattern, Pattern::Tuple(_));
            for local in locals {
                let value = match self.are_messages(&set) && !is_tuple {
                    true => {
                        // There may be none.
                        ranges.push(self.unknown_formula());
                        self.taken.clone().unwrap_or_else(|| self.unknown())
                    }
                    false => self.unknown(),
                };
                if !is_tuple {
                    ranges.push(self.member_of(&value, &set, 0));
                }
                env = self.extended(&env, [(local, value)]);
            }
        }
        let body = self.formula(body, &env);
        let range = and(&ranges);
        match kind {
            Quantifier::Exists => and(&[range, body]),
            Quantifier::Forall => or(&[not(&range), body]),
        }
    }

    /// Whether a set has only messages of the network.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is made of the network")]
    pub fn are_messages(&self, set: &Sym) -> bool {
        match set {
            Sym::Network(_) => true,
            Sym::Domain(of) | Sym::Range(of) | Sym::Part(of) => self.are_messages(of),
            Sym::Minus(left, _) => self.are_messages(left),
            _ => false,
        }
    }

    fn member(&mut self, value: &Rc<Sym>, set: ExprId, env: &Env) -> String {
        let set = self.value(set, env);
        self.member_of(value, &set, 0)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other set nothing is known")]
    fn member_of(&mut self, value: &Rc<Sym>, set: &Sym, depth: usize) -> String {
        if depth > 8 {
            return self.unknown_formula();
        }
        match set {
            Sym::Set(items) => {
                let parts: Vec<String> = items.iter().map(|item| self.terms.equal(value, item)).collect();
                or(&parts)
            }
            Sym::Interval(from, to) => {
                let (from, to, value) = (self.terms.int(from), self.terms.int(to), self.terms.int(value));
                format!("(and (<= {from} {value}) (<= {value} {to}))")
            }
            Sym::Cup(left, right) => {
                or(&[self.member_of(value, left, depth + 1), self.member_of(value, right, depth + 1)])
            }
            Sym::Minus(left, right) => {
                let right = self.member_of(value, right, depth + 1);
                and(&[self.member_of(value, left, depth + 1), not(&right)])
            }
            Sym::If(condition, then, otherwise) => {
                let then = self.member_of(value, then, depth + 1);
                let otherwise = self.member_of(value, otherwise, depth + 1);
                format!("(ite {condition} {then} {otherwise})")
            }
            Sym::Part(of) => {
                let more = self.unknown_formula();
                and(&[self.member_of(value, of, depth + 1), more])
            }
            // Of the network nothing is known but the message that is taken.
            _ if self.are_messages(set) => self.unknown_formula(),
            _ => {
                let (value, set) = (self.terms.term(value), self.terms.term(set));
                format!("(mem {value} {set})")
            }
        }
    }
}
