//! Machine code made by several workers at once: one generates functions, and idle workers compile them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cranelift_codegen::Context as Codegen;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_module::FuncId;

/// Limit on the functions that wait. Beyond it the generating worker compiles too, because functions take much memory.
const N_RAW_MAX: usize = 2;

/// The queue in which functions wait for workers.
#[derive(Default)]
pub struct Forge {
    state: Mutex<ForgeState>,
    changed: Condvar,
}

#[derive(Default)]
struct ForgeState {
    is_open: bool,
    raw: Vec<ForgedFunction>,
    n_begun: usize,
    done: Vec<ForgedFunction>,
}

/// A function, and its code: none if it cannot be finished.
pub(crate) struct ForgedFunction {
    pub id: FuncId,
    pub codegen: Codegen,
    pub isa: OwnedTargetIsa,
}

/// A function that is being compiled, whatever the outcome.
struct Begun<'f>(&'f Forge);

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.state().n_begun -= 1;
        self.0.changed.notify_all();
    }
}

/// The right to add functions. When it is dropped, helpers leave.
pub(crate) struct Open<'f>(&'f Forge);

impl std::fmt::Debug for Forge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Forge({} functions wait)", self.state().raw.len())
    }
}

impl Forge {
    /// Compiles functions as long as more may come. Does nothing if nobody adds any.
    pub fn help(&self) {
        let mut state = self.state();
        while state.is_open {
            state = match state.raw.pop() {
                Some(piece) => self.make(state, piece),
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Opens the forge for one user at a time.
    pub(crate) fn open(&self) -> Open<'_> {
        self.state().is_open = true;
        Open(self)
    }

    fn state(&self) -> MutexGuard<'_, ForgeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make<'f>(
        &'f self,
        mut state: MutexGuard<'f, ForgeState>,
        mut piece: ForgedFunction,
    ) -> MutexGuard<'f, ForgeState> {
        state.n_begun += 1;
        drop(state);
        let begun = Begun(self);
        // If it fails, the code is missing.
        let _ = piece.codegen.compile(&*piece.isa, &mut ControlPlane::default());
        self.state().done.push(piece);
        drop(begun);
        self.state()
    }
}

impl Open<'_> {
    /// Adds a function, and returns those that were finished meanwhile.
    pub fn push(&self, piece: ForgedFunction) -> Vec<ForgedFunction> {
        let mut state = self.0.state();
        state.raw.push(piece);
        self.0.changed.notify_all();
        while state.raw.len() > N_RAW_MAX {
            state = self.make_one(state);
        }
        std::mem::take(&mut state.done)
    }

    /// Returns all remaining functions.
    pub fn finish(&self) -> Vec<ForgedFunction> {
        let mut state = self.0.state();
        while !state.raw.is_empty() {
            state = self.make_one(state);
        }
        while state.n_begun > 0 {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::take(&mut state.done)
    }

    fn make_one<'f>(&'f self, mut state: MutexGuard<'f, ForgeState>) -> MutexGuard<'f, ForgeState> {
        match state.raw.pop() {
            Some(piece) => self.0.make(state, piece),
            None => state,
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_open = false;
        // Functions that are no longer wanted must not be mistaken for those of the next time.
        state.raw.clear();
        self.0.changed.notify_all();
        while state.n_begun > 0 {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.done.clear();
    }
}
