//! The answer as text: mutants that no property catches, properties that cannot fail, and the number of each.
//! `docs/audit.md` is the user's copy.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use audit::{
    Base, Class, Difference, Direction, Doubt, Event, Judged, Mutant, Observer, Report, Survival, Tallied,
    Verdict, Why,
};
use diag::{Diagnostics, render};
use model::{IdleKind, IdlePart, NoVerdict, Outcome, PropertyKind};
use sema::Spec;
use setup::Output;
use setup::words::{self, counted, grouped};

use super::{Writer, reason};
use crate::audit::args::AuditJob;
use crate::check::text::Teller;
use crate::console::{Console, Stream};
use crate::coverage::{place, short};

/// Texts of places are cut after this many characters.
const TEXT_CHARS_MAX: usize = 100;

pub struct TextWriter<'a> {
    console: &'a Console,
    job: &'a AuditJob,
    output: Output,
    n_mutants: std::sync::atomic::AtomicUsize,
}

impl<'a> TextWriter<'a> {
    pub fn new(console: &'a Console, job: &'a AuditJob, interrupted: Arc<AtomicBool>) -> Self {
        TextWriter { console, job, output: Output::new(interrupted), n_mutants: Default::default() }
    }

    fn out(&self, line: &str) -> io::Result<()> {
        self.console.line(Stream::Out, line)
    }

    fn clear_progress(&self) -> io::Result<()> {
        if self.job.is_terminal { self.console.write(Stream::Err, "\r\x1b[K") } else { Ok(()) }
    }

    /// Writes the mutants of `report` that `is_told` picks, under a heading.
    fn section(
        &self,
        spec: &Spec,
        report: &Report,
        heading: &str,
        is_told: impl Fn(&Verdict) -> bool,
    ) -> io::Result<()> {
        let told: Vec<&Judged> = report.judged.iter().filter(|judged| is_told(&judged.verdict)).collect();
        if told.is_empty() {
            return Ok(());
        }
        self.out(&format!("{heading}:"))?;
        for judged in told {
            self.out(&format!("  {}", mutant_line(spec, &judged.mutant)))?;
            if let Some(line) = verdict_line(&judged.verdict) {
                self.out(&format!("      {line}"))?;
            }
            if let (Some(_), Some(trace)) = (self.job.args.mutant, behaviour(&judged.verdict)) {
                self.out("")?;
                Teller { console: self.console, width: 100 }.trace(trace)?;
            }
        }
        self.out("")
    }

    fn mutants(&self, spec: &Spec, report: &Report) -> io::Result<()> {
        if self.job.args.all || self.job.args.mutant.is_some() {
            self.section(spec, report, "Caught", |verdict| matches!(verdict, Verdict::Caught { .. }))?;
            self.section(spec, report, "The same as before", |verdict| {
                matches!(verdict, Verdict::Survived(Survival::Same))
            })?;
        }
        self.section(spec, report, "Noticed by an error alone, not by a property", |verdict| {
            matches!(verdict, Verdict::Failed(_))
        })?;
        self.section(spec, report, "Cannot be run", |verdict| matches!(verdict, Verdict::Invalid(_)))?;
        self.section(spec, report, "Undecided", |verdict| matches!(verdict, Verdict::Undecided(_)))?;
        self.section(spec, report, "Not caught, and no difference was shown", |verdict| {
            matches!(verdict, Verdict::Survived(Survival::Unknown(_)))
        })?;
        self.section(
            spec,
            report,
            "Not caught, but does only less: no invariant can catch it",
            Verdict::is_lesser,
        )?;
        self.section(spec, report, "Not caught by any property", |verdict| {
            matches!(verdict, Verdict::Survived(Survival::Differs(_))) && !verdict.is_lesser()
        })
    }

    /// Reports remarks on the properties themselves.
    fn properties(&self, spec: &Spec, report: &Report) -> io::Result<()> {
        let on_walks = on_walks(&report.base);
        for line in report.properties.iter().filter_map(cannot_fail_line) {
            self.out(&line)?;
        }
        for part in &report.idle {
            self.out(&idle_line(spec, part, &report.base))?;
        }
        for action in &report.never_enabled {
            self.out(&format!(
                "Never possible{on_walks}: {} {}",
                action.step_name,
                place(spec, action.span)
            ))?;
        }
        if report.properties.is_empty() {
            self.out("The configuration asks for no property: there is nothing that could catch a mutant.")?;
        }
        if !report.unwatched.is_empty() {
            let names = report.unwatched.join(", ");
            self.out(&format!("Walks do not look at properties of initial states: {names}."))?;
        }
        let caught = report.properties.iter().filter(|tallied| tallied.n_caught > 0);
        let words: Vec<String> =
            caught.map(|tallied| format!("{} {}", describe(tallied), tallied.n_caught)).collect();
        if !words.is_empty() {
            self.out(&format!("Caught first by: {}.", words.join(", ")))?;
        }
        let silent = |fails: Option<bool>| {
            let properties = report.properties.iter();
            let silent = properties.filter(|tallied| tallied.n_caught == 0 && !tallied.cannot_fail());
            silent.filter(move |tallied| tallied.fails_somewhere == fails).map(describe).collect::<Vec<_>>()
        };
        let told = [
            (Some(true), "Fails only where another has failed before"),
            (Some(false), "No mutant was seen to make it fail"),
            (None, "Never the first to catch one"),
        ];
        for (fails, what) in told {
            let names = silent(fails);
            if !names.is_empty() && report.n_caught() > 0 {
                self.out(&format!("{what}: {}.", names.join(", ")))?;
            }
        }
        Ok(())
    }

    fn summary(&self, report: &Report) -> io::Result<()> {
        self.out(&base_line(&report.base))?;
        let counts = [
            (report.n_caught(), "caught by a property"),
            (report.n_missed() - report.n_lesser(), "caught by none"),
            (report.n_lesser(), "caught by none that do only less"),
            (report.n_failed(), "noticed by an error alone"),
            (report.n_same(), "the same as before"),
            (report.n_unknown(), "without a difference that was shown"),
            (report.n_undecided(), "undecided"),
            (report.n_invalid(), "that cannot be run"),
        ];
        let counts = counts.iter().filter(|(n, _)| *n > 0);
        let counts: Vec<String> = counts.map(|(n, what)| format!("{n} {what}")).collect();
        let n_mutants = report.judged.len();
        if n_mutants == 0 {
            return self.out("There is nothing to change in what initial states and steps are made of.");
        }
        let heading = render::count(n_mutants, "mutant");
        self.out(&format!("{heading}: {}.", counts.join(", ")))?;
        match report.score() {
            Some(score) => self.out(&format!(
                "Score: {:.0} %, {} of {} that behave otherwise and can be run.",
                score * 100.0,
                report.n_caught(),
                report.n_caught() + report.n_missed()
            )),
            None => self.out("Score: none, since no mutant is known to behave otherwise."),
        }
    }
}

/// Returns where the audit looked, if that was not everywhere.
fn on_walks(base: &Base) -> &'static str {
    match base {
        Base::Exhaustive(_) => "",
        Base::Simulated { .. } => " on the walks",
    }
}

/// Returns why a property cannot fail, if that is known.
pub fn cannot_fail_line(tallied: &Tallied) -> Option<String> {
    let property = describe(tallied);
    if tallied.is_constant {
        return Some(format!("Cannot fail: {property} reads no variable."));
    }
    let by = tallied.implied_by.as_ref()?;
    Some(format!("Cannot fail: {property} holds in every state in which `{by}` does."))
}

/// Describes a part of a property that never had a chance to fail.
pub fn idle_line(spec: &Spec, part: &IdlePart, base: &Base) -> String {
    let what = match part.kind {
        IdleKind::Antecedent => "the antecedent is never true",
        IdleKind::EmptySet => "there is never anything that it is about",
    };
    let (at, text) = (place(spec, part.span), short(spec, part.span));
    format!("Idle in `{}`: {at}: {text}: {what}{}.", part.property, on_walks(base))
}

/// Returns a mutant in one line: `#7 Raft.tla:53:8: conjunct left out: role[i] = "candidate"`.
pub fn mutant_line(spec: &Spec, mutant: &Mutant) -> String {
    let at = format!("#{} {}", mutant.number, place(spec, mutant.span));
    let original = cut_text(&mutant.original);
    let mutated = cut_text(&mutant.mutated);
    match mutant.class {
        Class::Conjunct => format!("{at}: conjunct left out: {original}"),
        Class::Comparison => format!("{at}: comparison weakened: {original} becomes {mutated}"),
        Class::Update => format!("{at}: update skipped: {original} becomes {mutated}"),
        Class::Quorum => format!("{at}: half is enough: {original} becomes {mutated}"),
        Class::Quantifier => format!("{at}: one is enough: {original} becomes {mutated}"),
    }
}

pub fn verdict_line(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Caught { property, trace } => {
            let steps = render::count(n_steps(trace.as_deref()), "step");
            Some(format!("by {}, after {steps}", property_words(property.kind, &property.name)))
        }
        Verdict::Failed(error) => Some(reason(error)),
        Verdict::Survived(Survival::Differs(Some(difference))) => Some(difference_line(difference)),
        Verdict::Survived(Survival::Differs(None)) => Some("it reaches other states".to_owned()),
        Verdict::Survived(Survival::Unknown(doubt)) => Some(
            match doubt {
                Doubt::NotMet => "no walk, and none of the first states, shows a difference",
                Doubt::NotCompared => "the two could not be compared to the end",
            }
            .to_owned(),
        ),
        Verdict::Survived(Survival::Same) => None,
        Verdict::Undecided(why) => Some(match why {
            Why::Limit(limit) => words::limit(*limit),
            Why::NoTime => "the time was up".to_owned(),
            Why::Interrupted => "it was interrupted".to_owned(),
            Why::Machine => "the machine failed".to_owned(),
        }),
        Verdict::Invalid(diagnostics) => {
            diagnostics.iter().next().map(|diagnostic| diagnostic.headline.clone())
        }
    }
}

/// The behaviour that a verdict is shown by.
pub fn behaviour(verdict: &Verdict) -> Option<&trace::Trace> {
    match verdict {
        Verdict::Caught { trace, .. } => trace.as_deref(),
        Verdict::Survived(Survival::Differs(difference)) => difference.as_ref()?.trace.as_deref(),
        Verdict::Failed(reason) => setup::trace_without_verdict(reason),
        Verdict::Survived(Survival::Same | Survival::Unknown(_))
        | Verdict::Undecided(_)
        | Verdict::Invalid(_) => None,
    }
}

/// Returns the number of steps of a behaviour.
pub fn n_steps(trace: Option<&trace::Trace>) -> usize {
    trace.map_or(0, |trace| trace.states.len().saturating_sub(1))
}

/// Describes a step that one specification allows and the other does not.
fn difference_line(difference: &Difference) -> String {
    let (subject, other) = match difference.direction {
        Direction::More => ("the mutant", "the specification"),
        Direction::Less => ("the specification", "the mutant"),
    };
    let Some(trace) = &difference.trace else { return format!("{subject} does what {other} does not") };
    match trace.states.last().and_then(|state| state.step.as_ref()) {
        Some(step) if trace.states.len() > 1 => {
            let n_steps = trace.states.len() - 1;
            format!("{subject} can do {} as step {n_steps}, {other} cannot", step_words(step))
        }
        Some(_) | None => format!("{subject} has an initial state that {other} has not"),
    }
}

fn step_words(step: &trace::Step) -> String {
    if step.parameters.is_empty() {
        return step.name.clone();
    }
    let parameters = step.parameters.iter().map(|binding| format!("{} = {}", binding.name, binding.value));
    format!("{}({})", step.name, parameters.collect::<Vec<_>>().join(", "))
}

fn describe(tallied: &Tallied) -> String {
    property_words(tallied.property.kind, &tallied.property.name)
}

fn property_words(kind: PropertyKind, name: &str) -> String {
    match kind {
        PropertyKind::Deadlock => "deadlock".to_owned(),
        PropertyKind::Assumption
        | PropertyKind::Invariant
        | PropertyKind::Step
        | PropertyKind::Initial
        | PropertyKind::Temporal
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Periodic => format!("`{name}`"),
    }
}

fn base_line(base: &Base) -> String {
    match base {
        Base::Exhaustive(counts) => {
            format!("Every state was explored: {} as it is.", grouped(counts.distinct))
        }
        Base::Simulated { n_walks, depth, seed, n_states, n_first } => format!(
            "By simulation: for each mutant {} of at most {}, seed {seed}, and its first {}; \
             as it is, walks were in {}.",
            counted(*n_walks, "walk"),
            counted(u64::from(*depth), "step"),
            counted(*n_first, "state"),
            counted(*n_states, "state")
        ),
    }
}

fn cut_text(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

impl Writer for TextWriter<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        diagnostics
            .iter()
            .try_for_each(|diagnostic| self.console.draw(Stream::Err, &spec.sources, diagnostic))
    }

    fn list(&self, spec: &Spec, mutants: &[Mutant]) -> io::Result<()> {
        for mutant in mutants {
            self.out(&render::printable(&mutant_line(spec, mutant)))?;
        }
        self.out(&format!("{}.", render::count(mutants.len(), "mutant")))
    }

    fn report(&self, spec: &Spec, report: &Report) -> io::Result<()> {
        self.clear_progress()?;
        for warning in &report.warnings {
            self.console.draw(Stream::Err, &spec.sources, warning)?;
        }
        self.mutants(spec, report)?;
        self.properties(spec, report)?;
        self.summary(report)?;
        if report.is_interrupted {
            self.out("It was interrupted and is not complete.")?;
        }
        Ok(())
    }

    fn tell_refusal(&self, spec: &Spec, outcome: &Outcome) -> io::Result<()> {
        self.clear_progress()?;
        if let Err(NoVerdict::Interrupted | NoVerdict::Limit(_)) = outcome {
            let line = "The specification as it is could not be explored: ";
            return self.console.line(Stream::Err, &format!("{line}{}.", crate::check::text::short(outcome)));
        }
        Teller { console: self.console, width: 100 }.finding(spec, outcome)?;
        let line =
            format!("An audit needs a specification that passes: {}.", crate::check::text::short(outcome));
        self.console.line(Stream::Err, &line)
    }

    fn finish(&self) -> io::Result<()> {
        self.output.finish()
    }
}

impl Observer for TextWriter<'_> {
    fn event(&self, event: Event<'_>) {
        let line = match event {
            Event::Base { base, n_mutants } => {
                self.n_mutants.store(n_mutants, std::sync::atomic::Ordering::Relaxed);
                format!("{} {}.", base_line(base), render::count(n_mutants, "mutant"))
            }
            Event::Judged { n_judged, .. } => {
                let n_mutants = self.n_mutants.load(std::sync::atomic::Ordering::Relaxed);
                format!("{n_judged} of {}", render::count(n_mutants, "mutant"))
            }
        };
        if self.job.is_terminal {
            self.output.keep(self.console.write(Stream::Err, &format!("\r\x1b[K{line}")));
        }
    }
}
