//! What is said about a log, and about all of them.

use std::io;
use std::path::Path;
use std::time::Duration;

use check::{NearKind, NearStep};
use diag::{SourceMap, render};
use sema::Spec;
use serde_json::{Value, json};
use trace::Style;
use validate::{Acceptance, Verdict};

use super::judged::{Class, Judged, Searched};
use crate::args::{CheckFormatArg, ValidateArgs};
use crate::check::json::{counts, verdict, with_trace};
use crate::check::text::{Teller, grouped, short};
use crate::check::trace_of;
use crate::console::{Console, Stream};
use crate::exit::Ending;

/// Tells of one log after the other.
pub struct Telling<'a> {
    pub args: &'a ValidateArgs,
    pub spec: &'a Spec,
    pub console: &'a Console,
    /// Whether there are other logs.
    pub is_one_of_many: bool,
}

impl Telling<'_> {
    pub fn log(&self, judged: &Judged) -> io::Result<()> {
        for line in judged.printed.iter().filter(|_| self.args.format == CheckFormatArg::Text) {
            self.console.line(Stream::Out, &render::printable(line))?;
        }
        match self.args.format {
            CheckFormatArg::Text => self.text(judged),
            CheckFormatArg::Json => self.json(judged),
        }
    }

    fn text(&self, judged: &Judged) -> io::Result<()> {
        let console = self.console;
        let searched = match &judged.searched {
            Ok(searched) => searched,
            Err(error) => return console.draw(Stream::Err, &SourceMap::new(), error),
        };
        match searched.verdict {
            Verdict::Accepted(_) if self.is_one_of_many => console.line(Stream::Out, &line(judged)),
            Verdict::Accepted(acceptance) => {
                console.line(Stream::Out, &accepted(&judged.name(), searched, acceptance))
            }
            Verdict::Rejected | Verdict::NoAcceptance => {
                let style = Style { colour: console.has_colour(Stream::Out), ..Style::default() };
                console.write(Stream::Out, &rejection(searched, style))?;
                match judged.complaint(&self.args.spec) {
                    Some(complaint) => console.draw(Stream::Out, &SourceMap::new(), &complaint),
                    None => Ok(()),
                }
            }
            Verdict::Other => {
                let teller = Teller { console, width: Style::default().width };
                teller.finding(self.spec, &searched.answer.outcome)?;
                let short = short(&searched.answer.outcome);
                console.line(Stream::Out, &format!("`{}` has no verdict: {short}.", judged.name()))
            }
        }
    }

    fn json(&self, judged: &Judged) -> io::Result<()> {
        let complaint = judged.complaint(&self.args.spec);
        if let Some(complaint) = &complaint {
            self.console.line(Stream::Out, &render::json(&self.spec.sources, complaint))?;
        }
        let searched = judged.searched.as_ref().ok();
        let rejected = searched.filter(|searched| searched.verdict == Verdict::Rejected);
        let misses = rejected.map_or(&[][..], |searched| &searched.reached.misses);
        let object = json!({
            "kind": "validation",
            "log": judged.name(),
            "verdict": word(judged),
            "accepted_by": searched.and_then(|searched| accepted_by(searched.verdict)),
            "events": judged.n_events(),
            "event": rejected.and_then(Searched::stuck_at).map(|(event, _)| event),
            "line": rejected.and_then(Searched::stuck_line).map(|(line, _)| line),
            "misses": misses.iter().map(validate::why::miss).collect::<Vec<_>>(),
            "code": complaint.as_ref().map(|complaint| complaint.code.id()),
            "warnings": judged.warnings().map(|warning| warning.code.id()).collect::<Vec<_>>(),
            "printed": judged.printed,
            "elapsed_ms": judged.elapsed.as_millis() as u64,
            "counts": searched.map(|searched| counts(searched.answer.counts)),
            "trace": null,
        });
        let trace = searched.and_then(|searched| match searched.verdict {
            Verdict::Other => trace_of(&searched.answer.outcome),
            Verdict::Accepted(_) | Verdict::Rejected | Verdict::NoAcceptance => {
                searched.reached.trace.as_ref()
            }
        });
        self.console.line(Stream::Out, &with_trace(object, trace))
    }

    /// At the end, where there were several.
    pub fn summary(&self, summary: &Summary, ending: Ending) -> io::Result<()> {
        match self.args.format {
            CheckFormatArg::Text => self.console.write(Stream::Out, &summary.text()),
            CheckFormatArg::Json => self.console.line(Stream::Out, &summary.json(ending).to_string()),
        }
    }
}

/// What there is to say about all logs together.
#[derive(Default)]
pub struct Summary {
    /// Of those that are not accepted: a line.
    troubles: Vec<String>,
    n_of_class: [usize; 5],
    n_events: u64,
    pub elapsed: Duration,
}

const CLASSES: [Class; 5] =
    [Class::Accepted, Class::Rejected, Class::Violated, Class::Undecided, Class::Error];

impl Summary {
    pub fn add(&mut self, judged: &Judged, spec: &Path) {
        let class = judged.class();
        self.n_of_class[class as usize] += 1;
        self.n_events += judged.n_events().unwrap_or(0);
        if class != Class::Accepted {
            let why = judged.why(spec).unwrap_or_default();
            self.troubles.push(format!("{}: {}", line(judged), render::printable(&why)));
        }
    }

    fn text(&self) -> String {
        let counted = CLASSES.into_iter().map(|class| (class, self.n_of_class[class as usize]));
        let counted =
            counted.filter(|&(class, n)| n > 0 || matches!(class, Class::Accepted | Class::Rejected));
        let counted: Vec<String> = counted.map(|(class, n)| format!("{n} {}", class_word(class))).collect();
        let n_logs: usize = self.n_of_class.iter().sum();
        let troubles: String = self.troubles.iter().map(|line| format!("{line}\n")).collect();
        // What was said of each is above.
        let gap = if self.troubles.is_empty() { "" } else { "\n" };
        format!(
            "{gap}{troubles}{}: {}; {} events, {:.1} s.\n",
            render::count(n_logs, "log"),
            counted.join(", "),
            grouped(self.n_events),
            self.elapsed.as_secs_f64()
        )
    }

    fn json(&self, ending: Ending) -> Value {
        let n = |class: Class| self.n_of_class[class as usize];
        json!({
            "kind": "summary",
            "logs": self.n_of_class.iter().sum::<usize>(),
            "accepted": n(Class::Accepted),
            "rejected": n(Class::Rejected),
            "violated": n(Class::Violated),
            "undecided": n(Class::Undecided),
            "errors": n(Class::Error),
            "events": self.n_events,
            "elapsed_ms": self.elapsed.as_millis() as u64,
            "exit_code": ending.number(),
        })
    }
}

pub fn class_word(class: Class) -> &'static str {
    match class {
        Class::Accepted => "accepted",
        Class::Rejected => "rejected",
        Class::Violated => "violated",
        Class::Undecided => "undecided",
        Class::Error => "with an error",
    }
}

/// A log in a line.
fn line(judged: &Judged) -> String {
    let word = match judged.class() {
        Class::Accepted => "accepted",
        Class::Rejected => "REJECTED",
        Class::Violated => "VIOLATED",
        Class::Undecided => "UNDECIDED",
        Class::Error => "ERROR",
    };
    let events = judged.n_events().map(|n| format!("{}, ", render::count(n as usize, "event")));
    let (name, seconds) = (judged.name(), judged.elapsed.as_secs_f64());
    format!("{word:9} {} ({}{seconds:.1} s)", render::printable(&name), events.unwrap_or_default())
}

fn accepted(name: &str, searched: &Searched, acceptance: Acceptance) -> String {
    let by = match acceptance {
        Acceptance::Exit => "`TLCSet(\"exit\", TRUE)`",
        Acceptance::Postcondition => "POSTCONDITION",
        Acceptance::Expression => "--accept",
        Acceptance::Property => "a property about the run",
    };
    let n_states = searched.reached.n_states;
    let events = match searched.reached.length {
        Some(length) => format!(", {}", render::count(usize::try_from(length).unwrap_or(0), "event")),
        None => String::new(),
    };
    let states = render::count(n_states, "state");
    format!("`{name}` is accepted by {by}: a behaviour of {states} follows it{events}.")
}

/// How far the log can be followed, and what stands in the way.
pub fn rejection(searched: &Searched, style: Style) -> String {
    let mut text = String::new();
    if let Some(trace) = searched.reached.trace.as_ref().filter(|_| searched.verdict == Verdict::Rejected) {
        let n_states = trace.states.len();
        let longest = render::count(n_states, "state");
        text += &format!("The longest behaviour that follows the log has {longest}. The last of them:\n");
        text += &format!("{}\n", trace::state_text(trace, n_states.saturating_sub(1), style));
    }
    for near in &searched.reached.misses {
        text += &format!("{}\n", trace::failure_text(&near.failure, &heading(near), style));
    }
    text
}

fn word(judged: &Judged) -> &'static str {
    let searched = match &judged.searched {
        Ok(searched) => searched,
        Err(_) if judged.class() == Class::Rejected => return "rejected",
        Err(_) => return "error",
    };
    match searched.verdict {
        Verdict::Accepted(_) => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::NoAcceptance => "no-acceptance",
        Verdict::Other => verdict(&searched.answer.outcome).0,
    }
}

fn accepted_by(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Accepted(Acceptance::Exit) => Some("exit"),
        Verdict::Accepted(Acceptance::Postcondition) => Some("postcondition"),
        Verdict::Accepted(Acceptance::Expression) => Some("expression"),
        Verdict::Accepted(Acceptance::Property) => Some("property"),
        Verdict::Rejected | Verdict::Other | Verdict::NoAcceptance => None,
    }
}

fn heading(near: &NearStep) -> String {
    let step = trace::step_text(&near.step);
    match near.why {
        NearKind::Conjunct => format!("No step {step}: this is FALSE there"),
        NearKind::Constraint => format!("A step {step} is cut off by a constraint: this is FALSE after it"),
    }
}
