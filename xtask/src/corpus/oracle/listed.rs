//! Intended differences from TLC: lines of a configuration's path, a tab and the reason.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

const TEST_MODELS: &str = include_str!("test-models.tsv");
const VALIDATION_SUITE: &str = include_str!("validation-suite.tsv");

/// Reasons by the path of a configuration.
#[derive(Debug)]
pub struct ListedDifferences {
    reasons: BTreeMap<&'static str, &'static str>,
}

impl ListedDifferences {
    pub fn test_models() -> Result<ListedDifferences> {
        parse(TEST_MODELS)
    }

    pub fn validation_suite() -> Result<ListedDifferences> {
        parse(VALIDATION_SUITE)
    }

    /// Returns why the model called `name` may end differently. A path stands for the configuration with any options.
    pub fn reason(&self, name: &str) -> Option<&'static str> {
        let path = name.split(' ').next().unwrap_or(name);
        self.reasons.get(path).copied()
    }

    /// Returns the paths that match none of these models.
    pub fn list_unused(&self, models: &[String]) -> impl Iterator<Item = &'static str> {
        let is_used = |path: &str| models.iter().any(|model| model.split(' ').next() == Some(path));
        self.reasons.keys().copied().filter(move |path| !is_used(path))
    }
}

fn parse(text: &'static str) -> Result<ListedDifferences> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let reasons = lines.map(|line| line.split_once('\t').with_context(|| format!("no reason: {line}")));
    Ok(ListedDifferences { reasons: reasons.collect::<Result<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::{ListedDifferences, parse};

    #[test]
    fn every_listed_difference_has_a_reason() {
        for listed in
            [ListedDifferences::test_models().unwrap(), ListedDifferences::validation_suite().unwrap()]
        {
            assert!(listed.reasons.values().all(|reason| reason.len() > 10), "{listed:?}");
        }
    }

    #[test]
    fn a_path_stands_for_all_options() {
        let listed = parse("# why\na/B.cfg\tnumbers are not limited\n").unwrap();
        assert_eq!(listed.reason("a/B.cfg C -deadlock"), Some("numbers are not limited"));
        assert_eq!(listed.reason("B.cfg"), None);
        assert_eq!(listed.list_unused(&[]).count(), 1);
    }
}
