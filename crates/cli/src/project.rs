//! `specline.toml`: what belongs to a specification and is too long for a command line. `docs/simulate.md` and
//! `docs/rank.md` are the user's copy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use diag::{Code, Diagnostic, SourceMap, Span};
use serde::Deserialize;
use setup::files::read_text;

use crate::args::parse_time;
use crate::check::args::ExpectArg;
use crate::simulate::args::ModeArg;

const FILE_NAME: &str = "specline.toml";

/// The file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Project {
    pub simulate: SimulateTable,
    pub rank: RankTable,
    pub trace: TraceTable,
    pub test: TestTable,
}

/// `[test]`: the models of a project, and how checking each of them ends. `docs/ci.md` is the user's copy.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestTable {
    /// Time limit for each model that has none of its own.
    pub time: Option<TimeText>,
    /// `[[test.model]]`
    pub model: Vec<ModelTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTable {
    /// Without it the name of the configuration, or of the module if there is none.
    pub name: Option<String>,
    /// Seen from the folder of the file, as all paths.
    pub spec: PathBuf,
    pub config: Option<PathBuf>,
    pub expect: ExpectName,
    /// The property that is violated.
    pub property: Option<String>,
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    pub depth: Option<u32>,
    pub time: Option<TimeText>,
    pub deadlock: Option<bool>,
    #[serde(default)]
    pub constants: BTreeMap<String, Expression>,
    #[serde(default)]
    pub libraries: Vec<PathBuf>,
}

/// A time as the command line spells it: `90s`, `5m`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeText(pub Duration);

impl TryFrom<String> for TimeText {
    type Error = String;

    fn try_from(text: String) -> Result<TimeText, String> {
        parse_time(&text).map(TimeText).map_err(|expected| format!("`{text}` is no time: {expected}"))
    }
}

/// An outcome as the command line spells it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct ExpectName(pub ExpectArg);

impl TryFrom<String> for ExpectName {
    type Error = String;

    fn try_from(text: String) -> Result<ExpectName, String> {
        let names = || ExpectArg::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names = || names().map(|name| name.get_name().to_owned()).collect::<Vec<_>>().join(", ");
        let unknown = |_| format!("`{text}` is no outcome; there are {}", names());
        ExpectArg::from_str(&text, false).map(ExpectName).map_err(unknown)
    }
}

/// `[trace]`: says which values are processes and which are messages. `docs/traces.md` is the user's copy.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TraceTable {
    processes: Vec<Expression>,
    messages: Vec<String>,
    from: Option<String>,
    to: Option<String>,
    label: Option<String>,
}

impl From<TraceTable> for trace::diagram::Wishes {
    fn from(table: TraceTable) -> trace::diagram::Wishes {
        let TraceTable { processes, messages, from, to, label } = table;
        let processes = processes.iter().map(Expression::to_string).collect();
        trace::diagram::Wishes { processes, messages, from, to, label }
    }
}

/// `[simulate]`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulateTable {
    pub depth: Option<u32>,
    pub mode: Option<ModeName>,
    pub view: Option<String>,
    pub weights: BTreeMap<String, f64>,
}

/// `[rank]`
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RankTable {
    pub walks: Option<u64>,
    pub depth: Option<u32>,
    pub by: Vec<String>,
    /// `[[rank.configuration]]`
    pub configuration: Vec<ConfigurationTable>,
    /// `[rank.budgets]`: values for each of some constants; every combination is a budget.
    pub budgets: BTreeMap<String, Vec<Expression>>,
    /// `[[rank.budget]]`: budgets one by one.
    pub budget: Vec<BTreeMap<String, Expression>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigurationTable {
    pub name: String,
    /// Configuration in place of that of the command line; relative to the folder of the file.
    pub config: Option<PathBuf>,
    #[serde(default)]
    pub constants: BTreeMap<String, Expression>,
}

/// A TLA+ expression: numbers and booleans as they are, everything else as text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Expression {
    Int(i64),
    Bool(bool),
    Text(String),
}

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expression::Int(int) => write!(f, "{int}"),
            Expression::Bool(true) => f.write_str("TRUE"),
            Expression::Bool(false) => f.write_str("FALSE"),
            Expression::Text(text) => f.write_str(text),
        }
    }
}

/// A mode as the command line spells it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct ModeName(pub ModeArg);

impl TryFrom<String> for ModeName {
    type Error = String;

    fn try_from(text: String) -> Result<ModeName, String> {
        ModeArg::from_str(&text, false).map(ModeName)
    }
}

/// The file that was named, or the one beside the module if there is one; its diagnostic has a place in `sources`.
pub fn read(spec: &Path, named: Option<&Path>, sources: &mut SourceMap) -> Result<Project, Box<Diagnostic>> {
    let beside = beside(spec);
    let path = match named {
        Some(named) => named,
        None if beside.is_file() => &beside,
        None => return Ok(Project::default()),
    };
    read_file(path, sources)
}

/// Returns the path at which the settings of a module are looked for if no file is named.
pub fn beside(spec: &Path) -> PathBuf {
    spec.with_file_name(FILE_NAME)
}

/// Returns the settings file: `path` itself, or the one in that folder.
pub fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() }
}

/// Reads a settings file.
pub fn read_file(path: &Path, sources: &mut SourceMap) -> Result<Project, Box<Diagnostic>> {
    let source = read_text(&file(path), sources)?;
    let text = sources.file(source).text().clone();
    let project: Project = toml::from_str(&text).map_err(|error| {
        let range = error.span().unwrap_or(0..0);
        let span = Span::new(source, range);
        Box::new(Diagnostic::new(Code::ProjectFile, span, first_line(error.message())))
    })?;
    match project.simulate.weights.iter().find(|(_, weight)| !is_weight(**weight)) {
        Some((name, _)) => {
            let headline = format!("the weight of `{name}` is not a number of at least 0");
            Err(Box::new(Diagnostic::without_place(Code::ProjectFile, headline)))
        }
        None => Ok(project),
    }
}

pub fn is_weight(weight: f64) -> bool {
    weight.is_finite() && weight >= 0.0
}

/// Returns the message of the parser without its advice.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or("this cannot be read").to_owned()
}
