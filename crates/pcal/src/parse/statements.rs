//! Statements as written, each with the label in front of it.

use diag::Code;

use super::{Parser, Syntax};
use crate::ast::{Assignment, Branch, Kind, MacroCall, Statement};
use crate::expr::{Expr, TokenKind};
use crate::problem::Problem;
use crate::source::Spot;

/// How deep statements may be nested.
const MAX_DEPTH: usize = 200;

/// A label and where it stands.
struct Label {
    name: String,
    at: Spot,
}

impl Parser<'_> {
    /// Reads statements up to the end of their block.
    pub(super) fn statements(&mut self) -> Result<Vec<Statement>, Problem> {
        let ends: &[&str] = match self.syntax {
            Syntax::Words => &["end", "else", "elsif", "or"],
            Syntax::Braces => &["}"],
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let headline = format!("statements are nested more than {MAX_DEPTH} deep");
            return Err(Problem::new(Code::PcalSyntax, self.end, headline));
        }
        let mut statements = Vec::new();
        while !self.next_is_one_of(ends)? {
            statements.extend(self.statement_or_block()?);
        }
        self.depth -= 1;
        if self.syntax == Syntax::Braces && statements.is_empty() {
            return Err(self.unexpected("a statement")?);
        }
        Ok(statements)
    }

    /// A statement, or in braces several.
    fn statement_or_block(&mut self) -> Result<Vec<Statement>, Problem> {
        let label = self.label()?;
        if self.syntax == Syntax::Braces && self.next_is("{")? {
            self.expect("{")?;
            let mut statements = self.statements()?;
            self.expect("}")?;
            self.semicolon()?;
            if let Some(label) = label {
                put_label(&mut statements[0], label)?;
            }
            return Ok(statements);
        }
        let mut statement = self.statement()?;
        statement.label = label.map(|label| label.name);
        Ok(vec![statement])
    }

    /// In braces, a statement or block where one is needed.
    fn body(&mut self) -> Result<Vec<Statement>, Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let headline = format!("statements are nested more than {MAX_DEPTH} deep");
            return Err(Problem::new(Code::PcalSyntax, self.end, headline));
        }
        let statements = self.statement_or_block()?;
        self.depth -= 1;
        Ok(statements)
    }

    fn label(&mut self) -> Result<Option<Label>, Problem> {
        if !self.is_label_next()? {
            return Ok(None);
        }
        let label = self.identifier("a label")?;
        let wrong = |headline: &str| Problem::new(Code::PcalLabel, label.at, headline).wide(label.text.len());
        if self.in_macro {
            return Err(wrong("a macro has no labels").help("make it a procedure, or label the call"));
        }
        if label.text == "Done" || label.text == "Error" {
            return Err(wrong("this label has a meaning of its own").help("choose another name"));
        }
        self.expect(":")?;
        self.facts.labels.insert(label.text.clone());
        if self.next_is("+")? || self.next_is("-")? {
            self.facts.has_fair_label = true;
            let is_plus = self.advance()?.is("+");
            let labels = if is_plus { &mut self.labels.plus } else { &mut self.labels.minus };
            labels.push(label.text.clone());
        }
        Ok(Some(Label { name: label.text, at: label.at }))
    }

    fn statement(&mut self) -> Result<Statement, Problem> {
        let first = self.peek()?;
        let at = first.at;
        let kind = match first.text.as_str() {
            "if" => self.if_statement()?,
            "either" => self.either()?,
            "with" => return self.with(at),
            "when" | "await" => Kind::Await(self.word_and_expression("a condition")?),
            "print" => Kind::Print(self.word_and_expression("an expression")?),
            "assert" => Kind::Assert(self.word_and_expression("a condition")?),
            "skip" => self.word(Kind::Skip)?,
            "call" => self.call()?,
            "return" => self.word(Kind::Return { from: self.procedure.clone() })?,
            "goto" => self.goto()?,
            "while" => self.while_statement()?,
            _ if self.char_behind(1)? == Some('(') => self.macro_call()?,
            _ => self.assignment()?,
        };
        Ok(Statement::new(at, kind))
    }

    fn word(&mut self, kind: Kind) -> Result<Kind, Problem> {
        self.advance()?;
        self.semicolon()?;
        Ok(kind)
    }

    fn word_and_expression(&mut self, what: &str) -> Result<Expr, Problem> {
        self.advance()?;
        let expr = self.some_expression(what)?;
        self.semicolon()?;
        Ok(expr)
    }

    /// A condition, in parentheses where the syntax has braces.
    fn test(&mut self) -> Result<Expr, Problem> {
        self.advance()?;
        if self.syntax == Syntax::Words {
            return self.some_expression("a condition");
        }
        self.expect("(")?;
        let test = self.some_expression("a condition")?;
        self.expect(")")?;
        Ok(test)
    }

    fn while_statement(&mut self) -> Result<Kind, Problem> {
        let test = self.test()?;
        let statements = match self.syntax {
            Syntax::Words => {
                self.expect("do")?;
                let statements = self.statements()?;
                if statements.is_empty() {
                    return Err(self.unexpected("a statement")?);
                }
                self.end_of("while")?;
                statements
            }
            Syntax::Braces => self.body()?,
        };
        Ok(Kind::While { test, statements, steps: Vec::new() })
    }

    fn end_of(&mut self, what: &str) -> Result<(), Problem> {
        self.expect("end")?;
        self.expect(what)?;
        self.semicolon()
    }

    /// `if`, or `elsif` inside one.
    fn if_statement(&mut self) -> Result<Kind, Problem> {
        let is_inner = self.next_is("elsif")?;
        let test = self.test()?;
        let then = match self.syntax {
            Syntax::Words => {
                self.expect("then")?;
                self.statements()?
            }
            Syntax::Braces => self.body()?,
        };
        let otherwise = self.otherwise()?;
        if self.syntax == Syntax::Words && !is_inner {
            self.end_of("if")?;
        }
        Ok(Kind::LabelIf { test, then: Branch::of(then), otherwise: Branch::of(otherwise) })
    }

    fn otherwise(&mut self) -> Result<Vec<Statement>, Problem> {
        if self.next_is("else")? {
            self.expect("else")?;
            return match self.syntax {
                Syntax::Words => self.statements(),
                Syntax::Braces => self.body(),
            };
        }
        match self.syntax {
            Syntax::Words if self.next_is("elsif")? => {
                let at = self.peek()?.at;
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    let headline = format!("more than {MAX_DEPTH} branches of `elsif`");
                    return Err(Problem::new(Code::PcalSyntax, at, headline));
                }
                let inner = self.if_statement()?;
                self.depth -= 1;
                Ok(vec![Statement::new(at, inner)])
            }
            Syntax::Words if !self.next_is("end")? => Err(self.unexpected("`else`, `elsif` or `end`")?),
            Syntax::Words | Syntax::Braces => Ok(Vec::new()),
        }
    }

    fn either(&mut self) -> Result<Kind, Problem> {
        self.expect("either")?;
        let mut branches = Vec::new();
        loop {
            let statements = match self.syntax {
                Syntax::Words => self.statements()?,
                Syntax::Braces => self.body()?,
            };
            if statements.is_empty() {
                return Err(self.unexpected("a statement")?);
            }
            branches.push(Branch::of(statements));
            if !self.next_is("or")? {
                break;
            }
            self.expect("or")?;
        }
        if branches.len() == 1 {
            return Err(self.unexpected("`or`")?);
        }
        if self.syntax == Syntax::Words {
            self.end_of("either")?;
        }
        Ok(Kind::LabelEither(branches))
    }

    /// `with`, whose further variables are statements inside it.
    fn with(&mut self, at: Spot) -> Result<Statement, Problem> {
        self.expect("with")?;
        let mut place = at;
        if self.syntax == Syntax::Braces {
            // TLC: such a statement stands at its parenthesis, which shows where labels are renamed.
            place = self.peek()?.at;
            self.expect("(")?;
        }
        // What is bound, from the outside in.
        let mut bound = Vec::new();
        let body = loop {
            let variable = self.identifier("a variable")?;
            let is_equal = self.equal_or_element()?;
            let value = self.some_expression("a value or a set")?;
            bound.push((variable, is_equal, value));
            if self.syntax == Syntax::Words || !self.next_is(")")? {
                self.comma_or_semicolon()?;
            }
            if self.syntax == Syntax::Words && self.next_is("do")? {
                self.expect("do")?;
                let body = self.statements()?;
                self.end_of("with")?;
                break body;
            }
            if self.syntax == Syntax::Braces && self.next_is(")")? {
                self.expect(")")?;
                break self.body()?;
            }
        };
        if body.is_empty() {
            return Err(Problem::new(Code::PcalSyntax, at, "a `with` without statements").wide(4));
        }
        let nest = |body: Vec<Statement>, (variable, is_equal, value): (crate::lex::Lexeme, bool, Expr)| {
            let kind = Kind::With { variable: variable.text, is_equal, value, body };
            vec![Statement::new(place, kind)]
        };
        let mut outermost = bound.into_iter().rev().fold(body, nest);
        Ok(outermost.remove(0))
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, Problem> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.next_is(")")? || !arguments.is_empty() {
            arguments.push(self.some_expression("an argument")?);
            if self.next_is(")")? {
                break;
            }
            self.expect(",")?;
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn call(&mut self) -> Result<Kind, Problem> {
        self.expect("call")?;
        let to = self.identifier("a procedure")?.text;
        let arguments = self.arguments()?;
        self.semicolon()?;
        if !self.calls.contains(&to) {
            self.calls.push(to.clone());
        }
        if self.next_is("return")? {
            let from = self.procedure.clone();
            return self.word(Kind::CallReturn { from, to, arguments });
        }
        if self.next_is("goto")? {
            self.expect("goto")?;
            // TLC: whether `Done` is reached in this way is decided by the name of the procedure, not by the label.
            self.facts.goes_to_done |= to == "Done";
            let after = self.target()?;
            return Ok(Kind::CallGoto { to, after, arguments });
        }
        Ok(Kind::Call { to, arguments })
    }

    fn goto(&mut self) -> Result<Kind, Problem> {
        self.expect("goto")?;
        let to = self.target()?;
        self.facts.goes_to_done |= to == "Done";
        Ok(Kind::Goto { to })
    }

    /// The label of a `goto`, and the end of the statement.
    fn target(&mut self) -> Result<String, Problem> {
        // A string is taken as well: `goto "Done"`.
        let label = match self.peek()?.kind {
            TokenKind::String => self.advance()?.text,
            TokenKind::BuiltIn | TokenKind::Number | TokenKind::Identifier | TokenKind::Added => {
                self.identifier("a label")?.text
            }
        };
        self.facts.has_goto = true;
        self.semicolon()?;
        Ok(label)
    }

    fn macro_call(&mut self) -> Result<Kind, Problem> {
        let name = self.identifier("a macro")?.text;
        let arguments = self.arguments()?;
        self.semicolon()?;
        Ok(Kind::MacroCall(MacroCall { name, arguments }))
    }

    fn assignment(&mut self) -> Result<Kind, Problem> {
        let mut assignments = vec![self.single_assignment()?];
        while self.next_is("||")? || self.next_is("\u{2016}")? {
            self.advance()?;
            assignments.push(self.single_assignment()?);
        }
        self.semicolon()?;
        Ok(Kind::Assign(assignments))
    }

    fn single_assignment(&mut self) -> Result<Assignment, Problem> {
        let variable = self.identifier("a statement")?;
        let subscript = self.expression()?;
        match self.next_is("\u{2254}")? {
            true => self.expect("\u{2254}")?,
            false => self.expect(":=")?,
        }
        let value = self.some_expression("a value")?;
        Ok(Assignment { variable: variable.text, subscript, value, at: variable.at })
    }
}

/// Puts the label of a block at its first statement.
fn put_label(statement: &mut Statement, label: Label) -> Result<(), Problem> {
    if let Some(inner) = &statement.label {
        let headline = format!("the statement has two labels, `{}` and `{inner}`", label.name);
        return Err(Problem::new(Code::PcalLabel, label.at, headline).wide(label.name.len()));
    }
    statement.label = Some(label.name);
    Ok(())
}
