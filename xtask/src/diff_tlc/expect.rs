//! The answer of TLC about a case, as it is written in `.expect` files. `outcome` determines it.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

const HEADER: &str = "# Recorded from TLC by `cargo xtask diff-tlc --record`. Only [run] and [specline] are written by hand.\n";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    /// The version of TLC.
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
    /// The property that does not hold, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// Number of generated states when TLC stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<u64>,
    /// Number of levels of the whole search, or of states of the trace if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Codes of the warnings, each once, in the order of their first appearance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<u32>,
    /// The output of the specification.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// The state, counted from 1, to which the trace loops back at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<u64>,
    /// Whether the trace ends with nothing happening any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stuttering: bool,
    /// The messages of severity error, for information: our words need not be the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Error>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Ok,
    /// An invariant, or `[]P` given as a property, is violated.
    Invariant,
    /// A step violates `[][A]_v`.
    ActionProperty,
    /// A property of initial states is violated.
    InitProperty,
    Temporal,
    Deadlock,
    Assert,
    /// An `ASSUME` is false or has no value.
    Assumption,
    /// A postcondition is false or has no value, including `_POSSIBLE` and `_PERIODIC`.
    Postcondition,
    /// A needed value does not exist, before the initial states were complete.
    InitError,
    /// A needed value does not exist, after the initial states were complete.
    Error,
    /// The configuration cannot be read, or does not fit.
    Config,
    /// The module cannot be read, or makes no sense.
    Parse,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    pub code: u32,
    /// The code of the inner message, if one message contains another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<u32>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The action that led here, with its arguments; `Initial predicate` for the first.
    pub action: String,
    /// The state as TLC prints it.
    pub state: String,
}

impl Expectation {
    pub fn to_toml(&self) -> Result<String> {
        let text = toml::to_string_pretty(self).context("cannot write an expectation as TOML")?;
        Ok(format!("{HEADER}{text}"))
    }
}

impl Outcome {
    /// Returns a summary in one line.
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
