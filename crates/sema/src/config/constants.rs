//! `CONSTANT`: values and replacements, and the constants that have no value.

use base::{FxHashSet, Name};
use diag::{Code, Diagnostic};
use syntax::ast::Ident;
use syntax::cfg::{self, Assignment, RightSide, ValueKind};

use super::lookup::{self, PathTarget};
use super::{Assigned, Binder, Define, Replacement, Target, Value};
use crate::spec::{ConstId, Entity};

/// The left side of an assignment: the target, and the entity for checks of arity.
struct LeftSide {
    target: Target,
    entity: Entity,
}

impl Binder<'_> {
    pub(super) fn bind_constants(&mut self) {
        let tree = self.input.tree;
        for assignment in tree.assignments() {
            match &assignment.right {
                RightSide::Value { args, module, value } => {
                    let args = args.as_ref().map(|args| args.values.as_slice());
                    self.bind_value(assignment, *module, args, value);
                }
                RightSide::Definition { module, name } => self.bind_definition(assignment, *module, *name),
            }
        }
        self.config.assignments.sort_by_key(|assigned| assigned.span);
        self.bind_defines();
        self.report_missing();
    }

    /// Binds the values given on the command line. They override those in the file.
    fn bind_defines(&mut self) {
        for define in self.defines {
            let target = match lookup::root_entity(self.spec, define.name) {
                Some(Entity::Const(constant)) => Target::Const(constant),
                Some(Entity::Def(def)) => {
                    Target::Def { path: vec![define.name], replaced: lookup::with_uses(self.spec, def) }
                }
                Some(Entity::Var(_) | Entity::Instance(_) | Entity::Local(_)) | None => {
                    self.report_unknown_define(define);
                    continue;
                }
            };
            let replacement = Replacement::Def(define.def);
            self.replace(&target, &replacement);
            self.config.assignments.retain(|assigned| assigned.target != target);
            self.config.assignments.push(Assigned { target, replacement, span: define.span });
        }
    }

    fn report_unknown_define(&mut self, define: &Define) {
        let name = self.text(define.name);
        let headline = format!("`{name}` is no constant and no definition of the root module");
        self.diagnostics.push(Diagnostic::new(Code::ConfigUnknownName, define.span, headline));
    }

    fn bind_value(
        &mut self,
        assignment: &Assignment,
        module: Option<Ident>,
        args: Option<&[cfg::Value]>,
        value: &cfg::Value,
    ) {
        let Some(left) = self.left_side(assignment, module) else { return };
        let n_params = lookup::shape(self.spec, left.entity).len();
        // TLC: a plain value for an operator with parameters is its value for all arguments, which are not evaluated
        // (contract 1.3).
        if let Some(args) = args.filter(|args| args.len() != n_params) {
            self.report_value_arity(&assignment.lhs, left.entity, n_params, args.len());
            return;
        }
        let value = self.value(value);
        match args {
            None => self.assign(left.target, Replacement::Value(value), assignment),
            Some(args) => {
                let args = args.iter().map(|arg| self.value(arg)).collect();
                self.add_line(left.target, (args, value), assignment);
            }
        }
    }

    fn bind_definition(&mut self, assignment: &Assignment, module: Option<Ident>, name: Ident) {
        let Some(left) = self.left_side(assignment, module) else { return };
        if self.is_replaced_itself(assignment, module, name) {
            return;
        }
        let Some(right) = lookup::root_entity(self.spec, name.name) else {
            self.report_unknown_right(name);
            return;
        };
        let replacement = match right {
            Entity::Def(def) => Replacement::Def(def),
            Entity::Const(constant) => Replacement::Const(constant),
            Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => {
                self.report_right_kind(name, right);
                return;
            }
        };
        if self.shapes_agree(assignment, left.entity, name, right) {
            self.check_constant_level(left.entity, name, right);
            self.assign(left.target, replacement, assignment);
        }
    }

    /// Returns the left side of an assignment. Reports it if it cannot be given a value.
    fn left_side(&mut self, assignment: &Assignment, module: Option<Ident>) -> Option<LeftSide> {
        let found = match module {
            None => lookup::path_entity(self.spec, &assignment.lhs.segments),
            Some(module) => {
                let entity = self.entity_in_module(assignment, module)?;
                entity.map(|entity| PathTarget { entity, replaced: Vec::new() })
            }
        };
        let Some(PathTarget { entity, replaced }) = found else {
            self.report_unknown_left(assignment, module);
            return None;
        };
        let path = assignment.lhs.segments.iter().map(|segment| segment.name).collect();
        let target = match entity {
            Entity::Const(constant) if module.is_none() => Target::Const(constant),
            Entity::Def(_) if module.is_none() => Target::Def { path, replaced },
            Entity::Def(def) => Target::InModule(lookup::with_copies(self.spec, def)),
            Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => {
                self.report_left_kind(assignment, entity, module);
                return None;
            }
        };
        Some(LeftSide { target, entity })
    }

    /// Looks up the left side in `module`. The outer `None` means that there is no such module, which has been
    /// reported.
    fn entity_in_module(&mut self, assignment: &Assignment, module: Ident) -> Option<Option<Entity>> {
        match lookup::find_module(self.spec, module.name) {
            Some(id) => {
                let single = assignment.lhs.single();
                Some(single.and_then(|ident| lookup::entity_in(self.spec, id, ident.name)))
            }
            None => {
                self.report_unknown_module(assignment, module);
                None
            }
        }
    }

    /// Enters an assignment. TLC: of several assignments to one thing the last counts, and `<-` counts before `=`.
    fn assign(&mut self, target: Target, replacement: Replacement, assignment: &Assignment) {
        if let Some(index) = self.config.assignments.iter().position(|assigned| assigned.target == target) {
            let before = &self.config.assignments[index];
            let stays = is_redirect(&before.replacement) && !is_redirect(&replacement);
            self.report_repeated(assignment, before.span, stays);
            if stays {
                return;
            }
            self.config.assignments.remove(index);
        }
        self.replace(&target, &replacement);
        self.config.assignments.push(Assigned { target, replacement, span: assignment.span });
    }

    /// Adds one line to a constant operator's table. The lines of one target make one table.
    fn add_line(&mut self, target: Target, line: (Vec<Value>, Value), assignment: &Assignment) {
        let same = self.config.assignments.iter_mut().find(|assigned| assigned.target == target);
        if let Some(Assigned { replacement: Replacement::Table(lines), .. }) = same {
            lines.push(line);
            let replacement = Replacement::Table(lines.clone());
            self.replace(&target, &replacement);
        } else {
            self.assign(target, Replacement::Table(vec![line]), assignment);
        }
    }

    fn replace(&mut self, target: &Target, replacement: &Replacement) {
        let replacements = &mut self.config.replacements;
        let by = replacement.clone();
        match target {
            Target::Const(constant) => {
                replacements.constants.insert(*constant, by);
            }
            Target::Def { path: _, replaced: defs } | Target::InModule(defs) => {
                replacements.defs.extend(defs.iter().map(|&def| (def, by.clone())));
            }
        }
    }

    fn value(&self, value: &cfg::Value) -> Value {
        match &value.kind {
            ValueKind::Int(digits) => {
                let parsed = self.text(*digits).parse();
                Value::Int(parsed.expect("the parser takes decimal digits only"))
            }
            ValueKind::String(text) => Value::Str(*text),
            ValueKind::Bool(value) => Value::Bool(*value),
            ValueKind::ModelValue(name) => Value::ModelValue(*name),
            ValueKind::Set(elements) => {
                Value::Set(elements.iter().map(|element| self.value(element)).collect())
            }
        }
    }

    /// Reports constants without a value. TLC: every constant of the root module needs one (contract 1.3, EC 2222). A
    /// failed attempt to give one has already been reported.
    fn report_missing(&mut self) {
        let spec = self.spec;
        let file = spec.sources.file(self.input.source).name().to_owned();
        let of_root = self.input.tree.assignments().filter(|assignment| is_of_root(assignment));
        let attempted: FxHashSet<Name> =
            of_root.filter_map(|assignment| assignment.lhs.single()).map(|ident| ident.name).collect();
        let defined = |name: Name| self.defines.iter().any(|define| define.name == name);
        for &constant in &spec.modules[spec.root].constants {
            if defined(spec.constants[constant].name) {
                continue;
            }
            if !attempted.contains(&spec.constants[constant].name) {
                let diagnostic = self.missing_diagnostic(constant, &file);
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn missing_diagnostic(&self, constant: ConstId, file: &str) -> Diagnostic {
        let constant = &self.spec.constants[constant];
        let name = self.text(constant.name);
        if !self.spec.sources.file(self.input.source).is_file() {
            // Without a configuration file, values are given on the command line.
            return Diagnostic::new(
                Code::ConfigMissingConstant,
                constant.span,
                format!("the constant `{name}` is given no value"),
            )
            .label("declared here")
            .help(format!("give it one with `-D {name}=VALUE`, or write a configuration"));
        }
        let help = match constant.arity {
            0 => format!("add `{name} = value` or `{name} <- Definition` under CONSTANTS in `{file}`"),
            _ => format!("add `{name} <- Definition` under CONSTANTS in `{file}`"),
        };
        let headline = format!("the constant `{name}` is given no value in `{file}`");
        Diagnostic::new(Code::ConfigMissingConstant, constant.span, headline)
            .label("declared here")
            .help(help)
    }
}

/// Whether the assignment has no `[Module]`.
fn is_of_root(assignment: &Assignment) -> bool {
    match &assignment.right {
        RightSide::Value { module, .. } | RightSide::Definition { module, .. } => module.is_none(),
    }
}

fn is_redirect(replacement: &Replacement) -> bool {
    match replacement {
        Replacement::Def(_) | Replacement::Const(_) => true,
        Replacement::Value(_) | Replacement::Table(_) => false,
    }
}
