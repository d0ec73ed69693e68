//! Follows all runs of a call, several at a time, and reports them in their order, with a summary, reports,
//! coverage and a page; or one run that is still being logged.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use base::{Clock, SystemClock};
use diag::Diagnostic;
use report::coverage::Report;
use serde_json::json;
use validate::{LogInput, Trouble, Validation};

use super::super::entry::Summary;
use super::super::live::Live;
use super::super::many::in_order;
use super::super::{draw, tell_coverage, tell_summary, write_page};
use super::tell::{Run, Telling, prefix_of};
use super::{Mapped, follow_run};
use crate::args::CheckFormatArg;
use crate::console::{Console, Stream};
use crate::coverage::Files;
use crate::exit::Ending;
use crate::kept::Keeper;
use crate::reports::Reports;
use crate::signals;
use crate::validate::args::ValidateJob;

/// The name of standard input among the logs.
pub const INPUT: &str = "-";

/// Data that all runs of a call share.
pub struct Bench<'a> {
    pub job: &'a ValidateJob,
    pub mapped: &'a Mapped,
    pub map_path: &'a Path,
    pub console: &'a Console,
}

/// The files to which the results of runs are written.
pub struct RunOutputs<'a, 'r> {
    pub keeper: &'a Keeper<'a>,
    pub files: &'a Files<'a>,
    pub reports: &'a mut Reports<'r>,
}

struct FollowedRun<'f> {
    files: &'f [PathBuf],
    followed: Result<Validation, Trouble>,
    elapsed: Duration,
}

impl Bench<'_> {
    pub fn follow(&self, runs: &[Vec<PathBuf>], kept: RunOutputs<'_, '_>) -> io::Result<Ending> {
        let Bench { job, mapped, map_path, console } = *self;
        let args = &job.args;
        let clock = SystemClock::start();
        let signalled = signals::watch()?;
        let n_at_once = job.n_at_once(runs.len());
        let telling = Telling { args, mapped, console, map_path, is_one_of_many: runs.len() > 1 };
        let (mut summary, mut covered, mut shown) = (Summary::default(), Vec::new(), Vec::new());
        // What is to be said of the mapping is said once, not for each run.
        let mut known: Vec<Diagnostic> = Vec::new();
        let mut rule_uses = vec![0; mapped.plan.rules.len()];
        in_order(
            runs,
            (n_at_once, &signalled),
            |files| self.follow_files(files, n_at_once, &signalled),
            |FollowedRun { files, followed, elapsed }| {
                let run = Run { files, followed: &followed };
                let entry = telling.entry(&run, elapsed);
                if let Some(warning) = telling.not_compared(&run).filter(|warning| !known.contains(warning)) {
                    draw(args, &mapped.spec.sources, &warning, console)?;
                    kept.reports.note(&mapped.spec.sources, [&warning]);
                    known.push(warning);
                }
                telling.run(&run, &entry)?;
                kept.reports.note(&mapped.spec.sources, &telling.warnings(&run));
                kept.reports.log(&mapped.spec.sources, &entry);
                summary.add(&entry);
                if let Ok(validation) = &followed {
                    let uses = rule_uses.iter_mut().zip(&validation.rule_uses);
                    uses.for_each(|(all, uses): (&mut u64, &u64)| *all += uses);
                    let counted = validation.coverage.as_ref();
                    covered.extend(counted.map(|counted| super::report::coverage_report(mapped, counted)));
                    if let Some(prefix) = prefix_of(&validation.outcome)
                        && let Some(trace) = &prefix.trace
                    {
                        kept.keeper.keep_last_states(trace, prefix.n_before, console)?;
                    }
                }
                if args.why_html.is_some() {
                    shown.push(telling.why(&entry, followed));
                }
                Ok(())
            },
        )?;
        write_page(args, &shown, console)?;
        if summary.ending() == Ending::Ok {
            telling.tell_unused(&rule_uses)?;
        }
        if !covered.is_empty() {
            tell_coverage(args, kept.files, &Report::sum(&covered), console)?;
            telling.rules(&rule_uses)?;
        }
        tell_summary(args, &summary, clock.elapsed(), console)?;
        Ok(summary.ending())
    }

    fn follow_files<'f>(
        &self,
        files: &'f [PathBuf],
        n_at_once: usize,
        signalled: &Arc<AtomicBool>,
    ) -> FollowedRun<'f> {
        let clock = SystemClock::start();
        let followed = match self.job.args.live {
            true => self.live(files, signalled),
            false => follow_run(self.job, self.mapped, (files, n_at_once), signalled),
        };
        FollowedRun { files, followed, elapsed: clock.elapsed() }
    }

    /// Follows a run that is still being logged. A signal ends it: what was read until then is the whole log.
    fn live(&self, files: &[PathBuf], signalled: &Arc<AtomicBool>) -> Result<Validation, Trouble> {
        let progress = Progress {
            job: self.job,
            console: self.console,
            clock: SystemClock::start(),
            told_ms: AtomicU64::new(0),
        };
        let watch = |n_lines: u64| progress.tell(n_lines);
        let n_lines = AtomicU64::new(0);
        let mut inputs = Vec::new();
        for path in files {
            let name = path.display().to_string();
            let live = match name == INPUT {
                true => Live::input(signalled.clone(), (&n_lines, &watch)),
                false => Live::file(path, signalled.clone(), (&n_lines, &watch))
                    .map_err(|error| super::unreadable(path, &error))?,
            };
            inputs.push((name, live));
        }
        let inputs = || {
            inputs.into_iter().map(|(name, live)| LogInput { name, reader: live.into_buffered() }).collect()
        };
        let never = AtomicBool::new(false);
        super::followed_inputs(self.job, self.mapped, (inputs, 1), &never)
    }
}

/// Reports now and then how much of a live run is explained.
struct Progress<'a> {
    job: &'a ValidateJob,
    console: &'a Console,
    clock: SystemClock,
    told_ms: AtomicU64,
}

impl Progress<'_> {
    /// Reports that `n_lines` lines are explained. A failure to write is ignored.
    fn tell(&self, n_lines: u64) {
        if self.job.args.quiet.quiet && self.job.args.format == CheckFormatArg::Text {
            return;
        }
        let now = self.clock.elapsed().as_millis() as u64;
        let is_terminal = self.job.is_terminal;
        let period_ms = if is_terminal { 200 } else { 10_000 };
        let told = self.told_ms.load(Ordering::Relaxed);
        if told > 0 && now < told + period_ms {
            return;
        }
        self.told_ms.store(now.max(1), Ordering::Relaxed);
        let line = match n_lines {
            1 => "1 line so far, and it is explained".to_owned(),
            n => format!("{n} lines so far, all of them explained"),
        };
        let _ = match (self.job.args.format, is_terminal) {
            (CheckFormatArg::Json, _) => {
                let object = json!({ "kind": "progress", "lines": n_lines, "elapsed_ms": now });
                self.console.line(Stream::Out, &object.to_string())
            }
            (CheckFormatArg::Text, true) => self.console.write(Stream::Err, &format!("\r\x1b[K{line}")),
            (CheckFormatArg::Text, false) => self.console.line(Stream::Err, &line),
        };
    }
}
