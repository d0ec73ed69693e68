//! "Why not?" as one page for a browser: logs beside the states that explain them, aligned by event, and the obstacles
//! to the first event that cannot be explained. The page is self-contained and uses no network.

mod behaviour;
mod sides;

use check::{NearKind, NearStep};
use report::page::Page;
use serde_json::{Value, json};
use trace::Binding;
use trace::diagram::Wishes;
use trace::html::{scripts, styles};

pub use sides::{Side, Sides, sides};

use crate::outcome::{LoggedEvent, Prefix, Unexplained};

const BODY: &str = include_str!("why/body.html");
const STYLE: &str = include_str!("why/style.css");
const SCRIPT: &str = include_str!("why/script.js");

/// The content of a page.
#[derive(Debug)]
pub struct WhyPage<'a> {
    pub spec: &'a str,
    pub tool: &'a str,
    /// The user's settings for lanes.
    pub wishes: &'a Wishes,
    pub runs: &'a [WhyRun],
}

/// A log, and how far it can be explained. It is plain data, so that it can be kept until all logs are done.
#[derive(Debug, Default)]
pub struct WhyRun {
    /// The name of the log as the user gave it.
    pub name: String,
    /// The verdict as a word: `accepted`, `rejected`.
    pub verdict: String,
    /// The verdict in a sentence.
    pub headline: String,
    pub notes: Vec<String>,
    /// The events in the order in which they were to be explained.
    pub events: Vec<LoggedEvent>,
    /// Number of events in all, if these are not all.
    pub n_events: Option<usize>,
    /// Whether the lines of events are known.
    pub has_lines: bool,
    /// The behaviour that explains all events, or a longest one.
    pub prefix: Prefix,
    /// The events that could not be explained.
    pub unexplained: Vec<Unexplained>,
    /// Sentences about what might help.
    pub hints: Vec<String>,
}

/// Returns the page as HTML.
pub fn why_html(page: &WhyPage<'_>) -> String {
    let runs: Vec<Value> = page.runs.iter().map(|one| run(one, page.wishes)).collect();
    let data = json!({ "spec": page.spec, "tool": page.tool, "runs": runs }).to_string();
    let title = match page.runs {
        [run] => run.headline.clone(),
        runs => format!("{} logs against {}", runs.len(), page.spec),
    };
    let (style, script) = (styles(STYLE), scripts(SCRIPT));
    Page { title: &title, body: BODY, style: &style, script: &script, data: &data }.text()
}

fn run(run: &WhyRun, wishes: &Wishes) -> Value {
    let mut files: Vec<&str> = Vec::new();
    let mut events = Vec::with_capacity(run.events.len());
    for event in &run.events {
        let known = files.iter().position(|file| *file == event.file);
        let file = known.unwrap_or_else(|| {
            files.push(&event.file);
            files.len() - 1
        });
        events.push(json!([file, event.line, event.text]));
    }
    json!({
        "name": run.name,
        "verdict": run.verdict,
        "headline": run.headline,
        "notes": run.notes,
        "files": files,
        "events": events,
        "n_events": run.n_events.unwrap_or(run.events.len()),
        "has_lines": run.has_lines,
        "behaviour": behaviour::json(&run.prefix, wishes),
        "unexplained": run.unexplained.iter().map(unexplained_json).collect::<Vec<_>>(),
        "hints": run.hints,
    })
}

fn unexplained_json(unexplained: &Unexplained) -> Value {
    let misses: Vec<Value> = unexplained.misses.iter().map(miss).collect();
    json!({ "event": unexplained.event.number, "text": unexplained.event.text, "misses": misses })
}

/// Converts a near miss to JSON, as pages and programs read it.
pub fn miss(near: &NearStep) -> Value {
    let why = match near.why {
        NearKind::Conjunct => "conjunct",
        NearKind::Constraint => "constraint",
    };
    let failure = &near.failure;
    let place = failure.place.as_ref();
    json!({
        "action": trace::step_text(&near.step),
        "why": why,
        "text": failure.text,
        "file": place.map(|place| place.file.clone()),
        "line": place.map(|place| place.start.line),
        "column": place.map(|place| place.start.column),
        "sides": sides(failure).map(|sides| json!({
            "left": side(&sides.left), "operator": sides.operator, "right": side(&sides.right),
        })),
        "values": failure.values.iter().map(binding).collect::<Vec<_>>(),
        "calls": failure.calls.iter().map(trace::step_text).collect::<Vec<_>>(),
    })
}

fn side(side: &Side) -> Value {
    json!({ "text": side.text, "value": side.value })
}

fn binding(binding: &Binding) -> Value {
    json!({ "name": binding.name, "value": binding.value.to_string() })
}

#[cfg(test)]
mod tests {
    use super::{LoggedEvent, WhyPage, WhyRun, Wishes, why_html};

    #[test]
    fn nothing_in_a_log_is_markup_or_a_place_to_fill() {
        let nasty = "</script><script>alert(1)</script>{{script}}".to_owned();
        let event = LoggedEvent { number: 1, file: nasty.clone(), line: 1, text: nasty.clone() };
        let run = WhyRun { name: nasty.clone(), headline: nasty, events: vec![event], ..WhyRun::default() };
        let page =
            why_html(&WhyPage { spec: "A.tla", tool: "specline", wishes: &Wishes::default(), runs: &[run] });
        assert_eq!(page.matches("<script").count(), 2, "one with the data, one with the program");
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
