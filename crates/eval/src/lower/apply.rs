//! Lowers applications of operators: built-in, defined, replaced, native, recursive, passed as arguments.

use std::cell::RefCell;
use std::rc::Rc;

use diag::Span;
use sema::config::Replacement;
use sema::level::Level;
use sema::spec::{
    Arg, Builtin, ConstId, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, LocalId, Op, OpArg, VarId,
};
use sema::std_ops::StdOp;

use super::Lowerer;
use super::env::{Binding, Env, LetDef, Scope, SlotKey, Tense, Thunk};
use super::operands::Operands;
use crate::ir::{CallArg, Captures, Failure, FuncId, GlobalId, IrId, IrKind};
use crate::native;

/// Depth of inlined calls beyond which calls become functions, so that code stays small.
const INLINE_DEPTH_MAX: usize = 48;
/// Size of the program beyond which calls become functions, so that code stays small.
const INLINE_NODES_MAX: usize = 400_000;

impl<'s> Lowerer<'s> {
    pub(super) fn variable(&mut self, scope: &Scope<'s>, id: VarId, span: Span) -> IrId {
        let kind = match self.vars.get(&id) {
            Some(&var) if scope.primed => IrKind::Next(var),
            Some(&var) => IrKind::Var(var),
            None => IrKind::Fail(Failure::NoValue(self.spec.variables[id].name)),
        };
        self.node(scope.frame, kind, span)
    }

    pub(super) fn constant(&mut self, scope: &Scope<'s>, id: ConstId, span: Span) -> IrId {
        let config = self.config;
        match config.replacements.constants.get(&id) {
            Some(replacement) => self.apply_replacement(scope, replacement, Operands::NONE, span),
            None => self.fail(scope, Failure::NoValue(self.spec.constants[id].name), span),
        }
    }

    /// Lowers the replacement of a definition or constant by the configuration.
    fn apply_replacement(
        &mut self,
        scope: &Scope<'s>,
        replacement: &'s Replacement,
        args: Operands<'s, '_>,
        span: Span,
    ) -> IrId {
        match replacement {
            Replacement::Def(def) => match self.effectful_body(*def) {
                // TLC: a replacement is evaluated at each use, and not once like the definition by its own name
                // (contract 1.3).
                Some(body) => {
                    let home = Scope { env: Env::default(), ..scope.clone() };
                    self.body_of(&home, *def, body)
                }
                None => {
                    let n_params = self.spec.defs[*def].params.len();
                    self.apply_original(scope, *def, args.last(n_params), span)
                }
            },
            Replacement::Const(constant) => self.constant(scope, *constant, span),
            Replacement::Value(value) => {
                let value = self.config_value(value);
                self.node(scope.frame, IrKind::Const(value), span)
            }
            Replacement::Table(rows) => {
                let n_args = rows.first().map_or(0, |(args, _)| args.len());
                let rows = rows
                    .iter()
                    .map(|(args, value)| {
                        let args = args.iter().map(|arg| self.config_value(arg)).collect();
                        (args, self.config_value(value))
                    })
                    .collect();
                let args = self.value_args(scope, args.last(n_args));
                let name = self.table_name();
                self.node(scope.frame, IrKind::Table { name, rows, args }, span)
            }
        }
    }

    fn table_name(&self) -> base::Name {
        self.spec.modules[self.spec.root].name
    }

    pub(super) fn apply(&mut self, scope: &Scope<'s>, op: Op, args: Operands<'s, '_>, span: Span) -> IrId {
        match op {
            Op::Builtin(builtin) => self.apply_builtin(scope, builtin, args, span),
            Op::Def(def) => self.apply_def(scope, def, args, span),
            Op::Const(constant) => {
                let config = self.config;
                match config.replacements.constants.get(&constant) {
                    Some(replacement) => self.apply_replacement(scope, replacement, args, span),
                    None => self.fail(scope, Failure::NoValue(self.spec.constants[constant].name), span),
                }
            }
            Op::Param(local) => self.apply_param(scope, local, args, span),
        }
    }

    fn apply_builtin(&mut self, scope: &Scope<'s>, op: Builtin, args: Operands<'s, '_>, span: Span) -> IrId {
        match args {
            Operands::Written(args) => self.apply_builtin_to_exprs(scope, op, args, span),
            Operands::Slots(..) => {
                let args = self.value_args(scope, args);
                match (op, args.as_slice()) {
                    (Builtin::Prime, _) => self.fail(scope, Failure::DoublePrime, span),
                    (_, &[a]) => self.node(scope.frame, unary(op, a), span),
                    (_, &[a, b]) => self.node(scope.frame, binary(op, a, b), span),
                    (_, _) => self.fail(scope, Failure::Temporal, span),
                }
            }
        }
    }

    fn apply_builtin_to_exprs(
        &mut self,
        scope: &Scope<'s>,
        op: Builtin,
        args: &'s [Arg],
        span: Span,
    ) -> IrId {
        let operands: Vec<ExprId> = args.iter().filter_map(Self::is_expr_arg).collect();
        match (op, operands.as_slice()) {
            (Builtin::Prime, _) if scope.primed => self.fail(scope, Failure::DoublePrime, span),
            (Builtin::Prime, &[e]) => self.expr(&scope.with_prime(), e),
            (Builtin::Unchanged, &[e]) => self.lower_unchanged(scope, e, span),
            (Builtin::And | Builtin::Or, _) => self.connective(scope, op, &operands, span),
            (Builtin::Box | Builtin::Diamond | Builtin::LeadsTo | Builtin::PlusArrow, _) => {
                self.fail(scope, Failure::Temporal, span)
            }
            (_, &[a]) => {
                let a = self.expr(scope, a);
                self.node(scope.frame, unary(op, a), span)
            }
            (_, &[a, b]) => {
                let (a, b) = (self.expr(scope, a), self.expr(scope, b));
                self.node(scope.frame, binary(op, a, b), span)
            }
            (_, _) => self.fail(scope, Failure::Temporal, span),
        }
    }

    /// Lowers a chain of one connective to one list: it is associative and evaluated left to right.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is an operand")]
    fn connective(&mut self, scope: &Scope<'s>, op: Builtin, operands: &[ExprId], span: Span) -> IrId {
        let mut items = Vec::new();
        let mut todo: Vec<ExprId> = operands.iter().rev().copied().collect();
        while let Some(next) = todo.pop() {
            match &self.spec.exprs[next].kind {
                ExprKind::Apply { op: Op::Builtin(inner), args } if *inner == op => {
                    todo.extend(args.iter().rev().filter_map(Self::is_expr_arg));
                }
                _ => items.push(self.expr(scope, next)),
            }
        }
        let kind = if op == Builtin::And { IrKind::And(items) } else { IrKind::Or(items) };
        self.node(scope.frame, kind, span)
    }

    pub(super) fn apply_def(
        &mut self,
        scope: &Scope<'s>,
        def: DefId,
        args: Operands<'s, '_>,
        span: Span,
    ) -> IrId {
        let config = self.config;
        match config.replacements.defs.get(&def) {
            Some(replacement) => self.apply_replacement(scope, replacement, args, span),
            None => self.apply_original(scope, def, args, span),
        }
    }

    /// Applies a definition itself, ignoring replacements of it.
    fn apply_original(&mut self, scope: &Scope<'s>, def: DefId, args: Operands<'s, '_>, span: Span) -> IrId {
        if let Some(binding) = scope.env.def(def).cloned() {
            return self.apply_let(scope, (def, &binding), args, span);
        }
        let entry = &self.spec.defs[def];
        if let Some(op) = entry.std
            && native::is_native(op)
        {
            return self.apply_native(scope, op, args, span);
        }
        if entry.std == Some(StdOp::TlcEvalDefinition)
            && let Some(named) = self.definition_named_by(args.written())
        {
            return self.apply_def(scope, named, Operands::NONE, span);
        }
        let DefBody::Expr(body) = entry.body else {
            let failure = entry.std.map_or(Failure::NoValue(entry.name), Failure::NoNative);
            return self.fail(scope, failure, span);
        };
        let home = Scope { env: Env::default(), ..scope.clone() };
        if entry.kind == DefKind::Function && entry.recursive && !self.recurs_through_others(def, None) {
            return self.shared_body(&home, def, |this, scope| this.recursive_function(scope, def, body));
        }
        let is_recursive = self.is_recursive(def);
        if args.is_empty() && entry.params.is_empty() && !is_recursive {
            return self.apply_nullary(&home, def, body, span);
        }
        if is_recursive || self.must_call() {
            let func = self.global_func(def, scope.tense(), body);
            let args = self.call_args(scope, args);
            return self.node(scope.frame, IrKind::Call { func, up: 0, args }, span);
        }
        self.inline(scope, (def, home), args, span)
    }

    fn apply_native(&mut self, scope: &Scope<'s>, op: StdOp, args: Operands<'s, '_>, span: Span) -> IrId {
        if op == StdOp::TlcEval
            && let Some(global) = self.tlc_eval_global(scope, args.written())
        {
            return self.node(scope.frame, IrKind::Global(global), span);
        }
        let is_level = op == StdOp::TlcGet && self.is_text(args.written(), "level");
        let args = self.call_args(scope, args);
        let native = self.node(scope.frame, IrKind::Native { op, args }, span);
        if !(is_level && scope.primed) {
            return native;
        }
        // The level of the next state is one more.
        let one = self.int(&1.into());
        let one = self.node(scope.frame, IrKind::Const(one), span);
        let args = vec![CallArg::Expr(native), CallArg::Expr(one)];
        self.node(scope.frame, IrKind::Native { op: StdOp::Plus, args }, span)
    }

    /// Whether the only argument is this string.
    fn is_text(&self, args: &[Arg], text: &str) -> bool {
        let [arg] = args else { return false };
        let Some(arg) = Self::is_expr_arg(arg) else { return false };
        matches!(self.spec.exprs[arg].kind, ExprKind::Str(name) if self.spec.names.text(name) == text)
    }

    /// Returns the global that holds the argument of a TLCEval.
    ///
    /// TLC: a constant argument is evaluated once and for all, however TLCEval is reached, if no names are bound on
    /// that way, neither by a quantifier nor as parameters.
    fn tlc_eval_global(&mut self, scope: &Scope<'s>, args: &'s [Arg]) -> Option<GlobalId> {
        let [Arg::Expr(arg)] = args else { return None };
        let arg = *arg;
        if !scope.is_bare || self.spec.levels.exprs[arg] != Level::Constant {
            return None;
        }
        if let Some(&known) = self.evaluated.get(&arg) {
            return known;
        }
        let frame = self.new_frame(None);
        let home = Scope { frame, primed: false, own: 0, is_bare: true, env: Env::default() };
        let span = self.spec.exprs[arg].span;
        let expr = self.expr(&home, arg);
        let facts = self.program.irs[expr].facts;
        let is_steady = !facts.dynamic && !facts.reads_state && !facts.reads_next;
        let global = is_steady.then(|| {
            let args = vec![CallArg::Expr(expr)];
            let evaluated = self.node(frame, IrKind::Native { op: StdOp::TlcEval, args }, span);
            self.new_global(evaluated, None)
        });
        self.evaluated.insert(arg, global);
        global
    }

    /// Returns the definition without parameters that a string literal names, as the argument of TLCEvalDefinition.
    /// LIMIT: a computed name has no definition.
    fn definition_named_by(&self, args: &[Arg]) -> Option<DefId> {
        let arg = args.first().and_then(Self::is_expr_arg)?;
        let ExprKind::Str(name) = self.spec.exprs[arg].kind else { return None };
        let Entity::Def(def) = self.spec.modules[self.spec.root].scope.get(&name)?.entity else {
            return None;
        };
        self.spec.defs[def].params.is_empty().then_some(def)
    }

    fn must_call(&self) -> bool {
        self.inline_depth > INLINE_DEPTH_MAX || self.program.irs.len() > INLINE_NODES_MAX
    }

    /// Lowers a definition without parameters: a global when it is constant, otherwise its body, once for each frame.
    fn apply_nullary(&mut self, home: &Scope<'s>, def: DefId, body: ExprId, span: Span) -> IrId {
        let is_recursive = self.recurs_through_others(def, None);
        if self.open.contains(&def) && is_recursive {
            let func = self.global_func(def, home.tense(), body);
            return self.node(home.frame, IrKind::Call { func, up: 0, args: Vec::new() }, span);
        }
        if self.open.contains(&def) {
            return self.fail(home, Failure::Cyclic(self.spec.defs[def].name), span);
        }
        // A value that depends on itself never exists, so it is evaluated each time.
        if self.spec.levels.defs[def] == Level::Constant
            && !is_recursive
            && let Some(global) = self.global_of(def, body)
        {
            return self.node(home.frame, IrKind::Global(global), span);
        }
        let entered = self.body_of(home, def, body);
        self.program.notes.sites.entry(entered).or_default().push(span);
        entered
    }

    fn body_of(&mut self, home: &Scope<'s>, def: DefId, body: ExprId) -> IrId {
        self.shared_body(home, def, |this, scope| {
            this.open.insert(def);
            let inner = this.expr(scope, body);
            this.open.remove(&def);
            let span = this.program.irs[inner].span;
            this.node(scope.frame, IrKind::Enter { def, body: inner }, span)
        })
    }

    /// Returns the body of a constant definition without parameters whose evaluation can be noticed.
    fn effectful_body(&mut self, def: DefId) -> Option<ExprId> {
        let entry = &self.spec.defs[def];
        let DefBody::Expr(body) = entry.body else { return None };
        let is_plain = entry.params.is_empty() && !entry.recursive && entry.std.is_none();
        if !is_plain || self.spec.levels.defs[def] != Level::Constant || self.open.contains(&def) {
            return None;
        }
        let global = self.global_of(def, body)?;
        let expr = self.program.globals[global].expr;
        self.program.irs[expr].facts.impure.then_some(body)
    }

    fn shared_body(
        &mut self,
        home: &Scope<'s>,
        def: DefId,
        lower: impl FnOnce(&mut Self, &Scope<'s>) -> IrId,
    ) -> IrId {
        let key = (home.frame, def, (home.tense(), home.is_bare && self.freezes));
        if let Some(&body) = self.shared.get(&key) {
            return body;
        }
        let body = lower(self, home);
        self.shared.insert(key, body);
        body
    }

    /// Returns the global that holds the value of a constant definition, or `None` when it must be evaluated anew at
    /// each use.
    pub(super) fn global_of(&mut self, def: DefId, body: ExprId) -> Option<GlobalId> {
        if let Some(&known) = self.globals.get(&def) {
            return known;
        }
        let frame = self.new_frame(None);
        let scope = Scope { frame, primed: false, own: 0, is_bare: true, env: Env::default() };
        self.open.insert(def);
        let expr = self.expr(&scope, body);
        self.open.remove(&def);
        let facts = self.program.irs[expr].facts;
        let steady = !facts.dynamic && !facts.reads_state && !facts.reads_next;
        let global = steady.then(|| self.new_global(expr, Some(def)));
        self.globals.insert(def, global);
        global
    }

    /// Lowers the body with the parameters bound to the arguments by need.
    fn inline(
        &mut self,
        scope: &Scope<'s>,
        (def, home): (DefId, Scope<'s>),
        args: Operands<'s, '_>,
        site: Span,
    ) -> IrId {
        let entry = &self.spec.defs[def];
        let DefBody::Expr(body) = entry.body else {
            return self.fail(scope, Failure::NoValue(entry.name), entry.name_span);
        };
        self.inline_depth += 1;
        let (inner, thunks) = self.bind_operands(scope, home, &entry.params, args);
        let lowered = self.expr(&inner, body);
        self.inline_depth -= 1;
        let span = self.program.irs[lowered].span;
        let entered = self.node(scope.frame, IrKind::Enter { def, body: lowered }, span);
        self.note_call(&inner, (def, entered), site);
        self.bound_body(scope, &thunks, entered)
    }

    /// Returns `home` with `params` bound to `args`, which are read in `scope`.
    pub(super) fn bind_args(
        &mut self,
        scope: &Scope<'s>,
        home: Scope<'s>,
        params: &[LocalId],
        args: &'s [Arg],
    ) -> (Scope<'s>, Vec<Rc<Thunk<'s>>>) {
        let mut inner = home;
        let mut thunks = Vec::new();
        for (&param, arg) in params.iter().zip(args) {
            let binding = match arg {
                Arg::Expr(expr) => {
                    let thunk = Self::thunk_of(*expr, scope, false);
                    thunks.push(Rc::clone(&thunk));
                    Binding::Thunk(thunk)
                }
                Arg::Op(arg) => self.op_binding(scope, arg),
            };
            inner.env = inner.env.bind(param, binding);
            inner.is_bare = false;
        }
        (inner, thunks)
    }

    /// Returns the binding of an operator argument. If it is itself a parameter, the binding of that parameter.
    fn op_binding(&self, scope: &Scope<'s>, arg: &'s OpArg) -> Binding<'s> {
        if let OpArg::Ref(Op::Param(local), _) = arg
            && let Some(binding) = scope.env.local(*local)
        {
            return binding.clone();
        }
        Binding::Op { arg, scope: scope.clone() }
    }

    /// Lowers an application of an operator parameter.
    fn apply_param(&mut self, scope: &Scope<'s>, local: LocalId, args: Operands<'s, '_>, span: Span) -> IrId {
        match scope.env.local(local).cloned() {
            Some(Binding::Op { arg, scope: given }) => self.apply_op_arg(scope, (arg, &given), args, span),
            Some(Binding::OpSlot(key)) => {
                let slot = self.slot_ref(scope, key);
                let args = self.call_args(scope, args);
                self.node(scope.frame, IrKind::CallParam { slot, args }, span)
            }
            Some(Binding::Slot(_) | Binding::Thunk(_) | Binding::Let(_)) | None => {
                self.fail(scope, Failure::NoValue(self.spec.locals[local].name), span)
            }
        }
    }

    fn apply_op_arg(
        &mut self,
        scope: &Scope<'s>,
        (arg, given): (&'s OpArg, &Scope<'s>),
        args: Operands<'s, '_>,
        span: Span,
    ) -> IrId {
        match arg {
            OpArg::Lambda(lambda) => {
                let primed = scope.primed || given.primed;
                let env = given.env.clone();
                let home = Scope { frame: scope.frame, primed, own: scope.own, is_bare: false, env };
                let (inner, thunks) = self.bind_operands(scope, home, &lambda.params, args);
                let body = self.expr(&inner, lambda.body);
                self.bound_body(scope, &thunks, body)
            }
            OpArg::Ref(Op::Def(def), _) => match given.env.def(*def).cloned() {
                Some(binding) => self.apply_let(scope, (*def, &binding), args, span),
                None => self.apply_def(scope, *def, args, span),
            },
            OpArg::Ref(op @ (Op::Builtin(_) | Op::Const(_)), _) => self.apply(scope, *op, args, span),
            OpArg::Ref(Op::Param(local), _) => {
                self.fail(scope, Failure::NoValue(self.spec.locals[*local].name), span)
            }
        }
    }

    /// Lowers `LET defs IN body`.
    pub(super) fn let_in(&mut self, scope: &Scope<'s>, defs: &'s [DefId], body: ExprId) -> IrId {
        let (inner, thunks) = self.let_scope(scope, defs);
        let body = self.expr(&inner, body);
        self.bound_body(scope, &thunks, body)
    }

    /// Returns `scope` with the definitions of a LET.
    pub(super) fn let_scope(
        &mut self,
        scope: &Scope<'s>,
        defs: &'s [DefId],
    ) -> (Scope<'s>, Vec<Rc<Thunk<'s>>>) {
        let mut inner = scope.clone();
        let mut thunks = Vec::new();
        let mut lets = Vec::new();
        for &def in defs {
            let entry = &self.spec.defs[def];
            // An INSTANCE in a LET brings native operators too. They are the same everywhere.
            if entry.std.is_some_and(native::is_native) {
                continue;
            }
            let is_plain = entry.params.is_empty() && !self.is_open_ended(def, defs);
            let binding = match entry.body {
                DefBody::Expr(expr) if is_plain => {
                    let thunk = Self::thunk_of(expr, &inner, true);
                    thunks.push(Rc::clone(&thunk));
                    Binding::Thunk(thunk)
                }
                DefBody::Expr(_) | DefBody::Native | DefBody::Missing => {
                    let entry = Rc::new(LetDef {
                        scope: RefCell::new(None),
                        funcs: RefCell::default(),
                        siblings: defs,
                    });
                    lets.push(Rc::clone(&entry));
                    Binding::Let(entry)
                }
            };
            inner.env = inner.env.bind_def(def, binding);
            inner.is_bare &= !entry.params.is_empty();
        }
        // A recursive definition sees those after it too.
        for entry in lets {
            *entry.scope.borrow_mut() = Some(inner.clone());
        }
        (inner, thunks)
    }

    fn apply_let(
        &mut self,
        scope: &Scope<'s>,
        (def, binding): (DefId, &Binding<'s>),
        args: Operands<'s, '_>,
        span: Span,
    ) -> IrId {
        let entry = match binding {
            Binding::Thunk(thunk) => return self.read_thunk_at(scope, thunk, span),
            Binding::Slot(key) => return self.read_slot(scope, *key, span),
            Binding::Let(entry) => Rc::clone(entry),
            Binding::Op { .. } | Binding::OpSlot(_) => {
                return self.fail(scope, Failure::NoValue(self.spec.defs[def].name), span);
            }
        };
        let home = entry.scope.borrow().clone();
        let (Some(home), DefBody::Expr(body)) = (home, self.spec.defs[def].body) else {
            return self.fail(scope, Failure::NoValue(self.spec.defs[def].name), span);
        };
        let spec_def = &self.spec.defs[def];
        let primed = scope.primed || home.primed;
        let is_mutual = self.recurs_through_others(def, Some(entry.siblings));
        if spec_def.kind == DefKind::Function && spec_def.recursive && !is_mutual {
            let here = Scope { frame: scope.frame, primed, own: scope.own, is_bare: false, env: home.env };
            return self.recursive_function(&here, def, body);
        }
        if spec_def.recursive || is_mutual {
            let func = self.let_func(&entry, def, (&home, (primed, scope.own)), body);
            let up = self.links(scope.frame, home.frame);
            let args = self.call_args(scope, args);
            return self.node(scope.frame, IrKind::Call { func, up, args }, span);
        }
        let here = Scope { frame: scope.frame, primed, own: scope.own, is_bare: false, env: home.env };
        self.inline(scope, (def, here), args, span)
    }

    /// Lowers `f[x \in S] == ... f[...] ...`: a function that sees itself in a slot.
    fn recursive_function(&mut self, scope: &Scope<'s>, def: DefId, body: ExprId) -> IrId {
        let spec = self.spec;
        let span = spec.defs[def].span;
        let ExprKind::Function { bounds, body } = &spec.exprs[body].kind else {
            return self.fail(scope, Failure::NoValue(spec.defs[def].name), span);
        };
        let (bounds, inner) = self.bounds(scope, bounds);
        let itself = self.new_slot(scope.frame);
        let key = (scope.frame, itself);
        let env = inner.env.bind_def(def, Binding::Slot(key));
        let lowered = self.expr(&inner.with_env(env), *body);
        let captures = Captures::default();
        let kind = IrKind::Function { bounds, body: lowered, itself: Some(itself), captures };
        self.node(scope.frame, kind, span)
    }

    /// Returns the function of a recursive definition at the top level of a module.
    fn global_func(&mut self, def: DefId, tense: Tense, body: ExprId) -> FuncId {
        if let Some(&func) = self.funcs.get(&(def, tense)) {
            return func;
        }
        let frame = self.new_frame(None);
        let func = self.declare_func(def, frame);
        self.funcs.insert((def, tense), func);
        let scope = Scope { frame, primed: tense.0, own: tense.1, is_bare: false, env: Env::default() };
        self.define_func(func, &scope, def, body);
        func
    }

    fn let_func(
        &mut self,
        entry: &LetDef<'s>,
        def: DefId,
        (home, tense): (&Scope<'s>, Tense),
        body: ExprId,
    ) -> FuncId {
        if let Some(&(_, func)) = entry.funcs.borrow().iter().find(|known| known.0 == tense) {
            return func;
        }
        let frame = self.new_frame(Some(home.frame));
        let func = self.declare_func(def, frame);
        entry.funcs.borrow_mut().push((tense, func));
        let env = home.env.clone();
        let scope = Scope { frame, primed: tense.0, own: tense.1, is_bare: false, env };
        self.define_func(func, &scope, def, body);
        func
    }

    /// Lowers the body of a function into its frame.
    fn define_func(&mut self, func: FuncId, scope: &Scope<'s>, def: DefId, body: ExprId) {
        let mut inner = scope.clone();
        for &param in &self.spec.defs[def].params {
            let key = (scope.frame, self.new_slot(scope.frame));
            let binding = match self.spec.locals[param].arity {
                0 => Binding::Slot(key),
                _ => Binding::OpSlot(key),
            };
            inner.env = inner.env.bind(param, binding);
        }
        let depth = std::mem::take(&mut self.inline_depth);
        let lowered = self.expr(&inner, body);
        self.inline_depth = depth;
        let n_slots = self.n_slots(scope.frame);
        let entry = &mut self.program.funcs[func];
        entry.body = lowered;
        entry.n_slots = n_slots;
    }

    pub(super) fn op_call_arg(&mut self, scope: &Scope<'s>, arg: &'s OpArg) -> CallArg {
        let binding = self.op_binding(scope, arg);
        match binding {
            Binding::OpSlot(key) => CallArg::Param(self.slot_ref(scope, key)),
            Binding::Op { arg, scope: given } => CallArg::Func(self.op_func(scope, (arg, &given))),
            Binding::Slot(_) | Binding::Thunk(_) | Binding::Let(_) => {
                CallArg::Expr(self.fail(scope, Failure::Temporal, self.op_span(arg)))
            }
        }
    }

    fn op_span(&self, arg: &OpArg) -> Span {
        match arg {
            OpArg::Ref(_, span) => *span,
            OpArg::Lambda(lambda) => lambda.span,
        }
    }

    /// Makes an operator argument a function whose static link is the current frame.
    fn op_func(&mut self, scope: &Scope<'s>, (arg, given): (&'s OpArg, &Scope<'s>)) -> FuncId {
        let span = self.op_span(arg);
        let frame = self.new_frame(Some(scope.frame));
        let primed = scope.primed || given.primed;
        let arity = self.op_arity(arg);
        let slots: Vec<SlotKey> = (0..arity).map(|_| (frame, self.new_slot(frame))).collect();
        let inner = Scope { frame, primed, own: scope.own, is_bare: false, env: given.env.clone() };
        let body = match arg {
            OpArg::Lambda(lambda) => {
                let bind =
                    |env: Env<'s>, (&param, &key): (&LocalId, &SlotKey)| env.bind(param, Binding::Slot(key));
                let env = lambda.params.iter().zip(&slots).fold(inner.env.clone(), bind);
                self.expr(&inner.with_env(env), lambda.body)
            }
            OpArg::Ref(op, _) => self.apply(&inner, *op, Operands::Slots(&slots, span), span),
        };
        self.new_func(self.table_name(), frame, body, arity)
    }

    fn op_arity(&self, arg: &OpArg) -> u16 {
        let n = match arg {
            OpArg::Lambda(lambda) => lambda.params.len(),
            OpArg::Ref(Op::Def(def), _) => self.spec.defs[*def].params.len(),
            OpArg::Ref(Op::Const(constant), _) => self.spec.constants[*constant].arity as usize,
            OpArg::Ref(Op::Param(local), _) => self.spec.locals[*local].arity as usize,
            OpArg::Ref(Op::Builtin(builtin), _) => builtin_arity(*builtin),
        };
        n as u16
    }
}

fn unary(op: Builtin, a: IrId) -> IrKind {
    match op {
        Builtin::Not => IrKind::Not(a),
        Builtin::PowerSet => IrKind::PowerSet(a),
        Builtin::Union => IrKind::BigUnion(a),
        Builtin::Domain => IrKind::Domain(a),
        Builtin::Enabled => IrKind::Enabled { action: a, primed: false },
        Builtin::Prime
        | Builtin::Unchanged
        | Builtin::Box
        | Builtin::Diamond
        | Builtin::And
        | Builtin::Or
        | Builtin::Implies
        | Builtin::Equiv
        | Builtin::Eq
        | Builtin::Neq
        | Builtin::In
        | Builtin::NotIn
        | Builtin::SubsetEq
        | Builtin::Cup
        | Builtin::Cap
        | Builtin::SetMinus
        | Builtin::Times
        | Builtin::Cdot
        | Builtin::LeadsTo
        | Builtin::PlusArrow => IrKind::Fail(Failure::Temporal),
    }
}

fn binary(op: Builtin, a: IrId, b: IrId) -> IrKind {
    match op {
        Builtin::And => IrKind::And(vec![a, b]),
        Builtin::Or => IrKind::Or(vec![a, b]),
        Builtin::Implies => IrKind::Implies(a, b),
        Builtin::Equiv => IrKind::Equiv(a, b),
        Builtin::Eq => IrKind::Eq(a, b),
        Builtin::Neq => IrKind::Neq(a, b),
        Builtin::In => IrKind::In(a, b),
        Builtin::NotIn => IrKind::NotIn(a, b),
        Builtin::SubsetEq => IrKind::SubsetEq(a, b),
        Builtin::Cup => IrKind::Cup(a, b),
        Builtin::Cap => IrKind::Cap(a, b),
        Builtin::SetMinus => IrKind::SetMinus(a, b),
        Builtin::Times => IrKind::Product(vec![a, b]),
        Builtin::Cdot => IrKind::Cdot(a, b),
        Builtin::Not
        | Builtin::PowerSet
        | Builtin::Union
        | Builtin::Domain
        | Builtin::Prime
        | Builtin::Unchanged
        | Builtin::Enabled
        | Builtin::Box
        | Builtin::Diamond
        | Builtin::LeadsTo
        | Builtin::PlusArrow => IrKind::Fail(Failure::Temporal),
    }
}

fn builtin_arity(op: Builtin) -> usize {
    match op {
        Builtin::Not
        | Builtin::PowerSet
        | Builtin::Union
        | Builtin::Domain
        | Builtin::Prime
        | Builtin::Unchanged
        | Builtin::Enabled
        | Builtin::Box
        | Builtin::Diamond => 1,
        Builtin::And
        | Builtin::Or
        | Builtin::Implies
        | Builtin::Equiv
        | Builtin::Eq
        | Builtin::Neq
        | Builtin::In
        | Builtin::NotIn
        | Builtin::SubsetEq
        | Builtin::Cup
        | Builtin::Cap
        | Builtin::SetMinus
        | Builtin::Times
        | Builtin::Cdot
        | Builtin::LeadsTo
        | Builtin::PlusArrow => 2,
    }
}
