//! The way from the text of an algorithm to the lines of its translation.

use diag::Code;

use crate::ast::{Algorithm, Body, DEFAULT_VALUE, Kind, Procedure, Process, Shape, Statement, Step};
use crate::dump::dump;
use crate::generate::{Actions, generate};
use crate::labels::{AddedLabel, Labeler, missing};
use crate::macros::Macros;
use crate::marks::AlgorithmPlace;
use crate::names::{Names, rename};
use crate::options::{FairnessOption, Options};
use crate::parse::{Parser, Written, WrittenBody, WrittenProcedure, WrittenProcess};
use crate::problem::Problem;
use crate::source::Text;
use crate::split::split;
use crate::steps::{is_true, unfold};

/// A translated algorithm.
pub struct Translated {
    pub lines: Vec<String>,
    pub algorithm_checksum: String,
    pub checksum: String,
    pub added_labels: Vec<AddedLabel>,
    pub has_default: bool,
    pub checks_termination: bool,
}

/// Translates the algorithm at `place`.
pub fn translate(mut text: Text, place: AlgorithmPlace, mut options: Options) -> Result<Translated, Problem> {
    let unclosed = text.blank_comments(place.name)?.unclosed;
    let written = Parser::new(&text, place.name, (&options, unclosed)).algorithm()?;
    if (place.is_fair || written.facts.is_fair_body) && matches!(written.body, WrittenBody::Single(_)) {
        options.fairness = Some(FairnessOption::Weak);
    }
    let (mut algorithm, added_labels) = settle(written, &options)?;
    let names = Names::new(&algorithm)?;
    rename(&mut algorithm, &names)?;
    if let (true, Some(at)) = (algorithm.shape.has_default, names.uses(DEFAULT_VALUE)) {
        let headline = format!("`{DEFAULT_VALUE}` is the value of variables that have none");
        return Err(Problem::new(Code::PcalName, at, headline)
            .wide(DEFAULT_VALUE.len())
            .help("choose another name"));
    }
    close_calls(&mut algorithm);
    let omits_pc = algorithm.shape.omits_pc;
    let mut actions = unfold(&mut algorithm.procedures, &mut algorithm.body, omits_pc)?;
    sort_all(&mut algorithm, &mut actions);
    let lines = generate(&algorithm, &actions, (&options, place.is_fair), names.report())
        .map_err(|problem| problem.at_if_nowhere(place.begin))?;
    let algorithm_text = match place.is_fair {
        // TLC: the text of a fair algorithm does not matter.
        true => "fair".to_owned(),
        false => dump(&algorithm, options.is_before_1_5()),
    };
    Ok(Translated {
        algorithm_checksum: checksum(&algorithm_text),
        checksum: checksum(&lines.concat()),
        has_default: algorithm.shape.has_default,
        checks_termination: options.termination,
        lines,
        added_labels,
    })
}

/// The checksum of a text, as the translator writes it.
pub fn checksum(text: &str) -> String {
    format!("{:x}", crc32fast::hash(text.as_bytes()))
}

/// Expands macros, adds labels and splits into steps.
fn settle(written: Written, options: &Options) -> Result<(Algorithm, Vec<AddedLabel>), Problem> {
    let Written { name, variables, define, macros, mut procedures, mut body, facts } = written;
    let mut macros = Macros::new(macros)?;
    for procedure in &mut procedures {
        macros.expand(&mut procedure.contents.body)?;
    }
    match &mut body {
        WrittenBody::Single(statements) => macros.expand(statements)?,
        WrittenBody::Processes(processes) => {
            processes.iter_mut().try_for_each(|process| macros.expand(&mut process.contents.body))?;
        }
    }
    // Labels are numbered in the order of the translator: processes, then procedures; without processes the other way.
    let may_add = options.adds_labels || (facts.labels.is_empty() && matches!(body, WrittenBody::Single(_)));
    let taken = facts.labels.clone();
    let frames = procedures.clone();
    let mut labeler = Labeler::new(&frames, &options.label_root, &taken);
    let mut shape = Shape {
        omits_pc: !(facts.has_goto || facts.goes_to_done || facts.has_fair_label)
            && procedures.is_empty()
            && !options.is_before_1_5(),
        never_ends: !options.is_before_1_5(),
        has_default: facts.has_default,
    };
    let (body, procedures) = match body {
        WrittenBody::Processes(processes) => {
            let mut never_ends = false;
            let mut settled = Vec::new();
            for process in processes {
                let process = settle_process(process, &mut labeler)?;
                never_ends |= look_at(&process.body, &mut shape);
                settled.push(process);
            }
            shape.never_ends &= never_ends;
            (Body::Processes(settled), settle_procedures(procedures, &mut labeler)?)
        }
        WrittenBody::Single(mut statements) => {
            let procedures = settle_procedures(procedures, &mut labeler)?;
            labeler.label(&mut statements)?;
            let steps = split(statements, false)?;
            if !facts.goes_to_done {
                shape.never_ends &= look_at(&steps, &mut shape);
            }
            (Body::Single(steps), procedures)
        }
    };
    shape.never_ends &= !facts.goes_to_done;
    if let (false, Some(problem)) = (may_add, missing(&labeler.added)) {
        return Err(problem);
    }
    Ok((Algorithm { name, variables, define, procedures, body, shape }, labeler.added))
}

fn settle_procedures(
    procedures: Vec<WrittenProcedure>,
    labeler: &mut Labeler<'_>,
) -> Result<Vec<Procedure>, Problem> {
    let mut settled = Vec::new();
    for procedure in procedures {
        let WrittenProcedure { name, at, parameters, variables, mut contents } = procedure;
        labeler.procedure = Some(name.clone());
        labeler.label(&mut contents.body)?;
        let body = split(contents.body, true)?;
        let (labels, calls) = (contents.labels, contents.calls);
        settled.push(Procedure { name, at, parameters, variables, labels, calls, body });
    }
    Ok(settled)
}

fn settle_process(process: WrittenProcess, labeler: &mut Labeler<'_>) -> Result<Process, Problem> {
    let WrittenProcess { name, at, fairness, is_one, id, variables, mut contents } = process;
    labeler.label(&mut contents.body)?;
    let body = split(contents.body, false)?;
    let (labels, calls) = (contents.labels, contents.calls);
    Ok(Process { name, at, fairness, is_one, id, variables, labels, calls, body })
}

/// Looks whether the steps are one endless loop. Gives whether they never end; notes where `pc` is needed.
fn look_at(steps: &[Step], shape: &mut Shape) -> bool {
    let endless = match steps {
        [] => return true,
        [step] => match step.statements.as_slice() {
            [Statement { kind: Kind::While { test, statements, steps }, .. }] if is_plain_true(test) => {
                Some((statements, steps))
            }
            _ => None,
        },
        _ => None,
    };
    let Some((statements, inside)) = endless else {
        shape.omits_pc = false;
        return false;
    };
    let has_labels =
        |statement: &Statement| matches!(statement.kind, Kind::LabelIf { .. } | Kind::LabelEither(_));
    if !inside.is_empty() || statements.iter().any(has_labels) {
        shape.omits_pc = false;
    }
    true
}

/// TLC: `(TRUE)` in parentheses of its own does not count here.
fn is_plain_true(test: &crate::expr::Expr) -> bool {
    let mut tokens = test.tokens();
    tokens.next().is_some_and(|token| token.text == "TRUE") && tokens.next().is_none()
}

/// Adds to the calls of procedures, and of processes, those that are made by procedures that they call.
fn close_calls(algorithm: &mut Algorithm) {
    let names: Vec<String> = algorithm.procedures.iter().map(|procedure| procedure.name.clone()).collect();
    let n = names.len();
    let index = |name: &String| names.iter().position(|other| other == name);
    let mut reaches = vec![vec![false; n]; n];
    for (from, procedure) in algorithm.procedures.iter().enumerate() {
        procedure.calls.iter().filter_map(index).for_each(|to| reaches[from][to] = true);
    }
    for through in 0..n {
        let onward = reaches[through].clone();
        for row in reaches.iter_mut().filter(|row| row[through]) {
            row.iter_mut().zip(&onward).for_each(|(own, more)| *own |= more);
        }
    }
    let Body::Processes(processes) = &mut algorithm.body else { return };
    let reached =
        |from: usize| reaches[from].iter().enumerate().filter(|(_, reaches)| **reaches).map(|(to, _)| to);
    for (from, procedure) in algorithm.procedures.iter_mut().enumerate() {
        procedure.calls = reached(from).map(|to| names[to].clone()).collect();
    }
    for process in processes {
        for from in process.calls.clone().iter().filter_map(index) {
            for to in reached(from) {
                if !process.calls.contains(&names[to]) {
                    process.calls.push(names[to].clone());
                }
            }
        }
    }
}

/// Sorts the assignments of each statement by variable, in the actions and where the algorithm keeps them.
fn sort_all(algorithm: &mut Algorithm, actions: &mut Actions) {
    for steps in actions.of_procedures.iter_mut().chain(&mut actions.of_body) {
        sort_steps(steps);
    }
    algorithm.procedures.iter_mut().for_each(|procedure| sort_steps(&mut procedure.body));
    match &mut algorithm.body {
        Body::Single(steps) => sort_steps(steps),
        Body::Processes(processes) => processes.iter_mut().for_each(|process| sort_steps(&mut process.body)),
    }
}

fn sort_steps(steps: &mut [Step]) {
    for step in steps {
        let is_endless =
            |statement: &Statement| matches!(&statement.kind, Kind::While { test, .. } if is_true(test));
        let n_used = if step.statements.first().is_some_and(is_endless) { 1 } else { step.statements.len() };
        sort_statements(&mut step.statements[..n_used]);
    }
}

fn sort_statements(statements: &mut [Statement]) {
    for statement in statements {
        match &mut statement.kind {
            Kind::Assign(all) => all.sort_by(|one, other| one.variable.cmp(&other.variable)),
            Kind::If { then, otherwise, .. } => {
                sort_statements(then);
                sort_statements(otherwise);
            }
            Kind::Either(branches) => branches.iter_mut().for_each(|branch| sort_statements(branch)),
            Kind::With { body, .. } => sort_statements(body),
            Kind::While { statements, steps, .. } => {
                sort_statements(statements);
                sort_steps(steps);
            }
            Kind::LabelIf { then, otherwise, .. } => {
                for branch in [then, otherwise] {
                    sort_statements(&mut branch.statements);
                    sort_steps(&mut branch.steps);
                }
            }
            Kind::LabelEither(branches) => {
                for branch in branches {
                    sort_statements(&mut branch.statements);
                    sort_steps(&mut branch.steps);
                }
            }
            Kind::Await(_)
            | Kind::Print(_)
            | Kind::Assert(_)
            | Kind::Skip
            | Kind::Call { .. }
            | Kind::Return { .. }
            | Kind::CallReturn { .. }
            | Kind::CallGoto { .. }
            | Kind::Goto { .. }
            | Kind::MacroCall(_) => {}
        }
    }
}
