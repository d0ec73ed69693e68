//! Differences from TLC that are meant to be there: lines of a configuration's path, a tab and the reason.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

const TEST_MODELS: &str = include_str!("test-models.tsv");
const VALIDATION_SUITE: &str = include_str!("validation-suite.tsv");

/// Reasons by the path of a configuration.
#[derive(Debug)]
pub struct Listed {
    reasons: BTreeMap<&'static str, &'static str>,
}

impl Listed {
    pub fn test_models() -> Result<Listed> {
        parse(TEST_MODELS)
    }

    pub fn validation_suite() -> Result<Listed> {
        parse(VALIDATION_SUITE)
    }

    /// Why the model called `name` may end differently. A path stands for the configuration with any options.
    pub fn reason(&self, name: &str) -> Option<&'static str> {
        let path = name.split(' ').next().unwrap_or(name);
        self.reasons.get(path).copied()
    }

    /// The paths of which none of these models is.
    pub fn unused(&self, models: &[String]) -> impl Iterator<Item = &'static str> {
        let is_used = |path: &str| models.iter().any(|model| model.split(' ').next() == Some(path));
        self.reasons.keys().copied().filter(move |path| !is_used(path))
    }
}

fn parse(text: &'static str) -> Result<Listed> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let reasons = lines.map(|line| line.split_once('\t').with_context(|| format!("no reason: {line}")));
    Ok(Listed { reasons: reasons.collect::<Result<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::{Listed, parse};

    #[test]
    fn every_listed_difference_has_a_reason() {
        for listed in [Listed::test_models().unwrap(), Listed::validation_suite().unwrap()] {
            assert!(listed.reasons.values().all(|reason| reason.len() > 10), "{listed:?}");
        }
    }

    #[test]
    fn a_path_stands_for_all_options() {
        let listed = parse("# why\na/B.cfg\tnumbers are not limited\n").unwrap();
        assert_eq!(listed.reason("a/B.cfg C -deadlock"), Some("numbers are not limited"));
        assert_eq!(listed.reason("B.cfg"), None);
        assert_eq!(listed.unused(&[]).count(), 1);
    }
}
