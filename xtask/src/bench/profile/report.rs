//! Formats profiles as tables.

use std::collections::BTreeMap;

use super::{Profile, Profiles};
use crate::bench::table::{self, geometric_mean, group_digits, or_dash};

/// The least share of a room that is listed.
const SHARE_MIN: f64 = 0.005;
const NAME_LEN_MAX: usize = 110;

/// Formats where one model spends its instructions.
pub fn model(name: &str, profile: &Profile, before: Option<&Profile>, n_shown: usize) -> Vec<String> {
    let mut lines = vec![format!(
        "== {name}: {:.0} instructions per generated state ({} for {} states, without the start)",
        profile.per_state(),
        group_digits(profile.instructions),
        group_digits(profile.generated)
    )];
    let rooms: Vec<(&str, u64)> = by_cost(&profile.rooms)
        .into_iter()
        .filter(|&(_, cost)| cost as f64 >= SHARE_MIN * profile.instructions as f64)
        .collect();
    let before_rooms = before.map(|before| (before, &before.rooms));
    lines.extend(rows("room", profile, &rooms, before_rooms));
    lines.push(String::new());
    let mut functions = by_cost(&profile.functions);
    functions.truncate(n_shown);
    let before_functions = before.map(|before| (before, &before.functions));
    lines.extend(rows("function", profile, &functions, before_functions));
    lines.push(String::new());
    let mut source = by_cost(&profile.lines);
    source.truncate(n_shown);
    lines.extend(rows("line", profile, &source, None));
    lines
}

fn by_cost(costs: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    let mut sorted: Vec<(&str, u64)> = costs.iter().map(|(name, &cost)| (name.as_str(), cost)).collect();
    sorted.sort_by_key(|&(_, cost)| std::cmp::Reverse(cost));
    sorted
}

/// Formats the share and the instructions per state of each, and their former values.
fn rows(
    what: &str,
    profile: &Profile,
    costs: &[(&str, u64)],
    before: Option<(&Profile, &BTreeMap<String, u64>)>,
) -> Vec<String> {
    let row = |&(name, cost): &(&str, u64)| {
        let mut row = vec![
            shorten(name),
            format!("{:.1} %", 100.0 * cost as f64 / profile.instructions as f64),
            format!("{:.0}", cost as f64 / profile.generated as f64),
        ];
        if let Some((before, costs)) = before {
            let cost = costs.get(name).copied().unwrap_or(0);
            row.push(format!("{:.0}", cost as f64 / before.generated as f64));
        }
        row
    };
    let rows: Vec<Vec<String>> = costs.iter().map(row).collect();
    match before {
        Some(_) => table::lines(&[what, "self", "per state", "before"], &rows),
        None => table::lines(&[what, "self", "per state"], &rows),
    }
}

fn shorten(name: &str) -> String {
    match name.char_indices().nth(NAME_LEN_MAX) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

/// The summary of all models.
pub struct Summary<'a> {
    pub profiles: &'a Profiles,
    pub baseline: Option<&'a Profiles>,
}

impl Summary<'_> {
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut ratios = Vec::new();
        let mut rows = Vec::new();
        for (name, profile) in &self.profiles.models {
            let before = self.find_comparable(name, profile);
            let ratio = before.map(|before| profile.per_state() / before.per_state());
            ratios.extend(ratio);
            rows.push(vec![
                name.clone(),
                group_digits(profile.generated),
                format!("{:.0}", profile.per_state()),
                or_dash(before.map(Profile::per_state), 0),
                or_dash(ratio, 3),
            ]);
        }
        if rows.len() > 1 {
            lines.extend(self.rooms());
            lines.push(String::new());
        }
        let mean = or_dash(geometric_mean(ratios), 3);
        rows.push(vec!["geometric mean".to_owned(), String::new(), String::new(), String::new(), mean]);
        lines.extend(table::lines(&["model", "generated", "per state", "before", "ratio"], &rows));
        lines.push(String::new());
        lines.push(format!("commit {}, profile {}, one worker", self.profiles.commit, self.profiles.build));
        if let Some(baseline) = self.baseline {
            lines.push(format!("before: commit {}, profile {}", baseline.commit, baseline.build));
        }
        lines
    }

    /// Returns the share of each room, with the same weight for each model.
    fn rooms(&self) -> Vec<String> {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for profile in self.profiles.models.values() {
            for (room, &cost) in &profile.rooms {
                *shares.entry(room).or_default() += cost as f64 / profile.instructions as f64;
            }
        }
        let n_models = self.profiles.models.len() as f64;
        let mut shares: Vec<(&str, f64)> =
            shares.into_iter().map(|(room, sum)| (room, sum / n_models)).collect();
        shares.retain(|&(_, share)| share >= SHARE_MIN);
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let row = |(room, share): (&str, f64)| vec![room.to_owned(), format!("{:.1} %", 100.0 * share)];
        table::lines(&["room", "mean share"], &shares.into_iter().map(row).collect::<Vec<_>>())
    }

    /// Returns the former profile of the model, if it was the same search.
    fn find_comparable(&self, name: &str, profile: &Profile) -> Option<&Profile> {
        let before = self.baseline?.models.get(name)?;
        (before.generated == profile.generated).then_some(before)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Profile, Profiles};
    use super::{Summary, model};

    fn profile(generated: u64, ops: u64, alloc: u64) -> Profile {
        let rooms = BTreeMap::from([("value::ops".to_owned(), ops), ("alloc".to_owned(), alloc)]);
        let lines = BTreeMap::from([("value/src/ops.rs:7".to_owned(), ops)]);
        Profile { generated, instructions: ops + alloc, functions: rooms.clone(), rooms, lines }
    }

    fn profiles(commit: &str, profile: Profile) -> Profiles {
        let models = BTreeMap::from([("Clock".to_owned(), profile)]);
        Profiles { commit: commit.to_owned(), build: "release".to_owned(), models }
    }

    #[test]
    fn rooms_are_listed_by_what_they_cost() {
        let (now, before) = (profile(10, 300, 100), profile(10, 600, 0));
        assert_eq!(
            model("Clock", &now, Some(&before), 1),
            [
                "== Clock: 40 instructions per generated state (400 for 10 states, without the start)",
                "room          self  per state  before",
                "value::ops  75.0 %         30      60",
                "alloc       25.0 %         10       0",
                "",
                "function      self  per state  before",
                "value::ops  75.0 %         30      60",
                "",
                "line                  self  per state",
                "value/src/ops.rs:7  75.0 %         30",
            ]
        );
    }

    #[track_caller]
    fn check_ratio(before: Profile, expected: &str) {
        let (now, before) = (profiles("b", profile(10, 300, 100)), profiles("a", before));
        let lines = Summary { profiles: &now, baseline: Some(&before) }.lines();
        assert!(lines[1].ends_with(expected), "{lines:?}");
    }

    #[test]
    fn commits_are_compared_by_instructions_per_state() {
        check_ratio(profile(10, 700, 100), "80  0.500");
    }

    #[test]
    fn other_searches_are_not_compared() {
        check_ratio(profile(11, 700, 100), "-      -");
    }

    #[test]
    fn models_count_alike_in_the_share_of_a_room() {
        let mut both = profiles("a", profile(10, 100, 100));
        both.models.insert("Large".to_owned(), profile(10, 0, 9000));
        let lines = Summary { profiles: &both, baseline: None }.lines();
        assert_eq!(
            lines[..3],
            ["room        mean share", "alloc           75.0 %", "value::ops      25.0 %"]
        );
    }
}
