//! Warns about a record field spelled like a definition: perhaps the definition's value was meant.
//!
//! An author who knows that a field name is a string writes `[msgs |-> msgs]` all the time. So the rule is SANY's:
//! nothing is reported if a value of the record, or of another record with the same fields, is made from constants,
//! variables or bound names.

use base::{FxHashSet, Name};
use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::Resolver;
use super::clone::Reference;
use crate::spec::{DefBody, DefId, ExprId, ExprKind};
use crate::std_ops::StdOp;

/// The names of a record's fields, in an order that does not depend on how they are written.
type Domain = Vec<Name>;

/// Fields of a module that look like a slip: the fields of the record, the field itself, and the definition with the
/// same spelling.
pub(crate) type Suspects = Vec<(Domain, ast::Ident, Span)>;

impl Resolver<'_> {
    /// Notes a record or a set of records.
    pub(super) fn note_record(&mut self, fields: &[(ast::Ident, ast::ExprId)], values: &[(Name, ExprId)]) {
        let mut domain: Domain = values.iter().map(|&(name, _)| name).collect();
        domain.sort();
        if self.understood_records.contains(&domain) {
            return;
        }
        if values.iter().any(|&(_, value)| self.is_made_from_declarations(value)) {
            self.understood_records.insert(domain);
            return;
        }
        for &(field, _) in fields {
            let entry = self.frame().own.get(&field.name).map(|entry| entry.entity);
            if let Some(span) = entry.and_then(|entity| self.entity_span(entity)) {
                self.frame_mut().suspects.push((domain.clone(), field, span));
            }
        }
    }

    /// Whether a constant, a variable or a bound name goes into the value, also through definitions. Infinite sets
    /// count as well.
    fn is_made_from_declarations(&mut self, value: ExprId) -> bool {
        let mut entered: FxHashSet<DefId> = FxHashSet::default();
        let mut todo = vec![value];
        let mut found = false;
        while let Some(next) = todo.pop().filter(|_| !found) {
            found |= self.mentions_local(next);
            self.visit_references(next, &mut |reference| match reference {
                Reference::Target(_) => found = true,
                Reference::Def(def) => {
                    let entry = &self.spec.defs[def];
                    found |= matches!(entry.std, Some(StdOp::Nat | StdOp::Int | StdOp::Real));
                    if let DefBody::Expr(body) = entry.body
                        && !self.literal_defs.contains(&def)
                        && entered.insert(def)
                    {
                        todo.push(body);
                    }
                }
            });
        }
        if !found {
            self.literal_defs.extend(entered);
        }
        found
    }

    fn mentions_local(&self, expr: ExprId) -> bool {
        let mut found = false;
        self.spec.walk(expr, |part| {
            found |= matches!(self.spec.exprs[part].kind, ExprKind::Local(_) | ExprKind::BuiltinSet(_));
            !found
        });
        found
    }

    /// Warns about the suspects of the current module, at its end.
    pub(super) fn report_record_fields(&mut self) {
        for (domain, field, defined) in std::mem::take(&mut self.frame_mut().suspects) {
            if self.understood_records.contains(&domain) {
                continue;
            }
            let name = self.text(field.name).to_owned();
            let headline = format!("the field `{name}` has nothing to do with the `{name}` that is defined");
            let diagnostic = Diagnostic::new(Code::FieldNameClash, field.span, headline)
                .label(format!("this is the field \"{name}\""))
                .related(defined, format!("`{name}` is defined here"))
                .help(format!("for a function on the value of `{name}` write `[x \\in {{{name}}} |-> ...]`"));
            self.report(diagnostic);
        }
    }
}
