//! What an audit says.

use check::{ActionCoverage, Counts, IdlePart, Limit, NoVerdict, Property};
use diag::{Diagnostic, Diagnostics};
use trace::Trace;

use crate::mutant::Mutant;

/// Everything that comes out of an audit.
#[derive(Debug)]
pub struct Report {
    pub base: Base,
    /// In the order of the text.
    pub judged: Vec<Judged>,
    /// Each property, and how many mutants it was the first to catch.
    pub properties: Vec<Tallied>,
    /// Parts of properties that never came to say anything.
    pub idle: Vec<IdlePart>,
    /// Actions without a successor in any state that was seen.
    pub never_enabled: Vec<ActionCoverage>,
    /// Properties that walks do not look at.
    pub unwatched: Vec<String>,
    pub warnings: Vec<Diagnostic>,
    pub is_interrupted: bool,
}

/// How the specification as it is was explored, and each mutant likewise.
#[derive(Clone, Debug)]
pub enum Base {
    /// Every state.
    Exhaustive(Counts),
    /// So many random walks of at most so many steps, which were in so many states; and of mutants the first so many
    /// states besides.
    Simulated { n_walks: u64, depth: u32, seed: u64, n_states: u64, n_first: u64 },
}

#[derive(Clone, Debug)]
pub struct Tallied {
    pub property: Property,
    pub n_caught: u64,
    /// It reads no variable: it is TRUE whatever the specification does.
    pub is_constant: bool,
    /// Whether some mutant that was caught was seen to make it fail, alone; nothing if that was not found out.
    pub fails_somewhere: Option<bool>,
    /// It holds in every state in which this invariant does, reached or not.
    pub implied_by: Option<String>,
}

#[derive(Debug)]
pub struct Judged {
    pub mutant: Mutant,
    pub verdict: Verdict,
}

/// What became of a mutant.
#[derive(Debug)]
pub enum Verdict {
    /// A property is violated.
    Caught { property: Property, trace: Option<Box<Trace>> },
    /// It cannot be evaluated, or `Assert` fails: noticed, but not by a property.
    Failed(Box<NoVerdict>),
    /// No property is violated.
    Survived(Survival),
    /// Nothing was found out.
    Undecided(Why),
    /// It is no specification that can be run.
    Invalid(Diagnostics),
}

/// What is known about a mutant that nothing caught.
#[derive(Debug)]
pub enum Survival {
    /// It has other behaviours, or lacks some.
    Differs(Option<Box<Difference>>),
    /// It has the same initial states and the same steps between the same states.
    Same,
    /// Neither was shown.
    Unknown(Doubt),
}

/// A behaviour that one has and the other has not.
#[derive(Debug)]
pub struct Difference {
    pub direction: Direction,
    /// It was shown that there is no difference in the other direction.
    pub is_all: bool,
    /// The last step, or the initial state, is what the other does not allow.
    pub trace: Option<Box<Trace>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The mutant does what the specification does not.
    More,
    /// The mutant does not do what the specification does.
    Less,
}

/// Why it is not known whether a mutant is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// No step on the walks was another.
    NotMet,
    /// Comparing them ended at a limit, or part of it has no value.
    NotCompared,
}

/// Why there is nothing to say about a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Limit(Limit),
    /// Its turn did not come, or it was not finished.
    NoTime,
    Interrupted,
    /// The machine failed.
    Machine,
}

/// Why nothing was audited.
#[derive(Debug)]
pub enum Refusal {
    /// The specification cannot be run.
    Unreadable(Diagnostics),
    /// The specification as it is has an error, or no answer.
    Base(Box<Result<check::Verdict, NoVerdict>>),
}

impl Tallied {
    pub(crate) fn new(property: Property, is_constant: bool) -> Tallied {
        Tallied { property, n_caught: 0, is_constant, fails_somewhere: None, implied_by: None }
    }

    /// It is a constant, or fails only where another invariant does too.
    pub fn cannot_fail(&self) -> bool {
        self.is_constant || self.implied_by.is_some()
    }
}

impl Verdict {
    /// Nothing caught it, and all that it does the specification does too.
    pub fn is_lesser(&self) -> bool {
        match self {
            Verdict::Survived(Survival::Differs(Some(difference))) => {
                difference.direction == Direction::Less && difference.is_all
            }
            Verdict::Survived(_)
            | Verdict::Caught { .. }
            | Verdict::Failed(_)
            | Verdict::Undecided(_)
            | Verdict::Invalid(_) => false,
        }
    }
}

impl Report {
    pub fn n_caught(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Caught { .. }))
    }

    pub fn n_failed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_)))
    }

    /// No property caught them, and they behave otherwise.
    pub fn n_missed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Survived(Survival::Differs(_))))
    }

    /// Of these, those that do nothing that the specification does not: no property of states or steps can catch them.
    pub fn n_lesser(&self) -> usize {
        self.count(Verdict::is_lesser)
    }

    pub fn n_same(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Survived(Survival::Same)))
    }

    /// No property caught them, and no difference was shown.
    pub fn n_unknown(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Survived(Survival::Unknown(_))))
    }

    pub fn n_undecided(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Undecided(_)))
    }

    pub fn n_invalid(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Invalid(_)))
    }

    /// The share of mutants that a property caught, of those that one should have caught.
    pub fn score(&self) -> Option<f64> {
        let n_told = self.n_caught() + self.n_missed();
        (n_told > 0).then(|| self.n_caught() as f64 / n_told as f64)
    }

    fn count(&self, is_counted: impl Fn(&Verdict) -> bool) -> usize {
        self.judged.iter().filter(|judged| is_counted(&judged.verdict)).count()
    }
}
