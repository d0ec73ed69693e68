//! Formulas as the specification has them, in the words of the crate `live`.

use diag::Span;
use eval::temporal::TemporalFormula;
use live::Formula;

/// The left side of a `~>`, where it is about one state.
pub struct LeadsTo {
    pub left: Formula,
    pub span: Span,
}

/// Translates a formula; the left sides of its `~>` are added to `leads_to`.
pub fn translate(formula: &TemporalFormula, leads_to: &mut Vec<LeadsTo>) -> Formula {
    base::with_stack(|| translate_here(formula, leads_to))
}

fn translate_here(formula: &TemporalFormula, leads_to: &mut Vec<LeadsTo>) -> Formula {
    match formula {
        TemporalFormula::Bool(value) => Formula::Bool(*value),
        TemporalFormula::State(atom) => Formula::State(*atom as u32),
        TemporalFormula::Action(atom) => Formula::Action(*atom as u32),
        TemporalFormula::Fair { is_strong, enabled, step } => {
            let (enabled, step) = (Formula::State(*enabled as u32), Formula::Action(*step as u32));
            match is_strong {
                true => Formula::strongly_fair(enabled, step),
                false => Formula::weakly_fair(enabled, step),
            }
        }
        TemporalFormula::Not(inner) => Formula::not(translate(inner, leads_to)),
        TemporalFormula::And(items) => {
            Formula::And(items.iter().map(|item| translate(item, leads_to)).collect())
        }
        TemporalFormula::Instances(items) => {
            Formula::And(items.iter().map(|item| translate(&item.formula, leads_to)).collect())
        }
        TemporalFormula::Or(items) => {
            Formula::Or(items.iter().map(|item| translate(item, leads_to)).collect())
        }
        TemporalFormula::Always(inner) => Formula::always(translate(inner, leads_to)),
        TemporalFormula::Eventually(inner) => Formula::eventually(translate(inner, leads_to)),
        TemporalFormula::LeadsTo(sides, span) => {
            let [left, right] = &**sides;
            let (left, right) = (translate(left, leads_to), translate(right, leads_to));
            if !left.is_temporal() && !left.has_action() {
                leads_to.push(LeadsTo { left: left.clone(), span: *span });
            }
            Formula::always(Formula::Or(vec![Formula::not(left), Formula::eventually(right)]))
        }
    }
}
