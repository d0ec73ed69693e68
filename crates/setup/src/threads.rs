//! Whether the system gives as many threads as workers need: asked before a long run, and not found out in the middle of it.

use std::sync::{Mutex, PoisonError};

use diag::{Code, Diagnostic};
use model::STACK_BYTES;

/// Returns an error if `n_workers` workers and the thread that waits for them cannot all be started.
pub fn refuse(n_workers: usize) -> Option<Diagnostic> {
    let gate = Mutex::new(());
    let mut failure = None;
    let n_started = std::thread::scope(|scope| {
        let mut started = Vec::new();
        // All of them are there at once: none ends before the gate is open.
        let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
        while failure.is_none() && started.len() <= n_workers {
            let wait = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
            match base::try_spawn_deep(scope, STACK_BYTES, wait) {
                Ok(thread) => started.push(thread),
                Err(error) => failure = Some(error),
            }
        }
        drop(closed);
        // The end of the scope waits for what threads do. Their stacks stay until they are joined, and the workers need
        // the room.
        let n_started = started.len();
        started.into_iter().for_each(base::join);
        n_started
    });
    let error = failure?;
    let headline = format!("{} threads are needed, and only {n_started} can be started", n_workers + 1);
    let help =
        "ask for fewer `--workers`, or raise what limits them: `ulimit -u`, `ulimit -v`, a control group";
    Some(Diagnostic::without_place(Code::TooFewThreads, headline).note(error.to_string()).help(help))
}
