//! The environment in which an expression of a document is evaluated: registers, random numbers that are always the
//! same, and a folder of its own to write to.

use std::cell::{Cell, RefCell};
use std::io;
use std::path::PathBuf;

use base::FxHashMap;
use eval::world::{self, Finished, Opening};
use eval::{Fact, Owned, Register, Run, World};

pub struct Surroundings {
    printed: RefCell<Vec<String>>,
    registers: RefCell<FxHashMap<Register, Owned>>,
    dice: Cell<u64>,
    world: Folder,
}

impl Surroundings {
    pub fn new() -> Surroundings {
        Surroundings {
            printed: RefCell::default(),
            registers: RefCell::default(),
            dice: Cell::new(1),
            world: Folder::new(),
        }
    }

    pub fn printed(&self) -> Vec<String> {
        self.printed.borrow().clone()
    }
}

impl Run for Surroundings {
    fn print(&self, line: &str) {
        self.printed.borrow_mut().extend(line.lines().map(str::to_owned));
    }

    fn register(&self, register: &Register) -> Option<Owned> {
        self.registers.borrow().get(register).cloned()
    }

    fn set_register(&self, register: Register, value: Owned) -> bool {
        self.registers.borrow_mut().insert(register, value);
        true
    }

    fn fact(&self, fact: Fact) -> Option<Owned> {
        (fact == Fact::Level).then_some(Owned::Int(0))
    }

    fn random(&self) -> Option<u64> {
        let next =
            self.dice.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.dice.set(next);
        Some(next ^ (next >> 31))
    }

    fn world(&self) -> &dyn World {
        &self.world
    }
}

/// The machine, with paths relative to a folder that is made for one expression.
struct Folder {
    folder: PathBuf,
    machine: world::Machine,
}

impl Folder {
    fn new() -> Folder {
        let environment = vec![("SOME_VARIABLE".to_owned(), "some value".to_owned())];
        let folder = std::env::temp_dir().join(format!("specline-lang-{}", std::process::id()));
        Folder { folder, machine: world::Machine { environment, sandbox: None } }
    }

    fn path(&self, path: &str) -> String {
        self.folder.join(path).display().to_string()
    }
}

impl World for Folder {
    fn epoch_seconds(&self) -> Option<u64> {
        self.machine.epoch_seconds()
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.machine.environment()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.machine.read(&self.path(path))
    }

    fn write(&self, path: &str, contents: &[u8], opening: Opening) -> io::Result<()> {
        self.machine.write(&self.path(path), contents, opening)
    }

    fn execute(&self, command: &[String], environment: &[(String, String)]) -> io::Result<Finished> {
        self.machine.execute(command, environment)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // In most cases nothing was written.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
