//! Cobertura's XML: a module is a class, an action is a method, a line is one on which an expression starts.

use std::fmt::Write;

use crate::page::escape;

use crate::coverage::lcov::name_actions;
use crate::coverage::lines::{Line, Lines};
use crate::coverage::report::{Action, Report, Source};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n";

/// The file of a report. It has no time of its own: the same run gives the same file.
pub fn cobertura(report: &Report) -> String {
    let all: Vec<(&Source, Lines)> =
        report.sources.iter().map(|source| (source, Lines::of(report, &source.file))).collect();
    let total = all.iter().fold(Rates::default(), |sum, (_, lines)| sum.plus(Rates::of(lines)));
    let Rates { lines: (n_lines, n_hit), branches: (n_branches, n_taken) } = total;
    let mut text = String::from(HEAD);
    // Writing to a text cannot fail.
    let _ = writeln!(
        text,
        "<coverage {} lines-covered=\"{n_hit}\" lines-valid=\"{n_lines}\" branches-covered=\"{n_taken}\" \
         branches-valid=\"{n_branches}\" complexity=\"0\" version=\"specline\" timestamp=\"0\">",
        total.attributes()
    );
    text += "  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n";
    let _ = writeln!(text, "    <package name=\"\" {} complexity=\"0\">", total.attributes());
    text += "      <classes>\n";
    for (source, lines) in &all {
        text += &class(report, source, lines);
    }
    text + "      </classes>\n    </package>\n  </packages>\n</coverage>\n"
}

/// Numbers of lines and of branches, and how many of each were used.
#[derive(Clone, Copy, Default)]
struct Rates {
    lines: (usize, usize),
    branches: (usize, usize),
}

impl Rates {
    fn of(lines: &Lines) -> Rates {
        Rates { lines: lines.n_lines(), branches: lines.n_branches() }
    }

    fn plus(self, other: Rates) -> Rates {
        let add = |one: (usize, usize), other: (usize, usize)| (one.0 + other.0, one.1 + other.1);
        Rates { lines: add(self.lines, other.lines), branches: add(self.branches, other.branches) }
    }

    fn attributes(self) -> String {
        format!("line-rate=\"{}\" branch-rate=\"{}\"", rate(self.lines), rate(self.branches))
    }
}

/// Returns the share that was used; 1 if there is nothing to use.
fn rate((n_all, n_used): (usize, usize)) -> String {
    let rate = if n_all == 0 { 1.0 } else { n_used as f64 / n_all as f64 };
    format!("{rate:.4}")
}

fn class(report: &Report, source: &Source, lines: &Lines) -> String {
    let file = escape(&source.file);
    let stem = source.file.rsplit(['/', '\\']).next().unwrap_or(&source.file);
    let name = escape(stem.strip_suffix(".tla").unwrap_or(stem));
    let rates = Rates::of(lines).attributes();
    let mut text = format!("        <class name=\"{name}\" filename=\"{file}\" {rates} complexity=\"0\">\n");
    text += "          <methods>\n";
    for (name, action) in name_actions(report, &source.file) {
        text += &method(&name, action);
    }
    text += "          </methods>\n          <lines>\n";
    for (number, line) in &lines.by_number {
        text += &line_element(*number, line);
    }
    text + "          </lines>\n        </class>\n"
}

fn method(name: &str, action: &Action) -> String {
    let rate = rate((1, usize::from(action.possible > 0)));
    let line = Line { hits: Some(action.possible), branches: Vec::new() };
    format!(
        "            <method name=\"{}\" signature=\"()\" line-rate=\"{rate}\" branch-rate=\"{rate}\" complexity=\"0\">\n              \
         <lines>\n    {}              </lines>\n            </method>\n",
        escape(name),
        line_element(action.place.start.line, &line),
    )
}

fn line_element(number: u32, line: &Line) -> String {
    let hits = line.hits.unwrap_or(0);
    let n_branches = line.branches.len();
    if n_branches == 0 {
        return format!("            <line number=\"{number}\" hits=\"{hits}\" branch=\"false\"/>\n");
    }
    let n_taken = line.branches.iter().filter(|taken| taken.is_some_and(|taken| taken > 0)).count();
    let percent = n_taken * 100 / n_branches;
    format!(
        "            <line number=\"{number}\" hits=\"{hits}\" branch=\"true\" \
         condition-coverage=\"{percent}% ({n_taken}/{n_branches})\"/>\n"
    )
}
