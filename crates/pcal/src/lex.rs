//! Tokens of an algorithm. A word or symbol of TLA+ is a token; where an expression ends is the parser's business.

use diag::Code;

use crate::expr::TokenKind;
use crate::problem::Problem;
use crate::source::{Spot, Text};

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    pub kind: TokenKind,
    /// The text; that of a string is without its quotes.
    pub text: String,
    pub at: Spot,
    /// The place behind it.
    pub end: Spot,
}

impl Lexeme {
    /// Whether it is the word or symbol `text`.
    pub fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::String && self.text == text
    }
}

/// Words of TLA+ that are no identifiers.
const WORDS: &[&str] = &[
    "_",
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "BOOLEAN",
    "CASE",
    "CONSTANT",
    "CONSTANTS",
    "EXCEPT",
    "EXTENDS",
    "FALSE",
    "IF",
    "INSTANCE",
    "LOCAL",
    "MODULE",
    "OTHER",
    "STRING",
    "THEOREM",
    "TRUE",
    "VARIABLE",
    "VARIABLES",
    "WITH",
    "CHOOSE",
    "ENABLED",
    "UNCHANGED",
    "SUBSET",
    "UNION",
    "DOMAIN",
    "ELSE",
    "THEN",
    "LET",
    "IN",
];

/// Operators that are words behind a backslash.
const BACKSLASH_WORDS: &[&str] = &[
    "A",
    "forall",
    "E",
    "exists",
    "AA",
    "EE",
    "lnot",
    "neg",
    "cdot",
    "equiv",
    "subseteq",
    "subset",
    "supset",
    "supseteq",
    "ll",
    "gg",
    "cap",
    "intersect",
    "cup",
    "union",
    "land",
    "lor",
    "X",
    "oplus",
    "ominus",
    "odot",
    "oslash",
    "otimes",
    "uplus",
    "sqcap",
    "sqcup",
    "div",
    "star",
    "o",
    "circ",
    "bigcirc",
    "bullet",
    "in",
    "notin",
    "prec",
    "succ",
    "preceq",
    "succeq",
    "sim",
    "simeq",
    "approx",
    "doteq",
    "asymp",
    "sqsubset",
    "sqsupset",
    "sqsubseteq",
    "sqsupseteq",
    "propto",
    "times",
    "leq",
    "geq",
    "mod",
    "wr",
];

/// Symbols of several characters; the longest that fits is taken.
const SYMBOLS: &[&str] = &[
    "-+->", "|->", "::=", "<=>", "...", "(\\X)", "(+)", "(-)", "(.)", "(/)", ">>_", "]_", "<<", ">>", "<>",
    "^+", "^*", "^#", "=>", "~>", "/\\", "\\/", "||", "&&", "++", "--", "**", "//", "^^", "|-", "|=", "-|",
    "=|", "<:", ":>", ":=", "/=", "=<", "<=", ">=", "->", "<-", "==", "[]", "..", "$$", "??", "%%", "##",
    "@@", "!!", "-.",
];

/// Symbols of one character. Characters outside ASCII are those of TLA+ in Unicode.
const SINGLE: &str = "([{)}]~'\\-+*/^|&=#<>:$?%!;,.@\
    \u{27e8}\u{27e9}\u{2200}\u{2203}\u{ac}\u{25c7}\u{207a}\u{21d2}\u{22c5}\u{21d4}\u{2261}\u{219d}\u{2978}\u{2286}\u{2282}\u{2283}\
    \u{2287}\u{226a}\u{226b}\u{2229}\u{222a}\u{2227}\u{2228}\u{d7}\u{2016}\u{22a2}\u{22a8}\u{22a3}\u{2ae4}\u{2254}\u{2a74}\u{2295}\
    \u{2296}\u{2299}\u{2298}\u{2297}\u{228e}\u{2293}\u{2294}\u{f7}\u{22c6}\u{2218}\u{25ef}\u{25cf}\u{2208}\u{2209}\u{2260}\u{2264}\
    \u{2265}\u{227a}\u{227b}\u{2aaf}\u{2ab0}\u{223c}\u{2243}\u{2248}\u{2250}\u{224d}\u{228f}\u{2290}\u{2291}\u{2292}\u{221d}\u{2192}\
    \u{21a6}\u{2190}\u{225c}\u{25a1}\u{2025}\u{2026}\u{2047}\u{203c}\u{2240}\u{2245}";

/// Characters outside ASCII that are names of sets: Boolean-valued `N`, `Z` and `R` in double strokes.
const SETS: &str = "\u{2115}\u{2124}\u{211d}";

/// Reads tokens of a text from a place on.
#[derive(Debug)]
pub struct Lexer<'a> {
    pub text: &'a Text,
    pub at: Spot,
}

impl Lexer<'_> {
    /// Reads the next token; `None` at the end of the text.
    pub fn next_lexeme(&mut self) -> Result<Option<Lexeme>, Problem> {
        let at = self.text.skip_spaces(self.at);
        self.at = at;
        let Some(first) = self.text.char_at(at) else { return Ok(None) };
        if first == '"' {
            return self.string(at).map(Some);
        }
        let (kind, width) = match first {
            'a'..='z' | 'A'..='Z' | '_' | '0'..='9' => self.word(at),
            char if SETS.contains(char) => (TokenKind::Identifier, 1),
            '\\' => self.backslash(at)?,
            _ => (TokenKind::BuiltIn, self.symbol(at)?),
        };
        Ok(Some(self.lexeme(kind, at, width)))
    }

    fn lexeme(&mut self, kind: TokenKind, at: Spot, width: usize) -> Lexeme {
        let end = Spot { column: at.column + width, ..at };
        self.at = end;
        let column = |column| self.text.char_at(Spot { column, ..at }).expect("the token is in its line");
        Lexeme { kind, text: (at.column..end.column).map(column).collect(), at, end }
    }

    fn count(&self, at: Spot, is_part: impl Fn(char) -> bool) -> usize {
        let chars = (at.column..).map_while(|column| self.text.char_at(Spot { column, ..at }));
        chars.take_while(|&char| is_part(char)).count()
    }

    /// An identifier, a word of TLA+ or a number, and its width.
    fn word(&self, at: Spot) -> (TokenKind, usize) {
        if self.text.starts_with(at, "WF_") || self.text.starts_with(at, "SF_") {
            return (TokenKind::BuiltIn, 3);
        }
        let width = self.count(at, is_word);
        let is_digit = |char: char| char.is_ascii_digit();
        let is_word = |word: &&&str| word.chars().count() == width && self.text.starts_with(at, word);
        match WORDS.iter().find(is_word) {
            Some(_) => (TokenKind::BuiltIn, width),
            None if self.count(at, is_digit) == width => (TokenKind::Number, width),
            None => (TokenKind::Identifier, width),
        }
    }

    /// Reads a token that begins with a backslash: `\/`, an operator such as `\in`, or a number such as `\b101`.
    fn backslash(&self, at: Spot) -> Result<(TokenKind, usize), Problem> {
        let behind = Spot { column: at.column + 1, ..at };
        let Some(letter) = self.text.char_at(behind).filter(char::is_ascii_alphabetic) else {
            return Ok((TokenKind::BuiltIn, self.symbol(at)?));
        };
        let digits = self.count(Spot { column: at.column + 2, ..at }, |char| char.is_ascii_digit());
        if "bBoOhH".contains(letter) && digits > 0 {
            let all = self.count(behind, is_word);
            return match letter {
                'h' | 'H' => Ok((TokenKind::Number, 1 + all)),
                _ if all == 1 + digits => Ok((TokenKind::Number, 1 + all)),
                _ => Err(self.illegal(at, 1 + all)),
            };
        }
        let width = self.count(behind, |char| char.is_ascii_alphabetic());
        let is_word = |word: &&&str| word.len() == width && self.text.starts_with(behind, word);
        match BACKSLASH_WORDS.iter().find(is_word) {
            Some(_) => Ok((TokenKind::BuiltIn, 1 + width)),
            None => Err(self.illegal(at, 1 + width)),
        }
    }

    /// The width of the longest symbol at `at`.
    fn symbol(&self, at: Spot) -> Result<usize, Problem> {
        for line in ["---", "==="] {
            if self.text.starts_with(at, line) {
                let char = line.chars().next().expect("the line has characters");
                return Err(self.illegal(at, self.count(at, |other| other == char)));
            }
        }
        let longest = SYMBOLS
            .iter()
            .filter(|symbol| self.text.starts_with(at, symbol))
            .map(|symbol| symbol.len())
            .max();
        let is_single = || self.text.char_at(at).is_some_and(|char| SINGLE.contains(char));
        match longest {
            Some(width) => Ok(width),
            None if is_single() => Ok(1),
            None => Err(self.illegal(at, 1)),
        }
    }

    fn illegal(&self, at: Spot, width: usize) -> Problem {
        Problem::new(Code::PcalSyntax, at, "this is no token of PlusCal or TLA+").wide(width)
    }

    fn string(&mut self, at: Spot) -> Result<Lexeme, Problem> {
        let mut column = at.column + 1;
        let unclosed = || {
            let headline = "the string is not closed";
            Problem::new(Code::PcalSyntax, at, headline).help("add the closing `\"`")
        };
        loop {
            match self.text.char_at(Spot { column, ..at }).ok_or_else(unclosed)? {
                '"' => break,
                '\\' => column += 2,
                _ => column += 1,
            }
        }
        let whole = self.lexeme(TokenKind::String, at, column + 1 - at.column);
        let text = whole.text[1..whole.text.len() - 1].to_owned();
        Ok(Lexeme { text, ..whole })
    }
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

#[cfg(test)]
mod tests {
    use super::Lexer;
    use crate::source::{Spot, Text};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let text = Text::new(text);
        let mut lexer = Lexer { text: &text, at: Spot::default() };
        let mut found = Vec::new();
        while let Some(lexeme) = lexer.next_lexeme().expect("all are tokens") {
            found.push(lexeme.text);
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn the_longest_symbol_is_taken() {
        check("a:=b||c", &["a", ":=", "b", "||", "c"]);
        check(
            "x /= y /\\ \\E z \\in S: <<z>>",
            &["x", "/=", "y", "/\\", "\\E", "z", "\\in", "S", ":", "<<", "z", ">>"],
        );
        check("(-x) (+) [a |-> 1..2]", &["(", "-", "x", ")", "(+)", "[", "a", "|->", "1", "..", "2", "]"]);
        check("s \\o <<\"a\\\"b\">>", &["s", "\\o", "<<", "a\\\"b", ">>"]);
        check("WF_vars(A) 1a \\b10", &["WF_", "vars", "(", "A", ")", "1a", "\\b10"]);
    }
}
