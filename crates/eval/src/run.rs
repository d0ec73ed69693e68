//! What evaluation needs from the run around it: registers, counters, random numbers, a place for output, the
//! trace so far, and the world outside.
//!
//! A search gives each worker's machine a [`Run`]. Everything has a default answer, "there is none here", so
//! that an expression can be evaluated without a search; what then has no value is a fault at its place. A
//! `Run` belongs to one thread and is asked through `&self`: what changes in it is in cells.

use diag::Span;
use value::Atom;

use crate::owned::Owned;
use crate::world::{NO_WORLD, World};

/// What `TLCSet` writes and `TLCGet` reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// `TLCSet(1, v)`
    Index(u64),
    /// `TLCSet("s:name", v)`, with its prefix; also `"-Dname"`, a property of the process in TLC.
    Named(Atom),
}

/// A value that the run itself has, by the name that `TLCGet` knows it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// `"level"`: 1 in an initial state. In Next, action constraints and action properties the level of the
    /// current state, in invariants and constraints that of the state they are about; 0 while there is none.
    Level,
    Diameter,
    Generated,
    Distinct,
    Queue,
    /// Whole seconds since the run began.
    Duration,
    /// Records and sets of records (contract 3.11).
    Stats,
    Config,
    Spec,
    Revision,
    Action,
    /// `"all"`: for each integer register that any worker has set, the tuple of the workers' values.
    AllIndexed,
    /// `"all:named"`: likewise for the named ones.
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

/// What `TLCSet` can ask of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// `TLCSet("exit", TRUE)`: stop soon, as a success.
    Exit,
    /// `TLCSet("pause", TRUE)`
    Pause,
}

/// The run that a machine evaluates for.
pub trait Run {
    /// A line of `Print` or `PrintT`, without its line break. It may have several lines when a value is wide.
    fn print(&self, line: &str) {
        let _ = line;
    }

    /// The value of a register of this worker, if it was set.
    fn register(&self, register: &Register) -> Option<Owned> {
        let _ = register;
        None
    }

    /// Sets a register of this worker, or of all workers while none has started. `false` when there are no
    /// registers here.
    fn set_register(&self, register: Register, value: Owned) -> bool {
        let _ = (register, value);
        false
    }

    /// A value of the run, if it has one.
    fn fact(&self, fact: Fact) -> Option<Owned> {
        let _ = fact;
        None
    }

    fn request(&self, request: Request) {
        let _ = request;
    }

    /// The next 64 random bits. A breadth-first search seeds them anew for each state that it expands, so that
    /// a trace can be made again; `None` where nothing may depend on chance.
    fn random(&self) -> Option<u64> {
        None
    }

    /// A place as TLC writes it, `line 1, col 2 to line 3, col 4 of module M`, if the sources are at hand.
    fn place(&self, span: Span) -> Option<String> {
        let _ = span;
        None
    }

    /// Whether evaluation should end: time, memory, Ctrl-C. Asked now and then in long enumerations.
    fn is_over(&self) -> bool {
        false
    }

    /// The clock, environment, files and processes.
    fn world(&self) -> &dyn World {
        &NO_WORLD
    }
}

/// No run: for constants of a configuration, tests, expressions on their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRun;

impl Run for NoRun {}
