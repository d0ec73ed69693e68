//! Parses modules and their units.

use diag::{Code, Diagnostic, Span};

use super::{BLOCK_DEPTH_MAX, Failed, Parse, Parser};
use crate::ast::{AssumeKind, Ident, Module, Unit, UnitKind};
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    /// Reads every module of the file. The lexer has left out the prose around them.
    pub(super) fn all_modules(&mut self) {
        while self.token().kind == TokenKind::ModuleStart {
            match self.module() {
                Ok(module) => self.file.modules.push(module),
                Err(Failed) => self.skip_module(),
            }
        }
        if self.n_modules_met == 0 {
            let span = Span::new(self.source, 0..0);
            self.report(
                Diagnostic::new(Code::NoModule, span, "there is no module in this file")
                    .label("no `---- MODULE Name ----` from here on")
                    .help("start the module with `---- MODULE Name ----` and end it with `====`"),
            );
        }
    }

    fn module(&mut self) -> Parse<Module> {
        self.n_modules_met += 1;
        let first = self.bump();
        if self.n_open_modules >= BLOCK_DEPTH_MAX {
            return Err(self.too_many_modules(first));
        }
        let name = self.module_name()?;
        self.expect(TokenKind::Separator, "`----` after the name of the module")?;
        let extends = match self.extends() {
            Ok(extends) => extends,
            Err(Failed) => {
                self.recover(first);
                Vec::new()
            }
        };
        self.n_open_modules += 1;
        let units = base::with_stack(|| self.units());
        self.n_open_modules -= 1;
        if self.eat(TokenKind::ModuleEnd).is_none() {
            self.missing_module_end(name);
        }
        Ok(Module { name, extends, units, span: self.span_from(first) })
    }

    fn extends(&mut self) -> Parse<Vec<Ident>> {
        match self.eat_keyword(Keyword::Extends) {
            Some(_) => self.comma_list(Self::module_name),
            None => Ok(Vec::new()),
        }
    }

    /// Reads units up to the end of the module. Those that fail are left out.
    fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        while !matches!(self.token().kind, TokenKind::ModuleEnd | TokenKind::Eof) {
            let first = self.token();
            if self.eat(TokenKind::Separator).is_some() {
                continue;
            }
            match self.unit() {
                Ok(unit) => units.push(unit),
                Err(Failed) => self.gave_up = true,
            }
            if std::mem::take(&mut self.gave_up) {
                self.recover(first);
            }
        }
        units
    }

    fn unit(&mut self) -> Parse<Unit> {
        let first = self.token();
        let local = self.eat_keyword(Keyword::Local).is_some();
        let kind = if local { self.local_unit()? } else { self.unit_kind()? };
        Ok(Unit { kind, span: self.span_from(first), local })
    }

    fn local_unit(&mut self) -> Parse<UnitKind> {
        if self.next_is_definition() {
            return self.unit_definition();
        }
        match self.peek() {
            TokenKind::Keyword(Keyword::Instance) => Ok(UnitKind::Instance(self.instance()?)),
            _ => Err(self.bad_local()),
        }
    }

    fn unit_kind(&mut self) -> Parse<UnitKind> {
        if self.next_is_definition() {
            return self.unit_definition();
        }
        match self.peek() {
            TokenKind::ModuleStart => Ok(UnitKind::Module(self.module()?)),
            TokenKind::Keyword(keyword) => self.keyword_unit(keyword),
            _ => Err(self.not_a_unit()),
        }
    }

    fn keyword_unit(&mut self, keyword: Keyword) -> Parse<UnitKind> {
        match keyword {
            Keyword::Variable => {
                Ok(UnitKind::Variables(self.declaration(|parser| parser.ident("a variable name"))?))
            }
            Keyword::Constant => Ok(UnitKind::Constants(self.declaration(Self::declared_operator)?)),
            Keyword::Recursive => Ok(UnitKind::Recursive(self.declaration(Self::declared_operator)?)),
            Keyword::Instance => Ok(UnitKind::Instance(self.instance()?)),
            Keyword::Assume | Keyword::Assumption => self.assumption(AssumeKind::Assume),
            Keyword::Axiom => self.assumption(AssumeKind::Axiom),
            Keyword::Theorem => self.theorem(),
            Keyword::Use if self.peek_at(1) == TokenKind::Keyword(Keyword::Only) => {
                self.bump();
                Err(self.report_unexpected("a fact, `MODULE` or `DEF`"))
            }
            Keyword::Use | Keyword::Hide => Ok(UnitKind::UseHide(self.use_hide()?)),
            _ => Err(self.not_a_unit()),
        }
    }

    /// Reads a keyword and the names that it declares.
    fn declaration<T>(&mut self, item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.bump();
        let items = self.comma_list(item)?;
        if self.next_is(TokenKind::Ident) && !self.next_is_definition() {
            return Err(self.missing_comma());
        }
        Ok(items)
    }

    fn assumption(&mut self, kind: AssumeKind) -> Parse<UnitKind> {
        self.bump();
        let name = self.statement_name()?;
        Ok(UnitKind::Assume { kind, name, body: self.expression()? })
    }

    fn theorem(&mut self) -> Parse<UnitKind> {
        self.bump();
        let name = self.statement_name()?;
        let body = self.statement()?;
        let proof = self.opt_proof()?;
        Ok(UnitKind::Theorem { name, body, proof })
    }

    /// Reads `name ==` before the statement of a theorem or an assumption.
    fn statement_name(&mut self) -> Parse<Option<Ident>> {
        if !self.next_is(TokenKind::Ident) || self.peek_at(1) != TokenKind::DefEq {
            return Ok(None);
        }
        let name = self.defined_name()?;
        self.bump();
        Ok(Some(name))
    }

    fn too_many_modules(&mut self, first: Token) -> Failed {
        let headline = format!("modules nest more than {BLOCK_DEPTH_MAX} levels deep");
        let span = self.span_of(first);
        self.report(Diagnostic::new(Code::TooDeep, span, headline).label("the limit is reached here"))
    }

    fn bad_local(&mut self) -> Failed {
        let headline =
            format!("expected a definition or `INSTANCE` after `LOCAL`, found {}", self.describe_next());
        let diagnostic = self
            .diagnostic_here(Code::UnexpectedToken, headline)
            .label("this cannot be local")
            .help("remove `LOCAL`: only definitions and `INSTANCE` can be local");
        self.report_here(diagnostic)
    }
}
