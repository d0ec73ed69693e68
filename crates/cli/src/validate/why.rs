//! `--why-html`: the results of the logs as a page.

use std::path::Path;

use setup::trace_of;
use trace::{Datum, Trace};
use validate::outcome::{LoggedEvent, Prefix, Unexplained};
use validate::why::WhyRun;
use validate::{LogSequence, Verdict};

use super::entry::Class;
use super::judged::{Judged, Searched};

impl Judged {
    /// Returns the data for a page; it takes the behaviour.
    pub fn into_why(self, sequence: Option<&LogSequence>, spec: &Path) -> WhyRun {
        let (name, class) = (self.name(), self.class());
        let complaint = self.complaint(spec);
        let headline = match (&complaint, class) {
            (Some(complaint), _) => complaint.headline.clone(),
            (None, Class::Accepted) => format!("`{name}` is accepted"),
            (None, _) => format!("`{name}`: {}", self.why(spec).unwrap_or_default()),
        };
        let hints = complaint.as_ref().map_or_else(Vec::new, |complaint| complaint.help.clone());
        // Of a log that is rejected the page shows it.
        let notes = complaint.filter(|_| class != Class::Rejected).map(|complaint| complaint.notes);
        let notes = notes.unwrap_or_default();
        let verdict = class.word().to_owned();
        let run = WhyRun { name: name.clone(), verdict, headline, notes, hints, ..WhyRun::default() };
        match self.searched {
            Ok(searched) => searched.show(&name, sequence, run),
            Err(_) => run,
        }
    }
}

impl Searched {
    fn show(mut self, name: &str, sequence: Option<&LogSequence>, run: WhyRun) -> WhyRun {
        let n_events = self.reached.length.unwrap_or(0);
        let has_lines = self.log.has_all(n_events);
        let events: Vec<LoggedEvent> = match has_lines {
            true => self.log.lines().enumerate().map(|(index, line)| of_line(name, index, line)).collect(),
            false => self.reached.events.iter().enumerate().map(|event| of_value(name, event)).collect(),
        };
        let trace = match self.verdict {
            Verdict::Other => trace_of(&self.answer.outcome).cloned(),
            Verdict::Accepted(_) | Verdict::Rejected | Verdict::NoAcceptance => self.reached.trace.take(),
        };
        let cursors = match (&trace, self.verdict) {
            (Some(trace), Verdict::Other) => in_trace(trace, sequence),
            (Some(_) | None, _) => std::mem::take(&mut self.reached.cursors),
        };
        let is_stuck = self.verdict == Verdict::Rejected && !self.reached.misses.is_empty();
        let stuck = self.stuck_at().filter(|_| self.verdict == Verdict::Rejected).map(|(event, _)| event);
        let number = stuck.and_then(|event| usize::try_from(event).ok());
        let unexplained = (is_stuck || number.is_some()).then(|| Unexplained {
            event: number.and_then(|number| events.get(number - 1).cloned()).unwrap_or_else(|| nowhere(name)),
            misses: std::mem::take(&mut self.reached.misses),
        });
        let n_before = match self.verdict {
            Verdict::Other => 0,
            Verdict::Accepted(_) | Verdict::Rejected | Verdict::NoAcceptance => self.reached.n_before,
        };
        let mut explained = explain(&cursors, &events);
        if let Some(first) = explained.first_mut().filter(|_| n_before > 0) {
            // Which state is before it is not known here.
            *first = None;
        }
        let choices = match self.verdict {
            Verdict::Other => Vec::new(),
            Verdict::Accepted(_) | Verdict::Rejected | Verdict::NoAcceptance => self.reached.choices,
        };
        WhyRun {
            events,
            has_lines,
            prefix: Prefix { n_before, trace, events: explained, choices },
            unexplained: unexplained.into_iter().collect(),
            ..run
        }
    }
}

fn of_line(name: &str, index: usize, (line, text): (usize, &str)) -> LoggedEvent {
    LoggedEvent { number: index + 1, file: name.to_owned(), line, text: text.to_owned() }
}

/// An event of a log that the specification filters: which line it was is not known.
fn of_value(name: &str, (index, event): (usize, &Datum)) -> LoggedEvent {
    LoggedEvent { number: index + 1, file: name.to_owned(), line: 0, text: event.to_string() }
}

/// Returns an event without a number: the specification does not show how far it has read.
fn nowhere(name: &str) -> LoggedEvent {
    LoggedEvent { number: 0, file: name.to_owned(), line: 0, text: String::new() }
}

/// Returns for each state the event that the step to it explained, if it explained one.
fn explain(cursors: &[i64], events: &[LoggedEvent]) -> Vec<Option<LoggedEvent>> {
    let before = std::iter::once(1).chain(cursors.iter().copied());
    let steps = before.zip(cursors);
    let event = |cursor: i64| usize::try_from(cursor - 2).ok().and_then(|index| events.get(index).cloned());
    steps.map(|(before, &cursor)| event(cursor).filter(|_| cursor > before)).collect()
}

/// Returns the number of the next event in each state, if a variable shows it.
fn in_trace(trace: &Trace, sequence: Option<&LogSequence>) -> Vec<i64> {
    let name = sequence.map(|sequence| sequence.variable.as_str());
    let Some(at) = trace.variables.iter().position(|known| Some(known.as_str()) == name) else {
        return Vec::new();
    };
    let value = |state: &trace::State| state.values.get(at)?.as_ref()?.to_string().parse().ok();
    trace.states.iter().map(|state| value(state).unwrap_or(0)).collect()
}
