//! For which values of its bound names a violated property fails: `\A n \in Node : P(n) ~> Q(n)` fails for some `n`.

use base::Name;
use eval::temporal::TemporalFormula;
use live::Formula;
use sema::Spec;
use value::Constant;

use super::meaning::Word;
use crate::data::datum;

/// So many instances are named.
const INSTANCES_MAX: usize = 5;
/// A value is cut after so many characters.
const VALUE_CHARS_MAX: usize = 60;

/// The values of the names that one instance has bound, outermost first.
type Bindings = Vec<(Name, Constant)>;

/// Says for which values a property fails on a behaviour: `n = n2`, or `n = n2; n = n3`. Nothing for a property without
/// `\A` outside of `<>` and `~>`.
pub fn instances(
    spec: &Spec,
    (expanded, formula): (&TemporalFormula, &Formula),
    word: &Word,
) -> Option<String> {
    let failing = failing((expanded, formula), word, 0);
    let binding = |(name, value): &(Name, Constant)| {
        format!("{} = {}", spec.names.text(*name), cut_text(&datum(value.get()).to_string()))
    };
    let text = |bindings: &Bindings| bindings.iter().map(binding).collect::<Vec<_>>().join(", ");
    let mut texts: Vec<String> = failing.iter().filter(|bindings| !bindings.is_empty()).map(text).collect();
    texts.dedup();
    if texts.len() > INSTANCES_MAX {
        let n_more = texts.len() - INSTANCES_MAX;
        texts.truncate(INSTANCES_MAX);
        texts.push(format!("{n_more} more"));
    }
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// The instances that do not hold at a position of the behaviour.
fn failing((expanded, formula): (&TemporalFormula, &Formula), word: &Word, at: usize) -> Vec<Bindings> {
    base::with_stack(|| match (expanded, formula) {
        (TemporalFormula::Instances(instances), Formula::And(items)) => {
            let pairs = instances.iter().zip(items).filter(|(_, item)| !word.holds_at(item, at));
            pairs
                .flat_map(|(instance, item)| {
                    let inner = failing((&instance.formula, item), word, at);
                    let inner = if inner.is_empty() { vec![Bindings::new()] } else { inner };
                    inner.into_iter().map(|rest| [instance.bindings.clone(), rest].concat())
                })
                .collect()
        }
        (TemporalFormula::And(parts), Formula::And(items)) => {
            let pairs = parts.iter().zip(items).filter(|(_, item)| !word.holds_at(item, at));
            pairs.flat_map(|pair| failing(pair, word, at)).collect()
        }
        // None of them holds.
        (TemporalFormula::Or(parts), Formula::Or(items)) => {
            parts.iter().zip(items).flat_map(|pair| failing(pair, word, at)).collect()
        }
        (TemporalFormula::Always(part), Formula::Always(item)) => match word.first_failure(item, at) {
            Some(at) => failing((part, item), word, at),
            None => Vec::new(),
        },
        _ => Vec::new(),
    })
}

fn cut_text(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS_MAX) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}
