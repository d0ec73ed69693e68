//! The order of strings and model values: by first occurrence (contract 3.6), configuration first, then the
//! identifiers of the spec's text, then its other strings.
//!
//! This differs from TLC: identifiers of the standard modules are our own, so a string spelled like one of them can
//! have another rank. The same holds for a string of one module that is an identifier only in modules that it extends.
//! Only CHOOSE and printing can show the difference.

use base::{FxHashSet, Name};
use sema::config::{Replacement, Value};
use sema::spec::{ExceptStep, ExprKind, ModuleId};

use super::Lowerer;

impl Lowerer<'_> {
    pub(super) fn declare_atoms(&mut self) {
        let config = self.config;
        for assigned in &config.assignments {
            match &assigned.replacement {
                Replacement::Value(value) => self.declare_value(value),
                Replacement::Table(rows) => {
                    for (args, value) in rows {
                        args.iter().for_each(|arg| self.declare_value(arg));
                        self.declare_value(value);
                    }
                }
                Replacement::Def(_) | Replacement::Const(_) => {}
            }
        }
        let identifiers = self.identifiers();
        let spec = self.spec;
        for (_, text) in spec.names.iter().filter(|(name, _)| identifiers.contains(name)) {
            self.atoms.declare(text);
        }
        for expr in spec.exprs.iter() {
            if let ExprKind::Str(text) = expr.kind {
                self.atoms.declare(spec.names.text(text));
            }
        }
        let variables = self.program.variables.iter();
        self.program.variable_atoms =
            variables.map(|&name| self.atoms.declare(spec.names.text(name))).collect();
    }

    fn declare_value(&mut self, value: &Value) {
        match value {
            Value::Str(text) | Value::ModelValue(text) => {
                self.atoms.declare(self.spec.names.text(*text));
            }
            Value::Set(items) => items.iter().for_each(|item| self.declare_value(item)),
            Value::Int(_) | Value::Bool(_) => {}
        }
    }

    /// Returns every name that is an identifier in the user's modules.
    fn identifiers(&self) -> FxHashSet<Name> {
        let spec = self.spec;
        let users = |module: ModuleId| !spec.modules[module].embedded;
        let mut names = FxHashSet::default();
        names.extend(spec.modules.iter().filter(|module| !module.embedded).map(|module| module.name));
        names.extend(spec.constants.iter().filter(|item| users(item.module)).map(|item| item.name));
        names.extend(spec.variables.iter().filter(|item| users(item.module)).map(|item| item.name));
        names.extend(spec.defs.iter().filter(|item| users(item.module)).map(|item| item.name));
        // Texts of the command line count as the user's.
        let ours: FxHashSet<_> =
            spec.modules.iter().filter(|module| module.embedded).map(|module| module.span.source).collect();
        let locals = spec.locals.iter().filter(|local| !ours.contains(&local.span.source));
        names.extend(locals.map(|local| local.name));
        for expr in spec.exprs.iter().filter(|expr| !ours.contains(&expr.span.source)) {
            field_names(&expr.kind, &mut names);
        }
        names
    }
}

fn field_names(kind: &ExprKind, names: &mut FxHashSet<Name>) {
    if let ExprKind::Record(fields) | ExprKind::RecordSet(fields) = kind {
        names.extend(fields.iter().map(|&(name, _)| name));
    } else if let ExprKind::Field { field, .. } = kind {
        names.insert(*field);
    } else if let ExprKind::Except { updates, .. } = kind {
        for step in updates.iter().flat_map(|update| &update.path) {
            match step {
                ExceptStep::Field(name) => {
                    names.insert(*name);
                }
                ExceptStep::Index(_) => {}
            }
        }
    }
}
