//! The composition of values: the parts of the state that they equal, except for some changes.

use sema::spec::{
    Arg, Builtin, DefBody, DefId, ExceptStep, ExceptUpdate, ExprId, ExprKind, LocalId, Op, OpArg, VarId,
};

use super::{Inside, Key, TouchKind, Toucher, is_pure};

type Path = Vec<Inside>;

/// A part of the state, in this state or the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatePart {
    variable: VarId,
    path: Path,
    is_primed: bool,
}

/// The composition of a value. Below every path that is not among the changed ones, it equals one of the parts there.
/// Everything else that it depends on was noted as read.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    parts: Vec<StatePart>,
    pub changed: Vec<(Path, TouchKind)>,
    /// The value as an expression of the event alone.
    pub key: Option<Key>,
    /// Whether it is the argument of an operator elsewhere, and so may be a variable.
    is_open: bool,
}

impl Shape {
    /// Creates a value of which nothing else is known.
    pub fn opaque() -> Shape {
        Shape { changed: vec![(Vec::new(), TouchKind::Write)], ..Shape::default() }
    }

    fn part(variable: VarId, is_primed: bool) -> Shape {
        Shape { parts: vec![StatePart { variable, path: Vec::new(), is_primed }], ..Shape::default() }
    }

    fn prime(mut self) -> Shape {
        self.parts.iter_mut().for_each(|part| part.is_primed = true);
        self
    }

    /// Whether the parts of the state that it is made of are known exactly.
    fn is_exact(&self) -> bool {
        self.parts.iter().all(|part| !part.path.contains(&Inside::Any))
    }

    /// Whether it is a variable of this state, except for the changes.
    pub fn is_made_of(&self, variable: VarId) -> bool {
        let is_it = |part: &StatePart| part.variable == variable && part.path.is_empty() && !part.is_primed;
        !self.parts.is_empty() && self.parts.iter().all(is_it)
    }

    /// Combines two values of which it is one or the other.
    fn or(mut self, other: Shape) -> Shape {
        for part in other.parts {
            if !self.parts.contains(&part) {
                self.parts.push(part);
            }
        }
        self.changed.extend(other.changed);
        Shape { key: None, is_open: self.is_open || other.is_open, ..self }
    }

    /// Returns the value one step into it.
    fn at(&self, into: &Inside) -> Shape {
        let parts = self.parts.iter().cloned().map(|mut part| {
            part.path.push(into.clone());
            part
        });
        let below = self.changed.iter().map(|(path, kind)| match path.split_first() {
            // The two steps may be to the same place.
            Some((_, rest)) if !rest.is_empty() => (rest.to_vec(), *kind),
            Some(_) => (Vec::new(), TouchKind::Write),
            None => (Vec::new(), *kind),
        });
        Shape { parts: parts.collect(), changed: below.collect(), ..Shape::default() }
    }
}

impl Toucher<'_> {
    /// Notes an expression whose value is needed.
    pub(super) fn read(&mut self, expr: ExprId) {
        let shape = self.value(expr);
        self.read_shape(&shape);
    }

    /// Notes that the parts of a value are read. If it is the next value of a variable under another name, as in
    /// `Set(v, e) == v' = e`, the variable may be assigned.
    pub(super) fn read_shape(&mut self, shape: &Shape) {
        for part in &shape.parts {
            let may_be_set = part.is_primed && part.path.is_empty();
            let kind = if may_be_set { TouchKind::Write } else { TouchKind::Read };
            self.touch(part.variable, part.path.clone(), kind);
        }
    }

    pub(super) fn read_args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg {
                Arg::Expr(expr) => self.read(*expr),
                Arg::Op(OpArg::Lambda(lambda)) => {
                    self.open_names(&lambda.params);
                    self.read(lambda.body);
                }
                Arg::Op(OpArg::Ref(op, _)) => self.note_passed_operator(*op),
            }
        }
    }

    /// Notes an operator that is passed as an argument and may be applied to anything.
    fn note_passed_operator(&mut self, op: Op) {
        let Op::Def(def) = op else {
            self.is_lost |= !matches!(op, Op::Builtin(_));
            return;
        };
        match self.spec.defs[def].body {
            _ if self.spec.defs[def].std.is_some_and(is_pure) => {}
            DefBody::Expr(body) if self.is_looked_through(def, &[]) => {
                let params = self.spec.defs[def].params.clone();
                self.open_names(&params);
                self.open.push(def);
                self.read(body);
                self.open.pop();
            }
            DefBody::Expr(_) | DefBody::Native | DefBody::Missing => self.is_lost = true,
        }
    }

    fn open_names(&mut self, locals: &[LocalId]) {
        let open = Shape { is_open: true, ..Shape::opaque() };
        self.bound.extend(locals.iter().map(|&local| (local, open.clone())));
    }

    pub(super) fn value(&mut self, expr: ExprId) -> Shape {
        if self.is_over() {
            return Shape::opaque();
        }
        base::with_stack(|| self.value_here(expr))
    }

    fn value_here(&mut self, expr: ExprId) -> Shape {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Var(variable) if *variable == self.event => Shape::opaque(),
            ExprKind::Var(variable) => Shape::part(*variable, self.is_primed),
            ExprKind::Local(local) => {
                let shape = self.bound.get(local).cloned().unwrap_or_else(Shape::opaque);
                if self.is_primed { shape.prime() } else { shape }
            }
            ExprKind::Const(constant) => match self.find_replacement(*constant) {
                Some(def) => self.apply(def, &[]),
                None => Shape::opaque(),
            },
            ExprKind::Apply { op: Op::Builtin(op), args } => self.builtin(*op, args),
            ExprKind::Apply { op: Op::Def(def), args } => self.apply(*def, args),
            ExprKind::FnApply { function, args } => self.argument(*function, args),
            ExprKind::Field { record, field } => self.value(*record).at(&Inside::Field(*field)),
            ExprKind::Except { base, updates } => self.except(*base, updates),
            ExprKind::If { condition, then, otherwise } => {
                self.read(*condition);
                let then = self.value(*then);
                then.or(self.value(*otherwise))
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.value(*body),
            ExprKind::SetFilter { bound, predicate: body } => self.binder(std::slice::from_ref(bound), *body),
            ExprKind::SetMap { body, bounds }
            | ExprKind::Function { bounds, body }
            | ExprKind::Quantified { bounds, body, .. } => self.binder(bounds, *body),
            ExprKind::Choose { pattern, set: Some(set), body } => {
                self.bind(pattern, *set);
                self.read(*body);
                Shape::opaque()
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
            | ExprKind::FunctionSet { .. }
            | ExprKind::Record(_)
            | ExprKind::RecordSet(_)
            | ExprKind::Case { .. } => {
                spec.children(expr).into_iter().for_each(|part| self.read(part));
                Shape::opaque()
            }
            ExprKind::Apply { op: Op::Const(_) | Op::Param(_), .. }
            | ExprKind::Choose { set: None, .. }
            | ExprKind::Unbounded { .. }
            | ExprKind::Step { .. }
            | ExprKind::Fairness { .. }
            | ExprKind::AssumeProve { .. }
            | ExprKind::Error => {
                self.is_lost = true;
                Shape::opaque()
            }
        }
    }

    fn binder(&mut self, bounds: &[sema::spec::Bound], body: ExprId) -> Shape {
        self.bind_all(bounds);
        self.read(body);
        Shape::opaque()
    }

    fn builtin(&mut self, op: Builtin, args: &[Arg]) -> Shape {
        match (op, args) {
            (Builtin::Prime, [Arg::Expr(operand)]) => {
                let was_primed = std::mem::replace(&mut self.is_primed, true);
                let shape = self.value(*operand);
                self.is_primed = was_primed;
                // It is not known which variable is assigned.
                self.is_lost |= shape.is_open;
                shape
            }
            (Builtin::In | Builtin::NotIn, [Arg::Expr(element), Arg::Expr(set)]) => {
                if let Some((variable, _)) = self.find_assignment(args) {
                    self.touch(variable, Vec::new(), TouchKind::Write);
                }
                self.read(*element);
                let into = self.inside(*element);
                let found = self.value(*set).at(&into);
                self.read_shape(&found);
                Shape::opaque()
            }
            (Builtin::Cup, [Arg::Expr(left), Arg::Expr(right)]) => {
                let base = self.value(*left);
                self.with_elements(base, *right, TouchKind::Grow)
            }
            (Builtin::SetMinus, [Arg::Expr(left), Arg::Expr(right)]) => {
                let base = self.value(*left);
                self.with_elements(base, *right, TouchKind::Write)
            }
            (
                Builtin::Enabled
                | Builtin::Cdot
                | Builtin::Box
                | Builtin::Diamond
                | Builtin::LeadsTo
                | Builtin::PlusArrow,
                _,
            ) => {
                self.is_lost = true;
                Shape::opaque()
            }
            _ => {
                // Wherever it occurs, it may assign a variable.
                if let (Builtin::Eq, Some((variable, _))) = (op, self.find_assignment(args)) {
                    self.touch(variable, Vec::new(), TouchKind::Write);
                }
                self.read_args(args);
                Shape::opaque()
            }
        }
    }

    /// Returns a set with other elements.
    fn with_elements(&mut self, mut base: Shape, elements: ExprId, kind: TouchKind) -> Shape {
        let spec = self.spec;
        self.read(elements);
        if let ExprKind::SetEnum(items) = &spec.exprs[elements].kind {
            base.changed.extend(items.iter().map(|&item| (vec![self.inside(item)], kind)));
        } else {
            base.changed.push((vec![Inside::Any], kind));
        }
        Shape { key: None, ..base }
    }

    /// Returns the step that an argument or an element makes into a value.
    fn inside(&self, expr: ExprId) -> Inside {
        self.key(expr).map_or(Inside::Any, Inside::Key)
    }

    fn argument(&mut self, function: ExprId, args: &[ExprId]) -> Shape {
        let found = self.value(function);
        args.iter().for_each(|&arg| self.read(arg));
        match args {
            [only] => found.at(&self.inside(*only)),
            _ => found.at(&Inside::Any),
        }
    }

    fn apply(&mut self, def: DefId, args: &[Arg]) -> Shape {
        if self.is_looked_through(def, args) {
            return self.examine_body(def, args, |this, body| this.value(body)).unwrap_or_else(Shape::opaque);
        }
        let is_replaced = self.replacements.defs.contains_key(&def);
        match self.spec.defs[def].body {
            _ if self.spec.defs[def].std.is_some_and(is_pure) && !is_replaced => self.read_args(args),
            DefBody::Expr(body) if self.spec.defs[def].std.is_none() && !is_replaced => {
                self.read_args(args);
                self.read_all(body);
            }
            DefBody::Expr(_) | DefBody::Native | DefBody::Missing => self.is_lost = true,
        }
        Shape::opaque()
    }

    /// Notes all variables in something that cannot be followed part by part, such as a recursive definition.
    fn read_all(&mut self, body: ExprId) {
        let mut outer = Vec::new();
        crate::reads::walk(self.spec, body, &mut |part| {
            if let ExprKind::Local(local) = self.spec.exprs[part].kind {
                outer.extend(self.bound.get(&local).cloned());
            }
        });
        outer.iter().for_each(|shape| self.read_shape(shape));
        match self.variables_in(body) {
            Some(read) => {
                read.into_iter().for_each(|variable| self.touch(variable, Vec::new(), TouchKind::Read));
            }
            None => self.is_lost = true,
        }
    }

    fn except(&mut self, base: ExprId, updates: &[ExceptUpdate]) -> Shape {
        let mut shape = self.value(base);
        for update in updates {
            let path: Path = update.path.iter().map(|step| self.except_step(step)).collect();
            let old = path.iter().fold(shape.clone(), |shape, into| shape.at(into));
            let before = self.bound.insert(update.at, Shape { changed: Vec::new(), ..old.clone() });
            let new = self.value(update.value);
            match before {
                Some(before) => self.bound.insert(update.at, before),
                None => self.bound.remove(&update.at),
            };
            // It equals the old value there, except for some of its parts.
            if !new.parts.is_empty() && new.parts == old.parts && new.is_exact() {
                let deeper =
                    new.changed.into_iter().map(|(rest, kind)| ([path.clone(), rest].concat(), kind));
                shape.changed.extend(deeper);
                continue;
            }
            self.read_shape(&new);
            shape.changed.push((path, TouchKind::Write));
        }
        Shape { key: None, ..shape }
    }

    fn except_step(&mut self, step: &ExceptStep) -> Inside {
        match step {
            ExceptStep::Field(name) => Inside::Field(*name),
            ExceptStep::Index(args) => {
                args.iter().for_each(|&arg| self.read(arg));
                match args.as_slice() {
                    [only] => self.inside(*only),
                    _ => Inside::Any,
                }
            }
        }
    }
}
