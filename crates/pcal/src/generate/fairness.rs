//! `Spec`, with the fairness that the algorithm, its processes, labels and options ask for.

use super::Generator;
use super::output::{spaces, width};
use crate::ast::{Body, FairLabels, Fairness, Procedure, Process};
use crate::options::FairnessOption;

const HEAD: &str = "Spec == ";
const SAFETY: &str = "Init /\\ [][Next]_vars";

/// Fairness of an action, and strong fairness of some of its steps.
struct Formula {
    whole: String,
    steps: Option<String>,
}

/// Fairness of a process and of the procedures that it calls, behind a quantifier or LET.
struct ProcessFormula {
    prefix: Vec<String>,
    body: Formula,
    procedures: Vec<Formula>,
}

impl Generator<'_> {
    pub(super) fn spec(&mut self) {
        let option = self.options.fairness;
        if option == Some(FairnessOption::None) || (!self.has_processes() && option.is_none()) {
            self.output.line(&format!("{HEAD}{SAFETY}"));
            self.output.line("");
            return;
        }
        let is_next_fair = option == Some(FairnessOption::WeakNext)
            || self.is_fair
            || (!self.has_processes() && option.is_some());
        let processes = self.processes().iter().filter(|process| process.fairness != Fairness::Unfair);
        let formulas: Vec<ProcessFormula> = processes.map(|process| self.process_formula(process)).collect();
        if !is_next_fair && formulas.is_empty() {
            self.output.line(&format!("{HEAD}{SAFETY}"));
            self.output.line("");
            return;
        }
        self.output.line(&format!("{HEAD}/\\ {SAFETY}"));
        let indent = spaces(width(HEAD));
        if is_next_fair {
            self.output.line(&format!("{indent}/\\ WF_vars(Next)"));
        }
        for formula in formulas {
            let text = format!("{indent}/\\ {}", formula.text(width(HEAD) + 3, self.width()));
            text.trim_end_matches('\n').split('\n').for_each(|line| self.output.line(line));
        }
        self.output.line("");
    }

    fn process_formula(&self, process: &Process) -> ProcessFormula {
        let fairness = if process.fairness == Fairness::Weak { "WF" } else { "SF" };
        let id = process.id.to_lines();
        let has_let = process.is_one && id.len() > 1;
        let this = match process.is_one && !has_let {
            true => id.first().map_or("self", String::as_str),
            false => "self",
        };
        let prefix = match (process.is_one, has_let) {
            (true, false) => Vec::new(),
            (true, true) => {
                let mut lines = behind("LET self == ", &id, "");
                lines.push("IN ".to_owned());
                lines
            }
            (false, _) => behind("\\A self \\in ", &id, " : "),
        };
        let parameter = if process.is_one { "" } else { "(self)" };
        let called = process.calls.iter().filter_map(|name| self.procedure(name));
        ProcessFormula {
            prefix,
            body: formula(fairness, &process.labels, (this, &process.name, parameter)),
            procedures: called
                .map(|procedure| {
                    formula(fairness, &procedure.labels, (this, &procedure.name, &format!("({this})")))
                })
                .collect(),
        }
    }

    fn procedure(&self, name: &str) -> Option<&Procedure> {
        match &self.algorithm.body {
            Body::Single(_) => None,
            Body::Processes(_) => self.algorithm.procedures.iter().find(|procedure| procedure.name == name),
        }
    }
}

/// Lines behind a word: the first follows it, the others stand below.
fn behind(head: &str, lines: &[String], end: &str) -> Vec<String> {
    let line = |(index, line): (usize, &String)| {
        let front = if index == 0 { head.to_owned() } else { spaces(width(head)) };
        format!("{front}{line}{}", if index + 1 == lines.len() { end } else { "" })
    };
    lines.iter().enumerate().map(line).collect()
}

/// Fairness of the action `name` of the process `this`, without the steps with `-`; those with `+` are strongly fair.
fn formula(fairness: &str, labels: &FairLabels, (this, name, parameter): (&str, &str, &str)) -> Formula {
    let left_out = match labels.minus.as_slice() {
        [] => String::new(),
        [label] => format!("(pc[{this}] # \"{label}\") /\\ "),
        labels => format!("(pc[{this}] \\notin {{\"{}\"}}) /\\ ", labels.join("\", \"")),
    };
    let strong = labels.plus.iter().map(|label| format!("SF_vars({label}{parameter})"));
    let strong = strong.collect::<Vec<_>>().join(" /\\ ");
    let steps = (fairness == "WF" && !strong.is_empty()).then_some(strong);
    Formula { whole: format!("{fairness}_vars({left_out}{name}{parameter})"), steps }
}

impl Formula {
    fn line(&self) -> String {
        match &self.steps {
            None => self.whole.clone(),
            Some(steps) => format!("{} /\\ {steps}", self.whole),
        }
    }

    fn lines(&self, column: usize) -> String {
        match &self.steps {
            None => format!("/\\ {}", self.whole),
            Some(steps) => format!("/\\ {}\n{}/\\ {steps}", self.whole, spaces(column)),
        }
    }

    /// As one conjunct if it fits, otherwise as two.
    fn conjuncts(&self, column: usize, limit: usize) -> (String, bool) {
        let line = self.line();
        match column + width(&line) + 3 <= limit {
            true => (format!("/\\ {line}"), true),
            false => (self.lines(column), false),
        }
    }
}

impl ProcessFormula {
    fn fits(&self, column: usize, limit: usize) -> bool {
        let (last, others) = match self.prefix.split_last() {
            Some((last, others)) if !others.is_empty() => (width(last), others),
            // TLC: a prefix of one line is not counted.
            _ => (0, [].as_slice()),
        };
        let widest = others.iter().map(|line| width(line)).max().unwrap_or(0);
        let steps = self.body.steps.as_deref().map_or(0, width);
        let procedures: usize = self.procedures.iter().map(|formula| width(&formula.line())).sum();
        let line = (last + width(&self.body.whole) + steps + procedures).max(widest);
        column + line <= limit || (self.body.steps.is_none() && self.procedures.is_empty())
    }

    fn text(&self, column: usize, limit: usize) -> String {
        let mut text = self.prefix.join(&format!("\n{}", spaces(column)));
        if self.fits(column, limit) {
            let lines: Vec<String> =
                std::iter::once(&self.body).chain(&self.procedures).map(Formula::line).collect();
            text.push_str(&lines.join(" /\\ "));
            return text;
        }
        let column = column + self.prefix.last().map_or(0, |line| width(line));
        text.push_str(&self.body.conjuncts(column, limit).0);
        for (index, formula) in self.procedures.iter().enumerate() {
            if index == 0 {
                text.push('\n');
            }
            text.push_str(&spaces(column));
            let (conjuncts, is_line) = formula.conjuncts(column, limit);
            text.push_str(&conjuncts);
            if is_line {
                text.push('\n');
            }
        }
        text
    }
}
