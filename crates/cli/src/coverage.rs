//! What of a specification was used, as text and as JSON. `docs/coverage.md` is the user's copy.

use check::{Branch, BranchKind, Coverage, ExpressionCoverage};
use diag::Span;
use sema::Spec;
use serde_json::{Value, json};

use crate::check::text::grouped;

/// Texts of expressions are cut after this many characters.
const TEXT_CHARS_MAX: usize = 60;

/// For people: actions, branches that were never taken, then every expression by definition.
pub fn text(spec: &Spec, coverage: &Coverage) -> String {
    let mut text = String::from("Actions: tried, possible, states made:\n");
    for action in &coverage.actions {
        let (tried, possible) = (grouped(action.tried), grouped(action.possible));
        let place = place(spec, action.span);
        text += &format!(
            "{tried:>14} {possible:>14} {:>14}  {} {place}\n",
            grouped(action.generated),
            action.name
        );
    }
    let never: Vec<&str> =
        coverage.actions.iter().filter(|action| action.generated == 0).map(|a| a.name.as_str()).collect();
    if !never.is_empty() {
        text += &format!("Never possible: {}.\n", never.join(", "));
    }
    text += &format!("Branches taken: {} of {}.\n", coverage.n_taken(), coverage.branches.len());
    for branch in coverage.branches.iter().filter(|branch| branch.n_taken == 0) {
        text += &format!("  not taken: {}\n", branch_text(spec, coverage, branch));
    }
    text += "Expressions: evaluated, true, cost:\n";
    let mut definition = None;
    for expression in &coverage.expressions {
        if definition != Some(&expression.definition) {
            definition = Some(&expression.definition);
            text += &format!("{}\n", expression.definition.as_deref().unwrap_or("outside of definitions"));
        }
        text += &expression_line(spec, expression);
    }
    text
}

fn expression_line(spec: &Spec, expression: &ExpressionCoverage) -> String {
    let trues = expression.trues.map_or_else(String::new, grouped);
    format!(
        "{:>14} {trues:>14} {:>14}  {}{} {}\n",
        grouped(expression.evaluated),
        grouped(expression.cost),
        "| ".repeat(expression.depth),
        place(spec, expression.span),
        short(spec, expression.span),
    )
}

/// A branch of `coverage`; an action has its name.
pub fn branch_text(spec: &Spec, coverage: &Coverage, branch: &Branch) -> String {
    let actions = coverage.actions.iter().filter(|_| branch.kind == BranchKind::Action);
    let named = actions.into_iter().find(|action| action.span == branch.span);
    let what = named.map_or_else(|| short(spec, branch.span), |action| action.name.clone());
    format!("{} {} {what}", kind(branch.kind), place(spec, branch.span))
}

fn kind(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::Action => "action",
        BranchKind::Disjunct => "disjunct",
        BranchKind::Then => "then",
        BranchKind::Else => "else",
        BranchKind::Arm => "arm",
    }
}

/// `Raft.tla:12:5`
pub fn place(spec: &Spec, span: Span) -> String {
    let file = spec.sources.file(span.source);
    let position = file.position(span.range().start as u32);
    format!("{}:{}:{}", file.name(), position.line, position.column)
}

/// The text of a place, in one line.
pub fn short(spec: &Spec, span: Span) -> String {
    let text = spec.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// For machines.
pub fn json(spec: &Spec, coverage: &Coverage) -> Value {
    let actions = coverage.actions.iter().map(|action| {
        json!({
            "name": action.name, "place": json_place(spec, action.span), "tried": action.tried,
            "possible": action.possible, "generated": action.generated,
        })
    });
    let branches = coverage.branches.iter().map(|branch| {
        json!({ "kind": kind(branch.kind), "place": json_place(spec, branch.span), "taken": branch.n_taken })
    });
    let expressions = coverage.expressions.iter().map(|expression| {
        json!({
            "place": json_place(spec, expression.span), "definition": expression.definition,
            "depth": expression.depth, "evaluated": expression.evaluated, "true": expression.trues,
            "cost": expression.cost,
        })
    });
    json!({
        "kind": "coverage",
        "actions": actions.collect::<Vec<Value>>(),
        "branches": branches.collect::<Vec<Value>>(),
        "branches_taken": coverage.n_taken(),
        "expressions": expressions.collect::<Vec<Value>>(),
    })
}

pub fn json_place(spec: &Spec, span: Span) -> Value {
    let file = spec.sources.file(span.source);
    let point = |offset: usize| {
        let position = file.position(offset as u32);
        json!({ "line": position.line, "column": position.column })
    };
    let range = span.range();
    json!({ "file": file.name(), "start": point(range.start), "end": point(range.end) })
}
