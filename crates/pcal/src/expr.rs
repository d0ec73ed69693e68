//! Expressions of an algorithm: lines of tokens with columns, since an expression keeps its layout in the translation.
//!
//! When a token is replaced by a longer text, what stands to the right of it moves, and so do later lines that are
//! aligned with something that moved: each line has an *anchor*, the last token of an earlier line that begins at or
//! to the left of the line's own first token. Nothing here knows what an expression means.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    BuiltIn,
    Number,
    /// A string; the text is without its quotes.
    String,
    Identifier,
    /// A variable that the translation adds, `pc` or `stack`.
    Added,
}

/// A token and the column where it begins, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub text: String,
    pub column: isize,
    pub kind: TokenKind,
}

impl Token {
    pub fn new(text: impl Into<String>, column: isize, kind: TokenKind) -> Token {
        Token { text: text.into(), column, kind }
    }

    /// The number of columns that the token takes.
    pub fn width(&self) -> isize {
        let quotes = if self.kind == TokenKind::String { 2 } else { 0 };
        self.n_chars() + quotes
    }

    fn n_chars(&self) -> isize {
        isize::try_from(self.text.chars().count()).expect("a token is in memory")
    }

    fn end(&self) -> isize {
        self.column + self.width()
    }

    /// The token as it stands in a module.
    fn spelling(&self) -> String {
        match self.kind {
            TokenKind::String => format!("\"{}\"", self.text),
            TokenKind::BuiltIn | TokenKind::Number | TokenKind::Identifier | TokenKind::Added => {
                self.text.clone()
            }
        }
    }

    /// Whether the token is the word or symbol `text`, and no string.
    fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::String && self.text == text
    }
}

/// The place of a token: line and index in it.
pub type Coordinate = (usize, usize);

/// The token with which a line moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AnchorPlace {
    Token(Coordinate),
    /// A token that became part of another: it stays at this column.
    Gone(isize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Anchor {
    place: AnchorPlace,
    /// The column of the token when the line was last moved.
    column: isize,
}

/// An expression. Invariant: `anchors` has an entry for each line; a line without an anchor does not move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expr {
    pub lines: Vec<Vec<Token>>,
    anchors: Vec<Option<Anchor>>,
}

impl Expr {
    /// Makes an expression of lines of tokens; removes empty lines around it and moves it to column 0.
    pub fn new(lines: Vec<Vec<Token>>) -> Expr {
        let mut expr = Expr { lines, anchors: Vec::new() };
        expr.normalize();
        expr
    }

    /// Makes an expression of one line, with `spaces` between its tokens.
    pub fn of_tokens(tokens: &[(&str, TokenKind)], spaces: isize) -> Expr {
        let mut line: Vec<Token> = Vec::new();
        for &(text, kind) in tokens {
            let column = line.last().map_or(0, |last| last.end() + spaces);
            line.push(Token::new(text, column, kind));
        }
        Expr::new(vec![line])
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn is_one_token(&self) -> bool {
        matches!(self.lines.as_slice(), [line] if line.len() == 1)
    }

    pub fn tokens(&self) -> impl Iterator<Item = &Token> {
        self.lines.iter().flatten()
    }

    /// The expression as lines of text.
    pub fn to_lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| line_text(line)).collect()
    }

    /// Removes empty lines around the expression, moves it to column 0, and finds the anchors anew.
    pub fn normalize(&mut self) {
        let n_leading = self.lines.iter().take_while(|line| line.is_empty()).count();
        self.lines.drain(..n_leading);
        while self.lines.last().is_some_and(Vec::is_empty) {
            self.lines.pop();
        }
        let least = self.lines.iter().filter_map(|line| line.first()).map(|token| token.column).min();
        let least = least.unwrap_or(0);
        self.lines.iter_mut().flatten().for_each(|token| token.column -= least);
        self.anchors = (0..self.lines.len()).map(|line| self.find_anchor(line)).collect();
    }

    fn find_anchor(&self, line: usize) -> Option<Anchor> {
        let first = self.lines[line].first()?.column;
        let is_left = |token: &&Token| token.column <= first;
        let above = (0..line).rev().find(|&above| self.lines[above].first().as_ref().is_some_and(is_left))?;
        let index = self.lines[above].iter().take_while(is_left).count() - 1;
        let column = self.lines[above][index].column;
        Some(Anchor { place: AnchorPlace::Token((above, index)), column })
    }

    /// Moves each line as its anchor has moved.
    fn follow_anchors(&mut self) {
        for line in 0..self.lines.len() {
            let Some(anchor) = self.anchors[line] else { continue };
            let now = match anchor.place {
                AnchorPlace::Token((above, index)) => self.lines[above][index].column,
                AnchorPlace::Gone(column) => column,
            };
            self.anchors[line] = Some(Anchor { column: now, ..anchor });
            self.lines[line].iter_mut().for_each(|token| token.column += now - anchor.column);
        }
    }

    /// Appends a token to the last line, `offset` columns behind the last one.
    pub fn push_behind(&mut self, text: &str, kind: TokenKind, offset: isize) {
        let line = self.lines.last_mut().expect("the expression has a line");
        // TLC: the quotes of a string are not counted here.
        let column = line.last().map_or(0, |last| last.column + last.n_chars()) + offset;
        line.push(Token::new(text, column, kind));
    }

    /// Puts `front` before the expression, whose first line goes on where `front` ends, after `spaces`.
    pub fn prepend(&mut self, front: &Expr, spaces: isize) {
        let n_added = front.lines.len() - 1;
        let last = front.lines.last().expect("only an expression with tokens is put before another");
        let shift = last.last().map_or(0, Token::end) + spaces;
        let index_shift = last.len();
        let moved = |anchor: Anchor| match anchor.place {
            AnchorPlace::Token((0, index)) => {
                Anchor { place: AnchorPlace::Token((n_added, index + index_shift)), ..anchor }
            }
            AnchorPlace::Token((line, index)) => {
                Anchor { place: AnchorPlace::Token((line + n_added, index)), ..anchor }
            }
            AnchorPlace::Gone(_) => anchor,
        };
        let own: Vec<_> = self.anchors.iter().skip(1).map(|anchor| anchor.map(moved)).collect();
        let mut lines = front.lines.clone();
        let mut own_lines = std::mem::take(&mut self.lines).into_iter();
        let mut first = own_lines.next().unwrap_or_default();
        first.iter_mut().for_each(|token| token.column += shift);
        lines[n_added].extend(first);
        lines.extend(own_lines);
        self.lines = lines;
        self.anchors = front.anchors.iter().copied().chain(own).collect();
        self.follow_anchors();
    }

    /// Replaces every identifier that is a key of `substitutions` by its expression, all at once. Names of fields are
    /// left as they are.
    pub fn substitute(&mut self, substitutions: &[(String, Expr)], parenthesize: bool) {
        let mut next = (!self.is_empty()).then_some((0, 0)).filter(|_| !self.lines[0].is_empty());
        while let Some(at) = next {
            let token = &self.lines[at.0][at.1];
            let found = substitutions.iter().find(|(name, _)| token.is(name));
            next = match found {
                _ if token.is(".") => self.step(at, 2),
                _ if self.is_before_field(at) => self.step(at, 3),
                Some((_, by)) => self.substitute_at(at, by, parenthesize),
                None => self.step(at, 1),
            };
        }
    }

    /// Whether the token at `at` opens or separates fields, so that a name of a field follows.
    fn is_before_field(&self, at: Coordinate) -> bool {
        let token = &self.lines[at.0][at.1];
        let after = || self.step(at, 2).map(|(line, index)| &self.lines[line][index]);
        (token.is("[") || token.is(","))
            && after().is_some_and(|token| token.is(":") || token.is("|->") || token.is("\u{21a6}"))
    }

    /// The coordinate `n` tokens on, if there are so many.
    fn step(&self, mut at: Coordinate, n: usize) -> Option<Coordinate> {
        for _ in 0..n {
            at.1 += 1;
            if at.1 == self.lines[at.0].len() {
                let line = (at.0 + 1..self.lines.len()).find(|&line| !self.lines[line].is_empty())?;
                at = (line, 0);
            }
        }
        Some(at)
    }

    /// Replaces the token at `at`; returns the coordinate of what follows.
    fn substitute_at(&mut self, at: Coordinate, by: &Expr, parenthesize: bool) -> Option<Coordinate> {
        if self.is_one_token() {
            *self = by.clone();
            self.normalize();
            return None;
        }
        let (line, index) = at;
        let token = &self.lines[line][index];
        let spaces = self.lines[line].get(index + 1).map_or(0, |next| next.column - token.end());
        let mut rest = self.lines[line].split_off(index + 1);
        if by.is_one_token() {
            let new = &by.lines[0][0];
            let token = &mut self.lines[line][index];
            (token.text, token.kind) = (new.text.clone(), new.kind);
        } else {
            self.insert_lines(at, by, parenthesize);
        }
        let last_line = line + by.lines.len() - 1;
        let last = self.lines[last_line].last().expect("an expression was put there");
        let shift = rest.first().map_or(0, |first| last.end() + spaces - first.column);
        let end = (last_line, self.lines[last_line].len() - 1);
        rest.iter_mut().for_each(|token| token.column += shift);
        self.lines[last_line].extend(rest);
        self.follow_anchors();
        self.step(end, 1)
    }

    /// Puts the tokens of `by` in the place of the last token of a line, from which the rest was cut off.
    fn insert_lines(&mut self, (line, index): Coordinate, by: &Expr, parenthesize: bool) {
        let mut by = by.clone();
        by.normalize();
        let n_added = by.lines.len() - 1;
        let parens = usize::from(parenthesize);
        let indent = self.lines[line][index].column + isize::from(parenthesize);
        by.lines[0].iter_mut().for_each(|token| token.column += indent);
        let first_column = by.lines[0].first().map_or(indent, |token| token.column);
        self.move_anchors((line, index), &by, parens);
        for (at, anchor) in by.anchors.iter().enumerate().skip(1) {
            let moved = |anchor: Anchor| Anchor {
                place: match anchor.place {
                    AnchorPlace::Token((0, 0)) if !parenthesize => AnchorPlace::Gone(first_column),
                    AnchorPlace::Token((0, x)) => AnchorPlace::Token((line, index + parens + x)),
                    AnchorPlace::Token((above, x)) => AnchorPlace::Token((line + above, x)),
                    AnchorPlace::Gone(column) => AnchorPlace::Gone(column),
                },
                ..anchor
            };
            self.anchors.insert(line + at, anchor.map(moved));
        }
        let mut lines = by.lines.into_iter();
        let mut first = lines.next().unwrap_or_default().into_iter();
        let token = &mut self.lines[line][index];
        if parenthesize {
            (token.text, token.kind) = ("(".to_owned(), TokenKind::BuiltIn);
        } else if let Some(new) = first.next() {
            (token.text, token.kind) = (new.text, new.kind);
        }
        self.lines[line].extend(first);
        for (at, new) in lines.enumerate() {
            self.lines.insert(line + 1 + at, new);
        }
        if parenthesize {
            let last = &mut self.lines[line + n_added];
            let column = last.last().map_or(0, Token::end);
            last.push(Token::new(")", column, TokenKind::BuiltIn));
        }
    }

    /// Moves anchors that refer to tokens behind the place where `by` is put, and to later lines.
    fn move_anchors(&mut self, (line, index): Coordinate, by: &Expr, parens: usize) {
        let n_added = by.lines.len() - 1;
        let n_last = by.lines.last().map_or(0, Vec::len);
        // The tokens on the line that takes the rest, before the rest.
        let before_rest = if n_added == 0 { index + n_last + 2 * parens } else { n_last + parens };
        for anchor in self.anchors.iter_mut().flatten() {
            anchor.place = match anchor.place {
                AnchorPlace::Token((at, x)) if at == line && x > index => {
                    AnchorPlace::Token((line + n_added, before_rest + x - index - 1))
                }
                AnchorPlace::Token((at, x)) if at > line => AnchorPlace::Token((at + n_added, x)),
                place @ (AnchorPlace::Token(_) | AnchorPlace::Gone(_)) => place,
            };
        }
    }
}

fn line_text(line: &[Token]) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in line {
        let spaces = usize::try_from(token.column - end).unwrap_or(0);
        text.extend(std::iter::repeat_n(' ', spaces));
        text.push_str(&token.spelling());
        end = token.end();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Expr, Token, TokenKind};

    /// Words of lines, each an identifier at its column.
    fn expr(text: &str) -> Expr {
        let token = |line: &str, at: usize, word: &str| {
            let column = isize::try_from(line[..at].chars().count()).unwrap();
            Token::new(word, column, TokenKind::Identifier)
        };
        let words = |line: &str| {
            let mut at = 0;
            let place = |word: &str| {
                let start = at + line[at..].find(word).unwrap();
                at = start + word.len();
                token(line, start, word)
            };
            line.split_whitespace().map(place).collect()
        };
        Expr::new(text.lines().map(words).collect())
    }

    #[track_caller]
    fn check(text: &str, (name, by): (&str, &str), expected: &str) {
        let mut changed = expr(text);
        changed.substitute(&[(name.to_owned(), expr(by))], true);
        assert_eq!(changed.to_lines().join("\n"), expected);
    }

    #[test]
    fn a_longer_text_moves_what_is_right_of_it_and_below() {
        check("x = y\n    z", ("x", "long"), "long = y\n       z");
        check("x = y\n  z", ("y", "a b"), "x = (a b)\n  z");
        check("f x <<\n    x >>", ("x", "a + b"), "f (a + b) <<\n          (a + b) >>");
    }

    #[test]
    fn several_lines_are_put_in_the_place_of_a_token() {
        check("x y z", ("y", "a\n  b"), "x (a\n     b) z");
    }

    #[test]
    fn a_lone_token_is_replaced_without_parentheses() {
        check("x", ("x", "a b"), "a b");
    }

    #[test]
    fn fields_keep_their_names() {
        check("r . x = x", ("x", "y"), "r . x = y");
        check("[ x |-> x ]", ("x", "y"), "[ x |-> y ]");
    }

    #[test]
    fn what_is_put_before_shifts_the_lines_below() {
        let mut tail = expr("a\n b");
        tail.prepend(&expr("front"), 1);
        assert_eq!(tail.to_lines(), ["front a", "       b"]);
    }
}
