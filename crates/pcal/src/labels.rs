//! Where labels must be: at the first statement, at `while`, after `goto`, `call` and `return`, and where a variable would be
//! assigned twice in one step. Missing ones are added, or reported.

use std::collections::BTreeSet;

use diag::Code;

use crate::ast::{Kind, Statement};
use crate::parse::WrittenProcedure;
use crate::problem::Problem;
use crate::source::Spot;

/// Why a statement needs a label.
#[derive(Clone, Debug)]
enum Reason {
    First,
    AfterJump,
    Loop,
    AssignedTwice(String),
}

impl Reason {
    fn words(&self) -> String {
        match self {
            Reason::First => "the first statement of a process or procedure has a label".to_owned(),
            Reason::AfterJump => {
                "a statement after one that contains a label, `call`, `return` or `goto` has a label"
                    .to_owned()
            }
            Reason::Loop => "a `while` has a label".to_owned(),
            Reason::AssignedTwice(name) => format!("`{name}` was assigned to in this step already"),
        }
    }
}

/// A label that was added, and the statement to which.
#[derive(Clone, Debug)]
pub struct AddedLabel {
    pub label: String,
    pub at: Spot,
    reason: Reason,
    width: usize,
}

/// Adds labels to statements.
#[derive(Debug)]
pub struct Labeler<'a> {
    /// Variables that a `return` assigns to: all parameters and variables of procedures.
    saved: Vec<String>,
    root: &'a str,
    taken: &'a BTreeSet<String>,
    next: usize,
    /// The procedure whose statements are looked at.
    pub procedure: Option<String>,
    pub added: Vec<AddedLabel>,
}

/// Knowledge at a place in a sequence of statements.
struct Flow {
    /// Variables that this step has assigned to.
    assigned: BTreeSet<String>,
    in_with: bool,
    /// The next statement needs a label.
    needs_label: Option<Reason>,
    /// Some statement of the sequence has a label.
    has_label: bool,
}

impl<'a> Labeler<'a> {
    pub fn new(procedures: &[WrittenProcedure], root: &'a str, taken: &'a BTreeSet<String>) -> Labeler<'a> {
        let names =
            procedures.iter().flat_map(|procedure| procedure.parameters.iter().chain(&procedure.variables));
        let saved = names.map(|variable| variable.name.clone()).collect();
        Labeler { saved, root, taken, next: 1, procedure: None, added: Vec::new() }
    }

    /// Adds the labels that the statements of a process or procedure need.
    pub fn label(&mut self, statements: &mut [Statement]) -> Result<(), Problem> {
        let flow = Flow {
            assigned: BTreeSet::new(),
            in_with: false,
            needs_label: Some(Reason::First),
            has_label: false,
        };
        self.sequence(statements, flow).map(|_| ())
    }

    /// Labels a sequence. Gives what is assigned at its end, and whether what follows needs a label.
    fn sequence(
        &mut self,
        statements: &mut [Statement],
        mut flow: Flow,
    ) -> Result<(BTreeSet<String>, bool), Problem> {
        let before = flow.assigned.clone();
        for statement in statements {
            if statement.label.is_some() {
                flow.has_label = true;
                flow.assigned.clear();
                if flow.in_with {
                    return Err(wrong(statement, "a label inside `with`".to_owned())
                        .help("the statements of a `with` are one step: move the label out"));
                }
            }
            if let Some(reason) = flow.needs_label.take() {
                if flow.in_with {
                    let headline = "a statement follows `call`, `return` or `goto` inside `with`";
                    return Err(wrong(statement, headline.to_owned())
                        .help("the statements of a `with` are one step: move this one out"));
                }
                self.need(statement, &mut flow, reason);
            }
            self.statement(statement, &mut flow, &before)?;
        }
        Ok((flow.assigned, flow.has_label || flow.needs_label.is_some()))
    }

    fn statement(
        &mut self,
        statement: &mut Statement,
        flow: &mut Flow,
        before: &BTreeSet<String>,
    ) -> Result<(), Problem> {
        let jump = |ends: bool| ends.then_some(Reason::AfterJump);
        match &mut statement.kind {
            Kind::LabelIf { then, otherwise, .. } => {
                let (mut assigned, ends_then) = self.sequence(&mut then.statements, flow.inside())?;
                let (other, ends_otherwise) = self.sequence(&mut otherwise.statements, flow.inside())?;
                assigned.extend(other);
                flow.assigned = assigned;
                flow.needs_label = jump(ends_then || ends_otherwise);
            }
            Kind::LabelEither(branches) => {
                let mut all = BTreeSet::new();
                let mut ends_any = false;
                for branch in branches {
                    let (assigned, ends) = self.sequence(&mut branch.statements, flow.inside())?;
                    all.extend(assigned);
                    ends_any |= ends;
                }
                flow.assigned = all;
                flow.needs_label = jump(ends_any);
            }
            Kind::While { .. } => self.while_statement(statement, flow)?,
            Kind::With { body, .. } => {
                let assigned = if flow.in_with { before.clone() } else { BTreeSet::new() };
                let inside = Flow { assigned, in_with: true, needs_label: None, has_label: false };
                let (assigned, ends) = self.sequence(body, inside)?;
                flow.needs_label = jump(ends);
                flow.assigned = assigned;
                let twice = before.iter().find(|name| flow.assigned.contains(*name)).cloned();
                if let (false, Some(name)) = (flow.in_with, twice) {
                    self.need(statement, flow, Reason::AssignedTwice(name));
                }
            }
            Kind::Assign(_)
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
            | Kind::MacroCall(_) => self.simple(statement, flow)?,
        }
        Ok(())
    }

    fn while_statement(&mut self, statement: &mut Statement, flow: &mut Flow) -> Result<(), Problem> {
        if flow.in_with {
            return Err(wrong(statement, "a `while` inside `with`".to_owned())
                .help("a loop has a label, and the statements of a `with` are one step"));
        }
        self.need(statement, flow, Reason::Loop);
        flow.assigned.clear();
        if let Kind::While { statements, .. } = &mut statement.kind {
            let inside =
                Flow { assigned: BTreeSet::new(), in_with: false, needs_label: None, has_label: false };
            self.sequence(statements, inside)?;
        }
        flow.needs_label = None;
        Ok(())
    }

    /// A statement that has no others inside it.
    fn simple(&mut self, statement: &mut Statement, flow: &mut Flow) -> Result<(), Problem> {
        let assigned = self.assigned_by(&statement.kind);
        match assigned.iter().find(|name| flow.assigned.contains(*name)).cloned() {
            None => flow.assigned.extend(assigned),
            Some(name) if flow.in_with => {
                let headline = format!("`{name}` is assigned to twice inside a `with`");
                return Err(Problem::new(Code::PcalAssign, statement.at, headline)
                    .help("the statements of a `with` are one step: assign once, or use `||`"));
            }
            Some(name) => {
                self.need(statement, flow, Reason::AssignedTwice(name));
                flow.assigned = assigned;
            }
        }
        flow.needs_label = match &statement.kind {
            Kind::Goto { .. }
            | Kind::Call { .. }
            | Kind::CallGoto { .. }
            | Kind::Return { .. }
            | Kind::CallReturn { .. } => Some(Reason::AfterJump),
            Kind::Assign(_)
            | Kind::If { .. }
            | Kind::Either(_)
            | Kind::With { .. }
            | Kind::Await(_)
            | Kind::Print(_)
            | Kind::Assert(_)
            | Kind::Skip
            | Kind::While { .. }
            | Kind::LabelIf { .. }
            | Kind::LabelEither(_)
            | Kind::MacroCall(_) => None,
        };
        Ok(())
    }

    /// The variables that a statement without others inside assigns to.
    fn assigned_by(&self, kind: &Kind) -> BTreeSet<String> {
        let is_own = |to: &String| Some(to) == self.procedure.as_ref();
        let sets_saved = match kind {
            Kind::Assign(all) => return all.iter().map(|one| one.variable.clone()).collect(),
            Kind::Call { to, .. } | Kind::CallGoto { to, .. } => is_own(to),
            Kind::Return { .. } | Kind::CallReturn { .. } => true,
            Kind::If { .. }
            | Kind::Either(_)
            | Kind::With { .. }
            | Kind::Await(_)
            | Kind::Print(_)
            | Kind::Assert(_)
            | Kind::Skip
            | Kind::While { .. }
            | Kind::LabelIf { .. }
            | Kind::LabelEither(_)
            | Kind::Goto { .. }
            | Kind::MacroCall(_) => return BTreeSet::new(),
        };
        let saved = if sets_saved { self.saved.as_slice() } else { &[] };
        saved.iter().cloned().chain(["stack".to_owned()]).collect()
    }

    /// Gives `statement` a label if it has none; a new step begins there.
    fn need(&mut self, statement: &mut Statement, flow: &mut Flow, reason: Reason) {
        flow.has_label = true;
        flow.assigned.clear();
        if statement.label.is_some() {
            return;
        }
        let label = loop {
            let label = format!("{}{}", self.root, self.next);
            self.next += 1;
            if !self.taken.contains(&label) {
                break label;
            }
        };
        statement.label = Some(label.clone());
        let width = if matches!(statement.kind, Kind::While { .. }) { 5 } else { 1 };
        self.added.push(AddedLabel { label, at: statement.at, reason, width });
    }
}

impl Flow {
    /// Returns the knowledge at the beginning of a branch.
    fn inside(&self) -> Flow {
        Flow { assigned: self.assigned.clone(), in_with: self.in_with, needs_label: None, has_label: false }
    }
}

fn wrong(statement: &Statement, headline: String) -> Problem {
    Problem::new(Code::PcalLabel, statement.at, headline)
}

/// The problem that labels are missing.
pub fn missing(added: &[AddedLabel]) -> Option<Problem> {
    let (first, others) = added.split_first()?;
    let headline = match others.len() {
        0 => "a label is missing".to_owned(),
        n => format!("{} labels are missing", n + 1),
    };
    let problem =
        Problem::new(Code::PcalLabel, first.at, headline).wide(first.width).label(first.reason.words());
    let problem = others
        .iter()
        .take(9)
        .fold(problem, |problem, other| problem.related(other.at, other.width, other.reason.words()));
    let title = match others.len() {
        0 => format!("add the label `{}`", first.label),
        n => format!("add {} labels", n + 1),
    };
    let edits = added.iter().map(|added| (added.at, 0, format!("{}: ", added.label))).collect();
    let help = "write `name:` in front of the statement, or let `--label` add the labels";
    Some(problem.help(help).fix(title, edits))
}
