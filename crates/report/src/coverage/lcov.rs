//! lcov's tracefile: lines are those on which expressions start, functions are actions, and branches are branches.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::coverage::lines::Lines;
use crate::coverage::report::{Action, Report};

/// The tracefile of a report.
pub fn lcov(report: &Report) -> String {
    let mut text = String::from("TN:\n");
    for source in &report.sources {
        let lines = Lines::of(report, &source.file);
        // Writing to a text cannot fail.
        let _ = writeln!(text, "SF:{}", source.file);
        text += &functions(report, &source.file);
        text += &branches(&lines);
        text += &lines_text(&lines);
        text += "end_of_record\n";
    }
    text
}

fn functions(report: &Report, file: &str) -> String {
    let named = name_actions(report, file);
    let mut text = String::new();
    for (name, action) in &named {
        let _ = writeln!(text, "FN:{},{name}", action.place.start.line);
    }
    for (name, action) in &named {
        let _ = writeln!(text, "FNDA:{},{name}", action.possible);
    }
    let n_hit = named.iter().filter(|(_, action)| action.possible > 0).count();
    let _ = writeln!(text, "FNF:{}\nFNH:{n_hit}", named.len());
    text
}

/// The actions of a file. Of several with one name the later have their line behind it: names must differ.
pub(crate) fn name_actions<'r>(report: &'r Report, file: &str) -> Vec<(String, &'r Action)> {
    let mut taken = BTreeSet::new();
    let actions = report.actions.iter().filter(|action| action.place.file == file);
    let named = actions.map(|action| {
        let start = action.place.start;
        let mut name = action.name.clone();
        if !taken.insert(name.clone()) {
            name = format!("{}@{}:{}", action.name, start.line, start.column);
            taken.insert(name.clone());
        }
        (name, action)
    });
    named.collect()
}

fn branches(lines: &Lines) -> String {
    let mut text = String::new();
    for (number, line) in &lines.by_number {
        for (index, taken) in line.branches.iter().enumerate() {
            let taken = taken.map_or_else(|| "-".to_owned(), |taken| taken.to_string());
            let _ = writeln!(text, "BRDA:{number},0,{index},{taken}");
        }
    }
    let (n_found, n_hit) = lines.n_branches();
    let _ = writeln!(text, "BRF:{n_found}\nBRH:{n_hit}");
    text
}

fn lines_text(lines: &Lines) -> String {
    let mut text = String::new();
    for (number, line) in &lines.by_number {
        let _ = writeln!(text, "DA:{number},{}", line.hits.unwrap_or(0));
    }
    let (n_found, n_hit) = lines.n_lines();
    let _ = writeln!(text, "LF:{n_found}\nLH:{n_hit}");
    text
}
