//! Exploration as evaluation sees it: what is printed is kept, registers and random numbers last from one expression to
//! the next.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

use diag::Span;
use eval::{Fact, Owned, Register, Run, World};
use model::{QuietRun, Registers};
use sema::Spec;
use value::Region;

/// The surroundings of all evaluations.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Memory that values under computation may take.
    pub memory_bytes_max: usize,
    /// Seed of the random operators.
    pub seed: u64,
    /// Set when the user wants an evaluation to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// The state that evaluations leave behind for the next.
#[derive(Default)]
pub(crate) struct Memory {
    registers: RefCell<Registers>,
    random: Cell<Option<u64>>,
}

pub(crate) struct ExploreRun<'a> {
    settings: &'a Settings<'a>,
    spec: &'a Spec,
    memory: &'a Memory,
    level: Cell<u32>,
    is_quiet: Cell<bool>,
    printed: RefCell<Vec<String>>,
}

impl<'a> ExploreRun<'a> {
    pub fn new(settings: &'a Settings<'a>, spec: &'a Spec, memory: &'a Memory) -> ExploreRun<'a> {
        ExploreRun {
            settings,
            spec,
            memory,
            level: Cell::new(0),
            is_quiet: Cell::new(false),
            printed: RefCell::default(),
        }
    }

    /// Sets the level of the current state: 1 for an initial one, 0 without a state.
    pub fn stand_at(&self, level: u32) {
        self.level.set(level);
    }

    /// Returns what was printed since this was last called.
    pub fn take_printed(&self) -> Vec<String> {
        self.printed.take()
    }
}

impl QuietRun for ExploreRun<'_> {
    fn region(&self) -> Region {
        Region::with_limit(self.settings.memory_bytes_max)
    }

    fn set_quiet(&self, is_quiet: bool) -> bool {
        self.is_quiet.replace(is_quiet)
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for ExploreRun<'_> {
    fn print(&self, line: &str) {
        if !self.is_quiet.get() {
            self.printed.borrow_mut().push(line.to_owned());
        }
    }

    fn register(&self, register: &Register) -> Option<Owned> {
        self.memory.registers.borrow().get(register).cloned()
    }

    fn set_register(&self, register: Register, value: Owned) -> bool {
        self.memory.registers.borrow_mut().insert(register, value);
        true
    }

    fn fact(&self, fact: Fact) -> Option<Owned> {
        match fact {
            Fact::Level | Fact::Diameter => Some(Owned::Int(i64::from(self.level.get()))),
            Fact::Duration => Some(Owned::count(self.settings.clock.elapsed().as_secs())),
            Fact::Revision => Some(model::revision()),
            Fact::Action => Some(model::unnamed_action()),
            // There is no search that has counted anything.
            Fact::Generated | Fact::Distinct | Fact::Queue | Fact::Stats => None,
            Fact::Config | Fact::Spec | Fact::Predecessors => None,
            Fact::AllIndexed | Fact::AllNamed | Fact::CounterExample => None,
            Fact::TeTrace | Fact::TePosition => None,
        }
    }

    fn random(&self) -> Option<u64> {
        Some(model::draw(&self.memory.random, || self.settings.seed))
    }

    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.spec, span))
    }

    fn is_over(&self) -> bool {
        self.settings.interrupted.load(Ordering::Relaxed)
    }

    fn world(&self) -> &dyn World {
        self.settings.world
    }
}
