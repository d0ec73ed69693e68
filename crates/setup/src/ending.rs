//! How a run ended, and the exit code that says so. `docs/exit-codes.md` is the user's copy.

use std::process::ExitCode;

use diag::{Code, Diagnostic, World};

/// How a run ended, from best to worst: of several endings the worst is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// It did what was asked and found no error.
    Ok,
    /// There were warnings, and `--deny warnings` was given.
    WarningsDenied,
    /// A module has semantic errors, with the exit code of SANY.
    Meaning,
    /// A search ended at a limit that the user set.
    Limit,
    /// A specification has no initial state.
    NoInitialState,
    /// Two traces are not the same.
    Different,
    /// A trace is no behaviour of the specification.
    NoBehaviour,
    /// No behaviour of the specification explains a log.
    Rejected,
    /// An audit found a mutant that no property catches, or a property that cannot fail.
    Missed,
    /// A search did not end as it was expected to.
    Unexpected,
    /// A coarse grain does not preserve interaction.
    NotPreserved,
    /// A program does something else than its specification.
    Diverged,
    /// A process that is watched sent what its specification does not allow.
    Alarm,
    /// A behaviour cannot be carried out on a program.
    CouldNot,
    /// An event could not be carried out on the stage, or was not as expected.
    StageFailed,
    /// The user ended it.
    Interrupted,
    /// An assumption or a postcondition does not hold.
    Assumption,
    Deadlock,
    Invariant,
    /// A property of steps or of initial states.
    Property,
    /// `Assert` failed.
    Assert,
    /// An initial state or a step could not be evaluated.
    Undefined,
    /// An invariant could not be evaluated.
    UndefinedInvariant,
    /// A property of behaviours cannot be violated.
    Tautology,
    /// The command line makes no sense.
    BadUsage,
    /// A configuration does not fit its specification.
    ConfigError,
    /// A specification has syntax or semantic errors.
    SpecError,
    /// A configuration cannot be parsed, or a file cannot be read.
    Unreadable,
    /// Specline has a bug.
    Bug,
}

impl Ending {
    pub fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    /// Returns the exit code: TLC's, where TLC has one.
    pub fn number(self) -> u8 {
        match self {
            Ending::Ok => 0,
            Ending::BadUsage => 1,
            Ending::Meaning => 4,
            Ending::Assumption => 10,
            Ending::Deadlock => 11,
            Ending::Invariant => 12,
            Ending::Property => 13,
            Ending::Assert => 14,
            Ending::WarningsDenied => 20,
            Ending::Limit => 21,
            Ending::NoInitialState => 22,
            Ending::Different => 23,
            Ending::StageFailed => 24,
            Ending::Missed => 25,
            Ending::NoBehaviour => 26,
            Ending::Unexpected => 27,
            Ending::Rejected => 28,
            Ending::Diverged => 29,
            Ending::CouldNot => 30,
            Ending::NotPreserved => 31,
            Ending::Alarm => 32,
            Ending::Bug => 70,
            Ending::Undefined => 75,
            Ending::UndefinedInvariant => 76,
            Ending::Tautology => 77,
            Ending::Interrupted => 130,
            Ending::SpecError => 150,
            Ending::ConfigError => 151,
            Ending::Unreadable => 255,
        }
    }

    /// Returns the ending of a run with this diagnostic; warnings alone are fine unless they are denied.
    pub fn of(diagnostic: &Diagnostic, deny_warnings: bool) -> Ending {
        if !diagnostic.is_error() {
            return if deny_warnings { Ending::WarningsDenied } else { Ending::Ok };
        }
        match diagnostic.code.world() {
            World::Spec => Ending::SpecError,
            World::Config if is_config_syntax(diagnostic.code) => Ending::Unreadable,
            World::Config => Ending::ConfigError,
            World::Machine => Ending::Unreadable,
            World::System => Ending::StageFailed,
            World::Ours => Ending::Bug,
        }
    }
}

/// Whether a code counts as a configuration that cannot be parsed. TLC: this exits with 255, as does a
/// temporal formula that cannot be checked; wrong names exit with 151.
fn is_config_syntax(code: Code) -> bool {
    let is_unread = matches!(code, Code::ConfigSyntax | Code::ConfigRepeated | Code::ConfigValue);
    is_unread || code == Code::ConfigTemporal
}
