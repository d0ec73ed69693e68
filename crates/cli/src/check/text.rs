//! The answer for people: what was found, the trace, the counts; progress on the way.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use check::{Answer, Counts, Event, Growth, Measure, Observer, Progress};
use diag::{Code, Diagnostic, Diagnostics, render};
use model::{Limit, NoVerdict, Outcome, Tally, Verdict, Violation};
use sema::Spec;
use setup::words::{self, counted, grouped};
use setup::{Output, memory};

use super::scope::time_text;
use super::{EndedSearch, Report};
use crate::check::args::CheckJob;
use crate::console::{Console, Stream};
use crate::coverage;
use crate::validate::args::ValidateJob;

/// A line that is rewritten must not be broken by the terminal.
const PROGRESS_CHARS_MAX: usize = 79;
/// Number of states from which on the memory is reported.
const MEMORY_STATES_MIN: u64 = 10_000;

pub struct TextReport<'a> {
    console: &'a Console,
    is_terminal: bool,
    width: usize,
    /// Folder of the checkpoints, as the user wrote it.
    folder: Option<String>,
    /// Whether only problems are reported.
    is_quiet: bool,
    output: Output,
}

impl<'a> TextReport<'a> {
    pub fn new(console: &'a Console, job: &CheckJob, interrupted: Arc<AtomicBool>) -> Self {
        let output = Output::new(interrupted);
        let folder = job.args.resume.as_ref().or(job.args.checkpoint.as_ref());
        let folder = folder.map(|folder| folder.display().to_string());
        let (is_terminal, is_quiet) = (job.is_terminal, job.args.quiet.quiet);
        TextReport { console, is_terminal, width: 100, folder, is_quiet, output }
    }

    /// Reports the search for a behaviour that explains a log; its answer is reported elsewhere.
    pub fn of_log(console: &'a Console, job: &ValidateJob, interrupted: Arc<AtomicBool>) -> Self {
        let output = Output::new(interrupted);
        let (is_terminal, is_quiet) = (job.is_terminal, job.args.quiet.quiet);
        TextReport { console, is_terminal, width: 100, folder: None, is_quiet, output }
    }

    /// Creates a report without progress, for a search that takes a moment.
    pub fn plain(console: &'a Console) -> Self {
        let output = Output::new(Arc::default());
        TextReport { console, is_terminal: false, width: 100, folder: None, is_quiet: false, output }
    }

    fn out(&self, line: &str) -> io::Result<()> {
        self.console.line(Stream::Out, line)
    }

    fn progress(&self, progress: Progress) -> io::Result<()> {
        let Progress { counts, elapsed, bytes_used } = progress;
        let rate = counts.generated as f64 / elapsed.as_secs_f64().max(0.001);
        let line = format!(
            "{} s: {} distinct, {} queued, depth {}, {} generated ({}/s), {} MB",
            elapsed.as_secs(),
            grouped(counts.distinct),
            grouped(counts.queue),
            counts.depth,
            grouped(counts.generated),
            grouped(rate as u64),
            bytes_used >> 20,
        );
        if self.is_terminal {
            let line: String = line.chars().take(PROGRESS_CHARS_MAX).collect();
            self.console.write(Stream::Err, &format!("\r\x1b[K{line}"))
        } else {
            self.console.line(Stream::Err, &line)
        }
    }

    fn report_resumed(&self, counts: Counts, elapsed: Duration) -> io::Result<()> {
        let Counts { distinct, queue, .. } = counts;
        let (distinct, queue) = (grouped(distinct), grouped(queue));
        let line = format!("gone on with after {} s: {distinct} distinct, {queue} queued", elapsed.as_secs());
        self.console.line(Stream::Err, &line)
    }

    fn checkpoint(&self, counts: Counts) -> io::Result<()> {
        self.clear_progress()?;
        self.console.line(Stream::Err, &format!("checkpoint: {} distinct", grouped(counts.distinct)))
    }

    /// Reports which variables keep growing, and what to do about it.
    fn growing(&self, growths: &[Growth]) -> io::Result<()> {
        if self.output.has_failed() {
            return Ok(());
        }
        self.clear_progress()?;
        for growth in growths {
            self.console.line(Stream::Err, &growth_line(growth))?;
        }
        let line = "If nothing bounds this, the search never ends: bound it with a CONSTRAINT, or with --depth or --max-states.";
        self.console.line(Stream::Err, line)
    }

    /// Gives advice on a search that is not complete.
    fn going_on(&self, answer: &Answer) -> io::Result<()> {
        if let (Some(kept), Some(folder)) = (answer.kept, &self.folder) {
            let distinct = counted(kept.distinct, "distinct state");
            let line = format!("The checkpoint has {distinct}; go on with `--resume {folder}`.");
            self.out(&line)?;
        }
        let is_memory_over = match &answer.outcome {
            Err(NoVerdict::Limit(Limit::Memory)) => true,
            Err(reason) => reason.is_out_of_memory(),
            Ok(_) => false,
        };
        if is_memory_over {
            let is_temporal = answer.warnings.iter().any(|warning| warning.code == Code::TemporalUnchecked);
            let line = match answer.kept {
                Some(_) => "It needs more memory to go on: give it more with `--memory`.",
                None if is_temporal => "Give it more with `--memory`.",
                // A disk does not help an evaluation that needs so much at once.
                None if answer.outcome.as_ref().is_err_and(NoVerdict::is_out_of_memory) => {
                    "Give it more with `--memory`; `--checkpoint` keeps what is found until then."
                }
                None => {
                    "Give it more with `--memory`, or a folder with `--spill`; `--checkpoint` keeps what is found."
                }
            };
            self.out(line)?;
        }
        Ok(())
    }

    fn clear_progress(&self) -> io::Result<()> {
        if self.is_terminal { self.console.write(Stream::Err, "\r\x1b[K") } else { Ok(()) }
    }

    fn outcome(&self, spec: &Spec, answer: &Answer) -> io::Result<()> {
        let teller = Teller { console: self.console, width: self.width };
        match &answer.outcome {
            Ok(Verdict::Holds) if self.is_quiet => Ok(()),
            Ok(Verdict::Holds) => self.out("No error was found."),
            Err(NoVerdict::Limit(limit)) => self.out(&format!(
                "No error was found, but the search is not complete: {}.",
                words::limit(*limit)
            )),
            Err(NoVerdict::Interrupted) => {
                self.out("No error was found, but the search was interrupted and is not complete.")
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
            ) => teller.finding(spec, &answer.outcome),
        }
    }
}

/// Prints findings of any search: traces and diagnostics.
pub struct Teller<'a> {
    pub console: &'a Console,
    pub width: usize,
}

impl Teller<'_> {
    /// Reports the finding of a search, if there is one.
    pub fn finding(&self, spec: &Spec, outcome: &Outcome) -> io::Result<()> {
        match outcome {
            Ok(Verdict::Holds) | Err(NoVerdict::Limit(_) | NoVerdict::Interrupted) => Ok(()),
            Ok(Verdict::Violated(violation)) => self.violation(spec, violation),
            Err(NoVerdict::Undefined { error, trace, .. })
            | Err(NoVerdict::Assertion { error, trace, .. })
            | Err(NoVerdict::Incomplete { error, trace, .. }) => {
                self.report_undefined(spec, error, trace.as_deref())
            }
            Err(
                NoVerdict::NoInitialState(error) | NoVerdict::Unsupported(error) | NoVerdict::Disk(error),
            ) => self.console.draw(Stream::Out, &spec.sources, error),
            Err(NoVerdict::Checkpoint(error)) => self.console.draw(Stream::Err, &spec.sources, error),
        }
    }

    fn violation(&self, spec: &Spec, violation: &Violation) -> io::Result<()> {
        if let Some(trace) = &violation.trace {
            self.trace(trace)?;
        }
        self.console.draw(Stream::Out, &spec.sources, &violation.diagnostic)
    }

    pub fn trace(&self, trace: &trace::Trace) -> io::Result<()> {
        if trace.states.is_empty() {
            return Ok(());
        }
        let style =
            trace::Style { full: false, colour: self.console.has_colour(Stream::Out), width: self.width };
        self.console.write(Stream::Out, &format!("{}\n", trace::story(trace, style)))
    }

    fn report_undefined(
        &self,
        spec: &Spec,
        error: &Diagnostic,
        trace: Option<&trace::Trace>,
    ) -> io::Result<()> {
        if let Some(trace) = trace {
            // The diagnostic says what failed, with its place in the text.
            self.trace(&trace::Trace { failure: None, ..trace.clone() })?;
        }
        self.console.draw(Stream::Out, &spec.sources, error)
    }
}

impl Report for TextReport<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        for diagnostic in diagnostics.iter() {
            self.console.draw(Stream::Err, &spec.sources, diagnostic)?;
        }
        Ok(())
    }

    fn answer(&self, spec: &Spec, search: &EndedSearch<'_>) -> io::Result<()> {
        let EndedSearch { answer, scope, hints, elapsed } = *search;
        self.clear_progress()?;
        for warning in &answer.warnings {
            self.console.draw(Stream::Err, &spec.sources, warning)?;
        }
        self.outcome(spec, answer)?;
        for hint in hints {
            self.console.draw(Stream::Out, &spec.sources, hint)?;
        }
        if self.is_quiet {
            return Ok(());
        }
        if let Some(coverage) = &answer.coverage {
            let report = coverage::report(spec, coverage);
            self.console.write(Stream::Out, &coverage::text::text(&report))?;
        }
        for line in tally_lines(&answer.tallies) {
            self.out(&line)?;
        }
        self.out(&summary(answer.counts))?;
        for line in scope.lines(&answer.outcome) {
            self.out(&line)?;
        }
        if let Some(line) = memory(answer) {
            self.out(&line)?;
        }
        self.going_on(answer)?;
        // The answer is the same in every run; how long it took is not.
        self.console.line(Stream::Err, &format!("It took {}.", time_text(elapsed)))
    }

    fn finish(&self) -> io::Result<()> {
        self.output.finish()
    }
}

impl Observer for TextReport<'_> {
    fn event(&self, event: Event<'_>) {
        let written = match event {
            Event::Prepared | Event::Initial { .. } | Event::Temporal { .. } | Event::Violation(_) => Ok(()),
            Event::Resumed { .. } | Event::Checkpoint { .. } | Event::Progress(_) | Event::Growing(_)
                if self.is_quiet =>
            {
                Ok(())
            }
            Event::Growing(growths) => self.growing(growths),
            Event::Resumed { counts, elapsed } => self.report_resumed(counts, elapsed),
            Event::Checkpoint { counts } => self.checkpoint(counts),
            Event::Progress(progress) => self.progress(progress),
            Event::Printed(line) => self.clear_progress().and_then(|()| self.out(&render::whole(line))),
        };
        self.output.keep(written);
    }

    /// Returns false: only the first violation is shown.
    fn wants_traces(&self) -> bool {
        false
    }

    fn progress_interval(&self) -> Duration {
        Duration::from_secs(if self.is_terminal { 1 } else { 10 })
    }
}

/// "`queue` has grown with every level so far: the number of its parts is 3 at level 5, 7 at level 10, ..."
fn growth_line(growth: &Growth) -> String {
    let what = match growth.measure {
        Measure::Number => "the largest number in it is",
        Measure::Parts => "the number of its parts is",
    };
    let point = |(level, n): &(u32, u64)| format!("{} at level {level}", grouped(*n));
    let points: Vec<String> = growth.points.iter().map(point).collect();
    format!("`{}` has grown with every level so far: {what} {}.", growth.variable, points.join(", "))
}

/// The answer in a sentence, for when there is no room for more.
pub fn short(outcome: &Outcome) -> String {
    match outcome {
        Ok(Verdict::Holds) => "no error was found".to_owned(),
        Ok(Verdict::Violated(violation)) => violation.diagnostic.headline.clone(),
        Err(
            NoVerdict::Undefined { error, .. }
            | NoVerdict::Assertion { error, .. }
            | NoVerdict::Incomplete { error, .. }
            | NoVerdict::NoInitialState(error)
            | NoVerdict::Checkpoint(error)
            | NoVerdict::Unsupported(error)
            | NoVerdict::Disk(error),
        ) => error.headline.clone(),
        Err(NoVerdict::Limit(limit)) => format!("the search is not complete: {}", words::limit(*limit)),
        Err(NoVerdict::Interrupted) => "the search was interrupted and is not complete".to_owned(),
    }
}

/// Returns how often each property was violated, if there was more than one violation.
pub fn tally_lines(tallies: &[Tally]) -> Vec<String> {
    match tallies {
        [] | [Tally { n_violations: 1, .. }] => Vec::new(),
        several => {
            let line = |tally: &Tally| format!("{}: {}", tally.property.name, times(tally.n_violations));
            several.iter().map(line).collect()
        }
    }
}

fn times(n: u64) -> String {
    if n == 1 { "violated once".to_owned() } else { format!("violated {} times", grouped(n)) }
}

/// Returns the counts in TLC's wording, so that scripts find the same numbers. Unlike TLC, one state is singular.
fn summary(counts: Counts) -> String {
    let states = |n: u64, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    format!(
        "{} generated, {} found, {} left on queue, depth {}.",
        states(counts.generated, "state"),
        states(counts.distinct, "distinct state"),
        states(counts.queue, "state"),
        counts.depth
    )
}

/// Returns the memory for each state, by use. With few states the smallest tables dominate, so there is no
/// line.
fn memory(answer: &Answer) -> Option<String> {
    let n_states = answer.counts.distinct;
    if n_states < MEMORY_STATES_MIN {
        return None;
    }
    let each = |bytes: usize| bytes as f64 / n_states as f64;
    let memory = &answer.memory;
    let peak = memory::peak_bytes().map(|bytes| format!("; {} MB resident at the peak", bytes >> 20));
    Some(format!(
        "{:.1} bytes a state: states {:.1}, parents {:.1}, values {:.1}, tables {:.1}, frontier {:.1}{}{}.",
        each(memory.total()),
        each(memory.states),
        each(memory.parents),
        each(memory.values),
        each(memory.tables),
        each(memory.frontier),
        steps(answer),
        peak.unwrap_or_default()
    ))
}

/// Reports the memory of the steps between states, if they were kept, and of the search for behaviours.
fn steps(answer: &Answer) -> String {
    let memory = &answer.memory;
    if memory.n_steps == 0 {
        return String::new();
    }
    let each = memory.steps as f64 / memory.n_steps as f64;
    let n_steps = grouped(memory.n_steps);
    let by_state = |bytes: usize| bytes as f64 / answer.counts.distinct as f64;
    format!(
        ", steps {:.1} ({n_steps} of {each:.1} bytes), behaviours {:.1}",
        by_state(memory.steps),
        by_state(memory.behaviours),
    )
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "state"), "0 states");
        assert_eq!(counted(1_234, "distinct state"), "1,234 distinct states");
    }

    #[test]
    fn large_numbers_have_commas() {
        let check = |n, expected: &str| assert_eq!(grouped(n), expected);
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(1_234_567, "1,234,567");
    }
}
