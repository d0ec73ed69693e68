//! Writes modules, instances and definitions as events.

use syntax::dump::events::{Event, Events, Shown};

use super::Dumper;
use super::kinds::def_word;
use crate::spec::{
    Arg, AssumeKind, Assumption, Def, DefBody, DefId, DefKind, InstanceId, Module, ModuleId, Substitution,
    Theorem,
};

impl<'a> Dumper<'a> {
    /// Writes all modules. JSON has them in one list.
    pub(super) fn whole_spec(mut self) -> Events<'a> {
        let spec = self.spec;
        self.events.0.push(Event::List { shown: None });
        let others = spec
            .modules
            .iter_enumerated()
            .filter(|&(id, module)| id != spec.root && module.parent.is_none() && !module.embedded);
        for module in
            spec.modules.get(spec.root).map(|_| spec.root).into_iter().chain(others.map(|(id, _)| id))
        {
            self.module(module);
        }
        let embedded = spec.modules.iter().filter(|module| module.embedded && module.parent.is_none());
        for module in embedded {
            self.events.open("embedded", module.name_span);
            self.events.word("name", self.text(module.name));
            self.events.push_hidden_word("file", spec.sources.file(module.span.source).name());
            self.events.close();
        }
        self.events.close();
        self.events
    }

    pub(super) fn module(&mut self, id: ModuleId) {
        let outer = std::mem::replace(&mut self.module, id);
        base::with_stack(|| self.module_here(id));
        self.module = outer;
    }

    fn module_here(&mut self, id: ModuleId) {
        let spec = self.spec;
        let module = &spec.modules[id];
        let name = self.text(module.name);
        self.events.open_as("module", format!("module {name}"), module.name_span);
        self.events.push_hidden_word("name", name);
        self.events.push_hidden_word("file", spec.sources.file(module.span.source).name());
        if !module.extends.is_empty() {
            self.events.group("extends");
            for &extended in &module.extends {
                let name = self.module_name(extended);
                self.events.atom(Shown::Word(name.into()));
            }
            self.events.close();
        }
        self.declarations(id, module);
        self.events.list("instances");
        for &instance in &module.instances {
            self.start_unit();
            self.instance(instance, true);
        }
        self.events.close();
        self.units(module);
        self.events.list("nested");
        module.nested.iter().for_each(|&nested| self.module(nested));
        self.events.close();
        self.events.close();
    }

    /// Writes the module's own constants and variables.
    fn declarations(&mut self, id: ModuleId, module: &'a Module) {
        let spec = self.spec;
        let constants: Vec<_> = module.constants.iter().map(|&id| &spec.constants[id]).collect();
        let constants: Vec<_> = constants.into_iter().filter(|constant| constant.module == id).collect();
        if !constants.is_empty() {
            self.events.group("constants");
            for constant in constants {
                let name = self.text(constant.name);
                let shown =
                    if constant.arity == 0 { name.to_owned() } else { format!("{name}/{}", constant.arity) };
                self.events.leaf("constant", "name", Shown::Word(shown.into()), constant.span);
            }
            self.events.close();
        }
        let variables: Vec<_> = module.variables.iter().map(|&id| &spec.variables[id]).collect();
        let variables: Vec<_> = variables.into_iter().filter(|variable| variable.module == id).collect();
        if !variables.is_empty() {
            self.events.group("variables");
            for variable in variables {
                let name = Shown::Word(self.text(variable.name).into());
                self.events.leaf("variable", "name", name, variable.span);
            }
            self.events.close();
        }
    }

    fn units(&mut self, module: &'a Module) {
        self.events.list("definitions");
        for &def in &module.defs {
            match self.spec.defs[def].kind {
                DefKind::Operator | DefKind::Function => {
                    self.start_unit();
                    self.def(def);
                }
                // These are shown below, together with their statements.
                DefKind::Assumption | DefKind::Theorem => {}
                DefKind::Let | DefKind::ProofStep | DefKind::Subexpression => {}
            }
        }
        self.events.close();
        self.events.list("assumptions");
        module.assumptions.iter().for_each(|assumption| self.assumption(assumption));
        self.events.close();
        self.events.list("theorems");
        module.theorems.iter().for_each(|theorem| self.theorem(theorem));
        self.events.close();
    }

    /// Writes an INSTANCE, its substitutions, and the definitions that it made: each as a unit, or all in the unit that
    /// is shown.
    pub(super) fn instance(&mut self, id: InstanceId, are_units: bool) {
        let instance = &self.spec.instances[id];
        let module = self.module_name(instance.module);
        let local = if instance.local { "local " } else { "" };
        let head = match self.instance_name(id) {
            Some(name) => format!("{local}instance {name} of {module}"),
            None => format!("{local}instance of {module}"),
        };
        self.events.open_as("instance", head, instance.span);
        if let Some(name) = self.instance_name(id) {
            self.events.push_hidden_word("name", name);
        }
        self.events.push_hidden_word("module", module);
        self.events.push_hidden("local", Shown::Bool(instance.local));
        if !instance.params.is_empty() {
            self.binders("params", &instance.params);
        }
        self.events.list("substitutions");
        instance.substitutions.iter().for_each(|substitution| self.substitution(substitution));
        self.events.close();
        self.events.list("definitions");
        for def in self.made.get(&id).cloned().unwrap_or_default() {
            if are_units {
                self.start_unit();
            }
            self.def(def);
        }
        self.events.close();
        self.events.close();
    }

    fn substitution(&mut self, substitution: &'a Substitution) {
        let head = if substitution.implicit { "implicit <-" } else { "<-" };
        self.events.open_as("substitution", head, substitution.span);
        self.events.push_hidden("implicit", Shown::Bool(substitution.implicit));
        let (kind, name) = self.target_name(substitution.target);
        self.events.word("target", format!("{kind}:{name}"));
        self.events.key("value");
        self.arg(&substitution.value);
        self.events.close();
    }

    /// Writes a definition with its parameters, its level and its body.
    pub(super) fn def(&mut self, id: DefId) {
        let spec = self.spec;
        let def = &spec.defs[id];
        let name = match self.lets.contains_key(&id) {
            true => self.op_name(crate::spec::Op::Def(id)).1,
            false => self.path(id),
        };
        let level = spec.levels.defs.get(id).map_or_else(|| "?".to_owned(), ToString::to_string);
        let local = if def.local && def.kind != DefKind::Let { "local " } else { "" };
        let recursive = if def.recursive { "recursive " } else { "" };
        let word = def_word(def.kind);
        let head = format!("{local}{recursive}{word} {name} {level}");
        self.events.open_as(word, head, def.span);
        self.events.push_hidden_word("name", name);
        self.events.push_hidden_word("level", level);
        self.events.push_hidden("local", Shown::Bool(def.local));
        self.events.push_hidden("recursive", Shown::Bool(def.recursive));
        self.def_parts(def);
        self.events.close();
    }

    fn def_parts(&mut self, def: &'a Def) {
        if let Some(std) = def.std {
            let (module, name, _) = std.signature();
            self.events.word("std", format!("std:{module}::{name}"));
        }
        if !def.params.is_empty() {
            self.binders("params", &def.params);
        }
        self.events.key("body");
        match def.body {
            DefBody::Expr(body) => self.expr(body),
            DefBody::Native => self.events.atom(Shown::Word("NATIVE".into())),
            DefBody::Missing => self.events.atom(Shown::Word("MISSING".into())),
        }
    }

    fn assumption(&mut self, assumption: &'a Assumption) {
        self.start_unit();
        let kind = match assumption.kind {
            AssumeKind::Assume => "assume",
            AssumeKind::Axiom => "axiom",
        };
        self.open_fact(kind, assumption.def, assumption.span);
        self.key_expr("body", assumption.body);
        self.events.close();
    }

    fn theorem(&mut self, theorem: &'a Theorem) {
        self.start_unit();
        self.open_fact("theorem", theorem.def, theorem.span);
        self.key_expr("statement", theorem.statement);
        if let Some(proof) = &theorem.proof {
            self.events.key("proof");
            self.proof(proof);
        }
        self.events.close();
    }

    fn open_fact(&mut self, kind: &'static str, def: Option<DefId>, span: diag::Span) {
        match def {
            None => self.events.open(kind, span),
            Some(def) => {
                let name = self.path(def);
                self.events.open_as(kind, format!("{kind} {name}"), span);
                self.events.push_hidden_word("name", name);
            }
        }
    }

    /// Writes an argument: an expression, an operator, or a LAMBDA.
    pub(super) fn arg(&mut self, arg: &'a Arg) {
        match arg {
            Arg::Expr(expr) => self.expr(*expr),
            Arg::Op(op) => self.op_arg(op),
        }
    }
}
