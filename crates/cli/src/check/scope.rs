//! The properties that a search checks and the limits that bound it, in words: the last lines of its answer.

use std::time::Duration;

use check::Options;
use eval::ir::Program;
use model::{Outcome, Verdict};
use sema::Spec;
use sema::config::{BoundConfig, Named};
use serde_json::{Value, json};

/// The properties that a search looks at, and what it leaves out of the states.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    invariants: Vec<String>,
    properties: Vec<String>,
    postconditions: Vec<String>,
    possible: Vec<String>,
    n_assumptions: usize,
    checks_deadlock: bool,
    constraints: Vec<String>,
    action_constraints: Vec<String>,
    symmetry: Option<String>,
    view: Option<String>,
}

impl Scope {
    pub fn of(spec: &Spec, config: &BoundConfig, program: &Program, options: &Options<'_>) -> Scope {
        let name = |named: &Named| spec.names.text(named.name).to_owned();
        let names = |named: &[Named]| named.iter().map(name).collect();
        Scope {
            invariants: names(&config.invariants),
            properties: names(&config.properties),
            postconditions: names(&config.postconditions),
            possible: names(&config.possible),
            n_assumptions: program.assumptions.len(),
            checks_deadlock: options.check_deadlock,
            constraints: names(&config.constraints),
            action_constraints: names(&config.action_constraints),
            symmetry: config.symmetry.as_ref().map(name),
            view: config.view.as_ref().map(name),
        }
    }

    /// The lines that say what was checked, and how much of it if the search is not complete.
    pub fn lines(&self, outcome: &Outcome) -> Vec<String> {
        let is_whole = matches!(outcome, Ok(Verdict::Holds));
        let word = if is_whole { "Checked" } else { "Checked so far" };
        let mut lines = vec![format!("{word}: {}.", self.list_checked())];
        let bounds = self.bounds();
        if !bounds.is_empty() {
            lines.push(format!("Bounded by {}.", bounds.join(", ")));
        }
        if !self.has_properties() {
            lines.push("No invariant and no property is named.".to_owned());
        }
        lines
    }

    fn list_checked(&self) -> String {
        let mut parts: Vec<String> = [
            list_names("invariant", "invariants", &self.invariants),
            list_names("property", "properties", &self.properties),
            list_names("postcondition", "postconditions", &self.postconditions),
            list_names("what must be possible:", "what must be possible:", &self.possible),
        ]
        .into_iter()
        .flatten()
        .collect();
        match self.n_assumptions {
            0 => {}
            1 => parts.push("1 assumption".to_owned()),
            n => parts.push(format!("{n} assumptions")),
        }
        match (self.checks_deadlock, parts.is_empty()) {
            (true, true) => "deadlock alone".to_owned(),
            (true, false) => format!("{}; deadlock", parts.join("; ")),
            (false, true) => "only that every state can be evaluated; deadlock is allowed".to_owned(),
            (false, false) => format!("{}; deadlock is allowed", parts.join("; ")),
        }
    }

    fn bounds(&self) -> Vec<String> {
        let one =
            |what: &str, name: &Option<String>| name.as_ref().map(|name| format!("{what} {}", quote(name)));
        [
            list_names("constraint", "constraints", &self.constraints),
            list_names("action constraint", "action constraints", &self.action_constraints),
            one("symmetry", &self.symmetry),
            one("view", &self.view),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn has_properties(&self) -> bool {
        let lists = [&self.invariants, &self.properties, &self.postconditions, &self.possible];
        lists.iter().any(|names| !names.is_empty())
    }

    /// Returns the scope for machines.
    pub fn json(&self) -> Value {
        json!({
            "invariants": self.invariants,
            "properties": self.properties,
            "postconditions": self.postconditions,
            "possible": self.possible,
            "assumptions": self.n_assumptions,
            "deadlock": self.checks_deadlock,
            "constraints": self.constraints,
            "action_constraints": self.action_constraints,
            "symmetry": self.symmetry,
            "view": self.view,
        })
    }
}

/// "invariants `A`, `B`"; nothing if there are none.
fn list_names(one: &str, several: &str, names: &[String]) -> Option<String> {
    let word = match names.len() {
        0 => return None,
        1 => one,
        _ => several,
    };
    let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
    Some(format!("{word} {}", names.join(", ")))
}

fn quote(name: &str) -> String {
    format!("`{name}`")
}

/// Returns a time in words: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 7 min`.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Scope, time_text};

    #[test]
    fn times_have_the_units_that_a_reader_wants() {
        let check = |millis, expected: &str| assert_eq!(time_text(Duration::from_millis(millis)), expected);
        check(0, "0.0 s");
        check(9_940, "9.9 s");
        check(12_700, "12 s");
        check(185_000, "3 min 5 s");
        check(7_620_000, "2 h 7 min");
    }

    #[test]
    fn a_search_without_properties_says_so() {
        let scope = Scope { checks_deadlock: true, ..Scope::default() };
        let lines = scope.lines(&Ok(model::Verdict::Holds));
        assert_eq!(lines, ["Checked: deadlock alone.", "No invariant and no property is named."]);
    }
}
