//! Reports on a run that was followed by a mapping.

use std::io;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceMap, render};
use serde_json::{Value, json};
use trace::{Style, Trace};
use validate::outcome::{
    About, Followed, LoggedEvent, NotCompared, Outcome, Prefix, Rejection, Undecided, Violated,
};
use validate::plan::PlannedRule;
use validate::{Trouble, Validation};

use super::super::draw;
use super::super::entry::Entry;
use super::super::tell::{last_state, suggestion_text, suggestion_word};
use super::Mapped;
use crate::args::CheckFormatArg;
use crate::check::json::with_trace;
use crate::check::text::Teller;
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::validate::args::ValidateArgs;

/// Number of names that are listed, at most.
const NAMES_MAX: usize = 12;

pub struct Telling<'a> {
    pub args: &'a ValidateArgs,
    pub mapped: &'a Mapped,
    pub console: &'a Console,
    pub map_path: &'a Path,
    /// Whether there are other runs.
    pub is_one_of_many: bool,
}

/// The files of a run, and the result.
pub struct Run<'a> {
    pub files: &'a [PathBuf],
    pub followed: &'a Result<Validation, Trouble>,
}

impl Run<'_> {
    pub fn name(&self) -> String {
        // Several files are mostly all that are in a folder.
        let folder = self.files.first().and_then(|path| path.parent());
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty() && self.files.len() > 1);
        if let Some(folder) =
            folder.filter(|folder| self.files.iter().all(|path| path.parent() == Some(folder)))
        {
            return folder.display().to_string();
        }
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        names.join(", ")
    }
}

impl Telling<'_> {
    pub fn run(&self, run: &Run<'_>, entry: &Entry) -> io::Result<()> {
        for warning in self.warnings(run) {
            draw(self.args, &SourceMap::new(), &warning, self.console)?;
        }
        let is_accepted = entry.ending == Ending::Ok;
        match self.args.format {
            CheckFormatArg::Text if self.args.quiet.quiet && is_accepted => Ok(()),
            CheckFormatArg::Text if self.is_one_of_many && is_accepted => {
                self.console.line(Stream::Out, &entry.line())
            }
            CheckFormatArg::Text => self.text(run),
            CheckFormatArg::Json => self.json(run),
        }
    }

    /// Warns of rules that explained no event in any run.
    pub fn tell_unused(&self, uses: &[u64]) -> io::Result<()> {
        let plan = &self.mapped.plan;
        let unused = plan.rules.iter().zip(uses).filter(|(_, uses)| **uses == 0);
        let names: Vec<String> = unused.map(|(rule, _)| format!("`{}`", rule.name)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let headline = format!("rules that explained no event: {}", names.join(", "));
        let warning = Diagnostic::without_place(Code::MapUnused, headline).help(
            "see whether the logs should have such events, and whether their kinds are written as in the log",
        );
        draw(self.args, &SourceMap::new(), &warning, self.console)
    }

    /// Returns warnings about lines that were left out.
    pub fn warnings(&self, run: &Run<'_>) -> Vec<Diagnostic> {
        run.followed.as_ref().map_or_else(|_| Vec::new(), warn_skipped)
    }

    /// Returns a note if an accepted run says more than was compared: it may be accepted because of that.
    pub fn not_compared(&self, run: &Run<'_>) -> Option<Diagnostic> {
        let not = &run.followed.as_ref().ok()?.not_compared;
        if not.is_nothing() {
            return None;
        }
        let headline = match not.is_everything {
            true => "a log is accepted, and nothing that its events say was compared: only their kinds were",
            false => "a log is accepted, and not everything that its events say was compared",
        };
        let quoted = |names: &[String]| {
            let shown: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
            let more = names.len().saturating_sub(NAMES_MAX);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("{}{more}", shown.join(", "))
        };
        let mut told = Diagnostic::without_place(Code::NotCompared, headline);
        for free in &not.free {
            let what = format!("by `{}` with any {}: `free`", free.rule, quoted(&free.parameters));
            told = told.note(format!("events are explained {what}"));
        }
        for unread in &not.fields {
            let of = if unread.kind.is_empty() { String::new() } else { format!(" of `{}`", unread.kind) };
            told = told.note(format!("nothing reads {}{of}", quoted(&unread.fields)));
        }
        Some(told.help(
            "say in `bind`, `before` or `after` what they are; name fields that do not matter in `ignore-fields` of `[log]`; \
             `--deny warnings` makes this an error",
        ))
    }

    /// Writes how often each rule explained an event, in all runs together.
    pub fn rules(&self, uses: &[u64]) -> io::Result<()> {
        let rules = self.mapped.plan.rules.iter().zip(uses);
        match self.args.format {
            _ if !self.args.coverage.coverage => Ok(()),
            CheckFormatArg::Text => {
                let line = |(rule, uses): (&PlannedRule, &u64)| format!("{uses:>14}  {}\n", rule.name);
                let lines: String = rules.map(line).collect();
                self.console.write(Stream::Out, &format!("Rules: events explained:\n{lines}"))
            }
            CheckFormatArg::Json => {
                let rules = rules.map(|(rule, uses)| json!({ "action": rule.name, "events": uses }));
                let object = json!({ "kind": "rules", "rules": rules.collect::<Vec<_>>() });
                self.console.line(Stream::Out, &object.to_string())
            }
        }
    }

    fn text(&self, run: &Run<'_>) -> io::Result<()> {
        let validation = match run.followed {
            Ok(validation) => validation,
            Err(Trouble::Told(error) | Trouble::Undefined(error)) => {
                return self.console.draw(Stream::Err, &self.mapped.spec.sources, error);
            }
            Err(Trouble::Early(outcome)) => {
                let teller = Teller { console: self.console, width: Style::default().width };
                return teller.finding(&self.mapped.spec, outcome);
            }
        };
        match &validation.outcome {
            Outcome::Accepted(followed) => self.tell_accepted(run, followed),
            Outcome::Rejected(rejection) => self.tell_rejected(run, rejection),
            Outcome::Undecided(why) => {
                self.console.draw(Stream::Out, &SourceMap::new(), &undecided_diagnostic(run, why))
            }
        }
    }

    fn style(&self) -> Style {
        Style { colour: self.console.has_colour(Stream::Out), ..Style::default() }
    }

    fn tell_accepted(&self, run: &Run<'_>, followed: &Followed) -> io::Result<()> {
        for violated in &followed.violations {
            if let Some(failure) = &violated.failure {
                let text = trace::failure_text(failure, &violation(violated), self.style());
                self.console.write(Stream::Out, &format!("{text}\n"))?;
            }
        }
        let events = render::count(followed.n_events, "event");
        let states = render::count(followed.n_states, "state");
        let but = match followed.violations.len() {
            0 => String::new(),
            n => format!(", but it violates {}", render::count(n, "property"))
                .replace("propertys", "properties"),
        };
        let name = run.name();
        self.console.line(
            Stream::Out,
            &format!("`{name}` is accepted: a behaviour of {states} explains {events}{but}."),
        )
    }

    fn tell_rejected(&self, run: &Run<'_>, rejection: &Rejection) -> io::Result<()> {
        self.console.write(Stream::Out, &rejection_text(rejection, self.style()))?;
        self.console.draw(Stream::Out, &SourceMap::new(), &self.complaint(run, rejection))
    }

    pub fn complaint(&self, run: &Run<'_>, rejection: &Rejection) -> Diagnostic {
        let name = run.name();
        let what = match rejection.unexplained.as_slice() {
            [one] => {
                let of = rejection.n_events.map_or_else(String::new, |n| format!(" of {n}"));
                format!("nothing explains {} (event {}{of})", place(&one.event), rejection.n_explained + 1)
            }
            several => format!(
                "nothing explains any of {} that can come next",
                render::count(several.len(), "event")
            ),
        };
        let mut told = Diagnostic::without_place(Code::LogRejected, format!("`{name}` is rejected: {what}"));
        for one in &rejection.unexplained {
            let text = render::printable(&one.event.text);
            told = told.note(format!("{} is {text}", place(&one.event)));
        }
        if let Some(beyond) = &rejection.beyond {
            told = told.note(match &beyond.bound {
                Some(bound) => format!(
                    "one more silent step would have helped, which `{bound}` does not allow: {}",
                    beyond.step
                ),
                None => format!("a step that no event tells of would have helped: {}", beyond.step),
            });
        }
        told.help(suggestion_text(
            rejection.suggestion,
            (self.map_path, "a step is missing there, or a rule"),
        ))
    }

    fn json(&self, run: &Run<'_>) -> io::Result<()> {
        let spec = &self.mapped.spec;
        let complaint = match run.followed {
            Err(Trouble::Told(error) | Trouble::Undefined(error)) => Some((**error).clone()),
            Err(Trouble::Early(outcome)) => crate::check::json::finding_diagnostic(outcome).cloned(),
            Ok(Validation { outcome: Outcome::Rejected(rejection), .. }) => {
                Some(self.complaint(run, rejection))
            }
            Ok(Validation { outcome: Outcome::Undecided(why), .. }) => Some(undecided_diagnostic(run, why)),
            Ok(_) => None,
        };
        if let Some(complaint) = &complaint {
            self.console.line(Stream::Out, &render::json(&spec.sources, complaint))?;
        }
        let mut object = json!({
            "kind": "validation",
            "log": run.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "map": self.map_path.display().to_string(),
            "verdict": word(run),
            "code": complaint.as_ref().map(|complaint| complaint.code.id()),
            "trace": null,
        });
        if let Ok(validation) = run.followed {
            self.add_outcome(&mut object, validation);
        }
        let trace = run.followed.as_ref().ok().and_then(|validation| trace_of(&validation.outcome));
        self.console.line(Stream::Out, &with_trace(object, trace))
    }

    fn add_outcome(&self, object: &mut Value, validation: &Validation) {
        let uses = self.mapped.plan.rules.iter().zip(&validation.rule_uses);
        object["rules"] = uses.map(|(rule, uses)| json!({ "action": rule.name, "events": uses })).collect();
        object["lines"] = validation.n_lines.into();
        object["tried"] = validation.n_tried.into();
        object["not_compared"] = not_compared_json(&validation.not_compared);
        object["skipped"] =
            validation.skipped.iter().map(|one| json!({ "kind": one.kind, "lines": one.n_lines })).collect();
        match &validation.outcome {
            Outcome::Accepted(followed) => {
                object["left_out"] = followed.path.n_before.into();
                object["events"] = followed.n_events.into();
                object["violations"] = followed.violations.iter().map(violated_json).collect();
            }
            Outcome::Rejected(rejection) => {
                object["left_out"] = rejection.prefixes.first().map(|prefix| prefix.n_before).into();
                object["events"] = rejection.n_events.into();
                object["explained"] = rejection.n_explained.into();
                object["event"] = (rejection.n_explained + 1).into();
                let first = rejection.unexplained.first();
                object["file"] = first.map(|one| one.event.file.clone()).into();
                object["line"] = first.map(|one| one.event.line).into();
                let misses = rejection.unexplained.iter().flat_map(|one| &one.misses);
                object["misses"] = misses.map(validate::why::miss).collect();
                object["beyond"] = rejection
                    .beyond
                    .as_ref()
                    .map(|beyond| json!({ "step": beyond.step, "bound": beyond.bound }))
                    .into();
                object["suggestion"] = suggestion_word(rejection.suggestion).into();
            }
            Outcome::Undecided(_) => {}
        }
    }
}

/// Returns the text on how far a run can be explained, and which conjuncts prevent the next event.
pub fn rejection_text(rejection: &Rejection, style: Style) -> String {
    let mut text = String::new();
    if let Some(prefix) = rejection.prefixes.first()
        && let Some(trace) = &prefix.trace
    {
        let explained = render::count(rejection.n_explained, "event");
        let others = match rejection.prefixes.len() {
            1 => String::new(),
            n => format!(" (one of {n} that are as long)"),
        };
        text += &format!("The longest behaviour explains {explained}{others}. Its last state:\n");
        text += &last_state(trace, prefix.n_before, style);
    }
    for one in &rejection.unexplained {
        if rejection.unexplained.len() > 1 {
            text += &format!("{}:\n", place(&one.event));
        }
        for near in &one.misses {
            let heading = format!("Not by {}: this is FALSE", trace::step_text(&near.step));
            text += &format!("{}\n", trace::failure_text(&near.failure, &heading, style));
        }
    }
    text
}

/// Returns the behaviour that was found, or the longest one, as far as it is kept.
pub fn prefix_of(outcome: &Outcome) -> Option<&Prefix> {
    match outcome {
        Outcome::Accepted(followed) => Some(&followed.path),
        Outcome::Rejected(rejection) => rejection.prefixes.first(),
        Outcome::Undecided(_) => None,
    }
}

fn trace_of(outcome: &Outcome) -> Option<&Trace> {
    prefix_of(outcome)?.trace.as_ref()
}

fn word(run: &Run<'_>) -> &'static str {
    match run.followed {
        Ok(validation) => match &validation.outcome {
            Outcome::Accepted(followed) if followed.violations.is_empty() => "accepted",
            Outcome::Accepted(_) => "violated",
            Outcome::Rejected(_) => "rejected",
            Outcome::Undecided(_) => "undecided",
        },
        Err(_) => "error",
    }
}

fn place(event: &LoggedEvent) -> String {
    format!("line {} of `{}`", event.line, event.file)
}

/// Returns warnings about lines whose kind has no rule, and about other oddities of the log.
fn warn_skipped(validation: &Validation) -> Vec<Diagnostic> {
    let each = validation.skipped.iter().map(|skipped| {
        let lines = render::count(skipped.n_lines, "line");
        let headline = format!("{lines} of the kind `{}` were left out: no rule is for them", skipped.kind);
        Diagnostic::without_place(Code::MapUnused, headline)
            .note(format!("the first is line {} of `{}`", skipped.line, skipped.file))
            .help("write an `[[event]]` for them, or say that it is meant: `ignore` in `[log]`")
    });
    each.chain(validation.warnings.iter().cloned()).collect()
}

fn violation(violated: &Violated) -> String {
    let event = violated.event.as_ref().map_or_else(|| "a silent step".to_owned(), place);
    let what = match violated.about {
        About::Start | About::InitialState => "in the initial state".to_owned(),
        About::State => format!("by the state after {event}"),
        About::StateWithin => format!("by a state between the steps of {event}"),
        About::Step if violated.event.is_none() => format!("by {event}"),
        About::Step => format!("by the step of {event}"),
    };
    format!("`{}` is violated {what}", violated.property)
}

fn not_compared_json(not: &NotCompared) -> Value {
    let free = not.free.iter().map(|one| json!({ "action": one.rule, "parameters": one.parameters }));
    let fields = not.fields.iter().map(|one| json!({ "kind": one.kind, "fields": one.fields }));
    json!({
        "everything": not.is_everything,
        "free": free.collect::<Vec<_>>(),
        "fields": fields.collect::<Vec<_>>(),
    })
}

fn violated_json(violated: &Violated) -> Value {
    json!({
        "property": violated.property,
        "file": violated.event.as_ref().map(|event| event.file.clone()),
        "line": violated.event.as_ref().map(|event| event.line),
        "text": violated.failure.as_ref().map(|failure| failure.text.clone()),
    })
}

pub fn undecided_diagnostic(run: &Run<'_>, why: &Undecided) -> Diagnostic {
    let name = run.name();
    let n_explained = run.followed.as_ref().map_or(0, |validation| validation.n_explained);
    let (what, help) = match why {
        Undecided::Forgotten { window } => (
            format!(
                "what could have been otherwise more than {} back was given up",
                render::count(*window, "state")
            ),
            "raise `window` in `[search]`, or let the program log more, so that there is less to guess",
        ),
        Undecided::TooMany { states_max } => {
            let states = render::count(*states_max, "state");
            (format!("there are more than {states} to try"), "let the program log more")
        }
        Undecided::Memory { bytes_max } => (
            format!("what is to be kept takes more than {} MB", bytes_max >> 20),
            "raise `--memory`, or let the program log more, so that there is less to guess",
        ),
        Undecided::Interrupted => ("it was interrupted".to_owned(), "run it again"),
        Undecided::Time => ("time is over".to_owned(), "raise `--time`"),
    };
    let headline = format!("`{name}` is neither accepted nor rejected: {what}");
    let events = render::count(n_explained, "event");
    let note = format!("the longest behaviour that was found so far explains {events}");
    Diagnostic::without_place(Code::LogUndecided, headline).note(note).help(help)
}
