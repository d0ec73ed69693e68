//! The keywords of configuration files, and the closest one to a misspelling.

/// The keyword of a statement. The singular and the plural are one keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Keyword {
    Specification,
    Init,
    Next,
    Constant,
    Invariant,
    Property,
    Constraint,
    ActionConstraint,
    Symmetry,
    View,
    Alias,
    Postcondition,
    CheckDeadlock,
    Periodic,
    RlReward,
    Possible,
}

/// The form of the text after a keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StatementForm {
    /// One name. The keyword may occur once in a file.
    OneName,
    /// Any number of names; statements accumulate.
    Names,
    /// Assignments; statements accumulate.
    Assignments,
    /// `TRUE` or `FALSE`. The keyword may occur once in a file.
    Flag,
}

impl Keyword {
    pub const ALL: &[Keyword] = &[
        Keyword::Specification,
        Keyword::Init,
        Keyword::Next,
        Keyword::Constant,
        Keyword::Invariant,
        Keyword::Property,
        Keyword::Constraint,
        Keyword::ActionConstraint,
        Keyword::Symmetry,
        Keyword::View,
        Keyword::Alias,
        Keyword::Postcondition,
        Keyword::CheckDeadlock,
        Keyword::Periodic,
        Keyword::RlReward,
        Keyword::Possible,
    ];

    /// Returns every spelling; the first is the one that messages use.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Keyword::Specification => &["SPECIFICATION"],
            Keyword::Init => &["INIT"],
            Keyword::Next => &["NEXT"],
            Keyword::Constant => &["CONSTANT", "CONSTANTS"],
            Keyword::Invariant => &["INVARIANT", "INVARIANTS"],
            Keyword::Property => &["PROPERTY", "PROPERTIES"],
            Keyword::Constraint => &["CONSTRAINT", "CONSTRAINTS"],
            Keyword::ActionConstraint => &["ACTION_CONSTRAINT", "ACTION_CONSTRAINTS"],
            Keyword::Symmetry => &["SYMMETRY"],
            Keyword::View => &["VIEW"],
            Keyword::Alias => &["ALIAS"],
            Keyword::Postcondition => &["POSTCONDITION", "POSTCONDITIONS"],
            Keyword::CheckDeadlock => &["CHECK_DEADLOCK"],
            Keyword::Periodic => &["_PERIODIC"],
            Keyword::RlReward => &["_RL_REWARD"],
            Keyword::Possible => &["_POSSIBLE"],
        }
    }

    pub fn text(self) -> &'static str {
        self.spellings()[0]
    }

    /// Returns the keyword with exactly this spelling.
    pub fn parse(word: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|keyword| keyword.spellings().contains(&word))
    }

    /// Returns the keyword spelling that `word` may have been meant to be: in other case, cut short, or with a slip.
    pub fn closest(word: &str) -> Option<&'static str> {
        let word = word.to_ascii_uppercase();
        let spellings = || Keyword::ALL.iter().flat_map(|keyword| keyword.spellings().iter().copied());
        let same = spellings().find(|spelling| *spelling == word || is_abbreviation(&word, spelling));
        same.or_else(|| base::nearest(&word, spellings()))
    }

    pub(super) fn shape(self) -> StatementForm {
        match self {
            Keyword::Specification
            | Keyword::Init
            | Keyword::Next
            | Keyword::Symmetry
            | Keyword::View
            | Keyword::Alias
            | Keyword::Periodic
            | Keyword::RlReward => StatementForm::OneName,
            Keyword::Constant => StatementForm::Assignments,
            Keyword::Invariant
            | Keyword::Property
            | Keyword::Constraint
            | Keyword::ActionConstraint
            | Keyword::Postcondition
            | Keyword::Possible => StatementForm::Names,
            Keyword::CheckDeadlock => StatementForm::Flag,
        }
    }
}

/// Whether a word is a part of a spelling, of at least three letters, at the start or the end: `SPEC`, `PROP`, `INV`,
/// `DEADLOCK`.
fn is_abbreviation(word: &str, spelling: &str) -> bool {
    word.len() >= 3 && (spelling.starts_with(word) || spelling.trim_start_matches('_') == word)
        || word.len() >= 6 && spelling.ends_with(word)
}

#[cfg(test)]
mod tests {
    use super::Keyword;

    #[test]
    fn every_spelling_parses_back_to_its_keyword() {
        for &keyword in Keyword::ALL {
            for spelling in keyword.spellings() {
                assert_eq!(Keyword::parse(spelling), Some(keyword));
            }
        }
        assert_eq!(Keyword::parse("Invariant"), None);
    }

    #[test]
    fn misspellings_find_the_keyword_that_was_meant() {
        let check = |word: &str, expected| assert_eq!(Keyword::closest(word), expected, "{word}");
        check("INVARAINT", Some("INVARIANT"));
        check("invariants", Some("INVARIANTS"));
        check("SPEC", Some("SPECIFICATION"));
        check("PROPERTYS", Some("PROPERTY"));
        check("CONSTRIANTS", Some("CONSTRAINTS"));
        check("DEADLOCK", Some("CHECK_DEADLOCK"));
        check("POSSIBLE", Some("_POSSIBLE"));
        check("TypeOK", None);
        check("x", None);
        check("", None);
    }
}
