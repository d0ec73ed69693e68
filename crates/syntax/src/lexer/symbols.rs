//! The spellings of symbols, looked up by longest match.
//!
//! Operators come from the table in `op`; keywords made of symbols (`\A`, `[]ASSUME`) from `token`;
//! punctuation is listed here.

use std::sync::LazyLock;

use base::FxHashMap;

use crate::op::OpSym;
use crate::token::{Keyword, TokenKind};

const PUNCTUATION: &[(&str, TokenKind)] = &[
    (",", TokenKind::Comma),
    (":", TokenKind::Colon),
    ("::", TokenKind::ColonColon),
    ("∷", TokenKind::ColonColon),
    (".", TokenKind::Dot),
    ("==", TokenKind::DefEq),
    ("≜", TokenKind::DefEq),
    ("(", TokenKind::LParen),
    (")", TokenKind::RParen),
    ("[", TokenKind::LBracket),
    ("]", TokenKind::RBracket),
    ("]_", TokenKind::RBracketSub),
    ("{", TokenKind::LBrace),
    ("}", TokenKind::RBrace),
    ("<<", TokenKind::LAngle),
    ("⟨", TokenKind::LAngle),
    (">>", TokenKind::RAngle),
    ("⟩", TokenKind::RAngle),
    (">>_", TokenKind::RAngleSub),
    ("⟩_", TokenKind::RAngleSub),
    ("!", TokenKind::Bang),
    ("@", TokenKind::At),
    ("->", TokenKind::Arrow),
    ("→", TokenKind::Arrow),
    ("<-", TokenKind::BackArrow),
    ("←", TokenKind::BackArrow),
    ("|->", TokenKind::MapsTo),
    ("↦", TokenKind::MapsTo),
    // Number sets are names that a module may define; no operator looks like them.
    ("ℕ", TokenKind::Ident),
    ("ℤ", TokenKind::Ident),
    ("ℝ", TokenKind::Ident),
];

/// Spellings that share their first characters, longest first.
type Bucket = Vec<(&'static str, TokenKind)>;

struct Symbols {
    /// Spellings by first character; those that start with a backslash are in `backslashed`.
    by_first: FxHashMap<char, Bucket>,
    /// Spellings by the character after the backslash.
    backslashed: FxHashMap<char, Bucket>,
}

static SYMBOLS: LazyLock<Symbols> = LazyLock::new(|| {
    let mut symbols = Symbols { by_first: FxHashMap::default(), backslashed: FxHashMap::default() };
    for &op in OpSym::ALL {
        for &spelling in op.spellings() {
            symbols.add(spelling, TokenKind::Op(op));
        }
    }
    for &spelling in Keyword::SPELLINGS {
        let keyword = Keyword::parse(spelling).expect("the list is made of what `parse` knows");
        symbols.add(spelling, TokenKind::Keyword(keyword));
    }
    for &(spelling, kind) in PUNCTUATION {
        symbols.add(spelling, kind);
    }
    symbols
});

impl Symbols {
    /// Adds a spelling. Words (`SUBSET`, `IF`) are left to the lexer's rule for identifiers.
    fn add(&mut self, spelling: &'static str, kind: TokenKind) {
        let mut chars = spelling.chars();
        let (first, second) = (chars.next().unwrap_or_default(), chars.next());
        if first.is_ascii_alphabetic() {
            return;
        }
        let bucket = match (first, second) {
            ('\\', Some(second)) => self.backslashed.entry(second).or_default(),
            _ => self.by_first.entry(first).or_default(),
        };
        let at = bucket.partition_point(|(other, _)| other.len() >= spelling.len());
        bucket.insert(at, (spelling, kind));
    }
}

/// Returns the longest symbol that `rest` starts with.
pub(super) fn longest_symbol(rest: &str) -> Option<(&'static str, TokenKind)> {
    let mut chars = rest.chars();
    let first = chars.next()?;
    let find =
        |bucket: Option<&Bucket>| bucket?.iter().copied().find(|(spelling, _)| rest.starts_with(spelling));
    let backslashed = match (first, chars.next()) {
        ('\\', Some(second)) => find(SYMBOLS.backslashed.get(&second)),
        _ => None,
    };
    backslashed.or_else(|| find(SYMBOLS.by_first.get(&first)))
}

/// Returns the operator that is written as this word: `SUBSET`, `ENABLED`, ...
pub(super) fn word_operator(word: &str) -> Option<OpSym> {
    match word {
        "DOMAIN" => Some(OpSym::Domain),
        "ENABLED" => Some(OpSym::Enabled),
        "SUBSET" => Some(OpSym::PowerSet),
        "UNCHANGED" => Some(OpSym::Unchanged),
        "UNION" => Some(OpSym::Union),
        _ => None,
    }
}

/// Returns every spelling that starts with a backslash, for "did you mean".
pub(crate) fn backslash_words() -> impl Iterator<Item = &'static str> {
    let operators = OpSym::ALL.iter().flat_map(|op| op.spellings());
    operators.chain(Keyword::SPELLINGS).copied().filter(|spelling| spelling.starts_with('\\'))
}
