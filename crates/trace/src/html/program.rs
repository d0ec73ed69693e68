//! The record of a program on which a behaviour was carried out, as a page shows it beside the behaviour.

use std::collections::BTreeMap;

use base::with_stack;
use serde_json::{Value, json};

use super::nodes::Nodes;
use super::parts::differences_json;
use crate::diagram::part_of;
use crate::{Datum, Trace};

/// A program beside a trace.
#[derive(Debug, Default)]
pub struct Program {
    /// The verdict as a word: `agreed`, `confirmed`, `diverged`, `could-not`.
    pub verdict: &'static str,
    /// The verdict in a sentence: `The program diverges at step 3, Send(n = n1)`.
    pub headline: String,
    /// The reason: `term differs`.
    pub reason: String,
    /// The rows, one for each state that was reached.
    pub rows: Vec<ProgramRow>,
    pub differences: Vec<ProgramDifference>,
}

/// The events of a step, and the state of the program after it.
#[derive(Debug, Default)]
pub struct ProgramRow {
    /// Events that were carried out.
    pub events: Vec<String>,
    /// The values of variables in the program, by their names.
    pub real: Vec<(String, Datum)>,
    /// Whether the program was compared there.
    pub is_compared: bool,
    /// The messages that were held then.
    pub held: Vec<String>,
    /// The output of the nodes meanwhile, and, below, the lines that they added to their logs.
    pub output: BTreeMap<String, String>,
    pub log: BTreeMap<String, Vec<String>>,
}

/// Something in the program that differs from the specification, at the last row.
#[derive(Debug)]
pub struct ProgramDifference {
    /// The variable, or another name for what differs.
    pub name: String,
    /// The value in the specification; `None` if there is none.
    pub spec: Option<Datum>,
    pub real: Option<Datum>,
    /// A line that describes a difference which is not a value.
    pub line: Option<String>,
}

impl Program {
    /// Converts the program for a page, with values by number. Values that mean the same as in the specification get
    /// the same number.
    pub(super) fn json(&self, trace: &Trace, nodes: &mut Nodes) -> Value {
        let mut rows = Vec::with_capacity(self.rows.len());
        for (index, row) in self.rows.iter().enumerate() {
            let real = trace.variables.iter().enumerate().map(|(variable, name)| {
                let (_, real) = row.real.iter().find(|(known, _)| known == name)?;
                let spec = trace.states.get(index).and_then(|state| state.values.get(variable)?.as_ref());
                Some(nodes.add(&spec.map_or_else(|| real.clone(), |spec| align(real, spec))))
            });
            let real: Vec<Option<u32>> = real.collect();
            rows.push(row.json(&real));
        }
        let differences: Vec<Value> = self.differences.iter().map(|one| one.json(nodes)).collect();
        json!({
            "verdict": self.verdict,
            "headline": self.headline,
            "reason": self.reason,
            "rows": rows,
            "differences": differences,
        })
    }
}

/// Returns a value in the order and the form of another one, as far as they agree.
fn align(value: &Datum, model: &Datum) -> Datum {
    if value == model {
        return model.clone();
    }
    let part = |argument: &Datum, own: &Datum| Some(align(part_of(value, argument)?, own));
    let n_parts = match value {
        Datum::Seq(items) => items.len(),
        Datum::Record(fields) => fields.len(),
        Datum::Function(pairs) => pairs.len(),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => return value.clone(),
        Datum::Set(_) | Datum::Opaque(_) => return value.clone(),
    };
    let built = with_stack(|| match model {
        Datum::Function(pairs) if pairs.len() == n_parts => {
            let pairs = pairs.iter().map(|(argument, own)| Some((argument.clone(), part(argument, own)?)));
            pairs.collect::<Option<_>>().map(Datum::Function)
        }
        Datum::Record(fields) if fields.len() == n_parts => {
            let of = |name: &String| Datum::string(name.as_str());
            let fields = fields.iter().map(|(name, own)| Some((name.clone(), part(&of(name), own)?)));
            fields.collect::<Option<_>>().map(Datum::Record)
        }
        Datum::Seq(items) if items.len() == n_parts => {
            let items = (1..).zip(items).map(|(position, own): (usize, _)| part(&Datum::int(position), own));
            items.collect::<Option<_>>().map(Datum::Seq)
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => None,
        Datum::Seq(_) | Datum::Set(_) | Datum::Record(_) | Datum::Function(_) => None,
    });
    built.unwrap_or_else(|| value.clone())
}

impl ProgramRow {
    fn json(&self, real: &[Option<u32>]) -> Value {
        json!({
            "events": self.events,
            "real": real,
            "is_compared": self.is_compared,
            "held": self.held,
            "output": self.output,
            "log": self.log,
        })
    }
}

impl ProgramDifference {
    fn json(&self, nodes: &mut Nodes) -> Value {
        let parts = match (&self.spec, &self.real) {
            (Some(spec), Some(real)) => differences_json(&self.name, (spec, real), nodes),
            (Some(_), None) | (None, Some(_)) | (None, None) => Vec::new(),
        };
        json!({
            "name": self.name,
            "spec": self.spec.as_ref().map(|value| nodes.add(value)),
            "real": self.real.as_ref().map(|value| nodes.add(value)),
            "line": self.line,
            "parts": parts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::align;
    use crate::Datum;
    use crate::html::Nodes;

    #[test]
    fn what_agrees_has_the_form_that_the_specification_gives_it() {
        let set = |items: [i64; 2]| Datum::set(items.map(Datum::int).to_vec());
        let spec =
            Datum::function(vec![(Datum::model("a"), set([1, 2])), (Datum::model("b"), Datum::int(1))]);
        let real = Datum::record([("b", Datum::int(2)), ("a", set([2, 1]))]);
        let mut nodes = Nodes::default();
        let same = nodes.add(&set([1, 2]));
        let Datum::Function(pairs) = align(&real, &spec) else { panic!("it is a function") };
        assert_eq!(nodes.add(&pairs[0].1), same);
        assert_eq!(pairs[1].1, Datum::int(2));
    }
}
