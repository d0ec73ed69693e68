//! Finds the models, and the options with which each is run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::OracleModel;
use super::junit::{self, JUnitTest};
use crate::walk;

#[derive(Debug, Default)]
pub struct Planned {
    pub models: Vec<OracleModel>,
    /// Configurations that are not run, with the reasons.
    pub left_out: Vec<(String, &'static str)>,
    /// Configurations whose folders hold the same files as that of an earlier one.
    pub n_copies: usize,
}

/// Returns the models of TLC's own tests. The options are those of the test in Java that names the configuration;
/// several tests with different options are several models. A configuration that no test names is run without options.
pub fn test_models(tools: &Path) -> Result<Planned> {
    let root = tools.join("test-model");
    let tests = junit::tests(&tools.join("test"))?;
    let mut by_config: BTreeMap<PathBuf, Vec<&JUnitTest>> = BTreeMap::new();
    for test in &tests {
        let folder = root.join(&test.folder);
        if folder.join(&test.config).is_file() && folder.join(format!("{}.tla", test.module)).is_file() {
            by_config.entry(folder.join(&test.config)).or_default().push(test);
        }
    }
    let mut planned = Planned::default();
    let mut configs: BTreeSet<PathBuf> = configurations(&root, &[]).into_iter().collect();
    // A module may contain its configuration.
    configs.extend(by_config.keys().cloned());
    for config in configs {
        match by_config.get(&config) {
            Some(tests) => planned.add_tests(&root, &config, tests)?,
            None => planned.add_plain(&root, &config)?,
        }
    }
    Ok(planned)
}

/// Returns every configuration below a folder with the module of its name, or the only one beside it. The generator writes a model
/// once for each pair of features and for each number of workers: those that are the same to the byte are run once. Folders
/// called `ref` have the same for Apalache.
pub fn validation_suite(root: &Path) -> Result<Planned> {
    let mut planned = Planned::default();
    let mut seen = BTreeSet::new();
    let mut configs = configurations(root, &["ref"]);
    // The folder of a number of workers is one more on the way.
    configs.sort_by_key(|config| config.components().count());
    for config in configs {
        if seen.insert(contents(&config)?) {
            planned.add_plain(root, &config)?;
        } else {
            planned.n_copies += 1;
        }
    }
    Ok(planned)
}

/// The name of a configuration, and the names and texts of the modules and configurations beside it.
fn contents(config: &Path) -> Result<Vec<u8>> {
    let folder = config.parent().context("a configuration lies in a folder")?;
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tla" || extension == "cfg"));
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
    let mut contents = name(config);
    for path in &paths {
        contents.push(0);
        contents.extend(name(path));
        contents.push(0);
        let text = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        contents.extend(text);
    }
    Ok(contents)
}

fn configurations(root: &Path, skipped: &[&str]) -> Vec<PathBuf> {
    let mut files = walk::files(root, skipped);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cfg"));
    files
}

impl Planned {
    fn add_tests(&mut self, root: &Path, config: &Path, tests: &[&JUnitTest]) -> Result<()> {
        for test in tests {
            let model = model(root, config, &test.module, &test.flags, &test.properties)?;
            if !self.models.contains(&model) {
                self.models.push(model);
            }
        }
        Ok(())
    }

    fn add_plain(&mut self, root: &Path, config: &Path) -> Result<()> {
        match module_for(config) {
            Some(module) => self.models.push(model(root, config, &module, &[], &[])?),
            None => {
                self.left_out.push((below(root, config), "no test names it, and no module fits its name"))
            }
        }
        Ok(())
    }
}

fn model(
    root: &Path,
    config: &Path,
    module: &str,
    flags: &[String],
    properties: &[String],
) -> Result<OracleModel> {
    let folder = config.parent().context("a configuration lies in a folder")?;
    let file = config.file_name().context("a configuration has a name")?.to_string_lossy().into_owned();
    let mut name = below(root, config);
    if file.split('.').next() != Some(module) {
        name += &format!(" {module}");
    }
    for word in properties.iter().chain(flags) {
        name += &format!(" {word}");
    }
    Ok(OracleModel {
        name,
        folder: folder.to_path_buf(),
        module: module.to_owned(),
        config: file,
        flags: flags.to_vec(),
        properties: properties.to_vec(),
    })
}

fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Returns the module of the configuration's name; otherwise the longest one with which the name starts; otherwise the
/// only one.
fn module_for(config: &Path) -> Option<String> {
    let stem = config.file_stem()?.to_string_lossy().into_owned();
    let folder = config.parent()?;
    let mut modules: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tla"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    modules.sort();
    if let [only] = modules.as_slice() {
        return Some(only.clone());
    }
    modules.into_iter().filter(|module| stem.starts_with(module.as_str())).max_by_key(String::len)
}

#[cfg(test)]
mod tests {
    use super::validation_suite;

    #[test]
    fn a_model_that_is_there_twice_is_run_once() {
        let root = tempfile::tempdir().unwrap();
        for (folder, module) in [("one", "---- MODULE M ----\n===="), ("two", "---- MODULE M ----\n====")] {
            let folder = root.path().join(folder);
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("M.tla"), module).unwrap();
            std::fs::write(folder.join("M.cfg"), "SPECIFICATION Spec").unwrap();
        }
        let planned = validation_suite(root.path()).unwrap();
        assert_eq!((planned.models.len(), planned.n_copies), (1, 1));
        std::fs::write(root.path().join("two/M.cfg"), "INIT Init NEXT Next").unwrap();
        let planned = validation_suite(root.path()).unwrap();
        assert_eq!((planned.models.len(), planned.n_copies), (2, 0));
    }
}
