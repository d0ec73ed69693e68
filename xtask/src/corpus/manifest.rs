//! `manifest.json`, the list that the public collection of examples keeps beside each specification.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Case, Expected, Plan, Subject};

#[derive(Debug, Deserialize)]
struct Manifest {
    modules: Vec<Module>,
}

#[derive(Debug, Deserialize)]
struct Module {
    path: String,
    #[serde(default)]
    models: Vec<Model>,
}

#[derive(Debug, Deserialize)]
struct Model {
    path: String,
    #[serde(default)]
    mode: Mode,
}

/// How a model is run: a word, or an object with one field.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Mode {
    Word(String),
    #[default]
    Other,
    #[expect(dead_code, reason = "its parameters do not matter here")]
    Object(serde_json::Value),
}

/// Whether a file is such a list.
pub fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "manifest.json")
}

/// Adds what a list promises: its modules are there, and its configurations are accepted.
///
/// Modules are judged wherever they are found, so here they only have to exist. Models that are run by
/// another checker, in mode `symbolic`, have configurations of that checker's language.
pub fn plan(path: &Path, text: &str, plan: &mut Plan) {
    let manifest: Manifest = match serde_json::from_str(text) {
        Ok(manifest) => manifest,
        Err(error) => {
            plan.problems.push(format!("{}: {error}", path.display()));
            return;
        }
    };
    for module in &manifest.modules {
        let Some(module_path) = locate(path, &module.path) else {
            plan.problems.push(format!("{}: `{}` is listed and not there", path.display(), module.path));
            continue;
        };
        for model in &module.models {
            if matches!(&model.mode, Mode::Word(word) if word == "symbolic") {
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

/// The file that a list means: its paths count from some folder above it.
fn locate(manifest: &Path, listed: &str) -> Option<PathBuf> {
    let folders = manifest.ancestors().skip(1);
    folders.map(|folder| folder.join(listed)).find(|path| path.is_file())
}
