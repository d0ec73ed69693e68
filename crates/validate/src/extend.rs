//! Adds the texts of a mapping to a specification and its configuration: variables that only the mapping has,
//! expressions, definitions. Mappings of logs and of running programs are planned with it.

use std::ops::Range;

use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};
use sema::config::{BoundConfig, Named};
use sema::level::{self, Level};
use sema::spec::{Def, DefBody, DefId, DefKind, Entity, ExprId, ScopeEntry, VarId, Variable};
use sema::{ExprText, Spec, resolve_expr, resolve_within};

use crate::map::Text;

/// An index into `Program::asked`.
pub type AskedIdx = usize;

/// A specification with its configuration, and the text of a mapping that is added to them.
pub struct Extension<'a> {
    pub spec: &'a mut Spec,
    pub config: &'a mut BoundConfig,
    pub diagnostics: Diagnostics,
    /// The text of the mapping.
    source: SourceId,
    /// The code of what is wrong with the mapping.
    code: Code,
}

impl<'a> Extension<'a> {
    pub fn new(spec: &'a mut Spec, config: &'a mut BoundConfig, source: SourceId, code: Code) -> Self {
        Extension { spec, config, diagnostics: Diagnostics::new(), source, code }
    }

    /// Returns `plan` if there is one and nothing is wrong.
    pub fn finish<P>(mut self, plan: Option<P>) -> Result<P, Diagnostics> {
        self.check_levels();
        match plan {
            Some(plan) if !self.diagnostics.has_errors() => Ok(plan),
            _ => Err(self.diagnostics),
        }
    }

    /// Checks the levels of everything that was added.
    pub fn check_levels(&mut self) {
        self.diagnostics.extend(level::check_added(self.spec, &[]));
    }

    pub fn span(&self, text: &Text) -> Span {
        self.span_of(text.place.clone())
    }

    /// Returns the place of a range of bytes of the mapping.
    pub fn span_of(&self, place: Range<usize>) -> Span {
        Span::new(self.source, place)
    }

    /// Returns the beginning of the mapping, for things that have no other place.
    pub fn start(&self) -> Span {
        Span::new(self.source, 0..0)
    }

    pub fn refuse(&mut self, text: &Text, headline: impl Into<String>, help: impl Into<String>) {
        self.refuse_at(self.span(text), headline, help);
    }

    pub fn refuse_at(&mut self, span: Span, headline: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(self.code, span, headline).help(help));
    }

    /// Adds a variable to the root module; `None` if the specification has that name already. A variable that was hidden
    /// comes back.
    pub fn add_variable(&mut self, name: &str) -> Option<VarId> {
        let (root, name, span) = (self.spec.root, self.spec.names.intern(name), self.start());
        if self.spec.modules[root].scope.contains_key(&name) {
            return None;
        }
        let known = self.spec.variables.iter().position(|known| known.name == name && known.span == span);
        let id = match known.and_then(|at| self.spec.variables.ids().nth(at)) {
            Some(id) => id,
            None => {
                let id = self.spec.variables.push(Variable { name, span, module: root });
                self.spec.modules[root].variables.push(id);
                id
            }
        };
        let entry = ScopeEntry { entity: Entity::Var(id), local: true, yields: false };
        self.spec.modules[root].scope.insert(name, entry);
        Some(id)
    }

    /// Hides a variable from the texts that are resolved after this.
    pub fn hide(&mut self, variable: VarId) {
        let name = self.spec.variables[variable].name;
        self.spec.modules[self.spec.root].scope.shift_remove(&name);
    }

    /// Whether a variable was added here.
    pub fn is_added(&self, variable: VarId) -> bool {
        self.spec.variables[variable].span.source == self.source
    }

    /// Resolves a text as an expression.
    pub fn resolve(&mut self, text: &Text) -> Option<ExprId> {
        let module = self.spec.root;
        let resolved = match text.is_verbatim {
            true => resolve_within(self.spec, self.span(text), module),
            false => {
                let name = self.spec.sources.file(self.source).name().to_owned();
                let text = ExprText { origin: &name, text: &text.text, module, params: &[] };
                resolve_expr(self.spec, text)
            }
        };
        match resolved {
            Ok(resolved) => Some(resolved.expr),
            Err(errors) => {
                self.diagnostics.extend(errors);
                None
            }
        }
    }

    /// Returns what a name of the root module stands for.
    pub fn find_entity(&self, name: &str) -> Option<Entity> {
        let scope = &self.spec.modules[self.spec.root].scope;
        self.spec.names.get(name).and_then(|name| scope.get(&name)).map(|entry| entry.entity)
    }

    /// Returns the action of that name.
    pub fn find_action(&self, name: &str) -> Option<DefId> {
        let Entity::Def(def) = self.find_entity(name)? else { return None };
        (self.spec.levels.defs[def] == Level::Action).then_some(def)
    }

    /// Adds a definition without parameters, which no text can name.
    pub fn define(&mut self, name: &str, body: ExprId, span: Span) -> Named {
        let name = self.spec.names.intern(name);
        let def = Def {
            name,
            name_span: span,
            span,
            module: self.spec.root,
            kind: DefKind::Operator,
            params: Vec::new(),
            body: DefBody::Expr(body),
            local: true,
            recursive: false,
            std: None,
            origin: None,
        };
        Named { name, span, def: self.spec.defs.push(def) }
    }

    /// Has the program evaluate an expression when it is asked to.
    pub fn ask(&mut self, name: &str, expr: ExprId, span: Span) -> AskedIdx {
        let named = self.define(name, expr, span);
        self.config.asked.push(named);
        self.config.asked.len() - 1
    }

    /// Has the program evaluate the expression of a text, named like the text in one line.
    pub fn ask_text(&mut self, text: &Text, expr: ExprId) -> AskedIdx {
        let span = self.span(text);
        self.ask(&join_lines(&text.text), expr, span)
    }
}

/// Returns a text in one line.
pub(crate) fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
