//! A list of verdicts of another tool, one for each file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Expected;

/// Verdicts by path; paths are made absolute, so that they can be given relative to any folder.
#[derive(Debug, Default)]
pub struct Expectations {
    verdicts: BTreeMap<PathBuf, Expected>,
}

impl Expectations {
    pub fn read(list: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(list).with_context(|| format!("cannot read `{}`", list.display()))?;
        let folder = list.parent().unwrap_or(Path::new(""));
        parse(&text, folder).with_context(|| format!("in `{}`", list.display()))
    }

    pub fn of(&self, path: &Path) -> Option<Expected> {
        let path = path.canonicalize().ok()?;
        self.verdicts.get(&path).copied()
    }
}

fn parse(text: &str, folder: &Path) -> Result<Expectations> {
    let mut verdicts = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split('\t');
        let (path, code) = (fields.next(), fields.next().and_then(|code| code.trim().parse::<i32>().ok()));
        let Some((path, code)) = path.zip(code) else {
            bail!("line {}: expected a path, a tab and an exit code", at + 1);
        };
        let verdict = if code == 0 { Expected::Accepted } else { Expected::Rejected };
        // A file that is gone is not judged, so its verdict does not matter.
        if let Ok(path) = folder.join(path).canonicalize() {
            verdicts.insert(path, verdict);
        }
    }
    Ok(Expectations { verdicts })
}

#[cfg(test)]
mod tests {
    use super::{Expected, parse};
    use crate::run::root;

    #[test]
    fn verdicts_are_found_by_path_however_it_is_spelled() {
        let list = "# verdicts\nREADME.md\t0\tfine\nCargo.toml\t255\nno-such-file\t1\n\n";
        let expectations = parse(list, root()).unwrap();
        assert_eq!(expectations.of(&root().join("README.md")), Some(Expected::Accepted));
        assert_eq!(expectations.of(&root().join("xtask/../Cargo.toml")), Some(Expected::Rejected));
        assert_eq!(expectations.of(&root().join("Cargo.lock")), None);
    }

    #[test]
    fn a_line_without_an_exit_code_is_refused() {
        let error = parse("a.tla\t0\nb.tla\n", root()).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
