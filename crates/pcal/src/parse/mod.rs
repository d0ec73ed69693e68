//! From text to statements, as written: declarations, procedures, processes. `statements` reads what is inside them,
//! `expressions` finds where an expression ends, `tokens` looks ahead.

mod expressions;
mod statements;
mod tokens;

use std::collections::BTreeSet;

use diag::Code;

use crate::ast::{FairLabels, Fairness, Statement, Variable};
use crate::expr::Expr;
use crate::lex::Lexer;
use crate::options::{FairnessOption, Options};
use crate::problem::Problem;
use crate::source::{Spot, Text};

/// The two syntaxes: with `begin` and `end`, or with braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    Words,
    Braces,
}

/// An algorithm as written.
#[derive(Clone, Debug)]
pub struct Written {
    pub name: String,
    pub variables: Vec<Variable>,
    pub define: Expr,
    pub macros: Vec<Macro>,
    pub procedures: Vec<WrittenProcedure>,
    pub body: WrittenBody,
    pub facts: Facts,
}

#[derive(Clone, Debug)]
pub enum WrittenBody {
    Single(Vec<Statement>),
    Processes(Vec<WrittenProcess>),
}

#[derive(Clone, Debug)]
pub struct Macro {
    pub name: String,
    pub at: Spot,
    pub parameters: Vec<String>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct WrittenProcedure {
    pub name: String,
    pub at: Spot,
    pub parameters: Vec<Variable>,
    pub variables: Vec<Variable>,
    pub contents: Contents,
}

#[derive(Clone, Debug)]
pub struct WrittenProcess {
    pub name: String,
    pub at: Spot,
    pub fairness: Fairness,
    pub is_one: bool,
    pub id: Expr,
    pub variables: Vec<Variable>,
    pub contents: Contents,
}

/// The body of a procedure or process, and what was seen in it.
#[derive(Clone, Debug)]
pub struct Contents {
    pub body: Vec<Statement>,
    pub labels: FairLabels,
    pub calls: Vec<String>,
}

/// Facts that reading the statements shows.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub labels: BTreeSet<String>,
    /// A label has `+` or `-`.
    pub has_fair_label: bool,
    pub has_goto: bool,
    pub goes_to_done: bool,
    pub has_default: bool,
    /// The body of an algorithm without processes begins with `fair`, as it did in version 1.5.
    pub is_fair_body: bool,
}

/// Reads an algorithm.
#[derive(Debug)]
pub struct Parser<'a> {
    lexer: Lexer<'a>,
    options: &'a Options,
    syntax: Syntax,
    /// Where the last token ended.
    end: Spot,
    /// The procedure that is being read.
    procedure: Option<String>,
    in_macro: bool,
    labels: FairLabels,
    calls: Vec<String>,
    facts: Facts,
    /// How deep statements are nested here.
    depth: usize,
    /// A comment that is never closed, where the text ends early for that reason.
    unclosed: Option<Spot>,
}

impl<'a> Parser<'a> {
    /// Makes a parser of the text from `at` on, which is behind the words `--algorithm` or `--fair algorithm`.
    pub fn new(text: &'a Text, at: Spot, (options, unclosed): (&'a Options, Option<Spot>)) -> Parser<'a> {
        Parser {
            lexer: Lexer { text, at },
            options,
            syntax: Syntax::Words,
            end: at,
            procedure: None,
            in_macro: false,
            labels: FairLabels::default(),
            calls: Vec::new(),
            facts: Facts::default(),
            depth: 0,
            unclosed,
        }
    }

    /// Reads the whole algorithm.
    pub fn algorithm(mut self) -> Result<Written, Problem> {
        let name = self.identifier("the algorithm's name")?.text;
        if self.next_is("{")? {
            self.syntax = Syntax::Braces;
            self.expect("{")?;
        }
        let variables = match self.next_is("variable")? || self.next_is("variables")? {
            true => self.variables()?,
            false => Vec::new(),
        };
        let define = if self.next_is("define")? { self.define()? } else { Expr::default() };
        let mut macros = Vec::new();
        while self.next_is("macro")? {
            macros.push(self.macro_definition()?);
        }
        let mut procedures = Vec::new();
        while self.next_is("procedure")? {
            procedures.push(self.procedure()?);
        }
        if self.options.version == Some(1500) && self.next_is("fair")? && self.char_behind(1)? != Some('p') {
            self.advance()?;
            self.facts.is_fair_body = !self.next_is("+")?;
            if !self.facts.is_fair_body {
                self.advance()?;
                self.facts.is_fair_body = true;
            }
        }
        let body = match self.next_is("process")? || self.next_is("fair")? {
            true => WrittenBody::Processes(self.processes()?),
            false => WrittenBody::Single(self.single_body(procedures.last_mut())?),
        };
        self.end_of_algorithm()?;
        Ok(Written { name, variables, define, macros, procedures, body, facts: self.facts })
    }

    fn end_of_algorithm(&mut self) -> Result<(), Problem> {
        match self.syntax {
            Syntax::Words => {
                self.expect("end")?;
                self.expect("algorithm")?;
            }
            Syntax::Braces => self.expect("}")?,
        }
        Ok(())
    }

    /// The body of an algorithm without processes.
    ///
    /// TLC: its calls and fair labels count as those of the last procedure, which nothing but the checksum shows.
    fn single_body(&mut self, last: Option<&mut WrittenProcedure>) -> Result<Vec<Statement>, Problem> {
        self.begin()?;
        let mut none = (FairLabels::default(), Vec::new());
        let (labels, calls) = match last {
            Some(last) => (&mut last.contents.labels, &mut last.contents.calls),
            None => (&mut none.0, &mut none.1),
        };
        std::mem::swap(labels, &mut self.labels);
        std::mem::swap(calls, &mut self.calls);
        let body = self.statements()?;
        std::mem::swap(labels, &mut self.labels);
        std::mem::swap(calls, &mut self.calls);
        if self.syntax == Syntax::Braces {
            self.expect("}")?;
        }
        Ok(body)
    }

    fn begin(&mut self) -> Result<(), Problem> {
        match self.syntax {
            Syntax::Words => self.expect("begin"),
            Syntax::Braces => self.expect("{"),
        }
    }

    fn end(&mut self, what: &str) -> Result<(), Problem> {
        match self.syntax {
            Syntax::Words => {
                self.expect("end")?;
                self.expect(what)
            }
            Syntax::Braces => self.expect("}"),
        }
    }

    fn define(&mut self) -> Result<Expr, Problem> {
        self.expect("define")?;
        if self.syntax == Syntax::Braces {
            self.expect("{")?;
        }
        let define = self.expression()?;
        self.end("define")?;
        self.semicolon()?;
        Ok(define)
    }

    fn variables(&mut self) -> Result<Vec<Variable>, Problem> {
        const AFTER: &[&str] = &["begin", "{", "procedure", "process", "fair", "define", "macro"];
        self.advance()?;
        let mut variables = Vec::new();
        while !self.next_is_one_of(AFTER)? {
            let may_be_element = self.procedure.is_none();
            variables.push(self.variable(may_be_element)?);
            self.comma_or_semicolon()?;
        }
        Ok(variables)
    }

    /// A variable and its initial value. Those of procedures have no `\in`.
    fn variable(&mut self, may_be_element: bool) -> Result<Variable, Problem> {
        let name = self.identifier("a variable")?;
        let is_element = may_be_element && (self.next_is("\\in")? || self.next_is("\u{2208}")?);
        if !is_element && !self.next_is("=")? {
            self.facts.has_default = true;
            let value = Variable::default_value();
            return Ok(Variable { name: name.text, is_equal: true, value, at: name.at });
        }
        self.advance()?;
        let value = self.some_expression("an initial value")?;
        Ok(Variable { name: name.text, is_equal: !is_element, value, at: name.at })
    }

    fn macro_definition(&mut self) -> Result<Macro, Problem> {
        self.in_macro = true;
        let at = self.advance()?.at;
        let name = self.identifier("a name for the macro")?.text;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.next_is(")")? {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            parameters.push(self.identifier("a parameter")?.text);
        }
        self.expect(")")?;
        self.begin()?;
        let body = self.statements()?;
        self.end("macro")?;
        self.optional_semicolon()?;
        self.in_macro = false;
        Ok(Macro { name, at, parameters, body })
    }

    fn procedure(&mut self) -> Result<WrittenProcedure, Problem> {
        let at = self.advance()?.at;
        let name = self.identifier("a name for the procedure")?.text;
        self.procedure = Some(name.clone());
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.next_is(")")? {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            parameters.push(self.variable(false)?);
        }
        self.expect(")")?;
        let variables = self.local_variables()?;
        let contents = self.contents("procedure")?;
        self.procedure = None;
        Ok(WrittenProcedure { name, at, parameters, variables, contents })
    }

    fn local_variables(&mut self) -> Result<Vec<Variable>, Problem> {
        match self.next_is("begin")? || self.next_is("{")? {
            true => Ok(Vec::new()),
            false if self.next_is("variable")? || self.next_is("variables")? => self.variables(),
            false => Err(self.unexpected("`variables` or the body")?),
        }
    }

    fn contents(&mut self, what: &str) -> Result<Contents, Problem> {
        self.labels = FairLabels::default();
        self.calls.clear();
        self.begin()?;
        let body = self.statements()?;
        self.end(what)?;
        self.optional_semicolon()?;
        let (labels, calls) = (std::mem::take(&mut self.labels), std::mem::take(&mut self.calls));
        Ok(Contents { body, labels, calls })
    }

    fn processes(&mut self) -> Result<Vec<WrittenProcess>, Problem> {
        let mut processes = Vec::new();
        while self.next_is("fair")? || self.next_is("process")? {
            let fairness = self.fairness()?;
            processes.push(self.process(fairness)?);
        }
        Ok(processes)
    }

    fn fairness(&mut self) -> Result<Fairness, Problem> {
        if self.next_is("fair")? {
            self.advance()?;
            if !self.next_is("+")? {
                return Ok(Fairness::Weak);
            }
            self.advance()?;
            return Ok(Fairness::Strong);
        }
        Ok(match self.options.fairness {
            Some(FairnessOption::Weak) => Fairness::Weak,
            Some(FairnessOption::Strong) => Fairness::Strong,
            Some(FairnessOption::WeakNext | FairnessOption::None) | None => Fairness::Unfair,
        })
    }

    fn process(&mut self, fairness: Fairness) -> Result<WrittenProcess, Problem> {
        self.expect("process")?;
        let at = self.last_start("process");
        if self.syntax == Syntax::Braces {
            self.expect("(")?;
        }
        let name = self.identifier("a name for the process")?.text;
        let is_one = self.equal_or_element()?;
        let id = self.some_expression("an identifier or a set of them")?;
        if self.syntax == Syntax::Braces {
            self.expect(")")?;
        }
        let variables = self.local_variables()?;
        let contents = self.contents("process")?;
        Ok(WrittenProcess { name, at, fairness, is_one, id, variables, contents })
    }

    /// Whether `=` follows; otherwise `\in` must.
    fn equal_or_element(&mut self) -> Result<bool, Problem> {
        let token = self.advance()?;
        match () {
            () if token.is("=") => Ok(true),
            () if token.is("\\in") || token.is("\u{2208}") => Ok(false),
            () => {
                let headline = format!("expected `=` or `\\in`, found `{}`", token.text);
                Err(Problem::new(Code::PcalSyntax, token.at, headline)
                    .wide(token.end.column - token.at.column))
            }
        }
    }
}
