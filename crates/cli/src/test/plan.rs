//! The models of a project, as `specline.toml` lists them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use diag::{Code, Diagnostic, SourceMap};

use crate::args::SandboxArgs;
use crate::check::args::ExpectArg;
use crate::project::{self, ModelTable, TestTable};
use crate::test::args::TestArgs;

/// Time limit of a model for which the project sets none.
const TIME: Duration = Duration::from_secs(60);

/// A model, and what is expected of it.
#[derive(Debug)]
pub struct Model {
    pub name: String,
    pub spec: PathBuf,
    pub config: Option<PathBuf>,
    pub libraries: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub deadlock: Option<bool>,
    pub sandbox: SandboxArgs,
    pub time: Duration,
    pub expected: Expected,
}

#[derive(Debug)]
pub struct Expected {
    pub outcome: ExpectArg,
    pub property: Option<String>,
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    pub depth: Option<u64>,
}

/// Reads the models of the project that the command line selects.
pub fn read(args: &TestArgs, sources: &mut SourceMap) -> Result<Vec<Model>, Box<Diagnostic>> {
    let TestTable { time, model } = project::read_file(&args.project, sources)?.test;
    let folder = match args.project.is_dir() {
        true => args.project.as_path(),
        false => args.project.parent().unwrap_or(Path::new("")),
    };
    let time = time.map_or(TIME, |time| time.0);
    let models: Vec<Model> = model
        .into_iter()
        .map(|table| Model { sandbox: args.sandbox, ..Model::new(folder, time, table) })
        .collect();
    if models.is_empty() {
        let headline = format!("`{}` lists no models", args.project.display());
        let help = "add a `[[test.model]]` with a `spec` and what to `expect`: docs/ci.md";
        return Err(Box::new(Diagnostic::without_place(Code::ProjectFile, headline).help(help)));
    }
    if let Some(name) = find_repeated(&models) {
        let headline = format!("two models have the name `{name}`");
        let help = "give one of them a `name` of its own";
        return Err(Box::new(Diagnostic::without_place(Code::ProjectFile, headline).help(help)));
    }
    let is_asked =
        |model: &Model| args.only.is_empty() || args.only.iter().any(|text| model.name.contains(text));
    let asked: Vec<Model> = models.into_iter().filter(is_asked).collect();
    if asked.is_empty() {
        let headline = format!("no model has {} in its name", args.only.join(" or "));
        let help = "`specline test --list` has the names";
        return Err(Box::new(Diagnostic::without_place(Code::ProjectFile, headline).help(help)));
    }
    Ok(asked)
}

fn find_repeated(models: &[Model]) -> Option<&str> {
    let mut names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

impl Model {
    fn new(folder: &Path, time: Duration, table: ModelTable) -> Model {
        let named = table.config.as_ref().unwrap_or(&table.spec);
        let stem = || named.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inside = |path: PathBuf| folder.join(path);
        Model {
            name: table.name.unwrap_or_else(stem),
            spec: inside(table.spec),
            config: table.config.map(inside),
            libraries: table.libraries.into_iter().map(inside).collect(),
            defines: table.constants.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            deadlock: table.deadlock,
            sandbox: SandboxArgs::default(),
            time: table.time.map_or(time, |time| time.0),
            expected: Expected {
                outcome: table.expect.0,
                property: table.property,
                generated: table.generated,
                distinct: table.distinct,
                depth: table.depth.map(u64::from),
            },
        }
    }
}
