//! The translation as text: declarations, `Init`, an action for each step, `Next`, `Spec` and `Termination`, in the layout
//! that the translator of the TLA+ tools gives them.

mod actions;
mod changed;
mod fairness;
mod initial;
mod next;
mod output;
mod subscripts;

use diag::Code;

use crate::ast::{Algorithm, Body, DEFAULT_VALUE, Process, Step, Variable};
use crate::expr::Expr;
use crate::options::Options;
use crate::problem::Problem;
use crate::source::Spot;
use output::{Output, spaces, width};
use subscripts::self_expr;

/// The steps of procedures and processes, each an action.
#[derive(Debug)]
pub struct Actions {
    pub of_procedures: Vec<Vec<Step>>,
    pub of_body: Vec<Vec<Step>>,
}

/// Writes the translation.
#[derive(Debug)]
pub struct Generator<'a> {
    algorithm: &'a Algorithm,
    actions: &'a Actions,
    options: &'a Options,
    is_fair: bool,
    output: Output,
    /// Every variable of the translation.
    variables: Vec<String>,
    /// Variables that are functions on processes: those of procedures and of sets of processes.
    subscripted: Vec<String>,
}

/// Whose steps are written.
#[derive(Clone, Debug)]
struct Context {
    /// The process that takes the step, in an algorithm of processes.
    this: Option<Expr>,
    /// Whether that is a parameter of the action.
    has_parameter: bool,
    /// The name of the action where steps have none.
    name: String,
}

/// Translates: gives the lines between the marks.
pub fn generate(
    algorithm: &Algorithm,
    actions: &Actions,
    (options, is_fair): (&Options, bool),
    report: Vec<String>,
) -> Result<Vec<String>, Problem> {
    let output = Output::of(report);
    let (variables, subscripted) = (Vec::new(), Vec::new());
    let mut generator = Generator { algorithm, actions, options, is_fair, output, variables, subscripted };
    generator.declarations()?;
    generator.process_set();
    generator.initial();
    generator.all_actions()?;
    generator.next();
    generator.spec();
    generator.termination();
    generator.output.end_line();
    Ok(generator.output.lines)
}

impl<'a> Generator<'a> {
    fn width(&self) -> usize {
        self.options.line_width
    }

    /// The processes; there are none in an algorithm that is one process.
    fn processes(&self) -> &'a [Process] {
        match &self.algorithm.body {
            Body::Single(_) => &[],
            Body::Processes(processes) => processes,
        }
    }

    fn has_processes(&self) -> bool {
        matches!(self.algorithm.body, Body::Processes(_))
    }

    /// Variables, definitions and `vars`.
    fn declarations(&mut self) -> Result<(), Problem> {
        let algorithm = self.algorithm;
        let mut global: Vec<String> = Vec::new();
        if !algorithm.shape.omits_pc {
            global.push("pc".to_owned());
        }
        global.extend(names(&algorithm.variables));
        if !algorithm.procedures.is_empty() {
            global.push("stack".to_owned());
        }
        let of_procedures = algorithm.procedures.iter().flat_map(|procedure| {
            names(&procedure.parameters).into_iter().chain(names(&procedure.variables))
        });
        let mut local: Vec<String> = of_procedures.collect();
        self.subscripted.clone_from(&local);
        for process in self.processes() {
            local.extend(names(&process.variables));
            if !process.is_one {
                self.subscripted.extend(names(&process.variables));
            }
        }
        self.variables = global.iter().chain(&local).cloned().collect();
        if algorithm.shape.has_default {
            self.output.line(&format!("CONSTANT {DEFAULT_VALUE}"));
        }
        match algorithm.define.is_empty() {
            true => self.variable_declaration(&self.variables.clone()),
            false => {
                self.variable_declaration(&global);
                self.output.line("");
                self.output.line("(* define statement *)");
                self.output.expr(&algorithm.define);
                self.output.line("");
                self.variable_declaration(&local);
            }
        }
        self.output.line("");
        if self.variables.is_empty() {
            let headline = "the algorithm has no variables";
            return Err(Problem::new(Code::PcalSyntax, Spot::default(), headline).help("declare one"));
        }
        self.vars();
        Ok(())
    }

    fn variable_declaration(&mut self, variables: &[String]) {
        let keyword = match variables.len() {
            0 => return,
            1 => "VARIABLE ",
            _ => "VARIABLES ",
        };
        self.output.push(keyword);
        self.list(variables, width(keyword));
        self.output.end_line();
    }

    /// Names with commas between them, on several lines if need be.
    fn list(&mut self, names: &[String], indent: usize) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.output.push(", ");
            }
            if self.output.column() + width(name) + 1 > self.width() {
                self.output.end_line();
                self.output.push(&spaces(indent));
            }
            self.output.push(name);
        }
    }

    fn vars(&mut self) {
        self.output.push("vars == << ");
        let indent = self.output.column();
        self.list(&self.variables.clone(), indent);
        if self.output.column() + width(" >>") + 1 > self.width() {
            self.output.end_line();
            self.output.push(&spaces(width("vars ==")));
        }
        self.output.push(" >>");
        self.output.line("");
    }

    fn process_set(&mut self) {
        if self.processes().is_empty() {
            return;
        }
        self.output.push("ProcSet == ");
        for (index, process) in self.processes().iter().enumerate() {
            if index > 0 {
                self.output.push(" \\cup ");
            }
            self.output.push(if process.is_one { "{" } else { "(" });
            self.output.expr(&process.id);
            self.output.push(if process.is_one { "}" } else { ")" });
        }
        self.output.end_line();
        self.output.line("");
    }

    /// An action for each step, and one for each procedure and process that is their disjunction.
    fn all_actions(&mut self) -> Result<(), Problem> {
        let (algorithm, actions) = (self.algorithm, self.actions);
        for (procedure, steps) in algorithm.procedures.iter().zip(&actions.of_procedures) {
            let this = self.has_processes().then(self_expr);
            let context = Context { has_parameter: this.is_some(), this, name: procedure.name.clone() };
            self.steps(steps, &context)?;
            self.disjunction(&procedure.name, steps, &context);
        }
        for (index, steps) in actions.of_body.iter().enumerate() {
            match self.processes().get(index) {
                None => {
                    let context = Context { this: None, has_parameter: false, name: "Next".to_owned() };
                    self.steps(steps, &context)?;
                }
                Some(process) => {
                    let this = if process.is_one { process.id.clone() } else { self_expr() };
                    let name = process.name.clone();
                    let context = Context { this: Some(this), has_parameter: !process.is_one, name };
                    self.steps(steps, &context)?;
                    if !algorithm.shape.omits_pc {
                        self.disjunction(&process.name, steps, &context);
                    }
                }
            }
        }
        Ok(())
    }

    fn disjunction(&mut self, name: &str, steps: &[Step], context: &Context) {
        let argument = if context.has_parameter { "(self)" } else { "" };
        let head = format!("{name}{argument} == ");
        self.output.push(&head);
        for (index, step) in steps.iter().enumerate() {
            let disjunct = format!("{}{argument}", step.label);
            if index > 0 {
                if self.output.column() + 7 + width(&disjunct) > self.width() {
                    self.output.end_line();
                    self.output.push(&spaces(width(&head) + 2));
                }
                self.output.push(" \\/ ");
            }
            self.output.push(&disjunct);
        }
        self.output.line("");
    }

    fn termination(&mut self) {
        if self.algorithm.shape.omits_pc || self.algorithm.shape.never_ends {
            return;
        }
        let pc = if self.has_processes() { "\\A self \\in ProcSet: pc[self]" } else { "pc" };
        self.output.line(&format!("Termination == <>({pc} = \"Done\")"));
        self.output.line("");
    }
}

fn names(variables: &[Variable]) -> Vec<String> {
    variables.iter().map(|variable| variable.name.clone()).collect()
}
