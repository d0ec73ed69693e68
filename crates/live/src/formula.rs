//! Temporal formulas over atoms, and the normal forms that the search needs.

/// A temporal formula. State atoms are about one state, action atoms about a step; each kind has numbers of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Formula {
    Bool(bool),
    State(u32),
    Action(u32),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    /// `[]F`
    Always(Box<Formula>),
    /// `<>F`
    Eventually(Box<Formula>),
}

impl Formula {
    #[expect(clippy::should_implement_trait, reason = "a constructor beside the others")]
    pub fn not(inner: Formula) -> Formula {
        Formula::Not(Box::new(inner))
    }

    /// Calls `visit` for each state atom in it.
    pub fn for_each_state_atom(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Formula::Bool(_) | Formula::Action(_) => {}
            Formula::State(atom) => visit(*atom),
            Formula::Not(inner) | Formula::Always(inner) | Formula::Eventually(inner) => {
                inner.for_each_state_atom(visit);
            }
            Formula::And(items) | Formula::Or(items) => {
                items.iter().for_each(|item| item.for_each_state_atom(visit));
            }
        }
    }

    pub fn always(inner: Formula) -> Formula {
        Formula::Always(Box::new(inner))
    }

    pub fn eventually(inner: Formula) -> Formula {
        Formula::Eventually(Box::new(inner))
    }

    /// Returns `WF_v(A)`, of `ENABLED <<A>>_v` and `<<A>>_v`: `[]<>(~enabled \/ step)`.
    pub fn weakly_fair(enabled: Formula, step: Formula) -> Formula {
        Formula::always(Formula::eventually(Formula::Or(vec![Formula::not(enabled), step])))
    }

    /// Returns `SF_v(A)`: `<>[]~enabled \/ []<>step`.
    pub fn strongly_fair(enabled: Formula, step: Formula) -> Formula {
        let never = Formula::eventually(Formula::always(Formula::not(enabled)));
        Formula::Or(vec![never, Formula::always(Formula::eventually(step))])
    }

    /// Whether `[]` or `<>` occurs in it.
    pub fn is_temporal(&self) -> bool {
        match self {
            Formula::Bool(_) | Formula::State(_) | Formula::Action(_) => false,
            Formula::Not(inner) => inner.is_temporal(),
            Formula::And(items) | Formula::Or(items) => items.iter().any(Formula::is_temporal),
            Formula::Always(_) | Formula::Eventually(_) => true,
        }
    }

    /// Whether `[]` occurs in it.
    pub(crate) fn has_always(&self) -> bool {
        match self {
            Formula::Bool(_) | Formula::State(_) | Formula::Action(_) => false,
            Formula::Not(inner) | Formula::Eventually(inner) => inner.has_always(),
            Formula::And(items) | Formula::Or(items) => items.iter().any(Formula::has_always),
            Formula::Always(_) => true,
        }
    }

    /// Whether an action occurs in it.
    pub fn has_action(&self) -> bool {
        match self {
            Formula::Bool(_) | Formula::State(_) => false,
            Formula::Action(_) => true,
            Formula::Not(inner) | Formula::Always(inner) | Formula::Eventually(inner) => inner.has_action(),
            Formula::And(items) | Formula::Or(items) => items.iter().any(Formula::has_action),
        }
    }

    /// Returns the positive form: negations only at atoms, no constants in conjunctions and disjunctions, and no
    /// `[][]`, `<><>`. TLC: `[]TRUE` stays as it is.
    pub(crate) fn positive_form(&self) -> Formula {
        self.push_negation(false)
    }

    fn push_negation(&self, negated: bool) -> Formula {
        base::with_stack(|| match self {
            Formula::Bool(value) => Formula::Bool(*value != negated),
            Formula::State(_) | Formula::Action(_) if negated => Formula::not(self.clone()),
            Formula::State(_) | Formula::Action(_) => self.clone(),
            Formula::Not(inner) => inner.push_negation(!negated),
            Formula::And(items) => join(items, negated, !negated),
            Formula::Or(items) => join(items, negated, negated),
            Formula::Always(inner) => make_lasting(inner.push_negation(negated), !negated),
            Formula::Eventually(inner) => make_lasting(inner.push_negation(negated), negated),
        })
    }

    /// Whether a formula without temporal operators and actions holds in a state where these atoms do.
    pub fn holds_in(&self, state: &dyn Fn(u32) -> bool) -> bool {
        self.holds(state, &|_| false)
    }

    /// Whether a formula without temporal operators holds, given its atoms.
    pub(crate) fn holds(&self, state: &dyn Fn(u32) -> bool, action: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Formula::Bool(value) => *value,
            Formula::State(atom) => state(*atom),
            Formula::Action(atom) => action(*atom),
            Formula::Not(inner) => !inner.holds(state, action),
            Formula::And(items) => items.iter().all(|item| item.holds(state, action)),
            Formula::Or(items) => items.iter().any(|item| item.holds(state, action)),
            Formula::Always(_) | Formula::Eventually(_) => {
                unreachable!("only what has no temporal operator is asked of a step")
            }
        }
    }
}

/// Makes a conjunction or disjunction of `items`, flat.
fn join(items: &[Formula], negated: bool, is_and: bool) -> Formula {
    let mut parts = Vec::new();
    for item in items {
        match (item.push_negation(negated), is_and) {
            (Formula::Bool(value), _) if value == is_and => {}
            (Formula::Bool(value), _) => return Formula::Bool(value),
            (Formula::And(inner), true) | (Formula::Or(inner), false) => parts.extend(inner),
            (other, _) => parts.push(other),
        }
    }
    match (parts.len(), is_and) {
        (0, _) => Formula::Bool(is_and),
        (1, _) => parts.swap_remove(0),
        (_, true) => Formula::And(parts),
        (_, false) => Formula::Or(parts),
    }
}

/// Makes `[]` or `<>` of a formula in positive form.
fn make_lasting(inner: Formula, is_always: bool) -> Formula {
    match (&inner, is_always) {
        (Formula::Always(_), true) | (Formula::Eventually(_), false) => inner,
        (_, true) => Formula::always(inner),
        (_, false) => Formula::eventually(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::Formula;

    #[test]
    fn negation_moves_to_the_atoms() {
        let p = || Formula::State(0);
        let leads_to = Formula::always(Formula::Or(vec![
            Formula::not(p()),
            Formula::eventually(Formula::eventually(Formula::State(1))),
        ]));
        let expected =
            Formula::eventually(Formula::And(vec![p(), Formula::always(Formula::not(Formula::State(1)))]));
        assert_eq!(Formula::not(leads_to).positive_form(), expected);
    }

    #[test]
    fn constants_vanish_from_lists_and_stay_under_temporal_operators() {
        let p = Formula::eventually(Formula::State(0));
        let list = Formula::And(vec![Formula::Bool(true), p.clone()]);
        assert_eq!(list.positive_form(), p);
        let always = Formula::always(Formula::Bool(true));
        assert_eq!(always.positive_form(), always);
        assert_eq!(Formula::Or(vec![Formula::Bool(true), p]).positive_form(), Formula::Bool(true));
    }
}
