//! Coverage of a specification, as text.

use diag::render::printable;
use report::coverage::{Branch, BranchKind, Expression, Report, Texts};
use setup::words::grouped;

/// Returns the report as text: actions, branches that were never taken, then every expression by definition.
pub fn text(report: &Report) -> String {
    let texts = Texts::new(&report.sources);
    let mut text = String::from("Actions: tried, possible, states made:\n");
    for action in &report.actions {
        let (tried, possible) = (grouped(action.tried), grouped(action.possible));
        let place = action.place.text();
        text += &format!(
            "{tried:>14} {possible:>14} {:>14}  {} {}\n",
            grouped(action.generated),
            printable(&action.name),
            printable(&place)
        );
    }
    let never = report.never_possible();
    if !never.is_empty() {
        let names: Vec<String> = never.iter().map(|name| printable(name)).collect();
        text += &format!("Never possible: {}.\n", names.join(", "));
    }
    text += &format!("Branches taken: {} of {}.\n", report.n_taken(), report.branches.len());
    for branch in report.branches.iter().filter(|branch| branch.taken == 0) {
        text += &format!("  not taken: {}\n", branch_text(report, &texts, branch));
    }
    text += "Expressions: evaluated, true, cost:\n";
    let mut definition = None;
    for expression in &report.expressions {
        if definition != Some(&expression.definition) {
            definition = Some(&expression.definition);
            let name = expression.definition.as_deref().unwrap_or("outside of definitions");
            text += &format!("{}\n", printable(name));
        }
        text += &expression_line(&texts, expression);
    }
    text
}

fn expression_line(texts: &Texts<'_>, expression: &Expression) -> String {
    let trues = expression.trues.map_or_else(String::new, grouped);
    format!(
        "{:>14} {trues:>14} {:>14}  {}{} {}\n",
        grouped(expression.evaluated),
        grouped(expression.cost),
        "| ".repeat(expression.depth),
        printable(&expression.place.text()),
        printable(&texts.short(&expression.place)),
    )
}

/// A branch of `report`; an action has its name.
pub fn branch_text(report: &Report, texts: &Texts<'_>, branch: &Branch) -> String {
    let mut actions = report.actions.iter().filter(|_| branch.kind == BranchKind::Action);
    let named = actions.find(|action| action.place == branch.place);
    let what = named.map_or_else(|| texts.short(&branch.place), |action| action.name.clone());
    let place = branch.place.text();
    format!("{} {} {}", branch.kind.name(), printable(&place), printable(&what))
}
