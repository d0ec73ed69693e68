//! Constants of a configuration as they are written: TLC keeps them besides the values.

use sema::Spec;
use syntax::cfg::{Assignment, Config, RightSide, Value, ValueKind};

/// The assignments of a configuration.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Assignments of constants, each on one line: `P = {p1, p2}`.
    pub lines: Vec<String>,
    /// Model values, in the order in which TLC meets them.
    pub model_values: Vec<String>,
}

impl Constants {
    pub fn of(spec: &Spec, tree: &Config) -> Constants {
        let mut constants = Constants::default();
        for assignment in tree.assignments() {
            let words = spec.sources.text(assignment.span).split_whitespace();
            constants.lines.push(words.collect::<Vec<_>>().join(" "));
            for value in values(assignment) {
                constants.note(spec, value);
            }
        }
        constants
    }

    fn note(&mut self, spec: &Spec, value: &Value) {
        match &value.kind {
            ValueKind::ModelValue(name) => {
                let name = spec.names.text(*name);
                if !self.model_values.iter().any(|known| known == name) {
                    self.model_values.push(name.to_owned());
                }
            }
            ValueKind::Set(elements) => elements.iter().for_each(|element| self.note(spec, element)),
            ValueKind::Int(_) | ValueKind::String(_) | ValueKind::Bool(_) => {}
        }
    }
}

/// The values in an assignment, from left to right.
fn values(assignment: &Assignment) -> Vec<&Value> {
    match &assignment.right {
        RightSide::Value { args, value, .. } => {
            args.iter().flat_map(|args| &args.values).chain(std::iter::once(value)).collect()
        }
        RightSide::Definition { .. } => Vec::new(),
    }
}
