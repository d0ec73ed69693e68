//! Conditions about a state of the process and a message: once one is TRUE it stays TRUE, and the message is of no use any
//! more. What shows that is its [`Proof`].

use eval::interp::Machine;
use trace::Datum;
use value::{Atom, Atoms, Value, ops};

use crate::slice::NODE;

/// The messages that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A received message: whatever handles it changes nothing and sends nothing, now and later.
    Received,
    /// An outgoing message: it cannot leave any more.
    Sent,
    /// A received message: handled as it arrives, it allows all that it allows when it is handled later, or never.
    AtOnce,
}

/// The reason for which it counts: what shows that a condition is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An SMT solver found that it holds, whatever the state, the message and the constants that are numbers or sets.
    Solved,
    /// It holds in all states of a node and for all messages within bounds.
    Bounded { n_states: usize, n_messages: usize },
    /// The user says so.
    Trusted,
    /// It does not hold: the step or the message that shows it.
    Refuted(String),
    /// Nothing shows it, and the reason for that.
    Open(String),
}

impl Proof {
    /// Whether a monitor may rely on it.
    pub fn is_enough(&self) -> bool {
        match self {
            Proof::Solved | Proof::Bounded { .. } | Proof::Trusted => true,
            Proof::Refuted(_) | Proof::Open(_) => false,
        }
    }
}

/// A condition with what is known of it.
#[derive(Clone, Debug)]
pub struct Condition {
    pub about: About,
    pub form: ConditionForm,
    pub text: String,
    pub proof: Proof,
    /// Why no SMT solver shows it.
    pub unsolved: Option<String>,
}

#[derive(Clone, Debug)]
pub enum ConditionForm {
    /// The formula of that number in the mapping.
    Written(usize),
    /// A formula that was derived.
    Derived(Template),
}

/// A conjunction of at most three simple formulas.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub kind: Option<KindTest>,
    pub state: Option<StateTest>,
    pub order: Option<OrderTest>,
}

/// `message.field = value`
#[derive(Clone, Debug)]
pub struct KindTest {
    pub field: String,
    pub value: Datum,
}

/// `variable[node] = value`, or `#`
#[derive(Clone, Debug)]
pub struct StateTest {
    pub variable: usize,
    pub is_equal: bool,
    pub value: Datum,
}

/// `variable[node] > message.field`, or `>=`; of a sequence, its length counts
#[derive(Clone, Debug)]
pub struct OrderTest {
    pub variable: usize,
    pub is_length: bool,
    pub is_strict: bool,
    pub field: String,
}

impl Template {
    /// Returns it as TLA+.
    pub fn text(&self, variables: &[String]) -> String {
        let name = |variable: usize| variables.get(variable).map_or("?", String::as_str);
        let mut parts = Vec::new();
        if let Some(kind) = &self.kind {
            parts.push(format!("message.{} = {}", kind.field, kind.value));
        }
        if let Some(state) = &self.state {
            let sign = if state.is_equal { "=" } else { "#" };
            parts.push(format!("{}[{NODE}] {sign} {}", name(state.variable), state.value));
        }
        if let Some(order) = &self.order {
            let sign = if order.is_strict { ">" } else { ">=" };
            let value = format!("{}[{NODE}]", name(order.variable));
            let value = if order.is_length { format!("Len({value})") } else { value };
            parts.push(format!("{value} {sign} message.{}", order.field));
        }
        parts.join(" /\\ ")
    }

    pub fn n_parts(&self) -> usize {
        usize::from(self.kind.is_some())
            + usize::from(self.state.is_some())
            + usize::from(self.order.is_some())
    }
}

/// A template with the values of one program.
pub(crate) struct BoundTemplate {
    kind: Option<(Atom, Value<'static>)>,
    state: Option<(usize, bool, Value<'static>)>,
    order: Option<(usize, bool, bool, Atom)>,
}

/// Returns a value that needs no memory; `None` for others.
pub(crate) fn scalar(atoms: &'static Atoms, datum: &Datum) -> Option<Value<'static>> {
    match datum {
        Datum::Bool(value) => Some(Value::bool(*value)),
        Datum::Str(text) => Some(Value::atom(atoms.string(text).as_string())),
        Datum::Model(text) => Some(Value::atom(atoms.string(text).as_model_value())),
        Datum::Int(_) | Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => None,
        Datum::Set(_) | Datum::Opaque(_) => None,
    }
}

impl BoundTemplate {
    /// Returns `None` if a value is none that can be compared.
    pub fn new(template: &Template, atoms: &'static Atoms) -> Option<BoundTemplate> {
        let kind = match &template.kind {
            Some(kind) => Some((atoms.string(&kind.field).as_string(), scalar(atoms, &kind.value)?)),
            None => None,
        };
        let state = match &template.state {
            Some(state) => Some((state.variable, state.is_equal, scalar(atoms, &state.value)?)),
            None => None,
        };
        let order = template.order.as_ref().map(|order| {
            let field = atoms.string(&order.field).as_string();
            (order.variable, order.is_length, order.is_strict, field)
        });
        Some(BoundTemplate { kind, state, order })
    }

    /// Evaluates it. Where something has no value or another kind of value, it is FALSE.
    pub fn holds<'r>(
        &self,
        machine: &mut Machine<'_, 'r>,
        (values, node): (&[Value<'r>], Value<'r>),
        message: Value<'r>,
    ) -> bool {
        // The kind first: most often it is another.
        let is_kind = self
            .kind
            .is_none_or(|(field, value)| field_of(message, field).is_some_and(|is| is.is_same(value)));
        is_kind && self.state_part(machine, values, node).is_some_and(|left| self.message_part(left, message))
    }

    /// Evaluates what is about the state: `None` if it is FALSE, and otherwise the number to compare with.
    pub fn state_part<'r>(
        &self,
        machine: &mut Machine<'_, 'r>,
        values: &[Value<'r>],
        node: Value<'r>,
    ) -> Option<i64> {
        if let Some((variable, is_equal, value)) = self.state {
            let found = ops::apply(machine, values[variable], node).ok()?;
            if found.is_same(value) != is_equal {
                return None;
            }
        }
        let Some((variable, is_length, ..)) = self.order else { return Some(0) };
        number(ops::apply(machine, values[variable], node).ok()?, is_length)
    }

    /// Evaluates what is about the message.
    pub fn message_part(&self, left: i64, message: Value<'_>) -> bool {
        if let Some((field, value)) = self.kind
            && !field_of(message, field).is_some_and(|found| found.is_same(value))
        {
            return false;
        }
        let Some((_, _, is_strict, field)) = self.order else { return true };
        match field_of(message, field).and_then(Value::as_i64) {
            Some(right) if is_strict => left > right,
            Some(right) => left >= right,
            None => false,
        }
    }
}

/// Returns an integer, or the length of a sequence.
pub(crate) fn number(value: Value<'_>, is_length: bool) -> Option<i64> {
    match is_length {
        true if value.is_same(Value::empty_sequence()) => Some(0),
        true => value.as_sequence().map(|items| items.len() as i64),
        false => value.as_i64(),
    }
}

/// Returns a field of a record.
pub(crate) fn field_of<'r>(record: Value<'r>, field: Atom) -> Option<Value<'r>> {
    let (shape, items) = record.as_record()?;
    shape.position(field).map(|at| items.get(at))
}

#[cfg(test)]
mod tests {
    use super::{Datum, KindTest, OrderTest, StateTest, Template};

    #[test]
    fn a_template_is_written_as_a_formula() {
        let template = Template {
            kind: Some(KindTest { field: "type".to_owned(), value: Datum::string("vote") }),
            state: Some(StateTest { variable: 1, is_equal: false, value: Datum::string("candidate") }),
            order: Some(OrderTest {
                variable: 0,
                is_length: false,
                is_strict: false,
                field: "term".to_owned(),
            }),
        };
        let variables = ["term".to_owned(), "role".to_owned()];
        let text = r#"message.type = "vote" /\ role[node] # "candidate" /\ term[node] >= message.term"#;
        assert_eq!(template.text(&variables), text);
    }
}
