//! What TLC said about a case, as it is written in `.expect` files. How it is found out is in `outcome`.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

const HEADER: &str = "# Recorded from TLC by `cargo xtask diff-tlc --record`. Only [run] and [specline] are written by hand.\n";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    /// Which TLC said so.
    pub tlc: String,
    /// The module, relative to this file.
    pub spec: String,
    /// Options beyond the usual ones (one worker, no trace module).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub exit: i32,
    pub verdict: Verdict,
    /// The property that does not hold, where it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// States generated, counted when TLC stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<u64>,
    /// Levels of the whole search, or states of the trace where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Codes of the warnings, each once, in the order of their first appearance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<u32>,
    /// What the spec printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// The trace ends in a loop to this state, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<u64>,
    /// The trace ends with nothing happening any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stuttering: bool,
    /// The messages of severity error, for information: nobody has to say the same words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Error>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Ok,
    /// An invariant, or `[]P` given as a property.
    Invariant,
    /// A step that `[][A]_v` forbids.
    ActionProperty,
    /// A property of initial states.
    InitProperty,
    Temporal,
    Deadlock,
    Assert,
    /// An `ASSUME` that is false or has no value.
    Assumption,
    /// A postcondition that is false or has no value, `_POSSIBLE` and `_PERIODIC` among them.
    Postcondition,
    /// No value where one was needed, before the initial states were complete.
    InitError,
    /// No value where one was needed, later.
    Error,
    /// The configuration cannot be read, or does not fit.
    Config,
    /// The module cannot be read, or makes no sense.
    Parse,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    pub code: u32,
    /// The code of what is inside, where one message holds another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<u32>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The action that led here, with its arguments; `Initial predicate` for the first.
    pub action: String,
    /// As TLC prints it.
    pub state: String,
}

impl Expectation {
    pub fn to_toml(&self) -> Result<String> {
        let text = toml::to_string_pretty(self).context("cannot write an expectation as TOML")?;
        Ok(format!("{HEADER}{text}"))
    }
}

impl Outcome {
    /// One line for whoever watches.
    pub fn summary(&self) -> String {
        let verdict = serde_json::to_value(self.verdict).ok();
        let verdict = verdict.as_ref().and_then(|value| value.as_str()).unwrap_or("?").to_owned();
        let property = self.property.as_ref().map_or(String::new(), |name| format!(" {name}"));
        let count = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
        let shown = |error: &Error| format!(" [{}] {}", error.code, error.text.replace('\n', " "));
        let error = self.errors.first().map_or(String::new(), shown);
        format!(
            "{verdict}{property} (exit {}) {} generated, {} distinct, depth {}{error}",
            self.exit,
            count(self.generated),
            count(self.distinct),
            count(self.depth)
        )
    }
}
