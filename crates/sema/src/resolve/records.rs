//! A record field spelled like a definition: perhaps the definition's value was meant.

use base::{FxHashSet, Name};
use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::Resolver;
use crate::spec::{ExprId, ExprKind};

/// What the records of a module show about how their author reads field names.
#[derive(Default)]
pub(crate) struct RecordFields {
    /// Fields that look like a slip, with the fields of their record.
    suspects: Vec<(Vec<Name>, ast::Ident, Span)>,
    /// Sets of fields of records that are built from constants, variables or bound names: whoever wrote
    /// these knows that a field name is a string.
    understood: FxHashSet<Vec<Name>>,
}

impl Resolver<'_> {
    /// Takes note of a record constructor.
    pub(super) fn note_record(&mut self, fields: &[(ast::Ident, ast::ExprId)], values: &[(Name, ExprId)]) {
        let mut domain: Vec<Name> = values.iter().map(|&(name, _)| name).collect();
        domain.sort();
        if values.iter().any(|&(_, value)| self.mentions_declaration(value)) {
            self.frame_mut().records.understood.insert(domain);
            return;
        }
        for &(field, _) in fields {
            let entry = self.frame().own.get(&field.name).map(|entry| entry.entity);
            if let Some(span) = entry.and_then(|entity| self.entity_span(entity)) {
                self.frame_mut().records.suspects.push((domain.clone(), field, span));
            }
        }
    }

    fn mentions_declaration(&self, expr: ExprId) -> bool {
        let mut found = false;
        self.spec.walk(expr, |part| {
            let kind = &self.spec.exprs[part].kind;
            found |= matches!(kind, ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Local(_));
            !found
        });
        found
    }

    /// Warns about the suspects of the current module, at its end.
    pub(super) fn report_record_fields(&mut self) {
        let RecordFields { suspects, understood } = std::mem::take(&mut self.frame_mut().records);
        for (domain, field, defined) in suspects {
            if understood.contains(&domain) {
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
