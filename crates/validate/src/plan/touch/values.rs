//! What values are made of: which parts of the state they are the same as, but for some changes.

use sema::spec::{
    Arg, Builtin, DefBody, DefId, ExceptStep, ExceptUpdate, ExprId, ExprKind, LocalId, Op, OpArg, VarId,
};

use super::{Inside, Key, TouchKind, Toucher, is_pure};

type Path = Vec<Inside>;

/// A part of the state, in this state or the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    variable: VarId,
    path: Path,
    is_primed: bool,
}

/// What a value is made of. Below any path that is not among the changed ones it is what one of the parts is there; the rest of what it
/// depends on was noted as read.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    parts: Vec<Part>,
    pub changed: Vec<(Path, TouchKind)>,
    /// The value as an expression of the event alone.
    pub key: Option<Key>,
    /// It is what an operator is applied to, elsewhere: it may be a variable.
    is_open: bool,
}

impl Shape {
    /// A value of which nothing else is known.
    pub fn made() -> Shape {
        Shape { changed: vec![(Vec::new(), TouchKind::Write)], ..Shape::default() }
    }

    fn part(variable: VarId, is_primed: bool) -> Shape {
        Shape { parts: vec![Part { variable, path: Vec::new(), is_primed }], ..Shape::default() }
    }

    fn primed(mut self) -> Shape {
        self.parts.iter_mut().for_each(|part| part.is_primed = true);
        self
    }

    /// The places that it is made of are known exactly.
    fn is_exact(&self) -> bool {
        self.parts.iter().all(|part| !part.path.contains(&Inside::Any))
    }

    /// Whether it is a variable of this state, but for what has changed.
    pub fn is_made_of(&self, variable: VarId) -> bool {
        let is_it = |part: &Part| part.variable == variable && part.path.is_empty() && !part.is_primed;
        !self.parts.is_empty() && self.parts.iter().all(is_it)
    }

    /// One or the other.
    fn or(mut self, other: Shape) -> Shape {
        for part in other.parts {
            if !self.parts.contains(&part) {
                self.parts.push(part);
            }
        }
        self.changed.extend(other.changed);
        Shape { key: None, is_open: self.is_open || other.is_open, ..self }
    }

    /// What is found one step into it.
    fn at(&self, into: &Inside) -> Shape {
        let parts = self.parts.iter().cloned().map(|mut part| {
            part.path.push(into.clone());
            part
        });
        let below = self.changed.iter().map(|(path, kind)| match path.split_first() {
            // It may be the same place.
            Some((_, rest)) if !rest.is_empty() => (rest.to_vec(), *kind),
            Some(_) => (Vec::new(), TouchKind::Write),
            None => (Vec::new(), *kind),
        });
        Shape { parts: parts.collect(), changed: below.collect(), ..Shape::default() }
    }
}

impl Toucher<'_> {
    /// An expression whose value is needed.
    pub(super) fn read(&mut self, expr: ExprId) {
        let shape = self.value(expr);
        self.read_shape(&shape);
    }

    /// Where the next value of a variable is asked for by another name, as in `Set(v, e) == v' = e`, it may get one.
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
                Arg::Op(OpArg::Ref(op, _)) => self.passed(*op),
            }
        }
    }

    /// An operator that is applied to whatever there is.
    fn passed(&mut self, op: Op) {
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
        let open = Shape { is_open: true, ..Shape::made() };
        self.bound.extend(locals.iter().map(|&local| (local, open.clone())));
    }

    pub(super) fn value(&mut self, expr: ExprId) -> Shape {
        if self.is_over() {
            return Shape::made();
        }
        base::with_stack(|| self.value_here(expr))
    }

    fn value_here(&mut self, expr: ExprId) -> Shape {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Var(variable) if *variable == self.event => Shape::made(),
            ExprKind::Var(variable) => Shape::part(*variable, self.is_primed),
            ExprKind::Local(local) => {
                let shape = self.bound.get(local).cloned().unwrap_or_else(Shape::made);
                if self.is_primed { shape.primed() } else { shape }
            }
            ExprKind::Const(constant) => match self.replaced(*constant) {
                Some(def) => self.applied(def, &[]),
                None => Shape::made(),
            },
            ExprKind::Apply { op: Op::Builtin(op), args } => self.builtin(*op, args),
            ExprKind::Apply { op: Op::Def(def), args } => self.applied(*def, args),
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
                Shape::made()
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
                Shape::made()
            }
            ExprKind::Apply { op: Op::Const(_) | Op::Param(_), .. }
            | ExprKind::Choose { set: None, .. }
            | ExprKind::Unbounded { .. }
            | ExprKind::Step { .. }
            | ExprKind::Fairness { .. }
            | ExprKind::AssumeProve { .. }
            | ExprKind::Error => {
                self.is_lost = true;
                Shape::made()
            }
        }
    }

    fn binder(&mut self, bounds: &[sema::spec::Bound], body: ExprId) -> Shape {
        self.bind_all(bounds);
        self.read(body);
        Shape::made()
    }

    fn builtin(&mut self, op: Builtin, args: &[Arg]) -> Shape {
        match (op, args) {
            (Builtin::Prime, [Arg::Expr(operand)]) => {
                let was_primed = std::mem::replace(&mut self.is_primed, true);
                let shape = self.value(*operand);
                self.is_primed = was_primed;
                // Which variable gets a value is not known.
                self.is_lost |= shape.is_open;
                shape
            }
            (Builtin::In | Builtin::NotIn, [Arg::Expr(element), Arg::Expr(set)]) => {
                if let Some((variable, _)) = self.assigned(args) {
                    self.touch(variable, Vec::new(), TouchKind::Write);
                }
                self.read(*element);
                let into = self.inside(*element);
                let found = self.value(*set).at(&into);
                self.read_shape(&found);
                Shape::made()
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
                Shape::made()
            }
            _ => {
                // Wherever it stands, a step may get a value by it.
                if let (Builtin::Eq, Some((variable, _))) = (op, self.assigned(args)) {
                    self.touch(variable, Vec::new(), TouchKind::Write);
                }
                self.read_args(args);
                Shape::made()
            }
        }
    }

    /// A set with other elements.
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

    /// Where an argument or an element leads.
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

    fn applied(&mut self, def: DefId, args: &[Arg]) -> Shape {
        if self.is_looked_through(def, args) {
            return self.within(def, args, |this, body| this.value(body)).unwrap_or_else(Shape::made);
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
        Shape::made()
    }

    /// What cannot be followed part by part, as a recursive definition: whatever variables are in it.
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
            // What it was there, but for some of its parts.
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
