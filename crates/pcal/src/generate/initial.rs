//! `Init`: the initial values of global variables, of those of procedures and processes, of `stack` and of `pc`.

use super::Generator;
use super::changed::Changed;
use super::output::{spaces, width};
use super::subscripts::{self_expr, subscript};
use crate::ast::{Body, Process, Step, Variable};
use crate::expr::{Expr, Token, TokenKind};

const HEAD: &str = "Init == ";

impl Generator<'_> {
    pub(super) fn initial(&mut self) {
        let algorithm = self.algorithm;
        let mut front = HEAD.to_owned();
        if !algorithm.variables.is_empty() {
            self.heading(&mut front, "Global variables");
            algorithm.variables.iter().for_each(|variable| self.plain_initial(variable));
        }
        for procedure in &algorithm.procedures {
            if procedure.parameters.is_empty() && procedure.variables.is_empty() {
                continue;
            }
            self.heading(&mut front, &format!("Procedure {}", procedure.name));
            for variable in procedure.parameters.iter().chain(&procedure.variables) {
                match self.has_processes() {
                    false => self.plain_initial(variable),
                    true => self.initial_of_procedure(variable),
                }
            }
        }
        for process in self.processes() {
            if process.variables.is_empty() {
                continue;
            }
            self.heading(&mut front, &format!("Process {}", process.name));
            process.variables.iter().for_each(|variable| self.initial_of_process(variable, process));
        }
        if !algorithm.procedures.is_empty() {
            let value = if self.has_processes() { "[self \\in ProcSet |-> << >>]" } else { "<< >>" };
            self.output.line(&format!("{front}/\\ stack = {value}"));
            front = spaces(width(HEAD));
        }
        if !algorithm.shape.omits_pc {
            self.initial_pc(&front);
        }
        self.output.line("");
    }

    /// A comment before the conjuncts that it is about.
    fn heading(&mut self, front: &mut String, text: &str) {
        self.output.line(&format!("{front}(* {text} *)"));
        *front = spaces(width(HEAD));
    }

    fn bullet(&mut self) {
        self.output.push(&spaces(width(HEAD)));
        self.output.push("/\\ ");
    }

    fn plain_initial(&mut self, variable: &Variable) {
        self.bullet();
        self.output.push(&format!("{}{}", variable.name, relation(variable)));
        self.parenthesized(&variable.value);
        self.output.end_line();
    }

    /// The value in which variables of processes and procedures stand for those of `this`.
    fn value(&self, variable: &Variable, this: &Expr) -> Expr {
        self.in_action(&variable.value, Some(this), &Changed::new(&[]))
    }

    fn initial_of_procedure(&mut self, variable: &Variable) {
        self.bullet();
        self.output.push(&format!("{} = [ self \\in ProcSet |-> ", variable.name));
        self.output.expr(&self.value(variable, &subscript(&self_expr())));
        self.output.push("]");
        self.output.end_line();
    }

    fn initial_of_process(&mut self, variable: &Variable, process: &Process) {
        self.bullet();
        let name = &variable.name;
        if process.is_one {
            self.output.push(&format!("{name}{}", relation(variable)));
            self.output.expr(&variable.value);
        } else if variable.is_equal {
            self.output.push(&format!("{name} = [self \\in "));
            self.output.expr(&process.id);
            self.output.push(" |-> ");
            self.output.expr(&self.value(variable, &subscript(&self_expr())));
            self.output.push("]");
        } else {
            self.output.push(&format!("{name} \\in ["));
            self.output.expr(&process.id);
            self.output.push(" -> ");
            self.output.expr(&self.value(variable, &some_process(&process.id)));
            self.output.push("]");
        }
        self.output.end_line();
    }

    fn initial_pc(&mut self, front: &str) {
        match &self.algorithm.body {
            Body::Single(steps) => {
                self.output.line(&format!("{front}/\\ pc = \"{}\"", first_label(steps.first())))
            }
            Body::Processes(processes) => {
                let head = format!("{front}/\\ pc = [self \\in ProcSet |-> ");
                if let [process] = processes.as_slice() {
                    self.output.line(&format!("{head}\"{}\"]", first_label(process.body.first())));
                    return;
                }
                let head = format!("{head}CASE ");
                self.output.push(&head);
                for (index, process) in processes.iter().enumerate() {
                    if index > 0 {
                        self.output.push(&format!("{}[] ", spaces(width(&head) - 3)));
                    }
                    self.output.push(if process.is_one { "self = " } else { "self \\in " });
                    self.output.expr(&process.id);
                    let end = if index + 1 == processes.len() { "]" } else { "" };
                    self.output.push(&format!(" -> \"{}\"{end}", first_label(process.body.first())));
                    self.output.end_line();
                }
            }
        }
    }
}

/// The label where control begins.
fn first_label(step: Option<&Step>) -> &str {
    step.map_or("Done", |step| step.label.as_str())
}

fn relation(variable: &Variable) -> &'static str {
    if variable.is_equal { " = " } else { " \\in " }
}

/// `[CHOOSE self \in id : TRUE]`: the value is the same for all processes.
fn some_process(id: &Expr) -> Expr {
    let token = |text: &str, column, kind| Token::new(text, column, kind);
    let front = Expr::new(vec![vec![
        token("[", 0, TokenKind::BuiltIn),
        token("CHOOSE", 1, TokenKind::BuiltIn),
        token("self", 8, TokenKind::Identifier),
        token("\\in ", 13, TokenKind::BuiltIn),
    ]]);
    let mut expr = id.clone();
    expr.normalize();
    expr.prepend(&front, 1);
    let mut whole = Expr::new(vec![vec![
        token(":", 0, TokenKind::BuiltIn),
        token("TRUE", 2, TokenKind::BuiltIn),
        token("]", 6, TokenKind::BuiltIn),
    ]]);
    whole.prepend(&expr, 1);
    whole
}
