//! Reports how the models went: a line for each when it ends, and a table of all of them.

use std::collections::BTreeMap;

use super::judge::JudgedModel;
use super::{Finding, Model, Planned, Waiting};

/// Formats the line of a model that has just ended.
pub fn line(model: &Model, judged: &JudgedModel) -> String {
    let word = match &judged.finding {
        Finding::Right => "right",
        Finding::Waits(_) => "waits",
        Finding::Wrong(_) => "WRONG",
    };
    let mut line = format!("{word} {:8.1} s  {}", judged.time.as_secs_f64(), model.name);
    if let Finding::Wrong(reasons) = &judged.finding {
        for reason in reasons {
            line += &format!("\n    {reason}");
        }
    }
    line
}

/// Lists by name what waits and what is wrong, with the totals; returns whether nothing is wrong.
pub fn report(planned: &Planned, results: &[JudgedModel]) -> (Vec<String>, bool) {
    let mut waiting: BTreeMap<Waiting, Vec<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (model, judged) in planned.models.iter().zip(results) {
        match &judged.finding {
            Finding::Right => {}
            Finding::Waits(reason) => waiting.entry(*reason).or_default().push(&model.name),
            Finding::Wrong(reasons) => wrong.push(format!("    {}: {}", model.name, reasons.join("; "))),
        }
    }
    let n_waiting: usize = waiting.values().map(Vec::len).sum();
    let n_right = planned.models.len() - n_waiting - wrong.len();
    let mut lines = Vec::new();
    for (reason, names) in waiting {
        lines.push(format!("waiting, {} models: {}", names.len(), describe_waiting(reason)));
        lines.extend(names.iter().map(|name| format!("    {name}")));
    }
    if !wrong.is_empty() {
        lines.push(format!("wrong, {} models:", wrong.len()));
    }
    let all_right = wrong.is_empty() && !planned.models.is_empty();
    let totals = format!("{n_right} right, {n_waiting} waiting, {} wrong", wrong.len());
    lines.append(&mut wrong);
    lines.push(format!(
        "{} models: {totals}; not run: {} longer than a minute or without a result, {} of other modes",
        planned.models.len(),
        planned.n_long,
        planned.n_other_modes,
    ));
    (lines, all_right)
}

fn describe_waiting(waiting: Waiting) -> &'static str {
    match waiting {
        Waiting::Temporal => "they have temporal parts that cannot be checked",
    }
}
