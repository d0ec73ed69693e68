//! The column of the first token of a line, from what it is a part of.

use std::cell::RefCell;
use std::rc::Rc;

use base::{FxHashMap, FxHashSet};
use diag::Span;
use syntax::ast::{
    Expr, ExprId, ExprKind, File, Module, Proof, ProofKind, ProofStep, ProofStepKind, Unit, UnitKind,
};
use syntax::op::OpSym;
use syntax::token::{Keyword, TokenKind};
use syntax::walk::{for_each_child, for_each_in_unit};

use crate::layout::start_of;
use crate::pieces::{Piece, Pieces};

/// Columns by which parts are indented.
const STEP: usize = 2;

pub struct Indenter<'a> {
    file: &'a File,
    pieces: &'a Pieces,
    /// The bullets of junction lists, by their indices.
    bullets: FxHashSet<usize>,
    /// For each piece, the bracket around it that was opened last.
    brackets: Vec<Option<usize>>,
    /// The parts of expressions that were looked at, in the order of the text.
    children: RefCell<FxHashMap<ExprId, Rc<[ExprId]>>>,
}

/// A token at the start of a line, and the columns of all pieces before it.
#[derive(Clone, Copy)]
struct Wanted<'c> {
    index: usize,
    /// Its first byte.
    at: usize,
    kind: TokenKind,
    columns: &'c [usize],
}

impl Wanted<'_> {
    /// Whether it is behind the first token of this span, and in it.
    fn is_inside(&self, span: Span) -> bool {
        let range = span.range();
        range.start < self.at && self.at < range.end
    }

    fn is_start(&self, span: Span) -> bool {
        span.range().start == self.at
    }
}

impl<'a> Indenter<'a> {
    pub fn new(file: &'a File, pieces: &'a Pieces) -> Indenter<'a> {
        let mut bullets = FxHashSet::default();
        for expr in file.exprs.iter() {
            if let ExprKind::Junction { items, .. } = &expr.kind {
                let before = |item: &ExprId| pieces.previous_token(start_of(pieces, file.exprs[*item].span));
                bullets.extend(items.iter().filter_map(before));
            }
        }
        Indenter { file, pieces, bullets, brackets: brackets(pieces), children: RefCell::default() }
    }

    /// The parts of an expression that are expressions, in the order of the text.
    fn children(&self, expr: ExprId) -> Rc<[ExprId]> {
        let known = self.children.borrow().get(&expr).cloned();
        known.unwrap_or_else(|| {
            let mut found = Vec::new();
            for_each_child(&self.file.exprs[expr].kind, &mut |child| found.push(child));
            let found: Rc<[ExprId]> = found.into();
            self.children.borrow_mut().insert(expr, found.clone());
            found
        })
    }

    /// The column of the token with this index, if a line begins with it.
    pub fn column(&self, index: usize, columns: &[usize]) -> usize {
        let piece = &self.pieces.list[index];
        let Some(kind) = piece.token() else { return piece.column };
        let wanted = Wanted { index, at: piece.range.start, kind, columns };
        let module = self.file.modules.iter().find(|module| {
            let range = module.span.range();
            (range.start..range.end).contains(&wanted.at)
        });
        match module {
            Some(module) if !wanted.is_start(module.span) => self.in_module(module, wanted),
            Some(_) | None => piece.column,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "most tokens begin at the first column")]
    fn in_module(&self, module: &Module, wanted: Wanted<'_>) -> usize {
        let unit = module.units.iter().find(|unit| wanted.is_inside(unit.span) || wanted.is_start(unit.span));
        match unit {
            Some(unit) if wanted.is_start(unit.span) => 0,
            Some(unit) => self.in_unit(unit, 0, wanted),
            None => match wanted.kind {
                TokenKind::Ident | TokenKind::Comma => match self.keyword_before(wanted, Keyword::Extends) {
                    Some(extends) => self.list(extends, STEP, wanted),
                    None => 0,
                },
                _ => 0,
            },
        }
    }

    /// The column of a part of a unit that begins at column `own`.
    fn in_unit(&self, unit: &Unit, own: usize, wanted: Wanted<'_>) -> usize {
        match &unit.kind {
            UnitKind::Module(module) => return base::with_stack(|| self.in_module(module, wanted)),
            UnitKind::Theorem { proof: Some(proof), .. } if covers(proof.span, wanted) => {
                return self.in_proof(proof, own, wanted);
            }
            UnitKind::Constants(_) | UnitKind::Variables(_) | UnitKind::Recursive(_) => {
                return self.list(start_of(self.pieces, unit.span), own + STEP, wanted);
            }
            UnitKind::Operator { .. }
            | UnitKind::Function { .. }
            | UnitKind::Instance(_)
            | UnitKind::NamedInstance { .. }
            | UnitKind::Assume { .. }
            | UnitKind::Theorem { .. }
            | UnitKind::UseHide(_) => {}
        }
        let mut part = None;
        for_each_in_unit(unit, &mut |expr| {
            let span = self.file.exprs[expr].span;
            if wanted.is_inside(span) {
                part = Some(self.in_expr(expr, wanted));
            }
        });
        if let Some(column) = part {
            return column;
        }
        let is_instance = matches!(unit.kind, UnitKind::Instance(_) | UnitKind::NamedInstance { .. });
        if is_instance && let Some(with) = self.keyword_before(wanted, Keyword::With) {
            return self.list(with, own + 2 * STEP, wanted);
        }
        let is_body = self.file_expr_starts(unit, wanted);
        let is_head = !is_body && !matches!(wanted.kind, TokenKind::DefEq | TokenKind::Keyword(_));
        if is_head { own + 2 * STEP } else { own + STEP }
    }

    /// Whether the token begins an expression of the unit.
    fn file_expr_starts(&self, unit: &Unit, wanted: Wanted<'_>) -> bool {
        let mut is_start = false;
        for_each_in_unit(unit, &mut |expr| is_start |= wanted.is_start(self.file.exprs[expr].span));
        is_start
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "most tokens are parts of the lists of BY")]
    fn in_proof(&self, proof: &Proof, own: usize, wanted: Wanted<'_>) -> usize {
        if wanted.is_start(proof.span) {
            return own + STEP;
        }
        match &proof.kind {
            ProofKind::Obvious | ProofKind::Omitted => own + STEP,
            ProofKind::By(_) => match wanted.kind {
                TokenKind::Keyword(Keyword::By | Keyword::Obvious | Keyword::Omitted) => own + STEP,
                _ => own + 2 * STEP,
            },
            ProofKind::Steps(steps) => {
                let step = steps.iter().find(|step| covers(self.whole(step), wanted));
                match step {
                    Some(step) if wanted.is_start(step.span) => own + STEP,
                    Some(step) => base::with_stack(|| self.in_step(step, wanted)),
                    None => own + STEP,
                }
            }
        }
    }

    /// A step with its proof.
    fn whole(&self, step: &ProofStep) -> Span {
        step.proof.as_ref().map_or(step.span, |proof| step.span.to(proof.span))
    }

    fn in_step(&self, step: &ProofStep, wanted: Wanted<'_>) -> usize {
        let own = self.at(step.span, wanted);
        if let Some(proof) = step.proof.as_ref().filter(|proof| covers(proof.span, wanted)) {
            return self.in_proof(proof, own, wanted);
        }
        if let ProofStepKind::Define(units) = &step.kind
            && let Some(unit) = units.iter().find(|unit| covers(unit.span, wanted))
        {
            return match (wanted.is_start(unit.span), units.first()) {
                (true, Some(first)) if !wanted.is_start(first.span) => self.at(first.span, wanted),
                (true, _) => own + 2 * STEP,
                (false, _) => self.in_unit(unit, self.at(unit.span, wanted), wanted),
            };
        }
        let inside =
            step_exprs(&step.kind).into_iter().find(|&expr| wanted.is_inside(self.file.exprs[expr].span));
        match inside {
            Some(expr) => self.in_expr(expr, wanted),
            None => own + 2 * STEP,
        }
    }

    /// The column of a part of an expression behind its first token.
    fn in_expr(&self, root: ExprId, wanted: Wanted<'_>) -> usize {
        let mut around = vec![root];
        let mut current = root;
        loop {
            if let ExprKind::Let { units, .. } = &self.file.exprs[current].kind
                && let Some(unit) = units.iter().find(|unit| covers(unit.span, wanted))
            {
                return self.in_let(units, unit, current, wanted);
            }
            let children = self.children(current);
            let start = |child: ExprId| self.file.exprs[child].span.range().start;
            let before = children.partition_point(|&child| start(child) < wanted.at);
            let last = before.checked_sub(1).map(|last| children[last]);
            let inner = last.filter(|&child| wanted.is_inside(self.file.exprs[child].span));
            match inner {
                Some(child) => {
                    around.push(child);
                    current = child;
                }
                None => return self.part(&around, wanted),
            }
        }
    }

    fn in_let(&self, units: &[Unit], unit: &Unit, around: ExprId, wanted: Wanted<'_>) -> usize {
        if !wanted.is_start(unit.span) {
            return base::with_stack(|| self.in_unit(unit, self.at(unit.span, wanted), wanted));
        }
        match units.first() {
            Some(first) if !wanted.is_start(first.span) => self.at(first.span, wanted),
            Some(_) | None => self.at(self.file.exprs[around].span, wanted) + 2 * STEP,
        }
    }

    /// The column of a token that belongs to the innermost of these expressions, or begins one of its parts.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other expressions, and tokens, are indented alike"
    )]
    fn part(&self, around: &[ExprId], wanted: Wanted<'_>) -> usize {
        let Some(&current) = around.last() else { return 0 };
        let Expr { kind, span } = &self.file.exprs[current];
        let own = self.at(*span, wanted);
        match kind {
            ExprKind::Junction { items, .. } => {
                let first = start_of(self.pieces, *span);
                let bullet = match self.bullets.contains(&first) {
                    true => Some(first),
                    false => self.pieces.previous_token(first),
                };
                let bullet = bullet.map_or(own, |bullet| wanted.columns[bullet]);
                // An item may be a list itself, with its first bullet on a new line.
                let is_item = items.iter().any(|&item| wanted.is_start(self.file.exprs[item].span));
                if is_item || !self.bullets.contains(&wanted.index) { bullet + 3 } else { bullet }
            }
            ExprKind::Infix { op, .. } => {
                let is_op = wanted.kind == TokenKind::Op(*op);
                let is_junction = matches!(op, OpSym::And | OpSym::Or);
                let is_behind_list = self.bullets.contains(&start_of(self.pieces, *span));
                if is_op && (is_junction || is_behind_list) { own } else { own + STEP }
            }
            ExprKind::If { .. } => self.part_of_if(around, wanted),
            ExprKind::Case { .. } => match wanted.kind {
                TokenKind::Op(OpSym::Box) => own + STEP,
                _ if self.follows(wanted, TokenKind::Arrow) => own + 7,
                TokenKind::Arrow => own + 7,
                _ => own + 5,
            },
            ExprKind::Let { .. } => match wanted.kind {
                TokenKind::Keyword(Keyword::In) => own,
                _ => own + STEP,
            },
            ExprKind::AssumeProve { .. } => match wanted.kind {
                TokenKind::Keyword(Keyword::Prove | Keyword::BoxProve) => own,
                _ => self.list(start_of(self.pieces, *span), own + STEP, wanted),
            },
            ExprKind::Except { .. } if wanted.kind == TokenKind::Bang => self.update(current, wanted),
            _ => match self.open_bracket(*span, wanted) {
                Some(open) => self.in_brackets(open, wanted),
                None => own + STEP,
            },
        }
    }

    /// THEN and ELSE stand below their IF; that of `ELSE IF` is the IF before.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the parts begin with any token")]
    fn part_of_if(&self, around: &[ExprId], wanted: Wanted<'_>) -> usize {
        let mut anchor = around.len() - 1;
        while let Some(outer) = anchor.checked_sub(1) {
            let ExprKind::If { otherwise, .. } = &self.file.exprs[around[outer]].kind else { break };
            let start = start_of(self.pieces, self.file.exprs[around[anchor]].span);
            let is_else_first = self.pieces.previous_token(start).is_some_and(|before| {
                let piece = &self.pieces.list[before];
                piece.is_first && piece.token() == Some(TokenKind::Keyword(Keyword::Else))
            });
            if *otherwise != around[anchor] || !is_else_first {
                break;
            }
            anchor = outer;
        }
        let own = self.at(self.file.exprs[around[anchor]].span, wanted);
        match wanted.kind {
            TokenKind::Keyword(Keyword::Then | Keyword::Else) => own,
            _ => own + STEP,
        }
    }

    /// The column of a `!` of EXCEPT: that of the first.
    fn update(&self, current: ExprId, wanted: Wanted<'_>) -> usize {
        let span = self.file.exprs[current].span;
        let ExprKind::Except { updates, .. } = &self.file.exprs[current].kind else { return 0 };
        match updates.first() {
            Some(first) if first.span.range().start < wanted.at => self.at(first.span, wanted),
            Some(_) | None => self.at(span, wanted) + 2 * STEP,
        }
    }

    /// The bracket around the token that is opened last, within a span.
    fn open_bracket(&self, span: Span, wanted: Wanted<'_>) -> Option<usize> {
        self.brackets[wanted.index].filter(|&open| self.pieces.list[open].range.start >= span.range().start)
    }

    /// The column of a token between brackets, or of the closing one.
    fn in_brackets(&self, open: usize, wanted: Wanted<'_>) -> usize {
        use TokenKind::{RAngle, RAngleSub, RBrace, RBracket, RBracketSub, RParen};
        let is_end = matches!(wanted.kind, RAngle | RAngleSub | RBrace | RBracket | RBracketSub | RParen);
        let is_next = matches!(wanted.kind, TokenKind::Comma)
            || self.pieces.previous_token(wanted.index) == Some(open)
            || self.follows(wanted, TokenKind::Comma);
        match (self.first_behind(open, wanted), is_end) {
            (Some(_), true) => wanted.columns[open],
            (Some(first), false) => wanted.columns[first] + if is_next { 0 } else { STEP },
            (None, true) => self.base(open, wanted),
            (None, false) => self.base(open, wanted) + if is_next { STEP } else { 2 * STEP },
        }
    }

    /// The first token behind another, if it stands on the same line and before the wanted one.
    fn first_behind(&self, index: usize, wanted: Wanted<'_>) -> Option<usize> {
        let next = self.pieces.next_token(index).filter(|&next| next < wanted.index)?;
        (self.pieces.list[next].line == self.pieces.list[index].line).then_some(next)
    }

    /// The column of a part of a list behind a word: that of the first part, if it stands on the line of the word.
    fn list(&self, word: usize, otherwise: usize, wanted: Wanted<'_>) -> usize {
        match self.first_behind(word, wanted) {
            Some(first) => wanted.columns[first],
            None => otherwise,
        }
    }

    /// The column at which the line of a token begins, behind the last bullet before the token.
    fn base(&self, index: usize, wanted: Wanted<'_>) -> usize {
        let line = self.pieces.list[index].line;
        let first = (0..=index).rev().take_while(|&at| self.pieces.list[at].line == line).last();
        let bullet = (0..index)
            .rev()
            .take_while(|&at| self.pieces.list[at].line == line)
            .find(|at| self.bullets.contains(at));
        let start = bullet.and_then(|bullet| self.pieces.next_token(bullet)).or(first);
        wanted.columns[start.unwrap_or(index)]
    }

    /// The column of the first token of a span.
    fn at(&self, span: Span, wanted: Wanted<'_>) -> usize {
        wanted.columns.get(start_of(self.pieces, span)).copied().unwrap_or(0)
    }

    /// Whether the token before is of this kind.
    fn follows(&self, wanted: Wanted<'_>, kind: TokenKind) -> bool {
        self.pieces
            .previous_token(wanted.index)
            .is_some_and(|before| self.pieces.list[before].token() == Some(kind))
    }

    /// The nearest keyword of this kind before the token, in the same unit.
    fn keyword_before(&self, wanted: Wanted<'_>, keyword: Keyword) -> Option<usize> {
        (0..wanted.index)
            .rev()
            .take_while(|&index| self.pieces.list[index].token() != Some(TokenKind::DefEq))
            .find(|&index| self.pieces.list[index].token() == Some(TokenKind::Keyword(keyword)))
    }
}

/// For each piece, the bracket around it that was opened last. A closing bracket is inside of its pair.
fn brackets(pieces: &Pieces) -> Vec<Option<usize>> {
    use TokenKind::{
        LAngle, LBrace, LBracket, LParen, RAngle, RAngleSub, RBrace, RBracket, RBracketSub, RParen,
    };
    let mut open: Vec<usize> = Vec::new();
    let around = |(index, piece): (usize, &Piece)| {
        let inside = open.last().copied();
        match piece.token() {
            Some(LAngle | LBrace | LBracket | LParen) => open.push(index),
            Some(RAngle | RAngleSub | RBrace | RBracket | RBracketSub | RParen) => {
                open.pop();
            }
            _ => {}
        }
        inside
    };
    pieces.list.iter().enumerate().map(around).collect()
}

/// Whether a token is in a span, its first one included.
fn covers(span: Span, wanted: Wanted<'_>) -> bool {
    span.range().contains(&wanted.at)
}

/// The expressions of a step.
fn step_exprs(kind: &ProofStepKind) -> Vec<ExprId> {
    match kind {
        ProofStepKind::Have(expr) | ProofStepKind::Case(expr) => vec![*expr],
        ProofStepKind::Assert { statement, .. } => vec![*statement],
        ProofStepKind::Witness(exprs) => exprs.clone(),
        ProofStepKind::Take(bounds) => bounds.iter().map(|bound| bound.set).collect(),
        ProofStepKind::Pick { bounds, body } => bounds.iter().map(|bound| bound.set).chain([*body]).collect(),
        ProofStepKind::PickUnbounded { body, .. } => vec![*body],
        ProofStepKind::Instance(instance) => instance.substitutions.iter().map(|one| one.value).collect(),
        ProofStepKind::Define(_)
        | ProofStepKind::UseHide(_)
        | ProofStepKind::TakeUnbounded(_)
        | ProofStepKind::Qed => Vec::new(),
    }
}
