//! Calls of macros are replaced by the statements of the macro, with the arguments in the place of its parameters.

use diag::Code;

use crate::ast::{Assignment, Branch, Kind, MacroCall, Statement};
use crate::expr::{Expr, TokenKind};
use crate::parse::Macro;
use crate::problem::Problem;
use crate::source::Spot;

/// How many statements the calls of macros may become.
const MAX_STATEMENTS: usize = 1_000_000;

/// Macros that can be called, each expanded already.
#[derive(Debug, Default)]
pub struct Macros {
    defined: Vec<Macro>,
    n_statements: usize,
}

impl Macros {
    /// Expands each macro by those before it.
    pub fn new(macros: Vec<Macro>) -> Result<Macros, Problem> {
        let mut expanded = Macros::default();
        for mut definition in macros {
            if let Some(first) = expanded.defined.iter().find(|other| other.name == definition.name) {
                let headline = format!("the macro `{}` is defined twice", definition.name);
                return Err(Problem::new(Code::PcalName, definition.at, headline)
                    .wide("macro".len())
                    .related(first.at, "macro".len(), "first here"));
            }
            expanded.expand(&mut definition.body)?;
            expanded.defined.push(definition);
        }
        Ok(expanded)
    }

    /// Replaces the calls in `statements`.
    pub fn expand(&mut self, statements: &mut Vec<Statement>) -> Result<(), Problem> {
        let mut expanded = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            match &mut statement.kind {
                Kind::MacroCall(call) => {
                    let call =
                        std::mem::replace(call, MacroCall { name: String::new(), arguments: Vec::new() });
                    expanded.extend(self.call(&call, &statement)?);
                    continue;
                }
                Kind::LabelIf { then, otherwise, .. } => {
                    self.expand(&mut then.statements)?;
                    self.expand(&mut otherwise.statements)?;
                }
                Kind::LabelEither(branches) => {
                    branches.iter_mut().try_for_each(|branch| self.expand(&mut branch.statements))?;
                }
                Kind::With { body: statements, .. } | Kind::While { statements, .. } => {
                    self.expand(statements)?
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
                | Kind::Goto { .. } => {}
            }
            expanded.push(statement);
        }
        *statements = expanded;
        Ok(())
    }

    /// The statements that a call stands for; the first has its label.
    fn call(&mut self, call: &MacroCall, statement: &Statement) -> Result<Vec<Statement>, Problem> {
        let wrong = |headline: String| {
            Problem::new(Code::PcalName, statement.at, headline).wide(call.name.chars().count())
        };
        let Some(definition) = self.defined.iter().rev().find(|definition| definition.name == call.name)
        else {
            let names: Vec<&str> = self.defined.iter().map(|definition| definition.name.as_str()).collect();
            let problem = wrong(format!("the macro `{}` is not defined", call.name));
            return Err(match base::nearest(&call.name, names) {
                Some(near) => problem.suggest(near),
                None => {
                    problem.help("a procedure is called with `call`; a macro is defined before it is used")
                }
            });
        };
        let (given, expected) = (call.arguments.len(), definition.parameters.len());
        if given != expected {
            let headline = format!("the macro `{}` takes {expected} arguments, {given} are given", call.name);
            return Err(wrong(headline).related(definition.at, "macro".len(), "defined here"));
        }
        let parameters = definition.parameters.iter().cloned();
        let arguments =
            Arguments { by: parameters.zip(call.arguments.iter().cloned()).collect(), call: statement.at };
        let mut statements = arguments.in_statements(&definition.body)?;
        self.n_statements += count(&statements);
        if self.n_statements > MAX_STATEMENTS {
            return Err(wrong(format!("macros become more than {MAX_STATEMENTS} statements")));
        }
        if let Some(first) = statements.first_mut() {
            first.label.clone_from(&statement.label);
        }
        Ok(statements)
    }
}

/// Counts statements with those inside them.
fn count(statements: &[Statement]) -> usize {
    let inside = |statement: &Statement| match &statement.kind {
        Kind::LabelIf { then, otherwise, .. } => count(&then.statements) + count(&otherwise.statements),
        Kind::LabelEither(branches) => branches.iter().map(|branch| count(&branch.statements)).sum(),
        Kind::With { body: statements, .. } | Kind::While { statements, .. } => count(statements),
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
        | Kind::MacroCall(_) => 0,
    };
    statements.iter().map(|statement| 1 + inside(statement)).sum()
}

/// The arguments of a call.
struct Arguments {
    by: Vec<(String, Expr)>,
    call: Spot,
}

impl Arguments {
    fn in_statements(&self, statements: &[Statement]) -> Result<Vec<Statement>, Problem> {
        statements.iter().map(|statement| self.in_statement(statement)).collect()
    }

    fn in_statement(&self, statement: &Statement) -> Result<Statement, Problem> {
        let kind = match &statement.kind {
            Kind::Assign(all) => {
                Kind::Assign(all.iter().map(|one| self.in_assignment(one)).collect::<Result<_, _>>()?)
            }
            Kind::With { variable, is_equal, value, body } => Kind::With {
                variable: variable.clone(),
                is_equal: *is_equal,
                value: self.in_expr(value),
                body: self.in_statements(body)?,
            },
            Kind::Await(expr) => Kind::Await(self.in_expr(expr)),
            Kind::Print(expr) => Kind::Print(self.in_expr(expr)),
            Kind::Assert(expr) => Kind::Assert(self.in_expr(expr)),
            Kind::While { test, statements, .. } => Kind::While {
                test: self.in_expr(test),
                statements: self.in_statements(statements)?,
                steps: Vec::new(),
            },
            Kind::LabelIf { test, then, otherwise } => Kind::LabelIf {
                test: self.in_expr(test),
                then: self.in_branch(then)?,
                otherwise: self.in_branch(otherwise)?,
            },
            Kind::LabelEither(branches) => Kind::LabelEither(
                branches.iter().map(|branch| self.in_branch(branch)).collect::<Result<_, _>>()?,
            ),
            Kind::Call { to, arguments } => Kind::Call { to: to.clone(), arguments: self.in_all(arguments) },
            Kind::CallReturn { from, to, arguments } => {
                Kind::CallReturn { from: from.clone(), to: to.clone(), arguments: self.in_all(arguments) }
            }
            Kind::CallGoto { to, after, arguments } => {
                Kind::CallGoto { to: to.clone(), after: after.clone(), arguments: self.in_all(arguments) }
            }
            kind @ (Kind::Skip
            | Kind::Return { .. }
            | Kind::Goto { .. }
            | Kind::If { .. }
            | Kind::Either(_)
            | Kind::MacroCall(_)) => kind.clone(),
        };
        Ok(Statement { kind, called_at: Some(self.call), ..statement.clone() })
    }

    fn in_branch(&self, branch: &Branch) -> Result<Branch, Problem> {
        Ok(Branch::of(self.in_statements(&branch.statements)?))
    }

    fn in_all(&self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.in_expr(expr)).collect()
    }

    fn in_expr(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        expr.normalize();
        expr.substitute(&self.by, true);
        expr
    }

    /// An assignment to a parameter is one to the variable with which the argument begins; the rest of the argument is a
    /// part of the subscript.
    fn in_assignment(&self, assignment: &Assignment) -> Result<Assignment, Problem> {
        let mut changed = Assignment {
            variable: assignment.variable.clone(),
            subscript: self.in_expr(&assignment.subscript),
            value: self.in_expr(&assignment.value),
            at: assignment.at,
        };
        let Some((_, argument)) = self.by.iter().find(|(name, _)| *name == assignment.variable) else {
            return Ok(changed);
        };
        let first = argument.tokens().next().expect("an argument is not empty");
        if first.kind != TokenKind::Identifier {
            let headline = format!("`{}` would be assigned to, which is no variable", first.text);
            return Err(Problem::new(Code::PcalName, assignment.at, headline)
                .wide(assignment.variable.chars().count())
                .label("the parameter stands for it")
                .related(self.call, 1, "in this call"));
        }
        changed.variable.clone_from(&first.text);
        let mut lines = argument.lines.clone();
        lines[0].remove(0);
        let rest = Expr::new(lines);
        if changed.subscript.is_empty() {
            changed.subscript = rest;
        } else if !rest.is_empty() {
            changed.subscript.prepend(&rest, 0);
        }
        Ok(changed)
    }
}
