//! One run of the program on a case.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;
use trace::{Trace, itf};

use super::record::Case;

/// A run that takes longer does not end well.
const SECONDS_MAX: &str = "1200";

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Search {
    #[serde(rename = "bfs")]
    Breadth,
    #[serde(rename = "dfs")]
    Depth,
}

/// In which way a case is run.
#[derive(Clone, Copy)]
pub struct Way {
    pub search: Search,
    pub workers: u16,
    /// After how many states the search goes on from disk.
    spill_after: Option<u32>,
    engine: &'static str,
}

const fn way(search: Search, workers: u16, engine: &'static str) -> Way {
    Way { search, workers, spill_after: None, engine }
}

/// The specifications are small: `auto` would not compile them. Large ones are compiled on the way.
pub const WAYS: [Way; 7] = [
    way(Search::Breadth, 1, "interpreted"),
    way(Search::Breadth, 2, "auto"),
    way(Search::Breadth, 2, "compiled"),
    way(Search::Depth, 1, "compiled"),
    way(Search::Depth, 2, "interpreted"),
    Way { spill_after: Some(0), ..way(Search::Breadth, 1, "compiled") },
    Way { spill_after: Some(20), ..way(Search::Breadth, 2, "interpreted") },
];

impl Way {
    fn flags(self) -> Vec<String> {
        let search = match self.search {
            Search::Breadth => "bfs",
            Search::Depth => "dfs",
        };
        let mut flags = vec![format!("--search={search}"), format!("--workers={}", self.workers)];
        flags.push(format!("--engine={}", self.engine));
        if let Some(after) = self.spill_after {
            flags.push(format!("--spill-after={after}"));
        }
        flags
    }

    /// A case does not run in all ways at once, but others run beside it.
    fn spill(self, case: &Case) -> Option<String> {
        self.spill_after.map(|_| format!("--spill=spilled-{}", case.name.replace('/', "-")))
    }

    /// Whether large models take this way each time: those with code, level by level, in memory and from disk.
    #[cfg(not(debug_assertions))]
    pub fn is_for_large(self) -> bool {
        self.search == Search::Breadth && self.engine != "interpreted"
    }

    pub fn is_spilling(self) -> bool {
        self.spill_after.is_some()
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.flags().join(" "))
    }
}

/// The answer of the program.
pub struct Outcome {
    pub exit: Option<i32>,
    pub output: Vec<String>,
    /// The last event, unless there was nothing to check.
    pub answer: Option<Value>,
    pub trace: Option<Trace>,
    pub errors: String,
}

impl Outcome {
    pub fn count(&self, name: &str) -> Option<u64> {
        self.answer.as_ref()?.get("counts")?.get(name)?.as_u64()
    }

    pub fn word(&self, name: &str) -> Option<&str> {
        self.answer.as_ref()?.get(name)?.as_str()
    }
}

/// Runs `case` in `suite`, a copy that the specification may write to.
pub fn run(suite: &Path, case: &Case, way: Way) -> Result<Outcome, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_specline"))
        .args(["check", &case.spec, "--config", &case.config, "--format", "json", "--time", SECONDS_MAX])
        .args(way.flags())
        .args(way.spill(case))
        .args(&case.flags)
        .current_dir(suite.join(&case.folder))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let mut outcome = Outcome {
        exit: output.status.code(),
        output: Vec::new(),
        answer: None,
        trace: None,
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let event: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        match event.get("kind").and_then(Value::as_str) {
            Some("printed") => {
                let text = event.get("text").and_then(Value::as_str).ok_or("something is printed")?;
                outcome.output.extend(text.split('\n').map(str::to_owned));
            }
            Some("answer") => outcome.answer = Some(event),
            _ => {}
        }
    }
    let written = outcome.answer.as_ref().and_then(|answer| answer.get("trace"));
    if let Some(written) = written.filter(|trace| !trace.is_null()) {
        outcome.trace = Some(itf::read(&written.to_string()).map_err(|error| error.to_string())?);
    }
    Ok(outcome)
}
