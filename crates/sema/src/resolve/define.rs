//! Definitions: operators, functions, RECURSIVE, and the names of facts.

use std::rc::Rc;

use base::{FxHashMap, Name, Names};
use diag::{Code, Diagnostic, Span};
use syntax::ast;
use syntax::op::OpSym;

use super::Resolver;
use super::scope::Pending;
use crate::spec::{
    Builtin, Def, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, LocalId, LocalKind, NameTarget,
};
use crate::std_ops;

impl Resolver<'_> {
    /// Resolves `F(a, G(_)) == body`.
    pub(super) fn operator(
        &mut self,
        file: &Rc<ast::File>,
        unit: &ast::Unit,
        head: &ast::OpHead,
        body: ast::ExprId,
    ) -> Option<DefId> {
        if self.is_builtin_name(head.name) {
            return None;
        }
        let pending = self.take_pending(head.name, unit.span, head.params.iter().map(|param| param.arity));
        if matches!(pending, Declared::No) {
            self.check_free(head.name);
            self.check_not_own_parameter(head);
        }
        let depth = self.frame().let_depth;
        self.frame_mut().defining.push((head.name.name, head.params.len()));
        let (params, body) = self.with_scope(|this| {
            let params = this.params(&head.params);
            if let Declared::Here(def) = pending {
                this.spec.defs[def].params.clone_from(&params);
            }
            let body = match this.is_native(file, body) {
                true => DefBody::Native,
                false => DefBody::Expr(this.definition_body(|this| this.expr(file, body))),
            };
            (params, body)
        });
        self.frame_mut().defining.pop();
        let kind = if depth > 0 || self.in_proof() { DefKind::Let } else { DefKind::Operator };
        Some(self.finish_def(unit, head.name, (kind, params, body), pending))
    }

    /// Checks that no parameter has the name of the operator being defined. A declared operator is found when its
    /// parameters are bound; one that is being defined is not.
    fn check_not_own_parameter(&mut self, head: &ast::OpHead) {
        let Some(param) = head.params.iter().find(|param| param.name.name == head.name.name) else { return };
        let headline = format!("`{}` has a parameter of its own name", self.text(head.name.name));
        let diagnostic = Diagnostic::new(Code::Redefined, param.name.span, headline)
            .related(head.name.span, "the operator")
            .help("choose another name for the parameter");
        self.report(diagnostic);
    }

    /// Resolves `f[x \in S] == body`.
    pub(super) fn function(
        &mut self,
        file: &Rc<ast::File>,
        unit: &ast::Unit,
        (name, bounds, body): (ast::Ident, &[ast::Bound], ast::ExprId),
    ) -> Option<DefId> {
        let pending = self.take_pending(name, unit.span, std::iter::empty());
        let def = match pending {
            Declared::Here(def) => def,
            Declared::No | Declared::Elsewhere => self.placeholder(name, unit, DefKind::Function),
        };
        let free = matches!(pending, Declared::Here(_)) || self.check_free(name);
        let (bounds, body) = self.with_scope(|this| {
            this.definition_body(|this| {
                // The function is known in its body, but not in its domain.
                let sets = this.bound_sets(file, bounds);
                if free {
                    this.bind(name.name, Entity::Def(def));
                }
                let bounds = this.bind_bounds(bounds, sets);
                (bounds, this.expr(file, body))
            })
        });
        let recursive = self.mentions(body, def);
        let expr = self.add(ExprKind::Function { bounds, body }, unit.span);
        let std = self.std_op(name, 0);
        let entry = &mut self.spec.defs[def];
        entry.std = std;
        entry.kind = DefKind::Function;
        entry.body = DefBody::Expr(expr);
        entry.recursive |= recursive;
        self.publish(name, def, unit.local);
        Some(def)
    }

    /// Resolves `RECURSIVE F(_), g`.
    pub(super) fn recursive(&mut self, decls: &[ast::OpDecl]) {
        for decl in decls {
            if self.is_builtin_name(decl.name) || !self.check_free(decl.name) {
                continue;
            }
            let params = (0..decl.arity).map(|_| self.new_local(decl.name, 0, LocalKind::Param)).collect();
            let def = self.spec.defs.push(Def {
                name: decl.name.name,
                name_span: decl.name.span,
                span: decl.name.span,
                module: self.frame().module,
                kind: DefKind::Operator,
                params,
                body: DefBody::Missing,
                local: false,
                recursive: true,
                std: None,
                origin: None,
            });
            let let_depth = self.frame().let_depth;
            self.frame_mut().pending.push(Pending { def, let_depth, span: decl.name.span });
            self.add_to_scope(decl.name, def, false);
        }
    }

    /// Returns the RECURSIVE declaration that the definition of `name` completes, if there is one.
    fn take_pending(
        &mut self,
        name: ast::Ident,
        span: Span,
        arities: impl ExactSizeIterator<Item = u32>,
    ) -> Declared {
        let Some(Entity::Def(def)) = self.lookup(name.name) else { return Declared::No };
        let depth = self.frame().let_depth;
        let pending = &mut self.frame_mut().pending;
        let Some(index) = pending.iter().position(|pending| pending.def == def) else { return Declared::No };
        let declared = pending[index];
        if declared.let_depth != depth {
            self.report_wrong_let(name, declared);
            return Declared::Elsewhere;
        }
        self.frame_mut().pending.remove(index);
        self.record_use(declared.span, NameTarget::Entity(Entity::Def(def)));
        let n_declared = self.spec.defs[def].params.len();
        // TLC: SANY looks at the last parameter alone, so operators may come before it.
        if n_declared != arities.len() || arities.last().is_some_and(|arity| arity != 0) {
            self.report_recursive_arity(name, span, declared, n_declared);
        }
        Declared::Here(def)
    }

    fn report_wrong_let(&mut self, name: ast::Ident, declared: Pending) {
        let text = self.text(name.name).to_owned();
        let headline = format!("`{text}` is declared RECURSIVE in another LET than it is defined in");
        let diagnostic = Diagnostic::new(Code::RecursiveWrongLet, name.span, headline)
            .label("defined here")
            .related(declared.span, "declared here")
            .help("put the declaration and the definition into the same LET");
        self.report(diagnostic);
    }

    fn report_recursive_arity(&mut self, name: ast::Ident, span: Span, declared: Pending, n_declared: usize) {
        let text = self.text(name.name).to_owned();
        let headline = format!("`{text}` is not defined with the parameters it was declared RECURSIVE with");
        let diagnostic = Diagnostic::new(Code::RecursiveArity, span, headline)
            .related(declared.span, format!("declared with {} here", count(n_declared, "parameter")))
            .help("make the RECURSIVE declaration match the definition; its parameters cannot be operators");
        self.report(diagnostic);
    }

    /// Reports the RECURSIVE declarations of this LET depth that were never completed.
    pub(super) fn report_pending(&mut self, depth: usize) {
        let frame = self.frame_mut();
        let missing: Vec<Pending> =
            frame.pending.iter().copied().filter(|pending| pending.let_depth >= depth).collect();
        frame.pending.retain(|pending| pending.let_depth < depth);
        for pending in missing {
            let name = self.text(self.spec.defs[pending.def].name).to_owned();
            let headline = format!("`{name}` is declared RECURSIVE and never defined");
            let diagnostic = Diagnostic::new(Code::RecursiveUndefined, pending.span, headline)
                .help(format!("define `{name}`, or remove the declaration"));
            self.report(diagnostic);
        }
    }

    /// Reports anything that is not a definition between a RECURSIVE declaration and its definition.
    pub(super) fn not_in_recursive_section(&mut self, span: Span, what: &str) {
        let Some(&pending) = self.frame().pending.first() else { return };
        let name = self.text(self.spec.defs[pending.def].name).to_owned();
        let headline =
            format!("{what} stands between the RECURSIVE declaration of `{name}` and its definition");
        let diagnostic = Diagnostic::new(Code::RecursiveSection, span, headline)
            .related(pending.span, format!("`{name}` is declared here and not defined yet"))
            .help(format!("move it before the RECURSIVE declaration or after the definition of `{name}`"));
        self.report(diagnostic);
    }

    pub(super) fn params(&mut self, params: &[ast::OpDecl]) -> Vec<LocalId> {
        params.iter().map(|param| self.bind_local(param.name, param.arity, LocalKind::Param)).collect()
    }

    /// Makes a definition of `name` that has no body yet.
    fn placeholder(&mut self, name: ast::Ident, unit: &ast::Unit, kind: DefKind) -> DefId {
        self.spec.defs.push(Def {
            name: name.name,
            name_span: name.span,
            span: unit.span,
            module: self.frame().module,
            kind,
            params: Vec::new(),
            body: DefBody::Missing,
            local: unit.local,
            recursive: false,
            std: None,
            origin: None,
        })
    }

    // Six values: the parts of a definition, as they were read.
    fn finish_def(
        &mut self,
        unit: &ast::Unit,
        name: ast::Ident,
        (kind, params, body): (DefKind, Vec<LocalId>, DefBody),
        pending: Declared,
    ) -> DefId {
        let def = match pending {
            Declared::Here(def) => def,
            Declared::No | Declared::Elsewhere => self.placeholder(name, unit, kind),
        };
        let std = self.std_op(name, params.len());
        let entry = &mut self.spec.defs[def];
        entry.name_span = name.span;
        entry.span = unit.span;
        entry.local = unit.local;
        entry.kind = kind;
        entry.params = params;
        entry.body = body;
        entry.std = std;
        self.publish(name, def, unit.local);
        def
    }

    /// Returns the standard operator that `name` of the current module is.
    fn std_op(&self, name: ast::Ident, arity: usize) -> Option<std_ops::StdOp> {
        if self.frame().let_depth > 0 || self.in_proof() {
            return None;
        }
        let module = self.text(self.spec.modules[self.frame().module].name);
        std_ops::find(module, self.text(name.name), arity)
    }

    /// Makes a finished definition visible and lists it with its module.
    fn publish(&mut self, name: ast::Ident, def: DefId, local: bool) {
        let module = self.frame().module;
        if self.is_free(name.name) {
            self.add_to_scope(name, def, local);
        }
        if self.frame().let_depth == 0 && !self.in_proof() {
            self.spec.modules[module].defs.push(def);
        }
    }

    fn add_to_scope(&mut self, name: ast::Ident, def: DefId, local: bool) {
        if self.frame().let_depth > 0 || self.in_proof() {
            self.bind(name.name, Entity::Def(def));
        } else {
            self.declare(name, Entity::Def(def), local);
        }
    }

    pub(super) fn in_proof(&self) -> bool {
        !self.frame().proof_levels.is_empty()
    }

    /// Defines a named assumption, theorem or proof step.
    pub(super) fn fact_def(&mut self, name: ast::Ident, span: Span, kind: DefKind, body: ExprId) -> DefId {
        let def = self.spec.defs.push(Def {
            name: name.name,
            name_span: name.span,
            span,
            module: self.frame().module,
            kind,
            params: Vec::new(),
            body: DefBody::Expr(body),
            local: false,
            recursive: false,
            std: None,
            origin: None,
        });
        if self.check_free_for(name, |this, present| this.is_fact_entity(present)) {
            self.publish(name, def, false);
        }
        def
    }

    pub(super) fn is_fact_entity(&self, entity: Entity) -> bool {
        matches!(entity, Entity::Def(def) if self.spec.defs[def].kind.is_fact())
    }

    /// Reports a definition or declaration of an operator that belongs to the language. Returns whether it is one.
    pub(super) fn is_builtin_name(&mut self, name: ast::Ident) -> bool {
        let text = self.text(name.name);
        let builtin = self.builtins.contains_key(&name.name);
        if builtin {
            let headline = format!("`{text}` belongs to the language and cannot be redefined");
            let diagnostic = Diagnostic::new(Code::BuiltinRedefined, name.span, headline)
                .help("choose another name or symbol");
            self.report(diagnostic);
        }
        builtin
    }

    /// Whether a body is the mark of an operator that the evaluator implements.
    fn is_native(&self, file: &ast::File, body: ast::ExprId) -> bool {
        if !self.spec.modules[self.frame().module].embedded {
            return false;
        }
        let ast::ExprKind::Path(segments) = &file.exprs[body].kind else { return false };
        matches!(segments.as_slice(), [ast::PathSegment { kind: ast::SegmentKind::Name(name), args: None, .. }]
            if self.text(*name) == "NATIVE")
    }
}

/// The RECURSIVE declaration that a definition completes, if any.
#[derive(Clone, Copy)]
enum Declared {
    No,
    Here(DefId),
    /// A declaration in another LET, which has been reported.
    Elsewhere,
}

/// Returns the language's own operator for a symbol, or `None` for symbols that modules define.
pub(super) fn builtin(op: OpSym) -> Option<Builtin> {
    BUILTINS.iter().find(|&&(symbol, _)| symbol == op).map(|&(_, builtin)| builtin)
}

/// Returns the language's own operators by name.
pub(super) fn builtin_names(names: &mut Names) -> FxHashMap<Name, Builtin> {
    BUILTINS.iter().map(|&(symbol, builtin)| (names.intern(symbol.canonical()), builtin)).collect()
}

const BUILTINS: &[(OpSym, Builtin)] = &[
    (OpSym::And, Builtin::And),
    (OpSym::Or, Builtin::Or),
    (OpSym::Not, Builtin::Not),
    (OpSym::Implies, Builtin::Implies),
    (OpSym::Equiv, Builtin::Equiv),
    (OpSym::Eq, Builtin::Eq),
    (OpSym::Neq, Builtin::Neq),
    (OpSym::In, Builtin::In),
    (OpSym::NotIn, Builtin::NotIn),
    (OpSym::SubsetEq, Builtin::SubsetEq),
    (OpSym::Cup, Builtin::Cup),
    (OpSym::Cap, Builtin::Cap),
    (OpSym::SetMinus, Builtin::SetMinus),
    (OpSym::Times, Builtin::Times),
    (OpSym::PowerSet, Builtin::PowerSet),
    (OpSym::Union, Builtin::Union),
    (OpSym::Domain, Builtin::Domain),
    (OpSym::Prime, Builtin::Prime),
    (OpSym::Unchanged, Builtin::Unchanged),
    (OpSym::Enabled, Builtin::Enabled),
    (OpSym::Cdot, Builtin::Cdot),
    (OpSym::Box, Builtin::Box),
    (OpSym::Diamond, Builtin::Diamond),
    (OpSym::LeadsTo, Builtin::LeadsTo),
    (OpSym::PlusArrow, Builtin::PlusArrow),
];

/// Formats a count: "1 parameter", "2 parameters".
pub(super) fn count(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}
