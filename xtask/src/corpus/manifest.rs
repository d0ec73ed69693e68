//! `manifest.json`, the list that the public collection of examples keeps beside each specification.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{Case, Expected, Plan, Subject};

#[derive(Debug, Deserialize)]
pub struct Manifest {
    pub modules: Vec<Module>,
}

#[derive(Debug, Deserialize)]
pub struct Module {
    pub path: String,
    #[serde(default)]
    pub models: Vec<Model>,
}

/// A configuration, and the result of running it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    pub path: String,
    #[serde(default)]
    pub mode: Mode,
    /// The recorded time, `HH:MM:SS` or `unknown`.
    #[serde(default)]
    pub runtime: String,
    #[serde(default)]
    pub result: String,
    pub distinct_states: Option<u64>,
    pub total_states: Option<u64>,
    pub state_depth: Option<u64>,
}

/// The way in which a model is run: a word, or an object with one field.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub enum Mode {
    Word(String),
    #[default]
    Other,
    Simulation {
        simulate: Simulation,
    },
    #[expect(dead_code, reason = "its parameters do not matter here")]
    Object(serde_json::Value),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    pub trace_count: u64,
}

impl Mode {
    pub fn is(&self, expected: &str) -> bool {
        matches!(self, Mode::Word(word) if word == expected)
    }
}

/// Whether a file is such a list.
pub fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "manifest.json")
}

pub fn read(path: &Path) -> Result<Manifest> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
}

/// Adds the promises of a list: its modules exist, and its configurations are accepted.
///
/// Modules are judged wherever they are found, so here they only have to exist. Models that are run by another checker,
/// in mode `symbolic`, have configurations of that checker's language.
pub fn plan(path: &Path, plan: &mut Plan) {
    let manifest = match read(path) {
        Ok(manifest) => manifest,
        Err(error) => {
            plan.problems.push(format!("{error:#}"));
            return;
        }
    };
    for module in &manifest.modules {
        let Some(module_path) = locate(path, &module.path) else {
            plan.problems.push(format!("{}: `{}` is listed and not there", path.display(), module.path));
            continue;
        };
        for model in &module.models {
            if model.mode.is("symbolic") {
                plan.n_passed_over += 1;
                continue;
            }
            let Some(config) = locate(path, &model.path) else {
                plan.problems.push(format!("{}: `{}` is listed and not there", path.display(), model.path));
                continue;
            };
            let name = config.display().to_string();
            let subject = Subject::Config { config, module: module_path.clone() };
            plan.cases.push(Case { name, subject, expected: Expected::Accepted });
        }
    }
}

/// Returns the file that an entry of a list means.
pub fn locate(manifest: &Path, listed: &str) -> Option<PathBuf> {
    root(manifest, listed).map(|root| root.join(listed))
}

/// Returns the folder to which the paths of a list are relative: some folder above it.
pub fn root<'m>(manifest: &'m Path, listed: &str) -> Option<&'m Path> {
    manifest.ancestors().skip(1).find(|folder| folder.join(listed).is_file())
}
