//! Differences between two compositions as one page for a browser, side by side.

use report::page::Page;
use serde_json::{Value, json};

use crate::compare::{Difference, Row, SideStep, Which, change_lines};

const BODY: &str = include_str!("page/body.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// The content of a page.
#[derive(Clone, Debug)]
pub struct DifferencePage<'a> {
    pub title: String,
    /// Lines that say which compositions were compared, and how much of them.
    pub about: Vec<String>,
    /// The names of the fine and the coarse composition.
    pub names: (String, String),
    pub variables: &'a [String],
    /// Each with the reason for which it is accepted, if it is.
    pub differences: Vec<(&'a Difference, Option<&'a str>)>,
}

/// Returns the page as HTML.
pub fn html(page: &DifferencePage<'_>) -> String {
    let differences: Vec<Value> = page.differences.iter().map(|entry| difference(page, entry)).collect();
    let data = json!({
        "title": page.title,
        "about": page.about,
        "fine": page.names.0,
        "coarse": page.names.1,
        "differences": differences,
    });
    let data = data.to_string();
    Page { title: &page.title, body: BODY, style: STYLE, script: SCRIPT, data: &data }.text()
}

fn difference(page: &DifferencePage<'_>, (difference, accepted): &(&Difference, Option<&str>)) -> Value {
    let rows: Vec<Value> = difference
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let before = at.checked_sub(1).map(|at| &difference.rows[at]);
            json!({
                "changes": changes(page.variables, before, row),
                "fine": side(row.fine.as_ref()),
                "coarse": side(row.coarse.as_ref()),
            })
        })
        .collect();
    let instead: Vec<Value> = difference
        .instead
        .iter()
        .map(|one| json!({ "action": one.action, "changed": one.changes }))
        .collect();
    let can = match difference.can {
        Which::Fine => "fine",
        Which::Coarse => "coarse",
    };
    json!({
        "can": can,
        "actions": difference.actions,
        "rows": rows,
        "instead": instead,
        "accepted": accepted,
    })
}

fn side(step: Option<&SideStep>) -> Value {
    step.map_or(Value::Null, |step| json!({ "hidden": step.hidden, "step": step.step }))
}

/// Returns the lines of a row: all variables in the first row, then those that changed.
pub fn changes(variables: &[String], before: Option<&Row>, row: &Row) -> Vec<String> {
    match before {
        Some(before) => change_lines(variables, &before.values, &row.values),
        None => variables.iter().zip(&row.values).map(|(name, value)| format!("{name} = {value}")).collect(),
    }
}
