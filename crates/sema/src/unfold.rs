//! Reads a formula through definitions: parameters lead to arguments, and replaced definitions lead to their
//! replacements in a configuration.
//!
//! Nothing is copied or evaluated. An [`Env`] holds the bindings of the parameters on the way, and one [`step`] goes
//! one definition, parameter, LET or label further in.

use std::rc::Rc;

use base::{FxHashMap, Name};

use crate::config::Value;
use crate::spec::{
    Arg, Builtin, ConstId, Def, DefBody, DefId, Entity, ExprId, ExprKind, JunctionKind, Lambda, LocalId, Op,
    OpArg, Spec,
};

/// The bindings of parameters, the innermost first.
///
/// A definition is entered with the caller's bindings below its own, so that the body of a LET definition sees the
/// parameters around it. Binders are unique, so nothing is captured.
#[derive(Clone, Default)]
pub struct Env<'s>(Option<Rc<Binding<'s>>>);

struct Binding<'s> {
    local: LocalId,
    arg: &'s Arg,
    /// The bindings with which `arg` is read.
    caller: Env<'s>,
    outer: Env<'s>,
}

impl<'s> Env<'s> {
    pub fn new() -> Self {
        Env(None)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the argument that a parameter stands for, and the bindings with which it is read.
    pub fn lookup(&self, local: LocalId) -> Option<(&'s Arg, &Env<'s>)> {
        let mut env = self;
        while let Some(binding) = &env.0 {
            if binding.local == local {
                return Some((binding.arg, &binding.caller));
            }
            env = &binding.outer;
        }
        None
    }

    /// Returns these bindings with `params` bound to `args`, which are read in `caller`.
    fn bind(&self, params: &[LocalId], args: &'s [Arg], caller: &Env<'s>) -> Env<'s> {
        params.iter().zip(args).fold(self.clone(), |outer, (&local, arg)| {
            Env(Some(Rc::new(Binding { local, arg, caller: caller.clone(), outer })))
        })
    }
}

/// The replacements that a configuration makes for definitions and constants. Empty without a configuration.
#[derive(Debug, Default)]
pub struct Replacements {
    pub defs: FxHashMap<DefId, Replacement>,
    pub constants: FxHashMap<ConstId, Replacement>,
}

#[derive(Clone, Debug)]
pub enum Replacement {
    /// `<- name`
    Def(DefId),
    /// `<- name`, a constant that has its value by `=`.
    Const(ConstId),
    /// `= value`
    Value(Value),
    /// `Op(1) = 2`, line by line.
    Table(Vec<(Vec<Value>, Value)>),
}

impl Replacement {
    /// Returns the model values in it, in the order written.
    pub fn model_values(&self) -> Vec<Name> {
        let mut todo: Vec<&Value> = match self {
            Replacement::Value(value) => vec![value],
            Replacement::Table(lines) => {
                let values = lines.iter().flat_map(|(args, value)| args.iter().chain([value]));
                values.rev().collect()
            }
            Replacement::Def(_) | Replacement::Const(_) => Vec::new(),
        };
        let mut found = Vec::new();
        while let Some(value) = todo.pop() {
            match value {
                Value::ModelValue(name) => found.push(*name),
                Value::Set(elements) => todo.extend(elements.iter().rev()),
                Value::Int(_) | Value::Str(_) | Value::Bool(_) => {}
            }
        }
        found
    }
}

impl Replacements {
    /// Returns the replacement of `entity`, if it has one.
    pub fn of(&self, entity: Entity) -> Option<&Replacement> {
        match entity {
            Entity::Def(def) => self.defs.get(&def),
            Entity::Const(constant) => self.constants.get(&constant),
            Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => None,
        }
    }
}

/// The result of one step of reading an expression.
pub enum UnfoldStep<'s> {
    /// The expression means the same as `expr` in `env`. `def` is the definition that was entered, if one was.
    Into { expr: ExprId, env: Env<'s>, def: Option<DefId> },
    /// A conjunction or disjunction, bulleted or infix, with its operands in `env`.
    Junction { kind: JunctionKind, items: Vec<ExprId>, env: Env<'s> },
    /// Any other operator of the language, with its arguments in `env`.
    Builtin { op: Builtin, args: &'s [Arg], env: Env<'s> },
    /// A constant truth value, perhaps from the configuration.
    Bool(bool),
    /// An expression that this walk cannot read: recursion, a standard operator, an unbound name.
    Opaque,
    /// Any other expression, which stands for itself.
    Itself,
}

/// Takes one step of reading from `expr`.
pub fn step<'s>(spec: &'s Spec, replacements: &Replacements, expr: ExprId, env: &Env<'s>) -> UnfoldStep<'s> {
    let reader = Unfolder { spec, replacements };
    match &spec.exprs[expr].kind {
        ExprKind::Let { body, defs: _ } | ExprKind::Label { body, name: _, params: _ } => {
            UnfoldStep::Into { expr: *body, env: env.clone(), def: None }
        }
        ExprKind::Local(local) => match env.lookup(*local) {
            Some((Arg::Expr(expr), caller)) => {
                UnfoldStep::Into { expr: *expr, env: caller.clone(), def: None }
            }
            Some((Arg::Op(_), _)) | None => UnfoldStep::Opaque,
        },
        ExprKind::Const(constant) => reader.constant(*constant),
        ExprKind::Apply { op, args } => reader.apply(*op, args, env, env),
        ExprKind::Junction { kind, items } => {
            UnfoldStep::Junction { kind: *kind, items: items.clone(), env: env.clone() }
        }
        ExprKind::Bool(value) => UnfoldStep::Bool(*value),
        ExprKind::Error => UnfoldStep::Opaque,
        ExprKind::Int(_)
        | ExprKind::Decimal(_)
        | ExprKind::Str(_)
        | ExprKind::BuiltinSet(_)
        | ExprKind::Var(_)
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
        | ExprKind::Quantified { .. }
        | ExprKind::Unbounded { .. }
        | ExprKind::Choose { .. }
        | ExprKind::If { .. }
        | ExprKind::Case { .. }
        | ExprKind::Step { .. }
        | ExprKind::Fairness { .. }
        | ExprKind::AssumeProve { .. } => UnfoldStep::Itself,
    }
}

/// Returns the arguments for the replacement of a definition. Those of an INSTANCE with parameters come first and are
/// left out.
pub fn own_args<'a, A>(spec: &Spec, replacement: DefId, args: &'a [A]) -> &'a [A] {
    let n_params = spec.defs[replacement].params.len();
    &args[args.len().saturating_sub(n_params)..]
}

struct Unfolder<'s, 'r> {
    spec: &'s Spec,
    replacements: &'r Replacements,
}

impl<'s> Unfolder<'s, '_> {
    /// Reads `op(args)`. The operator is looked up in `home`; the arguments are read in `env`.
    fn apply(&self, op: Op, args: &'s [Arg], home: &Env<'s>, env: &Env<'s>) -> UnfoldStep<'s> {
        match op {
            Op::Builtin(Builtin::And) => infix(JunctionKind::And, args, env),
            Op::Builtin(Builtin::Or) => infix(JunctionKind::Or, args, env),
            Op::Builtin(op) => UnfoldStep::Builtin { op, args, env: env.clone() },
            Op::Def(def) => self.definition(def, args, home, env),
            Op::Const(constant) => match self.replacements.constants.get(&constant) {
                Some(Replacement::Def(def)) => self.enter(*def, args, &Env::new(), env),
                Some(Replacement::Value(value)) => bool_or_opaque(value),
                Some(Replacement::Const(_) | Replacement::Table(_)) | None => UnfoldStep::Opaque,
            },
            Op::Param(local) => match home.lookup(local) {
                Some((Arg::Op(OpArg::Ref(op, _)), caller)) => self.apply(*op, args, caller, env),
                Some((Arg::Op(OpArg::Lambda(lambda)), caller)) => lambda_body(lambda, args, caller, env),
                Some((Arg::Expr(_), _)) | None => UnfoldStep::Opaque,
            },
        }
    }

    fn definition(&self, def: DefId, args: &'s [Arg], home: &Env<'s>, env: &Env<'s>) -> UnfoldStep<'s> {
        match self.replacements.defs.get(&def) {
            Some(Replacement::Def(other)) => {
                self.enter(*other, own_args(self.spec, *other, args), &Env::new(), env)
            }
            Some(Replacement::Value(value)) => bool_or_opaque(value),
            Some(Replacement::Const(_) | Replacement::Table(_)) => UnfoldStep::Opaque,
            None => self.enter(def, args, home, env),
        }
    }

    fn constant(&self, constant: ConstId) -> UnfoldStep<'s> {
        match self.replacements.constants.get(&constant) {
            Some(Replacement::Def(def)) => self.enter(*def, &[], &Env::new(), &Env::new()),
            Some(Replacement::Value(value)) => bool_or_opaque(value),
            Some(Replacement::Const(_) | Replacement::Table(_)) | None => UnfoldStep::Opaque,
        }
    }

    fn enter(&self, id: DefId, args: &'s [Arg], home: &Env<'s>, env: &Env<'s>) -> UnfoldStep<'s> {
        let def: &Def = &self.spec.defs[id];
        match def.body {
            // TLC evaluates a standard operator as a whole, whatever its definition.
            DefBody::Expr(body) if !def.recursive && def.std.is_none() => {
                UnfoldStep::Into { expr: body, env: home.bind(&def.params, args, env), def: Some(id) }
            }
            DefBody::Expr(_) | DefBody::Native | DefBody::Missing => UnfoldStep::Opaque,
        }
    }
}

fn lambda_body<'s>(lambda: &'s Lambda, args: &'s [Arg], home: &Env<'s>, env: &Env<'s>) -> UnfoldStep<'s> {
    UnfoldStep::Into { expr: lambda.body, env: home.bind(&lambda.params, args, env), def: None }
}

fn infix<'s>(kind: JunctionKind, args: &'s [Arg], env: &Env<'s>) -> UnfoldStep<'s> {
    UnfoldStep::Junction { kind, items: args.iter().filter_map(Arg::expr).collect(), env: env.clone() }
}

fn bool_or_opaque<'s>(value: &Value) -> UnfoldStep<'s> {
    match value {
        Value::Bool(value) => UnfoldStep::Bool(*value),
        Value::Int(_) | Value::Str(_) | Value::ModelValue(_) | Value::Set(_) => UnfoldStep::Opaque,
    }
}
