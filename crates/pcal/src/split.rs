//! Splits labelled statements into steps: a step goes from a label to the next one. Branches without labels inside stay
//! statements; of the others what follows their first label becomes steps of its own.

use diag::Code;

use crate::ast::{Branch, Kind, Statement, Step};
use crate::problem::Problem;

/// The kinds of ends of a step that a sequence of statements contains.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Plain,
    /// A `goto`, `call` or `return`.
    Jump,
    /// A label.
    Label,
}

/// Splits the statements of a process or procedure, the first of which has a label.
pub fn split(statements: Vec<Statement>, in_procedure: bool) -> Result<Vec<Step>, Problem> {
    let mut steps = steps_of(statements);
    check_steps(&mut steps, in_procedure)?;
    Ok(steps)
}

fn steps_of(statements: Vec<Statement>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for statement in statements {
        match (&statement.label, steps.last_mut()) {
            (None, Some(step)) => step.statements.push(statement),
            (label, _) => {
                let label = label.clone().expect("the first statement of a step has a label");
                steps.push(Step { label, at: statement.at, statements: vec![statement] });
            }
        }
    }
    for step in &mut steps {
        step.statements.iter_mut().for_each(split_inside);
    }
    steps
}

fn split_inside(statement: &mut Statement) {
    match &mut statement.kind {
        Kind::LabelIf { then, otherwise, .. } => {
            split_branch(then);
            split_branch(otherwise);
        }
        Kind::LabelEither(branches) => branches.iter_mut().for_each(split_branch),
        Kind::While { statements, steps, .. } => *steps = split_off(statements),
        // Inside `with` there are no labels.
        Kind::With { .. }
        | Kind::Assign(_)
        | Kind::If { .. }
        | Kind::Either(_)
        | Kind::Await(_)
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

fn split_branch(branch: &mut Branch) {
    branch.steps = split_off(&mut branch.statements);
}

/// Takes the statements from the first label on away, as steps.
fn split_off(statements: &mut Vec<Statement>) -> Vec<Step> {
    let first = statements.iter().position(|statement| statement.label.is_some()).unwrap_or(statements.len());
    let rest = statements.split_off(first);
    statements.iter_mut().for_each(split_inside);
    steps_of(rest)
}

fn check_steps(steps: &mut [Step], in_procedure: bool) -> Result<(), Problem> {
    steps.iter_mut().try_for_each(|step| classify(&mut step.statements, in_procedure).map(|_| ()))
}

/// Finds what ends a step in `statements`; branches in which nothing does become plain ones.
fn classify(statements: &mut [Statement], in_procedure: bool) -> Result<Class, Problem> {
    let n_statements = statements.len();
    let mut class = Class::Plain;
    for (index, statement) in statements.iter_mut().enumerate() {
        class = match &mut statement.kind {
            Kind::LabelIf { .. } => classify_if(statement, in_procedure)?,
            Kind::LabelEither(_) => classify_either(statement, in_procedure)?,
            Kind::With { body, .. } => classify(body, in_procedure)?,
            Kind::While { statements, steps, .. } => {
                classify(statements, in_procedure)?;
                check_steps(steps, in_procedure)?;
                class
            }
            Kind::Return { .. } | Kind::CallReturn { .. } if !in_procedure => {
                let headline = "`return` outside a procedure";
                return Err(Problem::new(Code::PcalSyntax, statement.at, headline).help("use `goto Done`"));
            }
            Kind::Call { .. }
            | Kind::Return { .. }
            | Kind::CallReturn { .. }
            | Kind::Goto { .. }
            | Kind::CallGoto { .. } => Class::Jump,
            Kind::Assign(_)
            | Kind::If { .. }
            | Kind::Either(_)
            | Kind::Await(_)
            | Kind::Print(_)
            | Kind::Assert(_)
            | Kind::Skip
            | Kind::MacroCall(_) => class,
        };
        debug_assert!(
            class == Class::Plain || index + 1 == n_statements,
            "what follows the end of a step has a label"
        );
    }
    Ok(class)
}

fn classify_if(statement: &mut Statement, in_procedure: bool) -> Result<Class, Problem> {
    let Kind::LabelIf { test, then, otherwise } = &mut statement.kind else { return Ok(Class::Plain) };
    let class = classify_branch(then, in_procedure)?.max(classify_branch(otherwise, in_procedure)?);
    if class < Class::Label {
        let (test, then) = (std::mem::take(test), std::mem::take(&mut then.statements));
        statement.kind = Kind::If { test, then, otherwise: std::mem::take(&mut otherwise.statements) };
    }
    Ok(class)
}

fn classify_either(statement: &mut Statement, in_procedure: bool) -> Result<Class, Problem> {
    let Kind::LabelEither(branches) = &mut statement.kind else { return Ok(Class::Plain) };
    let mut class = Class::Plain;
    for branch in branches.iter_mut() {
        class = class.max(classify_branch(branch, in_procedure)?);
    }
    if class < Class::Label {
        let branches = branches.iter_mut().map(|branch| std::mem::take(&mut branch.statements)).collect();
        statement.kind = Kind::Either(branches);
    }
    Ok(class)
}

fn classify_branch(branch: &mut Branch, in_procedure: bool) -> Result<Class, Problem> {
    let class = classify(&mut branch.statements, in_procedure)?;
    check_steps(&mut branch.steps, in_procedure)?;
    Ok(if branch.steps.is_empty() { class } else { Class::Label })
}
