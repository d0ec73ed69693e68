//! Finds the part of a value that keeps it out of a set: `log[n1][2].term` rather than all of `log`.

use value::ops;
use value::{Value, View};

use super::Machine;
use super::explain::Reading;
use crate::ir::{IrId, IrKind};

/// A part of a value, and the expression that would select it.
struct ValuePart<'r> {
    path: String,
    value: Value<'r>,
    /// The set that does not contain it.
    set: Value<'r>,
}

impl<'r> Machine<'_, 'r> {
    /// Collects, for a false `x \in S` or `X \subseteq S`, the part of `x`, or the element of `X`, that does not fit.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is about membership")]
    pub(super) fn offenders(&mut self, id: IrId, readings: &mut Vec<Reading<'r>>) {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::In(element, set) => {
                let Some((value, set)) = self.both(*element, *set) else { return };
                self.push_part(*element, (value, set, false), readings);
            }
            IrKind::SubsetEq(left, right) => {
                let Some((value, set)) = self.both(*left, *right) else { return };
                if let Some(element) = self.element_outside(value, set) {
                    self.push_part(*left, (element, set, true), readings);
                }
            }
            _ => {}
        }
    }

    fn both(&mut self, left: IrId, right: IrId) -> Option<(Value<'r>, Value<'r>)> {
        let left = self.eval(left).ok()?;
        Some((ops::force(self, left).ok()?, self.eval(right).ok()?))
    }

    fn push_part(
        &mut self,
        whole: IrId,
        (value, set, is_element): (Value<'r>, Value<'r>, bool),
        readings: &mut Vec<Reading<'r>>,
    ) {
        let mut part = ValuePart { path: String::new(), value, set };
        while let Some((step, value, set)) = self.part_outside(part.value, part.set) {
            part = ValuePart { path: format!("{}{step}", part.path), value, set };
        }
        if is_element || !part.path.is_empty() {
            let (span, is_primed) = (self.span(whole), self.program.irs[whole].facts.reads_next);
            readings.push(Reading { span, is_primed, is_element, part: part.path, value: part.value });
        }
    }

    /// Returns the direct part of `value` that keeps it out of `set`, with its own set.
    fn part_outside(&mut self, value: Value<'r>, set: Value<'r>) -> Option<(String, Value<'r>, Value<'r>)> {
        match (value.view(), set.view()) {
            (View::Record(shape, items), View::RecordSet(wanted, sets)) if shape == wanted => {
                let mut parts = shape.fields().iter().zip(items.iter().zip(sets.iter()));
                let (field, (value, set)) = parts.find(|(_, (value, set))| self.is_outside(*value, *set))?;
                Some((format!(".{}", field.text()), value, set))
            }
            (View::Sequence(items), View::Sequences(set)) => {
                let at = items.iter().position(|item| self.is_outside(item, set))?;
                Some((format!("[{}]", at + 1), items.get(at), set))
            }
            (View::Sequence(items), View::Product(sets)) if items.len() == sets.len() => {
                let mut parts = items.iter().zip(sets.iter());
                let at = parts.position(|(item, set)| self.is_outside(item, set))?;
                Some((format!("[{}]", at + 1), items.get(at), sets.get(at)))
            }
            (View::Sequence(_) | View::Record(..) | View::Function(..), View::FunctionSet(domain, range)) => {
                self.result_outside(value, (domain, range))
            }
            (_, _) => None,
        }
    }

    fn result_outside(
        &mut self,
        function: Value<'r>,
        (domain, range): (Value<'r>, Value<'r>),
    ) -> Option<(String, Value<'r>, Value<'r>)> {
        let own = ops::domain(self, function).ok()?;
        if !ops::equal(self, own, domain).ok()? {
            return None;
        }
        let mut keys = ops::elements_normal(self, own).ok()?;
        while let Some(key) = keys.next(self).ok()? {
            let value = ops::apply(self, function, key).ok()?;
            if self.is_outside(value, range) {
                return Some((format!("[{}]", self.show(key)), value, range));
            }
        }
        None
    }

    fn element_outside(&mut self, value: Value<'r>, set: Value<'r>) -> Option<Value<'r>> {
        let mut elements = ops::elements_normal(self, value).ok()?;
        while let Some(element) = elements.next(self).ok()? {
            if self.is_outside(element, set) {
                return Some(element);
            }
        }
        None
    }

    fn is_outside(&mut self, value: Value<'r>, set: Value<'r>) -> bool {
        matches!(ops::member(self, value, set), Ok(false))
    }
}
