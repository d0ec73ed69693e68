//! Finds the models of a folder, and their expected results.

use std::path::{Path, PathBuf};

use super::super::manifest::{self, Manifest, Mode};
use super::{Expected, Model, RunFolder, Task};
use crate::walk;

/// The longest recorded time of models that are run.
const RECORDED_SECS_MAX: u64 = 60;

/// The environment variables for the tests of the community's modules, as their own build sets them.
const TEST_ENVIRONMENT: &[(&str, &str)] =
    &[("SOME_TEST_ENV_VAR", "TLCFTW"), ("SOME-TEST-ENV-VAR", "TLCFTW"), ("SOME_TEST_ENV_VAR_N23", "23")];

/// The models to run, and the numbers of those that are not run.
#[derive(Debug, Default)]
pub struct Planned {
    pub models: Vec<Model>,
    /// Number of models of other modes: generation, or another checker.
    pub n_other_modes: usize,
    /// Number of models that take more than a minute, or have no recorded result.
    pub n_long: usize,
}

impl Planned {
    /// Whether these folders have no models at all.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty() && self.n_other_modes == 0 && self.n_long == 0
    }
}

pub fn plan(folders: &[PathBuf], selected: &[String]) -> Planned {
    let mut planned = Planned::default();
    for folder in folders {
        for path in walk::files(folder, &[]) {
            if manifest::is_manifest(&path) {
                plan_manifest(&path, &mut planned);
            }
        }
        planned.models.extend(module_tests(folder));
    }
    if !selected.is_empty() {
        planned.models.retain(|model| selected.iter().any(|part| model.name.contains(part)));
    }
    planned
}

/// Adds the models of a list. Files that cannot be read or do not exist are reported where the corpus is read.
fn plan_manifest(path: &Path, planned: &mut Planned) {
    let Ok(Manifest { modules }) = manifest::read(path) else { return };
    for module in &modules {
        let Some(module_path) = manifest::locate(path, &module.path) else { continue };
        for model in &module.models {
            let Some(root) = manifest::root(path, &model.path) else { continue };
            let Some(task) = task(&model.mode) else {
                planned.n_other_modes += 1;
                continue;
            };
            let is_short = seconds(&model.runtime).is_some_and(|seconds| seconds <= RECORDED_SECS_MAX);
            let Some(expected) = expected_result(model).filter(|_| is_short) else {
                planned.n_long += 1;
                continue;
            };
            planned.models.push(Model {
                name: model.path.clone(),
                module: module_path.clone(),
                config: root.join(&model.path),
                library: Vec::new(),
                place: RunFolder::Links { to: root.to_path_buf() },
                environment: &[],
                task,
                expected,
            });
        }
    }
}

/// Returns the task for a mode that is supported here.
fn task(mode: &Mode) -> Option<Task> {
    match mode {
        Mode::Word(word) if word == "exhaustive search" => Some(Task::Check),
        Mode::Simulation { simulate } => Some(Task::Simulate { n_walks: simulate.trace_count }),
        Mode::Word(_) | Mode::Other | Mode::Object(_) => None,
    }
}

/// Parses `HH:MM:SS`; `None` if no time is recorded.
fn seconds(runtime: &str) -> Option<u64> {
    runtime.split(':').try_fold(0, |total, part| Some(total * 60 + part.parse::<u64>().ok()?))
}

/// Returns the expected result. Exit codes are TLC's, which are also ours; counts are compared if everything was
/// explored.
fn expected_result(model: &manifest::Model) -> Option<Expected> {
    let exit = match model.result.as_str() {
        "success" => 0,
        "assumption failure" => 10,
        "deadlock failure" => 11,
        "safety failure" => 12,
        "liveness failure" => 13,
        _ => return None,
    };
    if exit != 0 {
        return Some(Expected { exit, ..Expected::default() });
    }
    let (distinct, generated) = (model.distinct_states, model.total_states);
    Some(Expected { exit, distinct, generated, depth: model.state_depth })
}

/// Returns the tests of a checkout of the community's modules: one module that extends them all, without states.
fn module_tests(folder: &Path) -> Option<Model> {
    let (tests, modules) = (folder.join("tests"), folder.join("modules"));
    let (module, config) = (tests.join("AllTests.tla"), tests.join("AllTests.cfg"));
    (module.is_file() && config.is_file() && modules.is_dir()).then(|| Model {
        name: module.display().to_string(),
        module,
        config,
        library: vec![modules],
        place: RunFolder::Copy { of: tests, and_empty: &["build/tests", "build/json"] },
        environment: TEST_ENVIRONMENT,
        task: Task::Check,
        expected: Expected::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::{plan, seconds};
    use crate::corpus::models::{Expected, RunFolder, Task};
    use crate::run::root;

    #[test]
    fn short_models_of_exhaustive_search_and_of_simulation_are_run() {
        let folder = root().join("xtask/tests/data/corpus/models");
        let planned = plan(&[folder], &[]);
        let found: Vec<(&str, Expected)> =
            planned.models.iter().map(|model| (model.name.as_str(), model.expected.clone())).collect();
        let counts = Expected { exit: 0, distinct: Some(12), generated: Some(24), depth: Some(1) };
        let violated = Expected { exit: 12, ..Expected::default() };
        let fails = Expected { exit: 12, ..Expected::default() };
        assert_eq!(
            found,
            [
                ("specifications/Hours/Hours.cfg", counts),
                ("specifications/Hours/Late.cfg", violated),
                ("specifications/Hours/Wrong.cfg", fails),
                ("specifications/Hours/Live.cfg", Expected::default()),
                ("specifications/Hours/Hours.cfg", Expected::default()),
            ]
        );
        assert_eq!((planned.n_other_modes, planned.n_long), (0, 2));
        let tasks: Vec<Task> = planned.models.iter().map(|model| model.task).collect();
        assert_eq!(tasks.last(), Some(&Task::Simulate { n_walks: 100 }));
        assert!(tasks[..4].iter().all(|task| *task == Task::Check));
    }

    #[test]
    fn a_part_of_the_path_selects() {
        let folder = root().join("xtask/tests/data/corpus/models");
        let planned = plan(&[folder], &["Late".to_owned()]);
        assert_eq!(planned.models.len(), 1);
    }

    #[test]
    fn tests_of_the_community_s_modules_run_in_a_copy() {
        let folder = root().join("xtask/tests/data/corpus/community");
        let planned = plan(std::slice::from_ref(&folder), &[]);
        let [model] = planned.models.as_slice() else { panic!("{planned:?}") };
        assert_eq!(model.library, [folder.join("modules")]);
        assert!(matches!(&model.place, RunFolder::Copy { of, .. } if *of == folder.join("tests")));
    }

    #[test]
    fn recorded_times_are_hours_minutes_seconds() {
        assert_eq!(seconds("00:00:10"), Some(10));
        assert_eq!(seconds("01:02:03"), Some(3723));
        assert_eq!(seconds("unknown"), None);
        assert_eq!(seconds(""), None);
    }
}
