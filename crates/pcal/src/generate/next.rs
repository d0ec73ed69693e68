//! `Next`: the disjunction of what can happen, and a step for what has ended.

use super::Generator;
use super::output::{spaces, width};

const HEAD: &str = "Next == ";

impl Generator<'_> {
    pub(super) fn next(&mut self) {
        let shape = self.algorithm.shape;
        if shape.omits_pc && !self.has_processes() {
            return;
        }
        let terminates = !(self.options.no_done_disjunct || shape.never_ends);
        if terminates {
            self.terminating();
        }
        // The lines of each disjunct; the first one begins the definition.
        let mut disjuncts: Vec<Vec<String>> =
            self.plain_actions().into_iter().map(|line| vec![line]).collect();
        let n_plain = disjuncts.len();
        disjuncts.extend(self.procedure_actions());
        let n_before_sets = disjuncts.len();
        disjuncts.extend(self.process_sets());
        let column = width(HEAD) + 2;
        for (index, lines) in disjuncts.iter().enumerate() {
            for (at, line) in lines.iter().enumerate() {
                let is_procedure = (n_plain..n_before_sets).contains(&index);
                let front = match (index, at) {
                    (0, 0) => HEAD.to_owned(),
                    (_, 0) => format!("{} \\/ ", spaces(column)),
                    // The lines of a disjunct of procedures have their own indentation.
                    _ if is_procedure => String::new(),
                    (0, _) if n_before_sets == 0 => spaces(column - 2),
                    _ => spaces(column + 4),
                };
                self.output.line(&format!("{front}{line}"));
            }
        }
        if terminates {
            let front =
                if disjuncts.is_empty() { HEAD.to_owned() } else { format!("{} \\/ ", spaces(column)) };
            self.output.line(&format!("{front}Terminating"));
        }
        self.output.line("");
    }

    fn terminating(&mut self) {
        let head = "Terminating == ";
        self.output.line("(* Allow infinite stuttering to prevent deadlock on termination. *)");
        match self.has_processes() {
            true => {
                self.output.line(&format!("{head}/\\ \\A self \\in ProcSet: pc[self] = \"Done\""));
                self.output.line(&format!("{}/\\ UNCHANGED vars", spaces(width(head))));
            }
            false => self.output.line(&format!("{head}pc = \"Done\" /\\ UNCHANGED vars")),
        }
        self.output.line("");
    }

    /// The actions that have no parameter: procedures and steps of an algorithm without processes, single processes.
    fn plain_actions(&self) -> Vec<String> {
        let algorithm = self.algorithm;
        let names: Vec<&str> = match &algorithm.body {
            crate::ast::Body::Single(_) => {
                let procedures = algorithm.procedures.iter().map(|procedure| procedure.name.as_str());
                procedures
                    .chain(self.actions.of_body.iter().flatten().map(|step| step.label.as_str()))
                    .collect()
            }
            crate::ast::Body::Processes(processes) => processes
                .iter()
                .filter(|process| process.is_one)
                .map(|process| process.name.as_str())
                .collect(),
        };
        let room = self.width() - width("Next == \\/ ");
        join(&names.into_iter().map(str::to_owned).collect::<Vec<_>>(), room)
    }

    /// `\E self \in ProcSet` over the procedures.
    fn procedure_actions(&self) -> Option<Vec<String>> {
        if !self.has_processes() || self.algorithm.procedures.is_empty() {
            return None;
        }
        let head = "(\\E self \\in ProcSet: ";
        let room = self.width() - width("Next == \\/ (\\E self \\in ProcSet: \\/ ");
        let names: Vec<String> =
            self.algorithm.procedures.iter().map(|procedure| format!("{}(self)", procedure.name)).collect();
        let lines = join(&names, room);
        let is_first = self.plain_actions().is_empty();
        // Further lines stand below the first disjunct, wherever that is.
        let column = if is_first { width(HEAD) } else { width(HEAD) + 2 + width(" \\/ ") } + width(head);
        let n_lines = lines.len();
        let first_bullet = if n_lines > 1 { " \\/ " } else { "" };
        let line = |(index, line): (usize, String)| {
            let end = if index + 1 == n_lines { ")" } else { "" };
            match index {
                0 => format!("{head}{first_bullet}{line}{end}"),
                _ => format!("{} \\/ {line}{end}", spaces(column)),
            }
        };
        Some(lines.into_iter().enumerate().map(line).collect())
    }

    /// `\E self \in S: process(self)` for each set of processes.
    fn process_sets(&self) -> Vec<Vec<String>> {
        let head = "(\\E self \\in ";
        let sets = self.processes().iter().filter(|process| !process.is_one);
        let disjunct = |process: &crate::ast::Process| {
            let set = process.id.to_lines();
            let n_lines = set.len();
            let line = |(index, line): (usize, String)| {
                let front = if index == 0 { head.to_owned() } else { spaces(width(head)) };
                let end =
                    if index + 1 == n_lines { format!(": {}(self))", process.name) } else { String::new() };
                format!("{front}{line}{end}")
            };
            set.into_iter().enumerate().map(line).collect()
        };
        sets.map(disjunct).collect()
    }
}

/// Names with `\/` between them, in lines of about `room` columns.
fn join(names: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for name in names {
        if width(name) + width(" \\/ ") + width(&line) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push_str(" \\/ ");
        }
        line.push_str(name);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}
