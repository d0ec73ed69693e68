//! Reports on a log.

use std::io;
use std::path::Path;

use check::{NearKind, NearStep};
use diag::{SourceMap, render};
use model::NoVerdict;
use sema::Spec;
use serde_json::json;
use setup::trace_of;
use trace::Style;
use validate::outcome::Suggestion;
use validate::{Acceptance, Verdict};

use super::entry::Entry;
use super::judged::{Judged, Searched};
use crate::args::CheckFormatArg;
use crate::check::json::{counts, verdict, with_trace};
use crate::check::text::{Teller, short};
use crate::console::{Console, Stream};
use crate::validate::args::ValidateArgs;

/// Reports one log after the other.
pub struct Telling<'a> {
    pub args: &'a ValidateArgs,
    pub spec: &'a Spec,
    pub console: &'a Console,
    /// Whether there are other logs.
    pub is_one_of_many: bool,
}

impl Telling<'_> {
    pub fn log(&self, judged: &Judged, entry: &Entry) -> io::Result<()> {
        for line in judged.printed.iter().filter(|_| self.args.format == CheckFormatArg::Text) {
            self.console.line(Stream::Out, &render::whole(line))?;
        }
        match self.args.format {
            CheckFormatArg::Text => self.text(judged, entry),
            CheckFormatArg::Json => self.json(judged),
        }
    }

    fn text(&self, judged: &Judged, entry: &Entry) -> io::Result<()> {
        let console = self.console;
        let searched = match &judged.searched {
            Ok(searched) => searched,
            Err(error) => return console.draw(Stream::Err, &SourceMap::new(), error),
        };
        match searched.verdict {
            Verdict::Accepted(_) if self.args.quiet.quiet => Ok(()),
            Verdict::Accepted(_) if self.is_one_of_many => console.line(Stream::Out, &entry.line()),
            Verdict::Accepted(acceptance) => {
                console.line(Stream::Out, &describe_acceptance(&judged.name(), searched, acceptance))
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
                let so_far = so_far(searched);
                console.line(Stream::Out, &format!("`{}` has no verdict: {short}{so_far}.", judged.name()))
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
            "explained": searched.and_then(Searched::n_explained),
            "event": rejected.and_then(Searched::stuck_at).map(|(event, _)| event),
            "line": rejected.and_then(Searched::stuck_line).map(|(line, _)| line),
            "misses": misses.iter().map(validate::why::miss).collect::<Vec<_>>(),
            "suggestion": rejected.and_then(Searched::suggestion).map(suggestion_word),
            "code": complaint.as_ref().map(|complaint| complaint.code.id()),
            "warnings": judged.warnings().map(|warning| warning.code.id()).collect::<Vec<_>>(),
            "printed": judged.printed,
            "elapsed_ms": judged.elapsed.as_millis() as u64,
            "counts": searched.map(|searched| counts(searched.answer.counts)),
            "left_out": searched.map(|searched| searched.reached.n_before),
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
}

/// Returns how far a log was followed before the search ended.
fn so_far(searched: &Searched) -> String {
    let is_cut_off = matches!(searched.answer.outcome, Err(NoVerdict::Limit(_) | NoVerdict::Interrupted));
    match (searched.n_explained().filter(|_| is_cut_off), searched.reached.length) {
        (Some(n_explained), Some(length)) => {
            format!("; {n_explained} of {length} events are explained so far")
        }
        (Some(_) | None, _) => String::new(),
    }
}

/// Returns where to look first. `first` is the file that gives events their meaning, and `missing` is what
/// may be missing in it.
pub fn suggestion_text(suggestion: Suggestion, (first, missing): (&Path, &str)) -> String {
    let first = first.display();
    match suggestion {
        Suggestion::ImplementationOrSpec => {
            "the specification does not allow this here: look at what the program did, then at the action"
                .to_owned()
        }
        Suggestion::ImplementationOrAction => format!(
            "the action can be taken, and what the log says of it is something else: look at the program, then at the action, then at `{first}`"
        ),
        Suggestion::Mapping => format!("look at `{first}` first: {missing}"),
    }
}

/// A suggestion for programs.
pub fn suggestion_word(suggestion: Suggestion) -> &'static str {
    match suggestion {
        Suggestion::ImplementationOrSpec => "implementation-or-spec",
        Suggestion::ImplementationOrAction => "implementation-or-action",
        Suggestion::Mapping => "mapping",
    }
}

fn describe_acceptance(name: &str, searched: &Searched, acceptance: Acceptance) -> String {
    let by = match acceptance {
        Acceptance::Exit => "`TLCSet(\"exit\", TRUE)`",
        Acceptance::Postcondition => "POSTCONDITION",
        Acceptance::Expression => "--accept",
        Acceptance::Property => "a property about the run or the log",
    };
    let n_states = searched.reached.n_states;
    let events = match searched.reached.length {
        Some(length) => format!(", {}", render::count(usize::try_from(length).unwrap_or(0), "event")),
        None => String::new(),
    };
    let states = render::count(n_states, "state");
    format!("`{name}` is accepted by {by}: a behaviour of {states} follows it{events}.")
}

/// Returns the text on how far the log can be followed, and which conjuncts prevent the next event.
pub fn rejection(searched: &Searched, style: Style) -> String {
    let mut text = String::new();
    if let Some(trace) = searched.reached.trace.as_ref().filter(|_| searched.verdict == Verdict::Rejected) {
        let longest = render::count(searched.reached.n_states, "state");
        text += &format!("The longest behaviour that follows the log has {longest}. The last of them:\n");
        text += &last_state(trace, searched.reached.n_before, style);
    }
    for near in &searched.reached.misses {
        text += &format!("{}\n", trace::failure_text(&near.failure, &heading(near), style));
    }
    text
}

/// Returns the last state of a behaviour as text. `n_before` states come before the trace.
pub fn last_state(trace: &trace::Trace, n_before: usize, style: Style) -> String {
    let index = trace.states.len().saturating_sub(1);
    let text = trace::state_text(trace, index, style);
    // Numbered from the first state of the behaviour, not from the first that was kept.
    let (own, number) = (format!("State {}", index + 1), format!("State {}", n_before + index + 1));
    format!("{}\n", text.replacen(&own, &number, 1))
}

fn word(judged: &Judged) -> &'static str {
    let searched = match &judged.searched {
        Ok(searched) => searched,
        Err(_) => return "error",
    };
    match searched.verdict {
        Verdict::Accepted(_) => "accepted",
        Verdict::Rejected | Verdict::Other if searched.is_unreadable(&judged.path) => "error",
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
