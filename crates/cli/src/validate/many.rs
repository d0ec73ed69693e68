//! Validates all logs of a call, several at a time, and reports them in the order in which they were named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use base::{Clock, SystemClock};
use check::{Event, Observer};
use diag::{Code, Diagnostic};

use super::judged::{Judged, Searched};
use super::log::{Log, Surroundings};
use super::prepared::{Prepared, Surrounding};
use crate::args::CheckFormatArg;
use crate::check::text::TextReport;
use crate::console::Console;
use crate::validate::args::ValidateJob;

/// Data that all searches of a call share.
pub struct Bench<'a> {
    pub job: &'a ValidateJob,
    pub prepared: &'a Prepared,
    pub surroundings: &'a Surroundings,
    pub interrupted: Arc<AtomicBool>,
    pub console: &'a Console,
}

/// Works on up to `n_at_once` items at a time, and calls `tell` with the results in the order of the items,
/// each as soon as possible. If `tell` fails, the remaining work is interrupted.
pub fn in_order<'i, T: Sync, R: Send>(
    items: &'i [T],
    (n_at_once, interrupted): (usize, &AtomicBool),
    work: impl Fn(&'i T) -> R + Sync,
    mut tell: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    if n_at_once == 1 {
        return items.iter().try_for_each(|item| tell(work(item)));
    }
    let (next, (sender, receiver)) = (AtomicUsize::new(0), channel());
    thread::scope(|scope| {
        for _ in 0..n_at_once {
            let (next, work, sender) = (&next, &work, sender.clone());
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    // The receiver is gone: the run ends.
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early: BTreeMap<usize, R> = BTreeMap::new();
        let mut n_told = 0;
        for (index, done) in receiver {
            early.insert(index, done);
            while let Some(done) = early.remove(&n_told) {
                tell(done).inspect_err(|_| interrupted.store(true, Ordering::Relaxed))?;
                n_told += 1;
            }
        }
        Ok(())
    })
}

impl Bench<'_> {
    /// Validates each log, and calls `tell` in their order.
    pub fn each(&self, logs: &[PathBuf], tell: impl FnMut(Judged) -> io::Result<()>) -> io::Result<()> {
        let n_at_once = self.job.n_at_once(logs.len());
        in_order(logs, (n_at_once, &self.interrupted), |log| self.judge(log, n_at_once), tell)
    }

    fn judge(&self, path: &Path, n_at_once: usize) -> Judged {
        let clock = SystemClock::start();
        let printed = Printed::default();
        let searched = Log::read(path, self.prepared.reads.is_json).map(|log| {
            let world = self.surroundings.with(path);
            let rewritten = log.rewritten().map(|text| (path.to_string_lossy().into_owned(), text));
            let n_judges = self.job.n_workers / n_at_once - 1;
            let interrupted = &self.interrupted;
            let surrounding = Surrounding { world, rewritten, n_at_once, n_judges, interrupted };
            let is_alone = n_at_once == 1 && self.job.args.format == CheckFormatArg::Text;
            let found = if is_alone {
                let report = TextReport::of_log(self.console, self.job, self.interrupted.clone());
                self.prepared.search(&self.job.args, surrounding, &report)
            } else {
                self.prepared.search(&self.job.args, surrounding, &printed)
            };
            let odd = log.oddity.map(|oddity| {
                Diagnostic::without_place(Code::LogText, format!("`{}` {oddity}", path.display()))
            });
            let mut searched = Searched::new(log, found, self.prepared);
            searched.warnings.extend(odd);
            searched
        });
        let printed = printed.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Judged { path: path.to_owned(), searched, elapsed: clock.elapsed(), printed }
    }
}

/// Keeps the lines that a specification prints, so that those of several searches do not mix.
#[derive(Default)]
struct Printed(Mutex<Vec<String>>);

impl Observer for Printed {
    fn event(&self, event: Event<'_>) {
        if let Event::Printed(line) = event {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
        }
    }
}
