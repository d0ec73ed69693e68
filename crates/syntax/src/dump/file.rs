//! Writes modules and units as events.

use super::Dumper;
use super::events::{Events, Shown};
use crate::ast::{
    AssumeKind, Bound, Ident, Instance, Module, OpDecl, OpHead, Pattern, Substitution, Unit, UnitKind,
};

impl<'a> Dumper<'a> {
    /// Writes all modules. JSON has them in one list.
    pub(super) fn modules(mut self) -> Events<'a> {
        self.events.0.push(super::events::Event::List { shown: None });
        for module in &self.file.modules {
            self.module(module);
        }
        self.events.close();
        self.events
    }

    fn module(&mut self, module: &'a Module) {
        base::with_stack(|| {
            self.events.open("module", module.span);
            self.key_ident("name", module.name);
            if !module.extends.is_empty() {
                self.events.group("extends");
                module.extends.iter().for_each(|&name| self.ident(name));
                self.events.close();
            }
            self.events.list("units");
            module.units.iter().for_each(|unit| self.unit(unit));
            self.events.close();
            self.events.close();
        });
    }

    pub(super) fn units(&mut self, key: &'static str, units: &'a [Unit]) {
        self.events.group(key);
        units.iter().for_each(|unit| self.unit(unit));
        self.events.close();
    }

    fn unit(&mut self, unit: &'a Unit) {
        // A nested module needs no unit around it.
        if let UnitKind::Module(module) = &unit.kind {
            return self.module(module);
        }
        let kind = unit_word(&unit.kind);
        let head = if unit.local { format!("local {kind}") } else { kind.to_owned() };
        self.events.open_as(kind, head, unit.span);
        if unit.local {
            self.events.flag("local");
        }
        self.unit_parts(&unit.kind);
        self.events.close();
    }

    fn unit_parts(&mut self, kind: &'a UnitKind) {
        match kind {
            UnitKind::Constants(decls) | UnitKind::Recursive(decls) => self.decls("names", decls),
            UnitKind::Variables(names) => self.idents("names", names),
            UnitKind::Operator { head, body } => {
                self.head(head);
                self.key_expr("body", *body);
            }
            UnitKind::Function { name, bounds, body } => {
                self.key_ident("name", *name);
                self.bounds(bounds);
                self.key_expr("body", *body);
            }
            UnitKind::Instance(instance) => self.instance(instance),
            UnitKind::NamedInstance { head, instance } => {
                self.head(head);
                self.instance(instance);
            }
            UnitKind::Assume { name, body, .. } => {
                self.statement_name(*name);
                self.key_expr("body", *body);
            }
            UnitKind::Theorem { name, body, proof } => {
                self.statement_name(*name);
                self.key_expr("body", *body);
                self.opt_proof(proof.as_ref());
            }
            UnitKind::UseHide(list) => self.use_hide(list),
            UnitKind::Module(module) => self.module(module),
        }
    }

    fn statement_name(&mut self, name: Option<Ident>) {
        if let Some(name) = name {
            self.events.group("named");
            self.ident(name);
            self.events.close();
        }
    }

    fn head(&mut self, head: &'a OpHead) {
        self.key_ident("name", head.name);
        if !head.params.is_empty() {
            self.events.group("params");
            head.params.iter().for_each(|decl| self.decl(*decl));
            self.events.close();
        }
    }

    pub(super) fn instance(&mut self, instance: &'a Instance) {
        self.key_ident("module", instance.module);
        if !instance.substitutions.is_empty() {
            self.events.group("with");
            instance.substitutions.iter().for_each(|substitution| self.substitution(substitution));
            self.events.close();
        }
    }

    fn substitution(&mut self, substitution: &'a Substitution) {
        let span = substitution.target.span.to(self.file.exprs[substitution.value].span);
        self.events.open_as("substitution", "<-", span);
        self.key_ident("target", substitution.target);
        self.key_expr("value", substitution.value);
        self.events.close();
    }

    pub(super) fn ident(&mut self, ident: Ident) {
        let word = Shown::Word(self.text(ident.name).into());
        self.events.leaf("name", "text", word, ident.span);
    }

    pub(super) fn key_ident(&mut self, key: &'static str, ident: Ident) {
        self.events.key(key);
        self.ident(ident);
    }

    pub(super) fn idents(&mut self, key: &'static str, idents: &[Ident]) {
        self.events.list(key);
        idents.iter().for_each(|&ident| self.ident(ident));
        self.events.close();
    }

    fn decls(&mut self, key: &'static str, decls: &[OpDecl]) {
        self.events.list(key);
        decls.iter().for_each(|&decl| self.decl(decl));
        self.events.close();
    }

    /// Writes a declaration. An arity is shown only if there is one: `(F/2)`.
    pub(super) fn decl(&mut self, decl: OpDecl) {
        if decl.arity == 0 {
            return self.ident(decl.name);
        }
        let name = self.text(decl.name.name);
        self.events.open_as("operator-name", format!("{name}/{}", decl.arity), decl.name.span);
        self.events.push_hidden_word("text", name);
        self.events.push_hidden("arity", Shown::Number(decl.arity));
        self.events.close();
    }

    pub(super) fn bounds(&mut self, bounds: &'a [Bound]) {
        self.events.list("bounds");
        bounds.iter().for_each(|bound| self.bound(bound));
        self.events.close();
    }

    pub(super) fn bound(&mut self, bound: &'a Bound) {
        let set = self.file.exprs[bound.set].span;
        let (Pattern::Names(names) | Pattern::Tuple(names)) = &bound.pattern;
        let span = names.first().map_or(set, |first| first.span.to(set));
        self.events.open_as("bound", "\\in", span);
        self.pattern(&bound.pattern);
        self.key_expr("set", bound.set);
        self.events.close();
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Names(names) => self.idents("names", names),
            Pattern::Tuple(names) => {
                self.events.group("tuple");
                names.iter().for_each(|&name| self.ident(name));
                self.events.close();
            }
        }
    }
}

fn unit_word(kind: &UnitKind) -> &'static str {
    match kind {
        UnitKind::Constants(_) => "constants",
        UnitKind::Variables(_) => "variables",
        UnitKind::Recursive(_) => "recursive",
        UnitKind::Operator { .. } => "operator",
        UnitKind::Function { .. } => "function-definition",
        UnitKind::Instance(_) => "instance",
        UnitKind::NamedInstance { .. } => "named-instance",
        UnitKind::Assume { kind: AssumeKind::Assume, .. } => "assume",
        UnitKind::Assume { kind: AssumeKind::Axiom, .. } => "axiom",
        UnitKind::Theorem { .. } => "theorem",
        UnitKind::UseHide(_) => "use",
        UnitKind::Module(_) => "module",
    }
}
