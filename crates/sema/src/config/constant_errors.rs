//! Messages about assignments under `CONSTANT`.

use diag::{Code, Diagnostic, Severity, Span};
use syntax::ast::Ident;
use syntax::cfg::{Assignment, Path, RightSide, ValueKind};

use super::names::NameKind;
use super::{Binder, lookup};
use crate::level::Level;
use crate::spec::Entity;

impl Binder<'_> {
    /// Returns `A!B!c` as written.
    fn path_text(&self, path: &Path) -> String {
        let segments: Vec<&str> = path.segments.iter().map(|segment| self.text(segment.name)).collect();
        segments.join("!")
    }

    /// Reports a left side that names nothing. TLC: silence for `=`, an error for `<-` (contract 1.3). Silence hides
    /// misspellings, so `=` gets a warning here.
    pub(super) fn report_unknown_left(&mut self, assignment: &Assignment, module: Option<Ident>) {
        let path = self.path_text(&assignment.lhs);
        let place = match module {
            Some(module) => format!("module `{}`", self.text(module.name)),
            None => format!("module `{}`", self.text(self.spec.modules[self.spec.root].name)),
        };
        let (code, headline) = match assignment.right {
            RightSide::Value { .. } => {
                (Code::ConfigIgnoredName, format!("nothing in {place} is called `{path}`: this is ignored"))
            }
            RightSide::Definition { .. } => {
                (Code::ConfigUnknownName, format!("`{path}` is not declared or defined in {place}"))
            }
        };
        let mut diagnostic = Diagnostic::new(code, assignment.lhs.span(), headline);
        if let (Some(ident), None) = (assignment.lhs.single(), module) {
            diagnostic = match names_itself(assignment, ident) {
                true => diagnostic.help(format!("`{path}` can be a model value without this")),
                false => self.with_suggestion(diagnostic, ident.name, NameKind::Assignable),
            };
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn report_unknown_module(&mut self, assignment: &Assignment, module: Ident) {
        let name = self.text(module.name);
        let (code, rest) = match assignment.right {
            RightSide::Value { .. } => (Code::ConfigIgnoredName, ": this is ignored"),
            RightSide::Definition { .. } => (Code::ConfigUnknownName, ""),
        };
        let headline = format!("the specification has no module `{name}`{rest}");
        let modules = self.spec.modules.iter().map(|module| self.text(module.name));
        let mut diagnostic = Diagnostic::new(code, module.span, headline);
        if let Some(similar) = base::nearest(name, modules) {
            diagnostic = diagnostic.suggest(module.span, similar);
        }
        self.diagnostics.push(diagnostic);
    }

    /// TLC: `=` for anything else than a constant or a definition is ignored, as for an unknown name.
    pub(super) fn report_left_kind(
        &mut self,
        assignment: &Assignment,
        entity: Entity,
        module: Option<Ident>,
    ) {
        let path = &assignment.lhs;
        let (text, kind) = (self.path_text(path), lookup::kind_of(entity));
        let wanted = if module.is_some() { "a definition" } else { "a constant or a definition" };
        let (code, rest) = match assignment.right {
            RightSide::Value { .. } => (Code::ConfigIgnoredName, ", so this is ignored"),
            RightSide::Definition { .. } => (Code::ConfigWrongKind, ""),
        };
        let headline = format!("`{text}` is {kind}: only {wanted} can be given a value here{rest}");
        let mut diagnostic = Diagnostic::new(code, path.span(), headline);
        if let Some(span) = lookup::declaration_span(self.spec, entity) {
            diagnostic = diagnostic.related(span, "declared here");
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn report_value_arity(&mut self, path: &Path, entity: Entity, n_params: usize, n_args: usize) {
        let text = self.path_text(path);
        let headline = format!("`{text}` takes {}, and is given {n_args} here", parameters(n_params));
        let mut diagnostic = Diagnostic::new(Code::ConfigArity, path.span(), headline);
        if let Some(span) = lookup::declaration_span(self.spec, entity) {
            diagnostic = diagnostic.related(span, "declared here");
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn report_unknown_right(&mut self, name: Ident) {
        let text = self.text(name.name);
        let root = self.text(self.spec.modules[self.spec.root].name);
        let headline = format!("`{text}` is not defined in module `{root}`");
        let diagnostic = Diagnostic::new(Code::ConfigUnknownName, name.span, headline).label("not defined");
        let mut diagnostic = self.with_suggestion(diagnostic, name.name, NameKind::Assignable);
        if text == "STRING" {
            diagnostic =
                diagnostic.help("define it in the module, `Strings == STRING`, and write `<- Strings`");
        } else if diagnostic.help.is_empty() {
            diagnostic = diagnostic.help(format!("for a model value of that name, write `= {text}`"));
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn report_right_kind(&mut self, name: Ident, entity: Entity) {
        let (text, kind) = (self.text(name.name), lookup::kind_of(entity));
        let headline = format!("`{text}` is {kind}: the right side of `<-` is a definition");
        let mut diagnostic = Diagnostic::new(Code::ConfigWrongKind, name.span, headline);
        if let Some(span) = lookup::declaration_span(self.spec, entity) {
            diagnostic = diagnostic.related(span, "declared here");
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports a replacement that is itself replaced. TLC: a replacement is not replaced in its turn (contract 1.3, EC
    /// 2223).
    pub(super) fn is_replaced_itself(
        &mut self,
        assignment: &Assignment,
        module: Option<Ident>,
        name: Ident,
    ) -> bool {
        let tree = self.input.tree;
        let replaced = tree.assignments().find(|other| match other.right {
            RightSide::Definition { module: other_module, .. } => {
                other_module.map(|ident| ident.name) == module.map(|ident| ident.name)
                    && other.lhs.single().is_some_and(|ident| ident.name == name.name)
            }
            RightSide::Value { .. } => false,
        });
        let Some(replaced) = replaced else { return false };
        let text = self.text(name.name);
        let headline = match replaced.span == assignment.span {
            true => format!("`{text}` cannot replace itself"),
            false => format!("`{text}` is replaced itself, and cannot replace something else"),
        };
        let mut diagnostic = Diagnostic::new(Code::ConfigConflict, name.span, headline);
        if replaced.span != assignment.span {
            diagnostic = diagnostic.related(replaced.span, "replaced here");
        }
        self.diagnostics.push(diagnostic);
        true
    }

    pub(super) fn shapes_agree(
        &mut self,
        assignment: &Assignment,
        left: Entity,
        name: Ident,
        right: Entity,
    ) -> bool {
        let (wanted, found) = (lookup::shape(self.spec, left), lookup::shape(self.spec, right));
        // TLC: a constant without parameters has a plain value, which counts for all arguments (contract 1.3).
        let is_plain_value = matches!(right, Entity::Const(_)) && found.is_empty();
        if wanted == found || is_plain_value {
            return true;
        }
        let (path, text) = (self.path_text(&assignment.lhs), self.text(name.name));
        let headline = match wanted.len() == found.len() {
            true => format!("`{path}` and `{text}` take operators of different kinds as arguments"),
            false => format!(
                "`{path}` takes {}, but `{text}` takes {}",
                parameters(wanted.len()),
                parameters(found.len())
            ),
        };
        let mut diagnostic = Diagnostic::new(Code::ConfigArity, assignment.span, headline);
        for (entity, what) in [(left, "to be replaced"), (right, "to replace it")] {
            if let Some(span) = lookup::declaration_span(self.spec, entity) {
                diagnostic = diagnostic.related(span, what);
            }
        }
        self.diagnostics.push(diagnostic);
        false
    }

    /// Checks that what is given to a constant is constant: a constant has one value, and something that depends on the
    /// state does not.
    pub(super) fn check_constant_level(&mut self, left: Entity, name: Ident, right: Entity) {
        let (Entity::Const(_), Entity::Def(def)) = (left, right) else { return };
        let is_constant = self.spec.levels.defs[def] == Level::Constant;
        if is_constant || !self.spec.defs[def].params.is_empty() {
            return;
        }
        let headline =
            format!("`{}` depends on the state: it cannot be a constant's value", self.text(name.name));
        let diagnostic = Diagnostic::new(Code::ConfigLevel, name.span, headline)
            .related(self.spec.defs[def].name_span, "defined here");
        self.diagnostics.push(diagnostic);
    }

    /// Reports a second assignment to the same thing. TLC takes one of them silently.
    pub(super) fn report_repeated(&mut self, assignment: &Assignment, before: Span, first_counts: bool) {
        let which = if first_counts { "first" } else { "last" };
        let path = self.path_text(&assignment.lhs);
        let headline = format!("`{path}` is given a value twice: the {which} one counts");
        let mut diagnostic = Diagnostic::new(Code::ConfigRepeated, assignment.span, headline)
            .related(before, "first given here");
        diagnostic.severity = Severity::Warning;
        self.diagnostics.push(diagnostic);
    }
}

/// Whether the assignment is `a = a`.
fn names_itself(assignment: &Assignment, ident: Ident) -> bool {
    match &assignment.right {
        RightSide::Value { value, .. } => {
            matches!(value.kind, ValueKind::ModelValue(name) if name == ident.name)
        }
        RightSide::Definition { .. } => false,
    }
}

fn parameters(n: usize) -> String {
    match n {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        _ => format!("{n} parameters"),
    }
}
