//! Retracing as evaluation sees it: the level, the states before, registers. Nothing is printed.

use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;

use diag::Span;
use eval::{Fact, Owned, Register, Run, World};
use model::{Model, QuietRun, Registers};
use value::Region;

use crate::walk::Options;

pub(crate) struct RetraceRun<'a> {
    options: &'a Options<'a>,
    model: Model<'a>,
    level: Cell<u32>,
    history: RefCell<Vec<Owned>>,
    registers: RefCell<Registers>,
    /// The state of the random numbers, once one was asked for in the state of this level.
    random: Cell<Option<u64>>,
}

impl<'a> RetraceRun<'a> {
    pub fn new(model: Model<'a>, options: &'a Options<'a>) -> Self {
        RetraceRun {
            options,
            model,
            level: Cell::new(0),
            history: RefCell::default(),
            registers: RefCell::default(),
            random: Cell::new(None),
        }
    }

    /// The current state has this level, and came after these.
    pub fn stand_at(&self, level: u32, before: Vec<Owned>) {
        self.level.set(level);
        self.random.set(None);
        *self.history.borrow_mut() = before;
    }

    fn config(&self) -> Owned {
        Owned::record([
            ("mode", Owned::text("bfs")),
            ("deadlock", Owned::Bool(self.options.check_deadlock)),
            ("seed", Owned::text(self.options.seed.to_string())),
            ("worker", Owned::Int(1)),
            ("install", Owned::text("specline")),
        ])
    }
}

impl QuietRun for RetraceRun<'_> {
    fn region(&self) -> Region {
        Region::with_limit(self.options.memory_bytes_max)
    }

    /// Does nothing: the run is always quiet.
    fn set_quiet(&self, _: bool) -> bool {
        true
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for RetraceRun<'_> {
    fn register(&self, register: &Register) -> Option<Owned> {
        self.registers.borrow().get(register).cloned()
    }

    fn set_register(&self, register: Register, value: Owned) -> bool {
        self.registers.borrow_mut().insert(register, value);
        true
    }

    fn fact(&self, fact: Fact) -> Option<Owned> {
        match fact {
            Fact::Level | Fact::Diameter => Some(Owned::Int(i64::from(self.level.get()))),
            Fact::Duration => Some(Owned::count(self.options.clock.elapsed().as_secs())),
            Fact::Config => Some(self.config()),
            Fact::Revision => Some(model::revision()),
            Fact::Spec => Some(model::describe(self.model, &[])),
            Fact::Predecessors => Some(Owned::Sequence(self.history.borrow().clone())),
            // There is no search that has counted anything.
            Fact::Generated | Fact::Distinct | Fact::Queue | Fact::Stats => None,
            Fact::Action => Some(model::unnamed_action()),
            Fact::AllIndexed | Fact::AllNamed | Fact::CounterExample => None,
            Fact::TeTrace | Fact::TePosition => None,
        }
    }

    /// Returns the next random number. LIMIT: only for initial states are they those of the search that found
    /// the trace. A random choice in a step may differ.
    fn random(&self) -> Option<u64> {
        Some(model::draw(&self.random, || self.options.seed ^ u64::from(self.level.get()) << 32))
    }

    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        self.options.interrupted.load(Ordering::Relaxed)
    }

    fn world(&self) -> &dyn World {
        self.options.world
    }
}
