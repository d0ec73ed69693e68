//! The result of one log.

use std::path::{Path, PathBuf};
use std::time::Duration;

use check::{Answer, Reached};
use diag::{Code, Diagnostic, render};
use eval::interp::FaultKind;
use model::NoVerdict;
use sema::Spec;
use setup::ending_of;
use trace::Style;
use validate::outcome::Suggestion;
use validate::{SpecNames, Verdict};

use super::entry::{Class, Entry};
use super::log::{self, Log};
use super::prepared::Prepared;
use super::report::{line_place, nearest, obstacles};
use super::tell::{rejection, suggestion_text};
use crate::check::json::finding_diagnostic;
use crate::check::text::short;
use crate::exit::Ending;

/// Width of a trace in a report, in characters.
const WIDTH: usize = 100;

pub struct Judged {
    pub path: PathBuf,
    /// The log as it was read and what was found, or why there was no search.
    pub searched: Result<Searched, Box<Diagnostic>>,
    pub elapsed: Duration,
    /// Lines that the specification printed, kept until the log is reported.
    pub printed: Vec<String>,
}

pub struct Searched {
    pub log: Log,
    pub answer: Answer,
    pub reached: Reached,
    pub verdict: Verdict,
    /// About this log, besides what the search has to say.
    pub warnings: Vec<Diagnostic>,
    /// The names by which the specification speaks of the log.
    pub about_log: Vec<String>,
}

impl Judged {
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub fn ending(&self) -> Ending {
        match &self.searched {
            Err(error) => Ending::of(error, false),
            Ok(searched) if searched.is_unreadable(&self.path) => Ending::Unreadable,
            Ok(searched) => match searched.verdict {
                Verdict::Accepted(_) => Ending::Ok,
                Verdict::Rejected => Ending::Rejected,
                Verdict::Other => ending_of(&searched.answer.outcome),
                Verdict::NoAcceptance => Ending::ConfigError,
            },
        }
    }

    pub fn class(&self) -> Class {
        match (&self.searched, self.ending()) {
            (_, Ending::Ok) => Class::Accepted,
            (_, Ending::Rejected) => Class::Rejected,
            (Err(_), _) => Class::Error,
            (Ok(searched), _) => match (&searched.answer.outcome, searched.verdict) {
                (Ok(model::Verdict::Violated(_)), Verdict::Other) => Class::Violated,
                (Err(NoVerdict::Limit(_) | NoVerdict::Interrupted), _) => Class::Undecided,
                (Ok(_) | Err(_), _) => Class::Error,
            },
        }
    }

    /// Returns how many events the specification takes from the log, if that is known.
    pub fn n_events(&self) -> Option<u64> {
        let length = self.searched.as_ref().ok()?.reached.length?;
        u64::try_from(length).ok()
    }

    /// Returns in one line why the log is not accepted, with the nearest step.
    pub fn why(&self, spec: &Path) -> Option<String> {
        let rejected = self.searched.as_ref().ok().filter(|_| self.class() == Class::Rejected);
        let Some(rejected) = rejected.filter(|searched| searched.reached.length != Some(0)) else {
            let outcome = self.searched.as_ref().ok().map(|searched| short(&searched.answer.outcome));
            return self.complaint(spec).map(|complaint| complaint.headline).or(outcome);
        };
        Some(format!("{}{}", rejected.why_rejected(), nearest(&rejected.reached.misses)))
    }

    /// Returns the entry of this log in a summary and in reports.
    pub fn entry(&self, spec: &Spec, path: &Path) -> Entry {
        let (name, class, complaint) = (self.name(), self.class(), self.complaint(path));
        let searched = self.searched.as_ref().ok();
        let rejected = searched.filter(|_| class == Class::Rejected);
        let style = Style { full: false, colour: false, width: WIDTH };
        let mut text = searched.map_or_else(String::new, |searched| rejection(searched, style));
        if let Some(complaint) = &complaint {
            text += &render::text(&spec.sources, complaint, render::Colour::Plain);
        }
        let line = match &self.searched {
            Ok(_) => {
                rejected.and_then(Searched::stuck_line).map(|(line, text)| line_place(&name, line, text))
            }
            Err(_) => Some(line_place(&name, 1, "")),
        };
        Entry {
            class,
            ending: self.ending(),
            n_events: self.n_events(),
            elapsed: self.elapsed,
            why: self.why(path).filter(|_| class != Class::Accepted).unwrap_or_default(),
            text,
            complaint,
            line,
            obstacles: obstacles(rejected.into_iter().flat_map(|searched| &searched.reached.misses)),
            name,
        }
    }

    /// Returns the warnings of the search and of the specification.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.searched.iter().flat_map(Searched::all_warnings)
    }

    /// Describes why a log is not accepted.
    pub fn complaint(&self, spec: &Path) -> Option<Diagnostic> {
        match &self.searched {
            Err(error) => Some((**error).clone()),
            Ok(searched) => searched.complaint(&self.name(), spec),
        }
    }
}

impl Searched {
    pub fn new(log: Log, (answer, reached): (Answer, Reached), prepared: &Prepared) -> Searched {
        let verdict = match (reached.length, answer.outcome.is_ok()) {
            // The outcome of the search does not matter then.
            (Some(0), true) => Verdict::Rejected,
            _ => validate::judge(&answer, &reached, &prepared.means),
        };
        let warning = unread(prepared, &reached).filter(|_| matches!(verdict, Verdict::Accepted(_)));
        let sequence = prepared.reads.sequence.as_ref().filter(|_| verdict == Verdict::Rejected);
        let about_log = sequence.map_or_else(Vec::new, |read| validate::about_log(&prepared.spec, read));
        Searched { log, answer, reached, verdict, warnings: warning.into_iter().collect(), about_log }
    }

    /// Whether there is nothing to judge: no event, or a line that the specification cannot read.
    pub fn is_unreadable(&self, path: &Path) -> bool {
        if self.verdict == Verdict::Rejected && self.reached.length == Some(0) {
            return true;
        }
        let Err(NoVerdict::Undefined { fault: Some(fault), .. }) = &self.answer.outcome else { return false };
        matches!(&fault.kind, FaultKind::Io { target, .. } if *target == path.to_string_lossy())
    }

    /// Returns how many events one behaviour explains, if that is known.
    pub fn n_explained(&self) -> Option<i64> {
        let (cursor, length) = (self.reached.cursor?, self.reached.length?);
        Some((cursor - 1).clamp(0, length))
    }

    fn all_warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        // Trace specifications have no fairness and end with the log: these warnings say nothing about them.
        let is_told =
            |warning: &&Diagnostic| !matches!(warning.code, Code::NoFairness | Code::LiveConstrained);
        self.answer.warnings.iter().filter(is_told).chain(&self.warnings)
    }

    /// Returns the number of the event that could not be explained, from 1, and the number of all events.
    pub fn stuck_at(&self) -> Option<(i64, i64)> {
        let (cursor, length) = (self.reached.cursor?, self.reached.length?);
        (cursor <= length).then_some((cursor, length))
    }

    pub fn stuck_line(&self) -> Option<(usize, &str)> {
        let (event, n_events) = self.stuck_at()?;
        self.log.line_of(event, n_events)
    }

    fn complaint(&self, name: &str, spec: &Path) -> Option<Diagnostic> {
        match self.verdict {
            Verdict::Accepted(_) => None,
            Verdict::Rejected => Some(self.rejection(name, spec)),
            Verdict::NoAcceptance => Some(no_acceptance(spec)),
            Verdict::Other => finding_diagnostic(&self.answer.outcome).cloned(),
        }
    }

    fn why_rejected(&self) -> String {
        match (self.stuck_at(), self.stuck_line()) {
            (Some((event, n)), Some((line, _))) => {
                format!("nothing explains line {line} (event {event} of {n})")
            }
            (Some((event, n)), None) => format!("nothing explains event {event} of {n}"),
            (None, _) => "no behaviour is accepted".to_owned(),
        }
    }

    /// Returns where to look first, if an event could not be explained.
    pub fn suggestion(&self) -> Option<Suggestion> {
        self.stuck_at().filter(|_| self.verdict == Verdict::Rejected)?;
        let trace = self.reached.trace.as_ref();
        let variables = trace.map_or(&[][..], |trace| &trace.variables);
        Some(validate::suggestion(&self.reached.misses, SpecNames { variables, log: &self.about_log }))
    }

    fn rejection(&self, name: &str, spec: &Path) -> Diagnostic {
        if self.reached.length == Some(0) {
            return log::empty(&format!("`{name}` has no event that the specification reads"));
        }
        let headline = format!("`{name}` is rejected: {}", self.why_rejected());
        let mut diagnostic = Diagnostic::without_place(Code::LogRejected, headline);
        if let Some((line, text)) = self.stuck_line() {
            diagnostic = diagnostic.note(format!("line {line} is {}", render::printable(text)));
        }
        if let Some(found) = finding_diagnostic(&self.answer.outcome) {
            diagnostic = diagnostic.note(found.headline.clone());
        }
        if self.reached.is_cut {
            diagnostic = diagnostic.note("the explanation was cut off: there may be more to say");
        }
        match self.suggestion() {
            Some(suggestion) => {
                diagnostic.help(suggestion_text(suggestion, (spec, "no step of it is for this event here")))
            }
            None => diagnostic,
        }
    }
}

/// Returns a warning if the log was accepted before its last event was read.
fn unread(prepared: &Prepared, reached: &Reached) -> Option<Diagnostic> {
    let sequence = prepared.reads.sequence.as_ref()?;
    let (cursor, length) = (reached.cursor?, reached.length?);
    if cursor > length || !prepared.is_read_by_steps {
        return None;
    }
    let (name, variable) = (&sequence.name, &sequence.variable);
    let headline = "a log is accepted before its last event is looked at: whatever that says is accepted";
    let note =
        format!("the last event is explained by a step to a state in which `{variable} > Len({name})`");
    let help = format!("accept a log where `{variable} > Len({name})`");
    let span = prepared.exit.filter(|_| reached.accepted == Some(check::Accepted::Exit));
    let diagnostic = match span {
        Some(span) => {
            Diagnostic::new(Code::LastEventUnread, span, headline).label("this ends the search too early")
        }
        None => Diagnostic::without_place(Code::LastEventUnread, headline),
    };
    Some(diagnostic.note(note).help(help))
}

fn no_acceptance(spec: &Path) -> Diagnostic {
    let headline =
        format!("nothing in `{}` and its configuration says when a log is accepted", spec.display());
    Diagnostic::without_place(Code::NoAcceptance, headline)
        .help("give `--accept` with a formula such as `l > Len(TraceLog)`, a PROPERTY such as `<>(l > Len(TraceLog))`, or a POSTCONDITION over `TLCGet(\"stats\").diameter`")
}
