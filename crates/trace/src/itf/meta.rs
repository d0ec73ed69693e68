//! The names and forms of data that ITF itself has no place for. `write` writes it, `read` reads it.
//!
//! Every value of a `#meta` object but `index` is a string. Structured data is JSON inside that string.

use crate::{Finding, Place, Point};

pub(super) const FORMAT: (&str, &str) = ("format", "ITF");
pub(super) const FORMAT_DESCRIPTION: (&str, &str) =
    ("format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html");

// Names in the metadata of a trace.
pub(super) const SOURCE: &str = "source";
pub(super) const CONFIG: &str = "config";
pub(super) const TOOL: &str = "tool";
pub(super) const DESCRIPTION: &str = "description";
pub(super) const FINDING: &str = "finding";
pub(super) const PROPERTY: &str = "property";
pub(super) const PROPERTIES: &str = "properties";
pub(super) const MESSAGE: &str = "message";
pub(super) const CODE: &str = "code";
pub(super) const FAILURE: &str = "failure";
pub(super) const ENDING: &str = "ending";
pub(super) const LOOP_STEP: &str = "loopStep";
pub(super) const MODEL_VALUES: &str = "modelValues";
pub(super) const EXPRESSIONS: &str = "expressions";

/// The ending that `loop` cannot express.
pub(super) const STUTTERING: &str = "stuttering";

// Names in the metadata of a state.
pub(super) const ACTION: &str = "action";
pub(super) const MODULE: &str = "module";
pub(super) const PLACE: &str = "place";
pub(super) const PARAMETERS: &str = "parameters";

// Names in a failure.
pub(super) const TEXT: &str = "text";
pub(super) const VALUES: &str = "values";
pub(super) const CALLS: &str = "calls";

/// The text for a variable without a value.
pub(super) const NO_VALUE: &str = "null";

/// Names that are reserved; a note with such a name is written with [`NOTE_PREFIX`].
const RESERVED: &[&str] = &[
    FORMAT.0,
    FORMAT_DESCRIPTION.0,
    SOURCE,
    CONFIG,
    TOOL,
    DESCRIPTION,
    FINDING,
    PROPERTY,
    PROPERTIES,
    MESSAGE,
    CODE,
    FAILURE,
    ENDING,
    LOOP_STEP,
    MODEL_VALUES,
    EXPRESSIONS,
    // Other tools have values there that are not strings.
    "varTypes",
    "timestamp",
];
const NOTE_PREFIX: &str = "note ";

/// Returns the field for the note `name`. Our description repeats the finding; without a finding it is a note.
pub(super) fn note_name(name: &str, has_finding: bool) -> String {
    match is_reserved(name, has_finding) || name.starts_with(NOTE_PREFIX) {
        true => format!("{NOTE_PREFIX}{name}"),
        false => name.to_owned(),
    }
}

/// Returns the note in the field `name`, if it is one.
pub(super) fn opt_note(name: &str, has_finding: bool) -> Option<&str> {
    let is_note = !is_reserved(name, has_finding);
    is_note.then(|| name.strip_prefix(NOTE_PREFIX).unwrap_or(name))
}

fn is_reserved(name: &str, has_finding: bool) -> bool {
    RESERVED.contains(&name) && (has_finding || name != DESCRIPTION)
}

/// The variables that Quint adds with `--mbt`: the action, and, below, what was chosen in it.
pub(super) const QUINT_ACTION: &str = "mbt::actionTaken";
pub(super) const QUINT_PICKS: &str = "mbt::nondetPicks";

/// Returns the word for `finding`; `None` for [`Finding::Unstated`].
pub(crate) fn finding_word(finding: &Finding) -> Option<&'static str> {
    Some(match finding {
        Finding::Invariant { .. } => "invariant",
        Finding::ActionProperty { .. } => "action-property",
        Finding::InitialProperty { .. } => "initial-property",
        Finding::TemporalProperty { .. } => "temporal-property",
        Finding::Deadlock => "deadlock",
        Finding::Assertion { .. } => "assertion",
        Finding::EvaluationError { .. } => "evaluation-error",
        Finding::Postcondition { .. } => "postcondition",
        Finding::Example { .. } => "example",
        Finding::Unstated => return None,
    })
}

/// Returns the finding for `word` and its details; [`Finding::Unstated`] for a word of a later version.
pub(super) fn finding(word: &str, detail: impl Fn(&str) -> Option<String>, names: Vec<String>) -> Finding {
    let name = || detail(PROPERTY).unwrap_or_default();
    let message = || detail(MESSAGE).unwrap_or_default();
    match word {
        "invariant" => Finding::Invariant { name: name() },
        "action-property" => Finding::ActionProperty { name: name() },
        "initial-property" => Finding::InitialProperty { name: name() },
        "temporal-property" => Finding::TemporalProperty { names },
        "deadlock" => Finding::Deadlock,
        "assertion" => Finding::Assertion { message: message() },
        "evaluation-error" => Finding::EvaluationError { code: detail(CODE), message: message() },
        "postcondition" => Finding::Postcondition { name: name() },
        "example" => Finding::Example { description: message() },
        _ => Finding::Unstated,
    }
}

/// Returns `Raft.tla:45:3-47:20`.
pub(super) fn place_text(place: &Place) -> String {
    let Place { file, start, end, .. } = place;
    format!("{file}:{}:{}-{}:{}", start.line, start.column, end.line, end.column)
}

/// Parses a place that [`place_text`] wrote; `None` for anything else.
pub(super) fn opt_place(text: &str, module: &str) -> Option<Place> {
    let (before, end_column) = text.rsplit_once(':')?;
    let (before, lines) = before.rsplit_once(':')?;
    let (start_column, end_line) = lines.split_once('-')?;
    let (file, start_line) = before.rsplit_once(':')?;
    let point =
        |line: &str, column: &str| Some(Point { line: line.parse().ok()?, column: column.parse().ok()? });
    let start = point(start_line, start_column)?;
    Some(Place { file: file.to_owned(), module: module.to_owned(), start, end: point(end_line, end_column)? })
}
