//! The expectations of a case of the suite: the record of TLC, and where we differ on purpose (`suite/README.md`).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::run::Search;

/// A case, with the keys of `[specline]` in place of those that TLC's run gave.
pub struct Case {
    /// Relative to the suite, without an extension.
    pub name: String,
    /// Relative to the suite.
    pub folder: PathBuf,
    pub spec: String,
    pub config: String,
    /// Options of ours.
    pub flags: Vec<String>,
    /// The only number of workers for which the record is true.
    pub workers: Option<u16>,
    /// The only order for which it is.
    pub search: Option<Search>,
    pub expected: Expected,
}

/// How a run must end.
pub struct Expected {
    pub exit: i32,
    pub verdict: Verdict,
    pub property: Option<String>,
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    /// Levels of the search, where there is no trace.
    pub depth: Option<u64>,
    pub output: Vec<String>,
    /// `None` if any trace will do.
    pub trace: Option<Vec<State>>,
    /// The exit code is ours, and not a record of TLC's.
    pub is_exit_ours: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Ok,
    Invariant,
    ActionProperty,
    InitProperty,
    Temporal,
    Deadlock,
    Assert,
    Assumption,
    Postcondition,
    InitError,
    Error,
    Config,
    Parse,
    /// Ours alone: TLC calls it success.
    NoInitialState,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub action: String,
    pub state: String,
}

/// An `.expect` file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "tlc")]
    _tlc: String,
    spec: String,
    /// Options of TLC: what they are for us, `[specline]` says.
    #[serde(default, rename = "flags")]
    _flags: Vec<String>,
    exit: i32,
    verdict: Verdict,
    property: Option<String>,
    generated: Option<u64>,
    distinct: Option<u64>,
    depth: Option<u64>,
    /// TLC's codes; ours have other numbers.
    #[serde(default, rename = "warnings")]
    _warnings: Vec<u32>,
    #[serde(default)]
    output: Vec<String>,
    #[serde(rename = "back_to")]
    _back_to: Option<u64>,
    #[serde(default, rename = "stuttering")]
    _stuttering: bool,
    /// TLC's codes and words.
    #[serde(default, rename = "errors")]
    _errors: Vec<toml::Table>,
    #[serde(default)]
    trace: Vec<State>,
    /// How TLC was run.
    #[serde(default, rename = "run")]
    _run: toml::Table,
    #[serde(default)]
    specline: Ours,
}

/// `[specline]`
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ours {
    exit: Option<i32>,
    verdict: Option<Verdict>,
    generated: Option<u64>,
    distinct: Option<u64>,
    depth: Option<u64>,
    output: Option<Vec<String>>,
    trace: Option<AnyTrace>,
    #[serde(default)]
    flags: Vec<String>,
    workers: Option<u16>,
    search: Option<Search>,
    reason: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AnyTrace {
    Any,
}

/// Reads the case that `expect` is about.
pub fn read(suite: &Path, expect: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(expect).map_err(|error| error.to_string())?;
    let file: File = toml::from_str(&text).map_err(|error| error.to_string())?;
    let has_section = text.lines().any(|line| line == "[specline]");
    if has_section && file.specline.reason.is_none() {
        return Err("[specline] gives no reason".to_owned());
    }
    let inside = expect.strip_prefix(suite).map_err(|error| error.to_string())?;
    let config = inside.with_extension("cfg");
    let config = config.file_name().ok_or("a case has a name")?.to_string_lossy().into_owned();
    Ok(Case {
        name: inside.with_extension("").display().to_string(),
        folder: inside.parent().ok_or("a case lies in a folder")?.to_owned(),
        spec: file.spec.clone(),
        config,
        flags: file.specline.flags.clone(),
        workers: file.specline.workers,
        search: file.specline.search,
        expected: expected(file),
    })
}

fn expected(file: File) -> Expected {
    let ours = file.specline;
    // Another verdict has other counts and another trace.
    let is_same = ours.verdict.is_none();
    let keeps_trace = is_same && ours.trace.is_none();
    Expected {
        exit: ours.exit.unwrap_or(file.exit),
        verdict: ours.verdict.unwrap_or(file.verdict),
        property: file.property.filter(|_| is_same),
        generated: ours.generated.or(file.generated.filter(|_| is_same)),
        distinct: ours.distinct.or(file.distinct.filter(|_| is_same)),
        depth: ours.depth.or(file.depth.filter(|_| is_same)),
        output: ours.output.unwrap_or(file.output),
        trace: keeps_trace.then_some(file.trace),
        is_exit_ours: ours.exit.is_some(),
    }
}
