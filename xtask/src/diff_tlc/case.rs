//! The cases of the suite: a configuration, its module, and the file with the expectation.
//!
//! `Name.cfg` goes with `Name.tla` and `Name.expect` in the same folder. Two sections of the `.expect` file are written
//! by people and kept: `[run]`, how the case is run, and `[specline]`, where we differ and why.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::expect::Expectation;
use crate::{run, walk};

pub struct Case {
    config: PathBuf,
    /// The module, relative to the folder of the configuration.
    pub spec: String,
    pub run: Run,
    pub ours: Ours,
    /// The sections written by people, as text.
    by_hand: String,
}

/// `[run]`: the differences from the usual way to run a case.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The module, if it is not the one beside the configuration.
    pub spec: Option<String>,
    /// Additional options for TLC.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Java properties, `name=value`, for settings that are not options of TLC.
    #[serde(default)]
    pub properties: Vec<String>,
}

/// `[specline]`: our intended differences.
#[derive(Debug, Default, Deserialize)]
pub struct Ours {
    pub exit: Option<i32>,
    pub verdict: Option<String>,
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    pub depth: Option<u64>,
    /// Our own options.
    #[serde(default)]
    pub flags: Vec<String>,
}

/// The part of an `.expect` file that is read before recording.
#[derive(Default, Deserialize)]
struct ByHand {
    #[serde(default)]
    run: Run,
    #[serde(default)]
    specline: Ours,
}

/// Returns every case in these folders, and these cases.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in paths {
        if path.is_dir() {
            let configs = walk::files(path, &[]).into_iter().filter(|file| has_extension(file, "cfg"));
            cases.extend(configs.map(Case::read).collect::<Result<Vec<_>>>()?);
        } else {
            cases.push(Case::read(path.with_extension("cfg"))?);
        }
    }
    Ok(cases)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

impl Case {
    fn read(config: PathBuf) -> Result<Case> {
        if !config.is_file() {
            bail!("`{}` is not there", config.display());
        }
        let expect = config.with_extension("expect");
        let by_hand = match expect.is_file() {
            true => by_hand(&read_text(&expect)?).to_owned(),
            false => String::new(),
        };
        let read: ByHand =
            toml::from_str(&by_hand).with_context(|| format!("cannot read `{}`", expect.display()))?;
        let beside = config.with_extension("tla");
        let spec = match &read.run.spec {
            Some(spec) => spec.clone(),
            None => beside.file_name().expect("it has an extension").to_string_lossy().into_owned(),
        };
        Ok(Case { config, spec, run: read.run, ours: read.specline, by_hand })
    }

    /// Returns its path in the repository, without an extension.
    pub fn name(&self) -> String {
        let path = self.config.with_extension("");
        path.strip_prefix(run::root()).unwrap_or(&path).display().to_string()
    }

    pub fn config(&self) -> &Path {
        &self.config
    }

    /// Returns the path of the module.
    pub fn module(&self) -> PathBuf {
        self.config.with_file_name(&self.spec)
    }

    fn expect(&self) -> PathBuf {
        self.config.with_extension("expect")
    }

    pub fn has_recording(&self) -> bool {
        read_text(&self.expect())
            .is_ok_and(|text| !text[..text.len() - by_hand(&text).len()].trim().is_empty())
    }

    /// Writes the recording, and keeps what people wrote.
    pub fn write(&self, expectation: &Expectation) -> Result<()> {
        let mut text = expectation.to_toml()?;
        if !self.by_hand.is_empty() {
            text.push('\n');
            text.push_str(&self.by_hand);
        }
        let path = self.expect();
        std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    }
}

fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Returns the end of an `.expect` file, from the first section that people write.
fn by_hand(text: &str) -> &str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if matches!(line.trim_end(), "[run]" | "[specline]") {
            return &text[at..];
        }
        at += line.len();
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::{ByHand, by_hand};

    #[test]
    fn sections_of_people_are_found_and_read() {
        let text = "exit = 0\n[[trace]]\nstate = '''\n[x]\n'''\n\n[run]\nflags = [\"-deadlock\"]\n[specline]\nexit = 1\n";
        let kept = by_hand(text);
        assert_eq!(kept, "[run]\nflags = [\"-deadlock\"]\n[specline]\nexit = 1\n");
        let read: ByHand = toml::from_str(kept).unwrap();
        assert_eq!(read.run.flags, ["-deadlock"]);
    }

    #[test]
    fn a_recording_without_such_sections_has_no_tail() {
        assert_eq!(by_hand("exit = 0\n"), "");
    }

    #[test]
    fn a_misspelled_key_of_run_is_refused() {
        assert!(toml::from_str::<ByHand>("[run]\nflag = []\n").is_err());
    }
}
