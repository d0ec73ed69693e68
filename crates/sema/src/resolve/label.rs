//! Labels: `lab(x) :: e` names a subexpression, with exactly the bound names in scope as parameters.

use base::{FxHashSet, FxIndexMap, FxIndexSet, Name};
use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::Resolver;
use crate::spec::{Entity, ExprId, ExprKind, LocalId, LocalKind, NameTarget};

/// The labels of one definition or fact.
pub(crate) struct LabelScope {
    /// The mark where the definition or the enclosing label starts. A label must list the names bound since then.
    mark: usize,
    /// Labels seen: one set for each label that encloses this point, and one for the definition.
    seen: Vec<FxHashSet<Name>>,
    /// The reason why no label may stand here.
    forbidden: Option<&'static str>,
}

impl Resolver<'_> {
    /// Resolves the body of a definition. Labels inside belong to it.
    pub(super) fn definition_body<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        self.label_scope(None, body)
    }

    /// Resolves the body of an assumption or theorem. Its labels need a name that they belong to.
    pub(super) fn labelled_body<R>(
        &mut self,
        name: Option<ast::Ident>,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let forbidden = match name {
            Some(_) => None,
            None => Some("a label needs a definition, a named fact or a proof step around it"),
        };
        self.label_scope(forbidden, body)
    }

    fn label_scope<R>(&mut self, forbidden: Option<&'static str>, body: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.scope_mark();
        let scope = LabelScope { mark, seen: vec![FxHashSet::default()], forbidden };
        self.frame_mut().labels.push(scope);
        let result = body(self);
        self.frame_mut().labels.pop();
        result
    }

    /// Resolves a part in which no label may stand.
    pub(super) fn without_labels<R>(&mut self, why: &'static str, body: impl FnOnce(&mut Self) -> R) -> R {
        let scope = self.frame_mut().labels.last_mut();
        let before = scope.and_then(|scope| scope.forbidden.replace(why));
        let result = body(self);
        if let Some(scope) = self.frame_mut().labels.last_mut() {
            scope.forbidden = before;
        }
        result
    }

    pub(super) fn label(
        &mut self,
        span: Span,
        (name, params): (ast::Ident, &[ast::Ident]),
        body: impl FnOnce(&mut Self) -> ExprId,
    ) -> ExprId {
        self.check_label_place(name);
        let params = self.label_params(name, params);
        let mark = self.scope_mark();
        let outer = self.frame_mut().labels.last_mut().map(|scope| {
            scope.seen.push(FxHashSet::default());
            std::mem::replace(&mut scope.mark, mark)
        });
        let body = body(self);
        if let (Some(scope), Some(mark)) = (self.frame_mut().labels.last_mut(), outer) {
            scope.seen.pop();
            scope.mark = mark;
        }
        self.add(ExprKind::Label { name: name.name, params, body }, span)
    }

    fn check_label_place(&mut self, name: ast::Ident) {
        let text = self.text(name.name).to_owned();
        let Some(scope) = self.frame_mut().labels.last_mut() else { return };
        if let Some(why) = scope.forbidden {
            let headline = format!("the label `{text}` cannot stand here");
            self.report(Diagnostic::new(Code::LabelPlace, name.span, headline).note(why));
            return;
        }
        let fresh = scope.seen.last_mut().is_none_or(|seen| seen.insert(name.name));
        if !fresh {
            let headline = format!("there is already a label `{text}` here");
            let help = "labels that are not inside one another need different names";
            self.report(Diagnostic::new(Code::LabelRedefined, name.span, headline).help(help));
        }
    }

    /// Returns the names that a label here must have as parameters, in the order they were bound.
    fn bound_here(&self) -> Vec<(Name, LocalId)> {
        let mark = self.frame().labels.last().map_or(0, |scope| scope.mark);
        let names = self.bound_since(mark);
        let locals = names.into_iter().filter_map(|name| match self.lookup(name) {
            Some(Entity::Local(local)) => Some((name, local)),
            Some(Entity::Const(_) | Entity::Var(_) | Entity::Def(_) | Entity::Instance(_)) | None => None,
        });
        locals.filter(|&(_, local)| !matches!(self.spec.locals[local].kind, LocalKind::New(_))).collect()
    }

    fn label_params(&mut self, label: ast::Ident, params: &[ast::Ident]) -> Vec<LocalId> {
        let bound: FxIndexMap<Name, LocalId> = self.bound_here().into_iter().collect();
        let mut listed: FxIndexSet<LocalId> = FxIndexSet::default();
        for param in params {
            let text = self.text(param.name).to_owned();
            let Some(&local) = bound.get(&param.name) else {
                let headline = format!("`{text}` is not a name bound around this label");
                let help = "list exactly the names bound between the definition and the label";
                self.report(Diagnostic::new(Code::LabelParameters, param.span, headline).help(help));
                continue;
            };
            self.record_use(param.span, NameTarget::Entity(Entity::Local(local)));
            if !listed.insert(local) {
                self.error(Code::LabelParameters, param.span, format!("`{text}` is listed twice"));
            }
        }
        for (&name, &local) in &bound {
            if !listed.contains(&local) {
                self.report_missing_param(label, name, local);
            }
        }
        listed.into_iter().collect()
    }

    /// The place of a label with its parameters, up to the `::`.
    fn label_head(&self, label: ast::Ident) -> Option<Span> {
        let text = self.spec.sources.file(label.span.source).text();
        let rest = text.get(label.span.range().start..)?;
        let n_bytes = rest[..rest.find("::")?].trim_end().len();
        Some(Span::new(label.span.source, label.span.range().start..label.span.range().start + n_bytes))
    }

    fn report_missing_param(&mut self, label: ast::Ident, name: Name, local: LocalId) {
        let (label_text, text) = (self.text(label.name).to_owned(), self.text(name).to_owned());
        let bound = self.bound_here();
        let all: Vec<&str> = bound.iter().map(|&(name, _)| self.text(name)).collect();
        let help = format!("list every name bound around it: `{label_text}({}) ::`", all.join(", "));
        let headline = format!("the label `{label_text}` does not list `{text}`, which is bound around it");
        let diagnostic = Diagnostic::new(Code::LabelParameters, label.span, headline)
            .related(self.spec.locals[local].span, format!("`{text}` is bound here"))
            .help(help);
        let head = format!("{label_text}({})", all.join(", "));
        let diagnostic = match self.label_head(label) {
            Some(place) => diagnostic.fix("list every name bound around it", place, head),
            None => diagnostic,
        };
        self.report(diagnostic);
    }
}
