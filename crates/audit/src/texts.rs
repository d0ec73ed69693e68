//! The text of a mutant, as a person would write it.

use sema::Spec;
use sema::spec::{Arg, DefId, ExprId, ExprKind};

use crate::mutant::Rewrite;

/// Spellings of the comparisons of numbers, longer ones first.
const COMPARISONS: [&str; 8] = ["\\leq", "\\geq", "=<", "<=", ">=", "<", ">", "\\div"];

/// Returns the text of the place after `rewrite`.
pub(crate) fn write_mutated(spec: &Spec, expr: ExprId, rewrite: &Rewrite) -> String {
    let text = |expr: ExprId| one_line(spec.sources.text(spec.exprs[expr].span));
    match rewrite {
        Rewrite::True => "TRUE".to_owned(),
        Rewrite::Part(part) => text(*part),
        Rewrite::Operator(def) => write_comparison(spec, expr, *def, None),
        Rewrite::Shifted { operator, operand, by } => {
            write_comparison(spec, expr, *operator, Some((*operand, *by)))
        }
        Rewrite::Exists => text(expr).replacen("\\A", "\\E", 1).replacen("\\forall", "\\exists", 1),
        Rewrite::Equals(value) => format!("{0}' = {0}", text(*value)),
        Rewrite::WithoutClause(dropped) => {
            write_without_clause(spec, expr, *dropped).unwrap_or_else(|| text(expr))
        }
        Rewrite::Unchanged(variables) => {
            let names: Vec<&str> =
                variables.iter().map(|&id| spec.names.text(spec.variables[id].name)).collect();
            format!("UNCHANGED <<{}>>", names.join(", "))
        }
    }
}

/// Returns a text in one line, with single spaces and without comments to the end of a line.
pub(crate) fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("\\*").next().unwrap_or(line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Returns the operands with another operator between them; brackets around them are kept.
fn write_comparison(spec: &Spec, expr: ExprId, operator: DefId, shift: Option<(usize, DefId)>) -> String {
    let whole = spec.exprs[expr].span;
    let ExprKind::Apply { args, .. } = &spec.exprs[expr].kind else { return String::new() };
    let [Arg::Expr(left), Arg::Expr(right)] = args[..] else { return String::new() };
    let source = spec.sources.file(whole.source).text();
    let (left_span, right_span) = (spec.exprs[left].span, spec.exprs[right].span);
    let (all, left, right) = (whole.range(), left_span.range(), right_span.range());
    let is_here = left_span.source == whole.source && right_span.source == whole.source;
    let is_inside = all.start <= left.start && left.end <= right.start && right.end <= all.end;
    let mut sides = if is_here && is_inside {
        let (before, after) = split_at_operator(&source[left.end..right.start]);
        [
            format!("{}{before}", &source[all.start..left.end]),
            format!("{after}{}", &source[right.start..all.end]),
        ]
    } else {
        // An INSTANCE has substituted an operand: its text is elsewhere, perhaps in another file.
        [left_span, right_span].map(|span| spec.sources.text(span).to_owned())
    };
    if let Some((operand, by)) = shift {
        let sign = spelling(spec, by);
        sides[operand] = format!("{} {sign} 1", sides[operand].trim());
    }
    one_line(&format!("{} {} {}", sides[0], spelling(spec, operator), sides[1]))
}

/// Returns the text before and after the operator between two operands: brackets.
fn split_at_operator(between: &str) -> (&str, &str) {
    for spelling in COMPARISONS {
        if let Some(at) = between.find(spelling) {
            return (&between[..at], &between[at + spelling.len()..]);
        }
    }
    ("", "")
}

/// Returns an operator as people type it.
fn spelling(spec: &Spec, def: DefId) -> &str {
    match spec.names.text(spec.defs[def].name) {
        "\\leq" => "<=",
        "\\geq" => ">=",
        other => other,
    }
}

fn write_without_clause(spec: &Spec, expr: ExprId, dropped: usize) -> Option<String> {
    let ExprKind::Except { base, updates } = &spec.exprs[expr].kind else { return None };
    let kept = updates.iter().enumerate().filter(|(index, _)| *index != dropped);
    let kept: Vec<String> = kept.map(|(_, update)| one_line(spec.sources.text(update.span))).collect();
    let base = one_line(spec.sources.text(spec.exprs[*base].span));
    Some(format!("[{base} EXCEPT {}]", kept.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{one_line, split_at_operator};

    #[test]
    fn a_text_is_one_line_without_comments() {
        assert_eq!(one_line("a  \\* why\n  < b"), "a < b");
    }

    #[test]
    fn brackets_around_operands_stay() {
        assert_eq!(split_at_operator(") >= ("), (") ", " ("));
        assert_eq!(split_at_operator(" \\leq "), (" ", " "));
        assert_eq!(split_at_operator(" =< "), (" ", " "));
        assert_eq!(split_at_operator(" elsewhere "), ("", ""));
    }
}
