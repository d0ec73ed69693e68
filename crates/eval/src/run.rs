//! The run around an evaluation: registers, counters, random numbers, a place for output, the trace so far, and the
//! world outside.
//!
//! A search gives each worker's machine a [`Run`]. Everything has a default answer, "there is none here", so that an
//! expression can be evaluated without a search. An expression that then has no value is a fault at its place. A `Run`
//! belongs to one thread and is used through `&self`, so its mutable parts are in cells.

use diag::Span;
use value::Atom;

use crate::owned::Owned;
use crate::world::{NO_WORLD, World};

/// A register that `TLCSet` writes and `TLCGet` reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// `TLCSet(1, v)`
    Index(u64),
    /// `TLCSet("s:name", v)`, with its prefix; also `"-Dname"`, a property of the process in TLC.
    Named(Atom),
}

/// A value of the run itself, by its name in `TLCGet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// `"level"`: 1 in an initial state. In Next, action constraints and action properties it is the level of the
    /// current state. In invariants and constraints it is that of the state they are about. It is 0 while there is no
    /// state.
    Level,
    Diameter,
    Generated,
    Distinct,
    Queue,
    /// `"duration"`: whole seconds since the run began.
    Duration,
    /// `"stats"`. This and the next four are records and sets of records (contract 3.11).
    Stats,
    Config,
    Spec,
    Revision,
    Action,
    /// `"all"`: for each integer register that any worker has set, the tuple of the workers' values.
    AllIndexed,
    /// `"all:named"`: for each named register that any worker has set, the tuple of the workers' values.
    AllNamed,
    /// `Trace` without its last element: a tuple of the states, as records, that led to the machine's current
    /// one, oldest first.
    Predecessors,
    /// `CounterExample`; `None` when nothing is violated.
    CounterExample,
    /// `_TETrace` and `_TEPosition` of Toolbox.
    TeTrace,
    TePosition,
}

/// A request of `TLCSet` to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// `TLCSet("exit", TRUE)`: stop soon, as a success.
    Exit,
    /// `TLCSet("pause", TRUE)`
    Pause,
}

/// The run that a machine evaluates for.
pub trait Run {
    /// Prints a line of `Print` or `PrintT`, given without its line break. It may have several lines when a value is
    /// wide.
    fn print(&self, line: &str) {
        let _ = line;
    }

    /// Returns the value of a register of this worker, if it was set.
    fn register(&self, register: &Register) -> Option<Owned> {
        let _ = register;
        None
    }

    /// Sets a register of this worker, or of all workers while none has started. Returns `false` when there are no
    /// registers here.
    fn set_register(&self, register: Register, value: Owned) -> bool {
        let _ = (register, value);
        false
    }

    /// Returns a value of the run, if it has one.
    fn fact(&self, fact: Fact) -> Option<Owned> {
        let _ = fact;
        None
    }

    fn request(&self, request: Request) {
        let _ = request;
    }

    /// Returns the next 64 random bits. A breadth-first search seeds them anew for each state that it expands, so that
    /// a trace can be rebuilt. `None` where nothing may depend on chance.
    fn random(&self) -> Option<u64> {
        None
    }

    /// Returns a place as TLC writes it, `line 1, col 2 to line 3, col 4 of module M`, if the sources are at hand.
    fn place(&self, span: Span) -> Option<String> {
        let _ = span;
        None
    }

    /// Whether evaluation should end because of time, memory or Ctrl-C. Called from time to time in long enumerations.
    fn is_over(&self) -> bool {
        false
    }

    /// Returns access to the clock, environment, files and processes.
    fn world(&self) -> &dyn World {
        &NO_WORLD
    }
}

/// No run, for constants of a configuration, tests, and expressions on their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRun;

impl Run for NoRun {}
