//! Whether the system gives as many threads as workers need: asked before a long run, and not found out in the middle of it.

use std::sync::{Mutex, PoisonError};

use diag::{Code, Diagnostic};
use model::STACK_BYTES;

/// Returns an error if `n_workers` workers and the thread that waits for them cannot all be started.
pub fn refuse(n_workers: usize) -> Option<Diagnostic> {
    let gate = Mutex::new(());
    let mut failure = None;
    let mut n_started = 0;
    std::thread::scope(|scope| {
        // All of them are there at once: none ends before the gate is open.
        let _closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
        while failure.is_none() && n_started <= n_workers {
            let wait = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
            match base::try_spawn_deep(scope, STACK_BYTES, wait) {
                Ok(_) => n_started += 1,
                Err(error) => failure = Some(error),
            }
        }
    });
    let error = failure?;
    let headline = format!("{} threads are needed, and only {n_started} can be started", n_workers + 1);
    let help =
        "ask for fewer `--workers`, or raise what limits them: `ulimit -u`, `ulimit -v`, a control group";
    Some(Diagnostic::without_place(Code::TooFewThreads, headline).note(error.to_string()).help(help))
}
