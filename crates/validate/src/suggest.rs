//! Suggests where to look first when a trace specification does not explain an event, judging by the step that came
//! nearest to explaining it.

use check::{NearKind, NearStep};

use crate::outcome::Suggestion;

/// The names by which a trace specification refers to the state and to the log.
#[derive(Clone, Copy, Debug)]
pub struct SpecNames<'a> {
    /// The variables, including the one that says which event comes next.
    pub variables: &'a [String],
    /// The variable that says which event comes next, and definitions that read the log.
    pub log: &'a [String],
}

/// Chooses a suggestion by the nearest of the steps that could be for the event. A step that asks for another event is
/// not for this one.
pub fn suggestion(misses: &[NearStep], names: SpecNames<'_>) -> Suggestion {
    let is_for_event = |miss: &&NearStep| names.is_about_state(miss) || !names.is_about_log(miss);
    let nearest = misses.iter().filter(is_for_event).max_by_key(|miss| miss.n_passed);
    let Some(nearest) = nearest else { return Suggestion::Mapping };
    match nearest.why {
        NearKind::Constraint => Suggestion::Mapping,
        NearKind::Conjunct if names.is_about_log(nearest) || is_after_step(nearest) => {
            Suggestion::ImplementationOrAction
        }
        NearKind::Conjunct => Suggestion::ImplementationOrSpec,
    }
}

impl SpecNames<'_> {
    /// Whether the false conjunct is about the log.
    fn is_about_log(&self, miss: &NearStep) -> bool {
        mentions(miss, |name| self.log.iter().any(|known| known == name))
    }

    /// Whether the false conjunct is about the state, and not only about which event comes next.
    fn is_about_state(&self, miss: &NearStep) -> bool {
        let is_state = |name: &str| self.variables.iter().any(|known| known == name);
        mentions(miss, |name| is_state(name) && !self.log.iter().any(|known| known == name))
    }
}

/// Whether the false conjunct is about the state after the step. An action states this state and does not test it, so
/// such a conjunct compares it with the log, perhaps under another name.
fn is_after_step(miss: &NearStep) -> bool {
    miss.failure.text.contains('\'')
}

fn mentions(miss: &NearStep, is_meant: impl Fn(&str) -> bool) -> bool {
    let read = miss.failure.values.iter().map(|binding| binding.name.as_str());
    let mut texts = read.chain([miss.failure.text.as_str()]);
    texts.any(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(&is_meant))
}

#[cfg(test)]
mod tests {
    use check::{NearKind, NearStep};
    use trace::{Failure, Step};

    use super::{SpecNames, suggestion};
    use crate::outcome::Suggestion;

    fn miss(text: &str, n_passed: usize, why: NearKind) -> NearStep {
        let failure = Failure { text: text.to_owned(), place: None, values: Vec::new(), calls: Vec::new() };
        let step = Step { name: "Take".to_owned(), place: None, parameters: Vec::new() };
        NearStep { step, n_passed, why, failure }
    }

    #[test]
    fn it_is_told_by_the_nearest_step_that_is_for_the_event() {
        let (variables, log) = (["term", "l"].map(ToOwned::to_owned), ["l", "Line"].map(ToOwned::to_owned));
        let names = SpecNames { variables: &variables, log: &log };
        let other_event = || miss("Line.event = \"send\"", 9, NearKind::Conjunct);
        let compared = || miss("term' = Line.term", 3, NearKind::Conjunct);
        let guard = || miss("term < Max", 4, NearKind::Conjunct);
        let cut_off = miss("term < 3", 5, NearKind::Constraint);
        let found = |misses: &[NearStep]| suggestion(misses, names);
        assert_eq!(found(&[]), Suggestion::Mapping);
        assert_eq!(found(&[other_event()]), Suggestion::Mapping);
        assert_eq!(found(&[other_event(), compared()]), Suggestion::ImplementationOrAction);
        assert_eq!(found(&[other_event(), compared(), guard()]), Suggestion::ImplementationOrSpec);
        assert_eq!(found(&[compared(), guard(), cut_off]), Suggestion::Mapping);
        let named = miss("term'[i] = m.term", 5, NearKind::Conjunct);
        assert_eq!(found(&[guard(), named]), Suggestion::ImplementationOrAction);
    }
}
