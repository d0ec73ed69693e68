//! The report of an audit.

use check::Counts;
use diag::{Diagnostic, Diagnostics};
use model::{ActionCoverage, IdlePart, Limit, NoVerdict, Property};
use trace::Trace;

use crate::mutant::Mutant;

/// The result of an audit.
#[derive(Debug)]
pub struct Report {
    pub base: Base,
    /// The mutants in the order of the text, with their verdicts.
    pub judged: Vec<Judged>,
    /// Each property, with the number of mutants that it was the first to catch.
    pub properties: Vec<Tallied>,
    /// Parts of properties that never had an effect.
    pub idle: Vec<IdlePart>,
    /// Actions without a successor in any state that was seen.
    pub never_enabled: Vec<ActionCoverage>,
    /// Properties that walks do not check.
    pub unwatched: Vec<String>,
    pub warnings: Vec<Diagnostic>,
    pub is_interrupted: bool,
}

/// The way in which the specification as it is, and each mutant, was explored.
#[derive(Clone, Debug)]
pub enum Base {
    /// Every state was visited.
    Exhaustive(Counts),
    /// This many random walks of at most this many steps visited this many states; for mutants, the first `n_first`
    /// states were searched besides.
    Simulated { n_walks: u64, depth: u32, seed: u64, n_states: u64, n_first: u64 },
}

#[derive(Clone, Debug)]
pub struct Tallied {
    pub property: Property,
    pub n_caught: u64,
    /// Whether it reads no variable, so that it is TRUE whatever the specification does.
    pub is_constant: bool,
    /// Whether some mutant that was caught makes it fail when it is checked alone; `None` if that was not determined.
    pub fails_somewhere: Option<bool>,
    /// The invariant that implies it, in every state, reached or not.
    pub implied_by: Option<String>,
}

#[derive(Debug)]
pub struct Judged {
    pub mutant: Mutant,
    pub verdict: Verdict,
}

/// The verdict on a mutant.
#[derive(Debug)]
pub enum Verdict {
    /// A property is violated.
    Caught { property: Property, trace: Option<Box<Trace>> },
    /// It cannot be evaluated, or `Assert` fails: the mistake is noticed, but not by a property.
    Failed(Box<NoVerdict>),
    /// No property is violated.
    Survived(Survival),
    /// Nothing was determined.
    Undecided(Why),
    /// It is not a specification that can be run.
    Invalid(Diagnostics),
}

/// The facts about a mutant that nothing caught.
#[derive(Debug)]
pub enum Survival {
    /// It has other behaviours, or lacks some.
    Differs(Option<Box<Difference>>),
    /// It has the same initial states and the same steps between the same states.
    Same,
    /// Neither was shown.
    Unknown(Doubt),
}

/// A behaviour that one of the two has and the other does not.
#[derive(Debug)]
pub struct Difference {
    pub direction: Direction,
    /// Whether it was shown that there is no difference in the other direction.
    pub is_all: bool,
    /// A trace whose last step, or whose initial state, the other does not allow.
    pub trace: Option<Box<Trace>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The mutant does something that the specification does not.
    More,
    /// The mutant does not do something that the specification does.
    Less,
}

/// The reason why it is not known whether a mutant is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// No step on the walks was different.
    NotMet,
    /// The comparison ended at a limit, or part of it has no value.
    NotCompared,
}

/// The reason why nothing is known about a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Limit(Limit),
    /// Its turn did not come, or it was not finished.
    NoTime,
    Interrupted,
    /// The machine failed.
    Machine,
}

/// The reason why nothing was audited.
#[derive(Debug)]
pub enum Refusal {
    /// The specification cannot be run.
    Unreadable(Diagnostics),
    /// The specification as it is has an error, or no answer.
    Base(Box<Result<model::Verdict, NoVerdict>>),
}

impl Tallied {
    pub(crate) fn new(property: Property, is_constant: bool) -> Tallied {
        Tallied { property, n_caught: 0, is_constant, fails_somewhere: None, implied_by: None }
    }

    /// Whether it is a constant, or fails only where another invariant fails too.
    pub fn cannot_fail(&self) -> bool {
        self.is_constant || self.implied_by.is_some()
    }
}

impl Verdict {
    /// Whether nothing caught it, and the specification does everything that it does.
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

    /// Returns the number of mutants that no property caught and that behave differently.
    pub fn n_missed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Survived(Survival::Differs(_))))
    }

    /// Returns the number of missed mutants that only lack behaviours: no property of states or steps can catch them.
    pub fn n_lesser(&self) -> usize {
        self.count(Verdict::is_lesser)
    }

    pub fn n_same(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Survived(Survival::Same)))
    }

    /// Returns the number of mutants that no property caught and for which no difference was shown.
    pub fn n_unknown(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Survived(Survival::Unknown(_))))
    }

    pub fn n_undecided(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Undecided(_)))
    }

    pub fn n_invalid(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Invalid(_)))
    }

    /// Returns the share of mutants that a property caught, among those that one should have caught.
    pub fn score(&self) -> Option<f64> {
        let n_told = self.n_caught() + self.n_missed();
        (n_told > 0).then(|| self.n_caught() as f64 / n_told as f64)
    }

    fn count(&self, is_counted: impl Fn(&Verdict) -> bool) -> usize {
        self.judged.iter().filter(|judged| is_counted(&judged.verdict)).count()
    }
}
