//! An algorithm as a tree. Statements are kept in two shapes: as written, where a label stands at a statement, and as
//! steps, where everything from one label to the next is a [`Step`].

use crate::expr::{Expr, Token, TokenKind};
use crate::source::Spot;

/// The constant to which variables are equal that are declared without a value.
pub const DEFAULT_VALUE: &str = "defaultInitValue";

/// An algorithm whose statements are steps.
#[derive(Clone, Debug)]
pub struct Algorithm {
    pub name: String,
    pub variables: Vec<Variable>,
    /// The definitions of the `define` block; empty without one.
    pub define: Expr,
    pub procedures: Vec<Procedure>,
    pub body: Body,
    pub shape: Shape,
}

/// The statements outside procedures.
#[derive(Clone, Debug)]
pub enum Body {
    /// An algorithm without processes.
    Single(Vec<Step>),
    Processes(Vec<Process>),
}

/// Decisions about the translation that follow from the whole algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// There is no variable `pc`: each process is one `while (TRUE)` without labels inside.
    pub omits_pc: bool,
    /// No process ends, so there is no step for what has ended.
    pub never_ends: bool,
    /// Some variable has no initial value.
    pub has_default: bool,
}

/// A declared variable, parameter or variable of a procedure.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// Whether it is equal to `value`; otherwise it is an element of it.
    pub is_equal: bool,
    pub value: Expr,
    pub at: Spot,
}

impl Variable {
    /// The value of a variable that has none.
    pub fn default_value() -> Expr {
        Expr::new(vec![vec![Token::new(DEFAULT_VALUE, 0, TokenKind::BuiltIn)]])
    }
}

/// Labels that change fairness: `label:+` and `label:-`.
#[derive(Clone, Debug, Default)]
pub struct FairLabels {
    pub plus: Vec<String>,
    pub minus: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub at: Spot,
    pub parameters: Vec<Variable>,
    pub variables: Vec<Variable>,
    pub labels: FairLabels,
    /// The procedures that it calls, each once; after names are settled also those that these call.
    pub calls: Vec<String>,
    pub body: Vec<Step>,
}

impl Procedure {
    /// Its variables and its parameters, in the order in which they are saved on the stack.
    pub fn saved(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().chain(&self.parameters)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    Unfair,
    Weak,
    Strong,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    pub at: Spot,
    pub fairness: Fairness,
    /// Whether it is one process with the identifier `id`; otherwise there is one for each element of `id`.
    pub is_one: bool,
    pub id: Expr,
    pub variables: Vec<Variable>,
    pub labels: FairLabels,
    pub calls: Vec<String>,
    pub body: Vec<Step>,
}

/// The statements from a label to the next one.
#[derive(Clone, Debug)]
pub struct Step {
    pub label: String,
    pub at: Spot,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub at: Spot,
    /// The call of the macro from which it came.
    pub called_at: Option<Spot>,
    /// The label in front of it, if there is one.
    pub label: Option<String>,
    pub kind: Kind,
}

impl Statement {
    pub fn new(at: Spot, kind: Kind) -> Statement {
        Statement { at, called_at: None, label: None, kind }
    }

    /// Where it stands, in the words of the translation.
    pub fn place(&self) -> String {
        match self.called_at {
            None => self.at.words(),
            Some(call) => format!("{} of macro called at {}", self.at.words(), call.words()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Assignment {
    pub variable: String,
    /// The text behind the variable on the left: subscripts and fields.
    pub subscript: Expr,
    pub value: Expr,
    pub at: Spot,
}

/// A branch of `either`.
#[derive(Clone, Debug)]
pub struct Branch {
    pub statements: Vec<Statement>,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub struct MacroCall {
    pub name: String,
    pub arguments: Vec<Expr>,
}

/// A statement. Those with `steps` hold, once the algorithm is split into steps, what follows the first label inside them.
#[derive(Clone, Debug)]
pub enum Kind {
    Assign(Vec<Assignment>),
    If { test: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    Either(Vec<Vec<Statement>>),
    With { variable: String, is_equal: bool, value: Expr, body: Vec<Statement> },
    Await(Expr),
    Print(Expr),
    Assert(Expr),
    Skip,
    While { test: Expr, statements: Vec<Statement>, steps: Vec<Step> },
    LabelIf { test: Expr, then: Branch, otherwise: Branch },
    LabelEither(Vec<Branch>),
    Call { to: String, arguments: Vec<Expr> },
    Return { from: Option<String> },
    CallReturn { from: Option<String>, to: String, arguments: Vec<Expr> },
    CallGoto { to: String, after: String, arguments: Vec<Expr> },
    Goto { to: String },
    MacroCall(MacroCall),
}

impl Branch {
    /// A branch that was not split yet.
    pub fn of(statements: Vec<Statement>) -> Branch {
        Branch { statements, steps: Vec::new() }
    }
}
