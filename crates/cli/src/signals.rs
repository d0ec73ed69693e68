//! Ctrl-C and SIGTERM: the first asks a search to end, the second ends the program at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGXFSZ, TERM_SIGNALS};
use signal_hook::flag;

use crate::exit::Ending;

/// A flag that is set by SIGHUP: whoever sends it wants files to be read again.
pub fn watch_reload() -> io::Result<Arc<AtomicBool>> {
    let reloads = Arc::new(AtomicBool::new(false));
    flag::register(SIGHUP, reloads.clone())?;
    Ok(reloads)
}

/// A flag that is set by Ctrl-C and by SIGTERM.
pub fn watch() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        // In this order: the second signal finds the flag set by the first.
        flag::register_conditional_shutdown(
            signal,
            Ending::Interrupted.number().into(),
            interrupted.clone(),
        )?;
        flag::register(signal, interrupted.clone())?;
    }
    // A file may not grow further: with this signal ignored, the write fails with an error, which is
    // reported.
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(interrupted)
}
