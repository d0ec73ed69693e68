//! The answer for people.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use diag::{Diagnostics, render};
use model::{Limit, NoVerdict, Verdict};
use sema::Spec;
use setup::Output;
use setup::words::{counted, grouped};
use simulate::{Answer, DistinctCount, Event, Observer, Progress, Statistics};

use super::{Remarks, Report, dump};
use crate::check::text::{Teller, tally_lines};
use crate::console::{Console, Stream};
use crate::coverage;
use crate::simulate::args::SimulateJob;

const WIDTH: usize = 100;
/// A line that is rewritten must not be broken by the terminal.
const PROGRESS_CHARS_MAX: usize = 79;
/// How many rows a histogram has at most.
const ROWS_MAX: u32 = 10;

pub struct TextReport<'a> {
    console: &'a Console,
    job: &'a SimulateJob,
    output: Output,
}

impl<'a> TextReport<'a> {
    pub fn new(console: &'a Console, job: &'a SimulateJob, interrupted: Arc<AtomicBool>) -> Self {
        TextReport { console, job, output: Output::new(interrupted) }
    }

    fn out(&self, line: &str) -> io::Result<()> {
        self.console.line(Stream::Out, line)
    }

    fn out_all(&self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.out(line))
    }

    fn clear_progress(&self) -> io::Result<()> {
        if self.job.is_terminal { self.console.write(Stream::Err, "\r\x1b[K") } else { Ok(()) }
    }

    fn progress(&self, progress: Progress) -> io::Result<()> {
        let Progress { n_walks, n_generated, elapsed } = progress;
        let rate = n_generated as f64 / elapsed.as_secs_f64().max(0.001);
        let line = format!(
            "{} s: {}, {} generated ({}/s)",
            elapsed.as_secs(),
            counted(n_walks, "walk"),
            counted(n_generated, "state"),
            grouped(rate as u64),
        );
        if self.job.is_terminal {
            let line: String = line.chars().take(PROGRESS_CHARS_MAX).collect();
            self.console.write(Stream::Err, &format!("\r\x1b[K{line}"))
        } else {
            self.console.line(Stream::Err, &line)
        }
    }

    fn outcome(&self, spec: &Spec, answer: &Answer) -> io::Result<()> {
        let n_walks = counted(answer.statistics.n_walks, "walk");
        match &answer.outcome {
            Ok(Verdict::Holds) if self.job.args.quiet.quiet => Ok(()),
            Ok(Verdict::Holds) => self.out(&format!("No error was found in {n_walks}.")),
            Err(NoVerdict::Interrupted) => {
                self.out(&format!("No error was found in {n_walks}, and then it was interrupted."))
            }
            Err(NoVerdict::Limit(Limit::Memory)) => {
                self.out("There is no room for the initial states; give it more with `--memory`.")
            }
            Err(NoVerdict::Limit(_)) => {
                self.out(&format!("No error was found in {n_walks}, and then the time was up."))
            }
            Ok(Verdict::Violated(_))
            | Err(
                NoVerdict::Undefined { .. }
                | NoVerdict::Assertion { .. }
                | NoVerdict::Incomplete { .. }
                | NoVerdict::NoInitialState(_)
                | NoVerdict::Unsupported(_)
                | NoVerdict::Disk(_)
                | NoVerdict::Checkpoint(_),
            ) => Teller { console: self.console, width: WIDTH }.finding(spec, &answer.outcome),
        }
    }

    /// Writes which walk found something, and how to repeat it.
    fn walk(&self, answer: &Answer) -> io::Result<()> {
        let Some(walk) = answer.walk else { return Ok(()) };
        let shortened = match answer.shortened {
            Some(short) if short.n_steps < short.n_steps_before => {
                let is_minimal = if short.is_minimal { "" } else { ", and could perhaps be made shorter" };
                let before = steps(&short.n_steps_before.to_string());
                format!(" Its {before} were made {}{is_minimal}.", short.n_steps)
            }
            Some(_) | None => String::new(),
        };
        let seed = self.job.args.seed;
        self.out(&format!("Walk {walk} found it; `--seed {seed} --walk {walk}` makes it again.{shortened}"))
    }

    fn statistics(&self, statistics: &Statistics) -> io::Result<()> {
        let distinct = match statistics.distinct {
            DistinctCount::Counted(n) => format!("{} of them distinct", grouped(n)),
            DistinctCount::Estimated(n) => {
                format!("about {} of them distinct (HyperLogLog, 0.8 %)", grouped(n))
            }
        };
        let n_on_walks = statistics.n_steps + statistics.n_walks;
        self.out(&format!(
            "{}, {} generated, {} on the walks, {distinct}.",
            counted(statistics.n_walks, "walk"),
            counted(statistics.n_generated, "state"),
            grouped(n_on_walks),
        ))?;
        self.out_all(&histogram(statistics))?;
        let never: Vec<&str> =
            statistics.actions.iter().filter(|action| action.n_taken == 0).map(|a| a.name.as_str()).collect();
        if statistics.n_steps > 0 {
            self.out("Actions by how often they were taken:")?;
        }
        for action in statistics.actions.iter().filter(|action| action.n_taken > 0) {
            self.out(&format!("{:>14} {}", grouped(action.n_taken), action.name))?;
        }
        if !never.is_empty() && statistics.n_walks > 0 {
            self.out(&format!("Never taken: {}.", never.join(", ")))?;
        }
        Ok(())
    }
}

/// Formats a number of steps, or a range of them.
fn steps(number: &str) -> String {
    if number == "1" { "1 step".to_owned() } else { format!("{number} steps") }
}

/// Returns the lengths of the walks as a histogram.
fn histogram(statistics: &Statistics) -> Vec<String> {
    let (Some((&least, _)), Some((&most, _))) =
        (statistics.depths.first_key_value(), statistics.depths.last_key_value())
    else {
        return Vec::new();
    };
    if least == most {
        return vec![format!("Each walk has {}.", steps(&grouped(u64::from(most))))];
    }
    let width = (most - least + 1).div_ceil(ROWS_MAX);
    let mut lines = vec!["Walks by their length:".to_owned()];
    let mut from = least;
    while from <= most {
        let to = from.saturating_add(width - 1).min(most);
        let n_walks: u64 = statistics.depths.range(from..=to).map(|(_, n)| n).sum();
        let range = if from == to { from.to_string() } else { format!("{from}-{to}") };
        if n_walks > 0 {
            lines.push(format!("{:>14} {}", grouped(n_walks), steps(&range)));
        }
        let Some(next) = to.checked_add(1) else { break };
        from = next;
    }
    lines
}

impl Report for TextReport<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        for diagnostic in diagnostics.iter() {
            self.console.draw(Stream::Err, &spec.sources, diagnostic)?;
        }
        Ok(())
    }

    fn answer(&self, spec: &Spec, answer: &Answer, told: Remarks<'_>) -> io::Result<()> {
        self.clear_progress()?;
        for warning in &answer.warnings {
            self.console.draw(Stream::Err, &spec.sources, warning)?;
        }
        self.outcome(spec, answer)?;
        for hint in told.hints {
            self.console.draw(Stream::Out, &spec.sources, hint)?;
        }
        self.walk(answer)?;
        if self.job.args.quiet.quiet {
            return Ok(());
        }
        if let Some(coverage) = &answer.coverage {
            let report = coverage::report(spec, coverage);
            self.console.write(Stream::Out, &coverage::text::text(&report))?;
        }
        self.out_all(&tally_lines(told.tallies))?;
        self.statistics(&answer.statistics)
    }

    fn finish(&self) -> io::Result<()> {
        self.output.finish()
    }
}

impl Observer for TextReport<'_> {
    fn event(&self, event: Event<'_>) {
        let written = match event {
            Event::Progress(_) if self.job.args.quiet.quiet => Ok(()),
            Event::Progress(progress) => self.progress(progress),
            Event::Printed(line) => self.clear_progress().and_then(|()| self.out(&render::whole(line))),
            Event::Initial { .. } | Event::Violation { .. } => Ok(()),
            Event::Walk { number, trace } => match &self.job.args.dump {
                Some(folder) => dump(self.job, folder, (number, trace)),
                None => Ok(()),
            },
        };
        self.output.keep(written);
    }

    fn progress_interval(&self) -> Duration {
        Duration::from_secs(if self.job.is_terminal { 1 } else { 10 })
    }
}
