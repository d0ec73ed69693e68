//! Splits the formula that a counterexample satisfies into alternatives.
//!
//! TLC makes a disjunction of `<>[]~enabled \/ []<>step` for each strongly fair action and splits all of it, 2^n
//! alternatives for n actions. Here such a pair stays together: the search for components can handle it.

use crate::formula::Formula;

/// Limit on the number of alternatives. With more, TLC would not end.
const ALTERNATIVES_MAX: usize = 1 << 16;

/// The reason why a formula cannot be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// TLC: an action occurs elsewhere than in `<>[]A` or `[]<>A`.
    ActionShape,
    /// Too many alternatives, or too large an automaton.
    TooLarge,
}

/// All ways in which a behaviour can be fair and violate a property.
#[derive(Debug)]
pub struct Plan {
    pub(crate) alternatives: Vec<Alternative>,
}

/// A conjunction of these parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alternative {
    /// The formulas `p` of each `<>[]p`.
    pub finally: Vec<Formula>,
    /// The formulas `p` of each `[]<>p`.
    pub again: Vec<Formula>,
    /// The formulas of each `<>[]p \/ []<>q`.
    pub pairs: Vec<(Formula, Formula)>,
    /// All other formulas, without actions.
    pub rest: Vec<Formula>,
}

impl Plan {
    /// Makes a plan for behaviours that satisfy `fairness` and violate `property`.
    pub fn new(fairness: &[Formula], property: &Formula) -> Result<Plan, Refusal> {
        let mut all = fairness.to_vec();
        all.push(Formula::not(property.clone()));
        let lists = alternatives(&Formula::And(all).positive_form())?;
        let alternatives = lists.into_iter().map(classify).collect::<Result<Vec<_>, _>>()?;
        Ok(Plan { alternatives })
    }

    /// Whether every way to violate the property shows in finitely many steps, and nothing must happen after them.
    pub fn is_safety(&self) -> bool {
        let is_it = |Alternative { finally, again, pairs, rest }: &Alternative| {
            finally.is_empty()
                && again.is_empty()
                && pairs.is_empty()
                && !rest.iter().any(Formula::has_always)
        };
        self.alternatives.iter().all(is_it)
    }

    /// Whether an automaton follows behaviours: the property is not only about what happens again and again, or
    /// forever.
    pub fn has_automaton(&self) -> bool {
        self.alternatives.iter().any(|alternative| !alternative.rest.is_empty())
    }

    /// Whether the formula is false whatever happens, by its form alone, as in TLC.
    pub fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }
}

/// Returns the disjunctive normal form. Formulas without a temporal operator, and pairs, are not split.
fn alternatives(formula: &Formula) -> Result<Vec<Vec<Formula>>, Refusal> {
    match formula {
        Formula::Bool(true) => Ok(vec![Vec::new()]),
        Formula::Bool(false) => Ok(Vec::new()),
        Formula::And(items) if formula.is_temporal() => {
            let mut product = vec![Vec::new()];
            for item in items {
                let choices = alternatives(item)?;
                if product.len() * choices.len() > ALTERNATIVES_MAX {
                    return Err(Refusal::TooLarge);
                }
                product = product
                    .iter()
                    .flat_map(|list: &Vec<Formula>| {
                        choices.iter().map(move |choice| [list.as_slice(), choice.as_slice()].concat())
                    })
                    .collect();
            }
            Ok(product)
        }
        Formula::Or(items) if formula.is_temporal() && pair(items).is_none() => {
            let mut sum = Vec::new();
            for item in items {
                sum.extend(alternatives(item)?);
            }
            if sum.len() > ALTERNATIVES_MAX { Err(Refusal::TooLarge) } else { Ok(sum) }
        }
        Formula::And(_) | Formula::Or(_) | Formula::State(_) | Formula::Action(_) | Formula::Not(_) => {
            Ok(vec![vec![formula.clone()]])
        }
        Formula::Always(_) | Formula::Eventually(_) => Ok(vec![vec![formula.clone()]]),
    }
}

/// Returns `p` of `<>[]p`, without temporal operators.
fn as_finally(formula: &Formula) -> Option<&Formula> {
    let Formula::Eventually(inner) = formula else { return None };
    let Formula::Always(inner) = &**inner else { return None };
    (!inner.is_temporal()).then_some(inner)
}

/// Returns `p` of `[]<>p`, without temporal operators.
fn as_again(formula: &Formula) -> Option<&Formula> {
    let Formula::Always(inner) = formula else { return None };
    let Formula::Eventually(inner) = &**inner else { return None };
    (!inner.is_temporal()).then_some(inner)
}

/// Returns `(p, q)` of a disjunction that means `<>[]p \/ []<>q`.
fn pair(items: &[Formula]) -> Option<(Formula, Formula)> {
    let lasting: Vec<&Formula> = items.iter().filter_map(as_finally).collect();
    let repeated: Vec<Formula> = items.iter().filter_map(as_again).cloned().collect();
    let is_whole = lasting.len() + repeated.len() == items.len();
    match lasting.as_slice() {
        [] if is_whole => Some((Formula::Bool(false), Formula::Or(repeated))),
        [one] if is_whole => Some(((*one).clone(), Formula::Or(repeated))),
        _ => None,
    }
}

fn classify(list: Vec<Formula>) -> Result<Alternative, Refusal> {
    let mut alternative = Alternative::default();
    for formula in list {
        if let Some(inner) = as_finally(&formula) {
            alternative.finally.push(inner.clone());
        } else if let Some(inner) = as_again(&formula) {
            alternative.again.push(inner.clone());
        } else if let Formula::Or(items) = &formula
            && let Some(pair) = pair(items)
        {
            alternative.pairs.push(pair);
        } else if formula.has_action() {
            return Err(Refusal::ActionShape);
        } else {
            alternative.rest.push(formula);
        }
    }
    Ok(alternative)
}

#[cfg(test)]
mod tests {
    use super::{Alternative, Plan, Refusal};
    use crate::Formula;

    fn p() -> Formula {
        Formula::State(0)
    }

    fn step() -> Formula {
        Formula::Action(0)
    }

    #[test]
    fn a_strongly_fair_action_is_one_pair() {
        let fair = Formula::strongly_fair(p(), step());
        let plan = Plan::new(&[fair.clone(), fair], &Formula::eventually(Formula::State(1))).unwrap();
        let [Alternative { finally, again, pairs, rest }] = plan.alternatives.as_slice() else {
            panic!("one alternative: {plan:?}");
        };
        assert!(finally.is_empty() && again.is_empty());
        assert_eq!(pairs.len(), 2);
        assert_eq!(rest, &[Formula::always(Formula::not(Formula::State(1)))]);
    }

    #[test]
    fn an_action_must_be_under_two_temporal_operators() {
        let refused = |property| Plan::new(&[], &property).unwrap_err();
        assert_eq!(refused(Formula::eventually(step())), Refusal::ActionShape);
        let box_inside = Formula::Or(vec![p(), Formula::always(step())]);
        assert_eq!(refused(Formula::always(box_inside)), Refusal::ActionShape);
        assert!(Plan::new(&[], &Formula::always(Formula::eventually(step()))).is_ok());
    }

    #[test]
    fn a_property_is_of_safety_if_finitely_many_steps_violate_it() {
        let is_safety = |fairness: &[Formula], property| Plan::new(fairness, &property).unwrap().is_safety();
        let stays = Formula::always(Formula::Or(vec![Formula::not(p()), Formula::always(Formula::State(1))]));
        assert!(is_safety(&[], stays.clone()));
        assert!(!is_safety(&[Formula::weakly_fair(p(), step())], stays));
        assert!(!is_safety(&[], Formula::eventually(p())));
        assert!(!is_safety(&[], Formula::always(Formula::eventually(p()))));
    }

    #[test]
    fn what_cannot_fail_has_no_alternative() {
        assert!(Plan::new(&[], &Formula::And(Vec::new())).unwrap().is_empty());
    }
}
