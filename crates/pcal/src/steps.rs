//! Control flow as assignments: each step tests `pc` and sets it, calls and returns work on `stack`, and a loop is a choice
//! between its body and what follows. What comes out is a list of steps without labels inside.

use diag::Code;

use crate::ast::{Assignment, Body, Branch, Kind, Procedure, Statement, Step};
use crate::expr::{Expr, Token, TokenKind};
use crate::generate::Actions;
use crate::problem::Problem;
use crate::source::Spot;

/// Where control goes when a procedure ends without `return`.
const ERROR: &str = "Error";

/// Rewrites steps of an algorithm. Statements that the algorithm keeps are changed in place, which its checksum shows.
#[derive(Debug)]
pub struct Unfolder<'a> {
    /// The procedures, with the first label of each.
    pub procedures: &'a [Called],
    pub omits_pc: bool,
    /// The procedure whose steps are rewritten.
    pub procedure: Option<&'a str>,
}

/// A procedure as a call needs it.
#[derive(Clone, Debug)]
pub struct Called {
    name: String,
    first_label: String,
    procedure: Procedure,
}

impl Called {
    pub fn all(procedures: &[Procedure]) -> Vec<Called> {
        let called = |procedure: &Procedure| Called {
            name: procedure.name.clone(),
            first_label: procedure.body.first().map_or_else(|| ERROR.to_owned(), |step| step.label.clone()),
            procedure: Procedure { body: Vec::new(), ..procedure.clone() },
        };
        procedures.iter().map(called).collect()
    }
}

/// The rewritten end of a sequence of statements.
struct Ended {
    /// Statements in the place of the last one, if there are others.
    replaced: Option<Vec<Statement>>,
    /// The steps that were inside.
    steps: Vec<Step>,
    /// Whether `pc` is still to be set.
    goes_on: bool,
}

impl Unfolder<'_> {
    /// Rewrites all steps of a process, or of a procedure.
    pub fn body(&self, steps: &mut [Step]) -> Result<Vec<Step>, Problem> {
        let end = if self.procedure.is_some() { ERROR } else { "Done" };
        self.steps(steps, end)
    }

    fn steps(&self, steps: &mut [Step], next: &str) -> Result<Vec<Step>, Problem> {
        let labels: Vec<String> = steps.iter().skip(1).map(|step| step.label.clone()).collect();
        let mut unfolded = Vec::new();
        for (index, step) in steps.iter_mut().enumerate() {
            unfolded.extend(self.step(step, labels.get(index).map_or(next, String::as_str))?);
        }
        Ok(unfolded)
    }

    /// Rewrites one step; `next` is the label to which it goes.
    fn step(&self, step: &mut Step, next: &str) -> Result<Vec<Step>, Problem> {
        if matches!(step.statements.first(), Some(Statement { kind: Kind::While { .. }, .. })) {
            return self.while_step(step, next);
        }
        let (statements, inside) = self.copy(&mut step.statements, next)?;
        let mut unfolded = Vec::new();
        if !self.omits_pc {
            let mut all = vec![check_pc(&step.label, step.at)];
            all.extend(statements);
            unfolded.push(Step { label: step.label.clone(), at: step.at, statements: all });
        }
        unfolded.extend(inside);
        Ok(unfolded)
    }

    /// A loop and what follows it up to the next label.
    fn while_step(&self, step: &mut Step, next: &str) -> Result<Vec<Step>, Problem> {
        let label = step.label.clone();
        let (first, rest) = step.statements.split_first_mut().expect("the step begins with a loop");
        let at = first.at;
        let Kind::While { test, statements, steps } = &mut first.kind else { return Ok(Vec::new()) };
        let after_body = steps.first().map_or(&label, |step| &step.label).clone();
        let (body, body_steps) = self.copy(statements, &after_body)?;
        let (rest, rest_steps) = self.copy(rest, next)?;
        let mut all = Vec::new();
        if !self.omits_pc {
            all.push(check_pc(&label, step.at));
        }
        let is_endless = is_true(test);
        match is_endless {
            true => all.extend(body),
            false => {
                all.push(Statement::new(at, Kind::If { test: test.clone(), then: body, otherwise: rest }));
            }
        }
        let mut unfolded = vec![Step { label: label.clone(), at: step.at, statements: all }];
        unfolded.extend(self.steps(steps, &label)?);
        unfolded.extend(body_steps);
        if !is_endless {
            unfolded.extend(rest_steps);
        }
        Ok(unfolded)
    }

    /// Rewrites the end of a sequence that is kept as it is; gives the rewritten copy, and the steps inside.
    fn copy(&self, statements: &mut [Statement], next: &str) -> Result<(Vec<Statement>, Vec<Step>), Problem> {
        let ended = self.end(statements.last_mut(), next)?;
        let mut copy = statements.to_vec();
        ended.replace_last(&mut copy);
        if ended.goes_on {
            copy.push(self.update_pc(next));
        }
        Ok((copy, ended.steps))
    }

    /// Rewrites the end of a sequence in place; it sets `pc` where `goes` says so.
    fn in_place(&self, statements: &mut Vec<Statement>, next: &str) -> Result<Ended, Problem> {
        let mut ended = self.end(statements.last_mut(), next)?;
        ended.replace_last(statements);
        ended.replaced = None;
        Ok(ended)
    }

    /// Rewrites the part of a branch before its first label; gives its statements, which set `pc`, and the steps inside.
    fn branch(&self, branch: &mut Branch, next: &str) -> Result<(Vec<Statement>, Vec<Step>), Problem> {
        let next = first_label(&branch.steps, next);
        let ended = self.in_place(&mut branch.statements, next)?;
        if branch.statements.is_empty() {
            // TLC: an empty branch stays empty in the algorithm.
            return Ok((if ended.goes_on { vec![self.update_pc(next)] } else { Vec::new() }, ended.steps));
        }
        if ended.goes_on {
            branch.statements.push(self.update_pc(next));
        }
        Ok((branch.statements.clone(), ended.steps))
    }

    fn update_pc(&self, next: &str) -> Statement {
        let value = Expr::new(vec![vec![Token::new(next, 0, TokenKind::String)]]);
        assign_alone("pc", value, Spot::default())
    }

    /// Rewrites the last statement of a sequence.
    fn end(&self, last: Option<&mut Statement>, next: &str) -> Result<Ended, Problem> {
        let stays =
            |goes_on: bool| Ended { replaced: None, steps: Vec::new(), goes_on: goes_on && !self.omits_pc };
        let becomes = |statements| Ended { replaced: Some(statements), ..stays(false) };
        let Some(last) = last else { return Ok(stays(true)) };
        let at = last.at;
        Ok(match &mut last.kind {
            Kind::LabelIf { .. } => self.label_if(last, next)?,
            Kind::LabelEither(_) => self.label_either(last, next)?,
            Kind::Goto { to } => becomes(vec![self.update_pc(to)]),
            Kind::Call { to, arguments } => becomes(self.call(to, arguments, (next, at))?),
            Kind::CallGoto { to, after, arguments } => becomes(self.call(to, arguments, (after, at))?),
            Kind::Return { from } => {
                let from = from.as_deref().or(self.procedure);
                becomes(self.returned(from, at)?)
            }
            Kind::CallReturn { from, to, arguments } => {
                let from = from.as_deref().or(self.procedure);
                becomes(self.call_return((from, to), arguments, at)?)
            }
            Kind::If { then, otherwise, .. } => {
                let (first, second) = (self.in_place(then, next)?, self.in_place(otherwise, next)?);
                let goes_on = first.goes_on && second.goes_on;
                for (branch, ended) in [(then, &first), (otherwise, &second)] {
                    if ended.goes_on && !goes_on {
                        branch.push(self.update_pc(next));
                    }
                }
                let steps = first.steps.into_iter().chain(second.steps).collect();
                Ended { steps, ..stays(goes_on) }
            }
            Kind::Either(branches) => self.either(branches, next)?,
            Kind::With { body, .. } => {
                let ended = self.in_place(body, next)?;
                Ended { steps: ended.steps, ..stays(ended.goes_on) }
            }
            Kind::Assign(_)
            | Kind::Await(_)
            | Kind::Print(_)
            | Kind::Assert(_)
            | Kind::Skip
            | Kind::While { .. }
            | Kind::MacroCall(_) => stays(true),
        })
    }

    fn either(&self, branches: &mut [Vec<Statement>], next: &str) -> Result<Ended, Problem> {
        let ended: Vec<Ended> =
            branches.iter_mut().map(|branch| self.in_place(branch, next)).collect::<Result<_, _>>()?;
        let goes_on = ended.iter().all(|ended| ended.goes_on);
        for (branch, ended) in branches.iter_mut().zip(&ended) {
            if ended.goes_on && !goes_on {
                branch.push(self.update_pc(next));
            }
        }
        let steps = ended.into_iter().flat_map(|ended| ended.steps).collect();
        Ok(Ended { replaced: None, steps, goes_on })
    }

    /// An `if` with labels inside: its branches go where their labelled parts begin.
    fn label_if(&self, statement: &mut Statement, next: &str) -> Result<Ended, Problem> {
        let at = statement.at;
        let Kind::LabelIf { test, then, otherwise } = &mut statement.kind else {
            return Ok(Ended { replaced: None, steps: Vec::new(), goes_on: false });
        };
        let (in_then_statements, in_then) = self.branch(then, next)?;
        let (in_otherwise_statements, in_otherwise) = self.branch(otherwise, next)?;
        let kind =
            Kind::If { test: test.clone(), then: in_then_statements, otherwise: in_otherwise_statements };
        let mut steps = self.steps(&mut then.steps, next)?;
        steps.extend(self.steps(&mut otherwise.steps, next)?);
        steps.extend(in_then);
        steps.extend(in_otherwise);
        Ok(Ended { replaced: Some(vec![Statement::new(at, kind)]), steps, goes_on: false })
    }

    fn label_either(&self, statement: &mut Statement, next: &str) -> Result<Ended, Problem> {
        let at = statement.at;
        let Kind::LabelEither(branches) = &mut statement.kind else {
            return Ok(Ended { replaced: None, steps: Vec::new(), goes_on: false });
        };
        let mut steps = Vec::new();
        let mut unfolded = Vec::new();
        for branch in branches {
            let (statements, inside) = self.branch(branch, next)?;
            steps.extend(inside);
            unfolded.push(statements);
            steps.extend(self.steps(&mut branch.steps, next)?);
        }
        Ok(Ended { replaced: Some(vec![Statement::new(at, Kind::Either(unfolded))]), steps, goes_on: false })
    }

    fn find(&self, name: &str, at: Spot) -> Result<&Called, Problem> {
        self.procedures.iter().find(|called| called.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.procedures.iter().map(|called| called.name.as_str()).collect();
            let problem = Problem::new(Code::PcalName, at, format!("there is no procedure `{name}`"))
                .wide("call".len());
            match base::nearest(name, names) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            }
        })
    }

    /// Saves what the procedure changes on the stack, and sets its parameters and variables.
    fn call(
        &self,
        to: &str,
        arguments: &[Expr],
        (next, at): (&str, Spot),
    ) -> Result<Vec<Statement>, Problem> {
        let called = self.find(to, at)?;
        let mut frame = Frame::new(to);
        frame.line();
        frame.identifier("pc");
        frame.symbol("|->");
        frame.push(next, TokenKind::String);
        frame.save(called);
        frame.line();
        frame.symbol("\\o");
        frame.push("stack", TokenKind::Added);
        let stack = assignment("stack", frame.expr(), at);
        self.enter(called, vec![stack], (arguments, at))
    }

    /// Sets parameters, variables and `pc` for a call; `first` is assigned together with the parameters.
    fn enter(
        &self,
        called: &Called,
        first: Vec<Assignment>,
        (arguments, at): (&[Expr], Spot),
    ) -> Result<Vec<Statement>, Problem> {
        let parameters = &called.procedure.parameters;
        if parameters.len() != arguments.len() {
            let (name, expected, given) = (&called.name, parameters.len(), arguments.len());
            let headline = format!("the procedure `{name}` takes {expected} arguments, {given} are given");
            return Err(Problem::new(Code::PcalName, at, headline).wide("call".len()).related(
                called.procedure.at,
                "procedure".len(),
                "defined here",
            ));
        }
        let mut all = first;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            all.push(assignment(&parameter.name, argument.clone(), at));
        }
        let mut statements = vec![Statement::new(at, Kind::Assign(all))];
        for variable in &called.procedure.variables {
            statements.push(assign_alone(&variable.name, variable.value.clone(), at));
        }
        statements.push(self.update_pc(&called.first_label));
        Ok(statements)
    }

    /// Takes back from the stack what the call saved.
    fn returned(&self, from: Option<&str>, at: Spot) -> Result<Vec<Statement>, Problem> {
        let called = self.find(from.unwrap_or_default(), at)?;
        let mut statements = vec![assign_alone("pc", saved("pc"), at)];
        for variable in called.procedure.saved() {
            statements.push(assign_alone(&variable.name, saved(&variable.name), at));
        }
        statements.push(assign_alone("stack", of_stack("Tail", None), at));
        Ok(statements)
    }

    /// A call after which nothing is left to do: it takes the place of the caller on the stack.
    fn call_return(
        &self,
        (from, to): (Option<&str>, &str),
        arguments: &[Expr],
        at: Spot,
    ) -> Result<Vec<Statement>, Problem> {
        let caller = self.find(from.unwrap_or_default(), at)?;
        let called = self.find(to, at)?;
        let mut first = Vec::new();
        if caller.name != called.name {
            let variables = caller.procedure.variables.iter();
            first.extend(variables.map(|variable| assignment(&variable.name, saved(&variable.name), at)));
            let mut frame = Frame::new(to);
            frame.line();
            frame.identifier("pc");
            frame.symbol("|->");
            frame.saved("Head");
            frame.symbol(".");
            frame.identifier("pc");
            frame.save(called);
            frame.line();
            frame.symbol("\\o");
            frame.saved("Tail");
            first.push(assignment("stack", frame.expr(), at));
        }
        self.enter(called, first, (arguments, at))
    }
}

impl Ended {
    fn replace_last(&self, statements: &mut Vec<Statement>) {
        if let Some(replaced) = &self.replaced {
            statements.pop();
            statements.extend(replaced.iter().cloned());
        }
    }
}

/// Rewrites procedures and body; gives copies in which each step is one action.
pub fn unfold(procedures: &mut [Procedure], body: &mut Body, omits_pc: bool) -> Result<Actions, Problem> {
    let called = Called::all(procedures);
    let mut of_procedures = Vec::new();
    for procedure in procedures {
        let unfolder = Unfolder { procedures: &called, omits_pc, procedure: Some(&procedure.name) };
        of_procedures.push(unfolder.body(&mut procedure.body)?);
    }
    let unfolder = Unfolder { procedures: &called, omits_pc, procedure: None };
    let of_body = match body {
        Body::Single(steps) => vec![unfolder.body(steps)?],
        Body::Processes(processes) => {
            processes.iter_mut().map(|process| unfolder.body(&mut process.body)).collect::<Result<_, _>>()?
        }
    };
    Ok(Actions { of_procedures, of_body })
}

/// The label where a branch goes on after its statements without a label.
fn first_label<'a>(steps: &'a [Step], next: &'a str) -> &'a str {
    steps.first().map_or(next, |step| &step.label)
}

fn check_pc(label: &str, at: Spot) -> Statement {
    let tokens = [("pc", TokenKind::Added), ("=", TokenKind::BuiltIn), (label, TokenKind::String)];
    Statement::new(at, Kind::Await(Expr::of_tokens(&tokens, 1)))
}

fn assignment(variable: &str, value: Expr, at: Spot) -> Assignment {
    Assignment { variable: variable.to_owned(), subscript: Expr::default(), value, at }
}

fn assign_alone(variable: &str, value: Expr, at: Spot) -> Statement {
    Statement::new(at, Kind::Assign(vec![assignment(variable, value, at)]))
}

/// `Head(stack).field`.
fn saved(field: &str) -> Expr {
    of_stack("Head", Some(field))
}

/// `operator(stack)`, or a field of it.
fn of_stack(operator: &str, field: Option<&str>) -> Expr {
    let mut tokens = vec![
        (operator, TokenKind::Identifier),
        ("(", TokenKind::BuiltIn),
        ("stack", TokenKind::Added),
        (")", TokenKind::BuiltIn),
    ];
    if let Some(field) = field {
        tokens.extend([(".", TokenKind::BuiltIn), (field, TokenKind::Identifier)]);
    }
    Expr::of_tokens(&tokens, 0)
}

/// Whether a test is `TRUE` or `(TRUE)`.
pub fn is_true(test: &Expr) -> bool {
    let texts: Vec<&str> = test.tokens().map(|token| token.text.as_str()).collect();
    test.lines.len() == 1 && (texts == ["TRUE"] || texts == ["(", "TRUE", ")"])
}

/// The new value of `stack` at a call: a record in front of what was there, in the layout that it has in a translation.
struct Frame {
    lines: Vec<Vec<Token>>,
}

impl Frame {
    fn new(procedure: &str) -> Frame {
        let mut frame = Frame { lines: vec![Vec::new()] };
        frame.symbol("<<");
        frame.symbol("[");
        frame.identifier("procedure");
        frame.symbol("|->");
        frame.push(procedure, TokenKind::String);
        frame.symbol(",");
        frame
    }

    fn line(&mut self) {
        self.lines.push(Vec::new());
    }

    fn push(&mut self, text: &str, kind: TokenKind) {
        self.lines.last_mut().expect("there is a line").push(Token::new(text, 0, kind));
    }

    fn symbol(&mut self, text: &str) {
        self.push(text, TokenKind::BuiltIn);
    }

    fn identifier(&mut self, text: &str) {
        self.push(text, TokenKind::Identifier);
    }

    /// The values of what the procedure changes, and the end of the record.
    fn save(&mut self, called: &Called) {
        for variable in called.procedure.saved() {
            self.symbol(",");
            self.line();
            self.identifier(&variable.name);
            self.symbol("|->");
            self.identifier(&variable.name);
        }
        self.symbol("]");
        self.symbol(">>");
    }

    /// `operator(stack)`.
    fn saved(&mut self, operator: &str) {
        self.identifier(operator);
        self.symbol("(");
        self.push("stack", TokenKind::Added);
        self.symbol(")");
    }

    /// Sets the columns: names of fields below each other, arrows below each other.
    fn expr(mut self) -> Expr {
        let n_lines = self.lines.len();
        for (index, line) in self.lines.iter_mut().enumerate() {
            let mut next = if index == 0 || index == n_lines - 1 { 1 } else { 6 };
            for token in line {
                token.column = next;
                let width = token.width();
                next += width;
                if token.kind != TokenKind::BuiltIn {
                    continue;
                }
                match token.text.as_str() {
                    "|->" => {
                        token.column = (token.column + 1).max(16);
                        next = token.column + 5;
                    }
                    "[" | "<<" => next += 1,
                    "]" | ">>" => {
                        token.column += 1;
                        next += 1;
                    }
                    "\\o" => {
                        token.column += 1;
                        next += 2;
                    }
                    _ => {}
                }
            }
        }
        Expr::new(self.lines)
    }
}
