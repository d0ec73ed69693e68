//! The classes of mistakes that are made on purpose.

/// The kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A conjunct that is not an update is left out.
    Conjunct,
    /// A comparison holds more often: `<` becomes `<=`, `=` becomes TRUE.
    Comparison,
    /// A variable, or a part of it, keeps its value.
    Update,
    /// Half is enough where a majority was required.
    Quorum,
    /// One is enough where all were required: `\A` becomes `\E`.
    Quantifier,
}

impl Class {
    pub const ALL: [Class; 5] =
        [Class::Conjunct, Class::Comparison, Class::Update, Class::Quorum, Class::Quantifier];

    pub fn name(self) -> &'static str {
        match self {
            Class::Conjunct => "conjunct",
            Class::Comparison => "comparison",
            Class::Update => "update",
            Class::Quorum => "quorum",
            Class::Quantifier => "quantifier",
        }
    }
}
