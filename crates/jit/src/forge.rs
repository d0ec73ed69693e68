//! Machine code made by several workers at once: one writes functions down, and whoever is free makes code of them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cranelift_codegen::Context as Codegen;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_module::FuncId;

/// So many functions wait at most; then whoever writes them down makes code itself. They take much memory.
const N_RAW_MAX: usize = 2;

/// Where functions wait for workers.
#[derive(Default)]
pub struct Forge {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_open: bool,
    raw: Vec<Piece>,
    n_begun: usize,
    done: Vec<Piece>,
}

/// A function, and the code made of it: none if it cannot be finished.
pub(crate) struct Piece {
    pub id: FuncId,
    pub codegen: Codegen,
    pub isa: OwnedTargetIsa,
}

/// A function of which code is being made, whatever comes of it.
struct Begun<'f>(&'f Forge);

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.state().n_begun -= 1;
        self.0.changed.notify_all();
    }
}

/// The right to write functions down; when it is dropped, helpers go.
pub(crate) struct Open<'f>(&'f Forge);

impl std::fmt::Debug for Forge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Forge({} functions wait)", self.state().raw.len())
    }
}

impl Forge {
    /// Makes code as long as there are functions to come. Nothing to do if nobody writes any down.
    pub fn help(&self) {
        let mut state = self.state();
        while state.is_open {
            state = match state.raw.pop() {
                Some(piece) => self.make(state, piece),
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// For one at a time.
    pub(crate) fn open(&self) -> Open<'_> {
        self.state().is_open = true;
        Open(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make<'f>(&'f self, mut state: MutexGuard<'f, State>, mut piece: Piece) -> MutexGuard<'f, State> {
        state.n_begun += 1;
        drop(state);
        let begun = Begun(self);
        // What went wrong is seen by the code that is not there.
        let _ = piece.codegen.compile(&*piece.isa, &mut ControlPlane::default());
        self.state().done.push(piece);
        drop(begun);
        self.state()
    }
}

impl Open<'_> {
    /// What was finished meanwhile.
    pub fn push(&self, piece: Piece) -> Vec<Piece> {
        let mut state = self.0.state();
        state.raw.push(piece);
        self.0.changed.notify_all();
        while state.raw.len() > N_RAW_MAX {
            state = self.make_one(state);
        }
        std::mem::take(&mut state.done)
    }

    /// All the rest.
    pub fn finish(&self) -> Vec<Piece> {
        let mut state = self.0.state();
        while !state.raw.is_empty() {
            state = self.make_one(state);
        }
        while state.n_begun > 0 {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::take(&mut state.done)
    }

    fn make_one<'f>(&'f self, mut state: MutexGuard<'f, State>) -> MutexGuard<'f, State> {
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
        // What nobody wants any more must not be taken for what is written down next time.
        state.raw.clear();
        self.0.changed.notify_all();
        while state.n_begun > 0 {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.done.clear();
    }
}
