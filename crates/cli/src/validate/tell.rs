//! What is said about a log.

use std::io;

use check::{Answer, NearKind, NearStep, Reached};
use diag::{Code, Diagnostic, SourceMap, render};
use sema::Spec;
use serde_json::{Value, json};
use trace::Style;
use validate::{Acceptance, Verdict};

use super::log::{self, Log};
use crate::args::{CheckFormatArg, ValidateArgs};
use crate::check::json::{counts, told, verdict, with_trace};
use crate::check::text::Teller;
use crate::check::trace_of;
use crate::console::{Console, Stream};

/// Everything there is to say.
pub struct Told<'a> {
    pub args: &'a ValidateArgs,
    pub log: &'a Log,
    pub spec: &'a Spec,
    pub answer: &'a Answer,
    pub reached: &'a Reached,
    pub verdict: Verdict,
}

impl Told<'_> {
    pub fn write(&self, console: &Console) -> io::Result<()> {
        // That nothing has to happen, and not beyond the log, is in the nature of a trace specification.
        let is_told =
            |warning: &&Diagnostic| !matches!(warning.code, Code::NoFairness | Code::LiveConstrained);
        for warning in self.answer.warnings.iter().filter(is_told) {
            super::draw(self.args, &self.spec.sources, warning, console)?;
        }
        match self.args.format {
            CheckFormatArg::Text => self.text(console),
            CheckFormatArg::Json => self.json(console),
        }
    }

    fn text(&self, console: &Console) -> io::Result<()> {
        match self.verdict {
            Verdict::Accepted(acceptance) => console.line(Stream::Out, &self.accepted(acceptance)),
            Verdict::Rejected => self.rejection(console),
            Verdict::NoAcceptance => console.draw(Stream::Out, &SourceMap::new(), &self.no_acceptance()),
            Verdict::Other => {
                let teller = Teller { console, width: Style::default().width };
                teller.finding(self.spec, &self.answer.outcome)?;
                let short = crate::check::text::short(&self.answer.outcome);
                console.line(Stream::Out, &format!("`{}` has no verdict: {short}.", self.log_name()))
            }
        }
    }

    fn log_name(&self) -> String {
        self.args.log.display().to_string()
    }

    fn accepted(&self, acceptance: Acceptance) -> String {
        let by = match acceptance {
            Acceptance::Exit => "`TLCSet(\"exit\", TRUE)`",
            Acceptance::Postcondition => "POSTCONDITION",
            Acceptance::Expression => "--accept",
            Acceptance::Property => "a property about the run",
        };
        let n_states = self.reached.n_states;
        let events = match self.reached.length {
            Some(length) => format!(", {}", render::count(usize::try_from(length).unwrap_or(0), "event")),
            None => String::new(),
        };
        format!(
            "`{}` is accepted by {by}: a behaviour of {} follows it{events}.",
            self.log_name(),
            render::count(n_states, "state")
        )
    }

    /// Which event could not be explained, from 1, and of how many.
    fn stuck_at(&self) -> Option<(i64, i64)> {
        let (cursor, length) = (self.reached.cursor?, self.reached.length?);
        (cursor <= length).then_some((cursor, length))
    }

    fn stuck_line(&self) -> Option<(usize, &str)> {
        let (event, n_events) = self.stuck_at()?;
        self.log.line_of(event, n_events)
    }

    fn rejected(&self) -> Diagnostic {
        let name = self.log_name();
        if self.reached.length == Some(0) {
            return log::empty(&format!("`{name}` has no event that the specification reads"));
        }
        let headline = match (self.stuck_at(), self.stuck_line()) {
            (Some((event, n)), Some((line, _))) => {
                format!("`{name}` is rejected: nothing explains line {line} (event {event} of {n})")
            }
            (Some((event, n)), None) => {
                format!("`{name}` is rejected: nothing explains event {event} of {n}")
            }
            (None, _) => format!("`{name}` is rejected: no behaviour is accepted"),
        };
        let mut diagnostic = Diagnostic::without_place(Code::LogRejected, headline);
        if let Some((line, text)) = self.stuck_line() {
            diagnostic = diagnostic.note(format!("line {line} is {}", render::printable(text)));
        }
        match told(&self.answer.outcome) {
            Some(found) => diagnostic.note(found.headline.clone()),
            None => diagnostic,
        }
    }

    fn no_acceptance(&self) -> Diagnostic {
        let spec = self.args.spec.display();
        let headline = format!("nothing in `{spec}` and its configuration says when a log is accepted");
        Diagnostic::without_place(Code::NoAcceptance, headline)
            .help("give a POSTCONDITION over `TLCGet(\"stats\").diameter`, or `--accept` with a formula such as `l > Len(TraceLog)`")
    }

    fn rejection(&self, console: &Console) -> io::Result<()> {
        let style = Style { colour: console.has_colour(Stream::Out), ..Style::default() };
        if let Some(trace) = &self.reached.trace {
            let n_states = trace.states.len();
            let longest = render::count(n_states, "state");
            let heading =
                format!("The longest behaviour that follows the log has {longest}. The last of them:");
            console.line(Stream::Out, &heading)?;
            let last = trace::state_text(trace, n_states.saturating_sub(1), style);
            console.write(Stream::Out, &format!("{last}\n"))?;
        }
        for near in &self.reached.misses {
            let text = trace::failure_text(&near.failure, &heading(near), style);
            console.write(Stream::Out, &format!("{text}\n"))?;
        }
        console.draw(Stream::Out, &SourceMap::new(), &self.rejected())
    }

    fn json(&self, console: &Console) -> io::Result<()> {
        let diagnostic = match self.verdict {
            Verdict::Accepted(_) => None,
            Verdict::Rejected => Some(self.rejected()),
            Verdict::NoAcceptance => Some(self.no_acceptance()),
            Verdict::Other => told(&self.answer.outcome).cloned(),
        };
        if let Some(diagnostic) = &diagnostic {
            console.line(Stream::Out, &render::json(&self.spec.sources, diagnostic))?;
        }
        let word = match self.verdict {
            Verdict::Accepted(_) => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::NoAcceptance => "no-acceptance",
            Verdict::Other => verdict(&self.answer.outcome).0,
        };
        let (event, line) = (self.stuck_at(), self.stuck_line());
        let is_rejected = self.verdict == Verdict::Rejected;
        let object = json!({
            "kind": "validation",
            "log": self.log_name(),
            "verdict": word,
            "accepted_by": accepted_by(self.verdict),
            "events": self.reached.length,
            "event": event.map(|(event, _)| event).filter(|_| is_rejected),
            "line": line.map(|(line, _)| line).filter(|_| is_rejected),
            "misses": self.reached.misses.iter().map(miss).collect::<Vec<_>>(),
            "code": diagnostic.as_ref().map(|diagnostic| diagnostic.code.id()),
            "counts": counts(self.answer.counts),
            "trace": null,
        });
        let trace = match self.verdict {
            Verdict::Other => trace_of(&self.answer.outcome),
            Verdict::Accepted(_) | Verdict::Rejected | Verdict::NoAcceptance => self.reached.trace.as_ref(),
        };
        console.line(Stream::Out, &with_trace(object, trace))
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

fn miss(near: &NearStep) -> Value {
    let why = match near.why {
        NearKind::Conjunct => "conjunct",
        NearKind::Constraint => "constraint",
    };
    let values = near.failure.values.iter();
    let place = near.failure.place.as_ref();
    json!({
        "action": trace::step_text(&near.step),
        "why": why,
        "text": near.failure.text,
        "file": place.map(|place| place.file.clone()),
        "line": place.map(|place| place.start.line),
        "values": values
            .map(|binding| json!({ "name": binding.name, "value": binding.value.to_string() }))
            .collect::<Vec<_>>(),
    })
}
