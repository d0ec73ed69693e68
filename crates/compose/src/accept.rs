//! Differences that are known and accepted: they stay visible, and no longer decide.

use crate::compare::Difference;
use crate::family::{Accepted, Family, Text};

/// A question: about which composition, for which targets.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    pub family: &'a Family,
    pub composition: &'a str,
    pub targets: &'a [String],
}

impl<'a> Asking<'a> {
    /// Returns the entry that accepts a difference found by exploration.
    pub fn accepting(&self, difference: &Difference) -> Option<&'a Accepted> {
        self.find(&difference.actions, &difference.changed)
    }

    /// Returns the entry that accepts that a variable is missing or updated otherwise.
    pub fn accepting_variable(&self, variable: &str, actions: &[String]) -> Option<&'a Accepted> {
        self.find(actions, &[variable.to_owned()]).filter(|entry| !entry.variables.is_empty())
    }

    fn find(&self, actions: &[String], variables: &[String]) -> Option<&'a Accepted> {
        self.family.accepted.iter().find(|entry| {
            let is_about = |listed: &[Text], name: &str| listed.iter().any(|known| known.text == name);
            let of_composition =
                entry.compositions.is_empty() || is_about(&entry.compositions, self.composition);
            let of_target = entry.target.as_ref().is_none_or(|target| self.targets.contains(&target.text));
            let covers = |listed: &[Text], found: &[String]| {
                listed.is_empty() || (!found.is_empty() && found.iter().all(|name| is_about(listed, name)))
            };
            of_composition
                && of_target
                && covers(&entry.actions, actions)
                && covers(&entry.variables, variables)
        })
    }
}
