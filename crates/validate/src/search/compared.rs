//! Determines which parts of an accepted log were compared with the specification and which were not.

use crate::map::{LogForm, Map, Order};
use crate::outcome::{FreeParameters, NotCompared, UnreadFields};
use crate::plan::PlannedRule;

use super::Searcher;

impl Searcher<'_, '_> {
    /// Compares the rules that explained events with the fields that these events have.
    pub(super) fn not_compared(&self) -> NotCompared {
        let rules = self.setting.plan.rules.iter().zip(&self.checked.action_uses);
        let used: Vec<&PlannedRule> =
            rules.filter(|(_, n_uses)| **n_uses > 0).map(|(rule, _)| rule).collect();
        let free = used.iter().filter(|rule| !rule.free.is_empty());
        let free = free.map(|rule| FreeParameters { rule: rule.name.clone(), parameters: rule.free.clone() });
        NotCompared {
            free: free.collect(),
            fields: self.unread_fields(),
            is_everything: !used.is_empty() && used.iter().all(|rule| rule.reads.is_empty()),
        }
    }

    fn unread_fields(&self) -> Vec<UnreadFields> {
        let known = known_paths(self.setting.map);
        let mut all = Vec::new();
        for (kind, paths) in self.lines.shapes.by_kind() {
            let rules =
                self.rules_of[kind as usize].iter().map(|&rule| &self.setting.plan.rules[rule as usize]);
            let reads: Vec<&Vec<String>> = rules
                .flat_map(|rule| &rule.reads)
                .chain(&self.setting.plan.reads_besides)
                .chain(&known)
                .collect();
            let is_read = |path: &&String| {
                let path: Vec<&str> = path.split('.').collect();
                reads.iter().any(|read| read.iter().zip(&path).all(|(one, other)| one == other))
            };
            let fields: Vec<String> = paths.iter().filter(|path| !is_read(path)).cloned().collect();
            if !fields.is_empty() {
                all.push(UnreadFields { kind: self.kind_names[kind as usize].clone(), fields });
            }
        }
        all
    }
}

/// Returns the fields that are used other than by expressions, and those that need not be used.
fn known_paths(map: &Map) -> Vec<Vec<String>> {
    let LogForm { kind, node, only, rename, ignore_fields, .. } = &map.log;
    let mut all: Vec<Vec<String>> = ignore_fields.clone();
    all.extend(Some(kind.clone()).filter(|kind| !kind.is_empty()));
    all.extend(node.clone());
    all.extend(only.iter().map(|(path, _)| path.clone()));
    all.extend(rename.iter().map(|(_, path)| path.clone()));
    all.extend(map.fields.iter().map(|(name, _)| name.text.split('.').map(ToOwned::to_owned).collect()));
    match &map.order {
        Order::AsWritten | Order::Messages { .. } => {}
        Order::Fields(fields) => all.extend(fields.iter().cloned()),
        Order::Vector(clock) => all.push(clock.clone()),
    }
    all
}
