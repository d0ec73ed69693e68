//! The result of a log, whichever way it was validated: as much as a summary and reports for machines need.

use std::time::Duration;

use diag::{Diagnostic, render};
use report::findings::FindingPlace;
use serde_json::{Value, json};

use crate::exit::Ending;

/// The result for a log, as a summary shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Accepted,
    /// No behaviour explains it.
    Rejected,
    /// A property that is not about the log is violated on the way.
    Violated,
    /// A limit, or the user, ended the search.
    Undecided,
    /// The log cannot be read, or the specification cannot be evaluated on it.
    Error,
}

const CLASSES: [Class; 5] =
    [Class::Accepted, Class::Rejected, Class::Violated, Class::Undecided, Class::Error];

pub struct Entry {
    /// The log as it was named.
    pub name: String,
    pub class: Class,
    pub ending: Ending,
    pub n_events: Option<u64>,
    pub elapsed: Duration,
    /// The reason why it is not accepted, in one line.
    pub why: String,
    /// The result at length, as text.
    pub text: String,
    pub complaint: Option<Diagnostic>,
    /// The line of the log that nothing explains.
    pub line: Option<FindingPlace>,
    /// Conjuncts that prevent the next event, each with a message.
    pub obstacles: Vec<(FindingPlace, String)>,
}

impl Class {
    pub fn word(self) -> &'static str {
        match self {
            Class::Accepted => "accepted",
            Class::Rejected => "rejected",
            Class::Violated => "violated",
            Class::Undecided => "undecided",
            Class::Error => "with an error",
        }
    }
}

impl Entry {
    /// The log in a line, without the reason.
    pub fn line(&self) -> String {
        let word = match self.class {
            Class::Accepted => "accepted",
            Class::Rejected => "REJECTED",
            Class::Violated => "VIOLATED",
            Class::Undecided => "UNDECIDED",
            Class::Error => "ERROR",
        };
        let events = self.n_events.map(|n| format!("{}, ", render::count(n as usize, "event")));
        let (name, seconds) = (render::printable(&self.name), self.elapsed.as_secs_f64());
        format!("{word:9} {name} ({}{seconds:.1} s)", events.unwrap_or_default())
    }
}

/// The results of all logs together.
#[derive(Default)]
pub struct Summary {
    /// One line for each log that is not accepted.
    troubles: Vec<String>,
    n_of_class: [usize; CLASSES.len()],
    n_events: u64,
    /// The worst of them.
    worst: Option<Ending>,
}

impl Summary {
    pub fn add(&mut self, entry: &Entry) {
        self.n_of_class[entry.class as usize] += 1;
        self.n_events += entry.n_events.unwrap_or(0);
        self.worst = self.worst.max(Some(entry.ending));
        if entry.class != Class::Accepted {
            self.troubles.push(format!("{}: {}", entry.line(), render::printable(&entry.why)));
        }
    }

    pub fn ending(&self) -> Ending {
        self.worst.unwrap_or(Ending::Ok)
    }

    pub fn n_logs(&self) -> usize {
        self.n_of_class.iter().sum()
    }

    pub fn text(&self, elapsed: Duration) -> String {
        let counted = CLASSES.into_iter().map(|class| (class, self.n_of_class[class as usize]));
        let counted =
            counted.filter(|&(class, n)| n > 0 || matches!(class, Class::Accepted | Class::Rejected));
        let counted: Vec<String> = counted.map(|(class, n)| format!("{n} {}", class.word())).collect();
        let troubles: String = self.troubles.iter().map(|line| format!("{line}\n")).collect();
        // What was said of each is above.
        let gap = if self.troubles.is_empty() { "" } else { "\n" };
        format!(
            "{gap}{troubles}{}: {}; {}, {:.1} s.\n",
            render::count(self.n_logs(), "log"),
            counted.join(", "),
            setup::words::counted(self.n_events, "event"),
            elapsed.as_secs_f64()
        )
    }

    pub fn json(&self, elapsed: Duration) -> Value {
        let n = |class: Class| self.n_of_class[class as usize];
        json!({
            "kind": "summary",
            "logs": self.n_logs(),
            "accepted": n(Class::Accepted),
            "rejected": n(Class::Rejected),
            "violated": n(Class::Violated),
            "undecided": n(Class::Undecided),
            "errors": n(Class::Error),
            "events": self.n_events,
            "elapsed_ms": elapsed.as_millis() as u64,
            "exit_code": self.ending().number(),
        })
    }
}
