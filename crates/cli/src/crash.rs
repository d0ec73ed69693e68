//! A panic is our bug: it is caught once, and reported as ours with what to send.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::Mutex;

use diag::{Code, Diagnostic};
use setup::Ending;

/// The message and place of the last panic; the hook writes it, [`guarded`] takes it.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Ends the program, which has no memory left. Allocates nothing.
#[expect(clippy::exit, reason = "whoever asked for memory cannot go on")]
pub fn end_without_memory() {
    let text = "error[SL0779]: out of memory\n  = help: choose smaller constants, or raise the limit (`ulimit -v`)\n";
    let _ = io::stderr().write_all(text.as_bytes());
    std::process::exit(Ending::Limit.number().into());
}

/// Runs `work`; a panic inside becomes a diagnostic, and nothing is printed for it on the way.
pub fn guard<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, Box<Diagnostic>> {
    panic::set_hook(Box::new(remember));
    let result = panic::catch_unwind(work);
    // Restores the default hook, which reports panics outside `work`.
    drop(panic::take_hook());
    result.map_err(|_| Box::new(report(take_last())))
}

fn remember(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("(no message)");
    let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    let mut text = format!("panicked at {place}: {message}");
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text = format!("{text}\n{backtrace}");
    }
    *LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(text);
}

fn take_last() -> String {
    let last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    last.unwrap_or_else(|| "panicked without a trace".to_owned())
}

fn report(panic: String) -> Diagnostic {
    let version = crate::VERSION;
    Diagnostic::without_place(Code::Internal, "specline stopped because of a bug in itself")
        .note(panic)
        .note(format!("specline {version}, {} {}", std::env::consts::OS, std::env::consts::ARCH))
        .help("please report it with this message, the command line and the files that it names")
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn a_panic_becomes_a_report_that_says_where() {
        assert_eq!(guard(|| 7).ok(), Some(7));
        let diagnostic = guard(|| panic!("lost {}", "a scope")).expect_err("it panics");
        let place = format!("crash.rs:{}:", line!() - 1);
        assert_eq!(diagnostic.code.id(), "SL0901");
        let note = &diagnostic.notes[0];
        assert!(note.contains(&place) && note.contains("lost a scope"), "{note}");
        assert!(diagnostic.notes[1].contains(crate::VERSION), "{:?}", diagnostic.notes);
    }
}
