//! Names of things in a dump.

use base::Name;
use diag::Span;
use syntax::dump::events::Shown;

use super::Dumper;
use crate::spec::{Builtin, ConstId, DefId, DefKind, InstanceId, LocalId, ModuleId, Op, SubstTarget, VarId};

impl<'a> Dumper<'a> {
    pub(super) fn text(&self, name: Name) -> &'a str {
        self.spec.names.text(name)
    }

    /// Gives a binder its number, and returns its name: `x#0`, or `F#1/2` when it takes arguments.
    pub(super) fn bind(&mut self, local: LocalId) -> String {
        let next = self.next_number();
        self.locals.entry(local).or_insert(next);
        let name = self.local_name(local);
        match self.spec.locals[local].arity {
            0 => name,
            arity => format!("{name}/{arity}"),
        }
    }

    /// Gives a definition of a LET its number.
    pub(super) fn bind_let(&mut self, def: DefId) {
        let next = self.next_number();
        self.lets.entry(def).or_insert(next);
    }

    fn next_number(&self) -> u32 {
        let n_names = self.locals.len() + self.lets.len();
        u32::try_from(n_names).expect("an arena holds fewer than 2^32 elements")
    }

    pub(super) fn local_name(&self, local: LocalId) -> String {
        add_number(self.text(self.spec.locals[local].name), self.locals.get(&local).copied())
    }

    /// Writes binders in a list of their own: `(params x#0 y#1)`.
    pub(super) fn binders(&mut self, key: &'static str, locals: &[LocalId]) {
        self.events.group(key);
        locals.iter().for_each(|&local| self.binder(local));
        self.events.close();
    }

    pub(super) fn binder(&mut self, local: LocalId) {
        let name = self.bind(local);
        self.events.leaf("name", "name", Shown::Word(name.into()), self.spec.locals[local].span);
    }

    /// Returns the kind and the name of an operator: `("def", "M::Op")`.
    pub(super) fn op_name(&self, op: Op) -> (&'static str, String) {
        match op {
            Op::Def(def) => self.def_name(def),
            Op::Const(constant) => ("const", self.const_name(constant)),
            Op::Param(local) => ("local", self.local_name(local)),
            Op::Builtin(builtin) => ("builtin", symbol(builtin).to_owned()),
        }
    }

    pub(super) fn const_name(&self, id: ConstId) -> String {
        let constant = &self.spec.constants[id];
        self.qualify(constant.module, self.text(constant.name))
    }

    pub(super) fn var_name(&self, id: VarId) -> String {
        let variable = &self.spec.variables[id];
        self.qualify(variable.module, self.text(variable.name))
    }

    pub(super) fn target_name(&self, target: SubstTarget) -> (&'static str, String) {
        match target {
            SubstTarget::Const(id) => ("const", self.const_name(id)),
            SubstTarget::Var(id) => ("var", self.var_name(id)),
        }
    }

    fn def_name(&self, id: DefId) -> (&'static str, String) {
        let def = &self.spec.defs[id];
        if let Some(&number) = self.lets.get(&id) {
            return ("let", add_number(&self.path(id), Some(number)));
        }
        if let Some(std) = def.std {
            let (module, name, _) = std.signature();
            return ("std", format!("{module}::{name}"));
        }
        let path = self.path(id);
        match def.kind {
            DefKind::Let => ("let", add_number(&path, None)),
            DefKind::ProofStep => ("step", path),
            DefKind::Assumption => ("assumption", self.qualify(self.home(id), &path)),
            DefKind::Theorem => ("theorem", self.qualify(self.home(id), &path)),
            DefKind::Operator | DefKind::Function => ("def", self.qualify(self.home(id), &path)),
            DefKind::Subexpression => ("part", self.qualify(self.home(id), &path)),
        }
    }

    /// Returns the name with the instances that it came through: `I!J!Op`.
    pub(super) fn path(&self, id: DefId) -> String {
        let mut path = String::new();
        let mut def = &self.spec.defs[id];
        while let Some(origin) = def.origin {
            if let Some(name) = self.spec.instances[origin.instance].name {
                path.push_str(self.text(name));
                path.push('!');
            }
            def = &self.spec.defs[origin.def];
        }
        path.push_str(self.text(def.name));
        path
    }

    /// Returns the module in which a definition was made.
    fn home(&self, id: DefId) -> ModuleId {
        let def = &self.spec.defs[id];
        def.origin.map_or(def.module, |origin| self.spec.instances[origin.instance].within)
    }

    fn qualify(&self, module: ModuleId, name: &str) -> String {
        if module == self.module { name.to_owned() } else { format!("{}::{name}", self.module_name(module)) }
    }

    pub(super) fn module_name(&self, module: ModuleId) -> &'a str {
        self.text(self.spec.modules[module].name)
    }

    pub(super) fn instance_name(&self, instance: InstanceId) -> Option<&'a str> {
        self.spec.instances[instance].name.map(|name| self.text(name))
    }

    /// Returns the name of the proof step at `span`.
    pub(super) fn step_name(&self, span: Span) -> Option<&'a str> {
        self.steps.get(&span).map(|&def| self.text(self.spec.defs[def].name))
    }
}

fn add_number(name: &str, number: Option<u32>) -> String {
    match number {
        Some(number) => format!("{name}#{number}"),
        None => format!("{name}#?"),
    }
}

/// Returns the spelling of an operator of the language.
pub(super) fn symbol(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::And => "/\\",
        Builtin::Or => "\\/",
        Builtin::Not => "~",
        Builtin::Implies => "=>",
        Builtin::Equiv => "<=>",
        Builtin::Eq => "=",
        Builtin::Neq => "/=",
        Builtin::In => "\\in",
        Builtin::NotIn => "\\notin",
        Builtin::SubsetEq => "\\subseteq",
        Builtin::Cup => "\\cup",
        Builtin::Cap => "\\cap",
        Builtin::SetMinus => "\\",
        Builtin::Times => "\\X",
        Builtin::PowerSet => "SUBSET",
        Builtin::Union => "UNION",
        Builtin::Domain => "DOMAIN",
        Builtin::Prime => "'",
        Builtin::Unchanged => "UNCHANGED",
        Builtin::Enabled => "ENABLED",
        Builtin::Cdot => "\\cdot",
        Builtin::Box => "[]",
        Builtin::Diamond => "<>",
        Builtin::LeadsTo => "~>",
        Builtin::PlusArrow => "-+->",
    }
}
