//! Output that a report writes while a search runs. The search cannot handle a failure to write, so the
//! failure is kept until the end. If the reader is gone, the search is interrupted.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub struct Output {
    /// The first failure to write.
    failed: Mutex<Option<io::Error>>,
    interrupted: Arc<AtomicBool>,
}

impl Output {
    pub fn new(interrupted: Arc<AtomicBool>) -> Self {
        Output { failed: Mutex::new(None), interrupted }
    }

    /// Keeps a failure.
    pub fn keep(&self, written: io::Result<()>) {
        let Err(error) = written else { return };
        if error.kind() == io::ErrorKind::BrokenPipe {
            self.give_up();
        }
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Whether something could not be written: then further output is pointless.
    pub fn has_failed(&self) -> bool {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Asks the run to end: nothing that it does from here on can be kept.
    pub fn give_up(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// The first failure, if there was one.
    pub fn finish(&self) -> io::Result<()> {
        match self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
