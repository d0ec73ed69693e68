//! Questions for an SMT solver, as SMT-LIB: whether a condition about a message holds in all states, whatever the constants
//! of the specification are, and not within bounds alone. A condition is shown if the solver answers `unsat` to each.
//!
//! Who runs the solver is elsewhere.

mod reader;
mod sendings;
mod sym;
mod values;

use std::rc::Rc;

use base::FxHashMap;
use sema::Spec;
use sema::spec::VarId;
use trace::Datum;

use crate::conditions::{About, Condition, ConditionForm, Template};
use crate::map::NetworkShape;
use crate::slice::{EventKind, Role, Slice, SliceAction};
use reader::{Reader, VariableForm};
use sym::{Sym, and, not, or};

/// A question to which `unsat` is the wanted answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The action that it is about.
    pub action: String,
    pub what: Asked,
    pub script: String,
}

/// The parts of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Whether a step can make the condition FALSE again.
    Stays,
    /// Whether a step can send the message, or do something with it.
    IsIdle,
}

/// Returns the questions about a condition, or why it cannot be asked about.
pub fn questions(spec: &Spec, slice: &Slice, condition: &Condition) -> Result<Vec<Question>, String> {
    match condition.about {
        About::AtOnce => {
            return Err("what a message allows that is handled as it arrives is not translated".to_owned());
        }
        About::Received if slice.sees_all() => {
            return Err("actions look at all messages that are there".to_owned());
        }
        About::Received | About::Sent => {}
    }
    let translator = Translator { spec, slice, condition };
    let mut all = Vec::new();
    for action in &slice.actions {
        // What is received before a restart is lost with it.
        if condition.about == About::Sent || action.kind != EventKind::Restart {
            all.push(translator.stays(action)?);
        }
        let is_concerned = match condition.about {
            About::Sent => action.sends,
            About::Received | About::AtOnce => action.kind == EventKind::Receive,
        };
        if is_concerned {
            all.push(translator.is_idle(action)?);
        }
    }
    Ok(all)
}

struct Translator<'a> {
    spec: &'a Spec,
    slice: &'a Slice,
    condition: &'a Condition,
}

impl<'a> Translator<'a> {
    fn reader(&self) -> Reader<'a> {
        let slice = self.slice;
        let own = slice.formulas.variables.iter().zip(&slice.variables).enumerate();
        let mut variables: FxHashMap<VarId, VariableForm> =
            own.map(|(at, (&var, variable))| (var, VariableForm::Own(at, variable.role))).collect();
        variables.insert(slice.formulas.message, VariableForm::Message);
        variables.insert(slice.formulas.node, VariableForm::Node);
        let is_queues = slice.shape == NetworkShape::Queues;
        Reader::new(self.spec, &slice.formulas.replacements, variables, (slice.variables.len(), is_queues))
    }

    /// Returns the condition as a formula, before or after the step.
    fn formula(&self, reader: &mut Reader<'_>, is_next: bool) -> Result<String, String> {
        let formulas = &self.slice.formulas;
        match (&self.condition.form, self.condition.about) {
            (ConditionForm::Written(at), About::Sent) => {
                Ok(reader.state_formula(formulas.never[*at], is_next))
            }
            (ConditionForm::Written(at), About::Received) => {
                Ok(reader.state_formula(formulas.spent[*at], is_next))
            }
            (ConditionForm::Written(_), About::AtOnce) => Err("it is not translated".to_owned()),
            (ConditionForm::Derived(template), _) => derived(reader, template, is_next),
        }
    }

    fn stays(&self, action: &SliceAction) -> Result<Question, String> {
        let mut reader = self.reader();
        let step = reader.step(action.step);
        let (now, next) = (self.formula(&mut reader, false)?, self.formula(&mut reader, true)?);
        finish(reader, (action, Asked::Stays), &[step, now, not(&next)])
    }

    fn is_idle(&self, action: &SliceAction) -> Result<Question, String> {
        let mut reader = self.reader();
        reader.needs_sendings = true;
        let is_sent = self.condition.about == About::Sent;
        if !is_sent {
            reader.taken = Some(reader.message.clone());
        }
        let step = reader.step(action.step);
        let now = self.formula(&mut reader, false)?;
        let mut effects = Vec::new();
        for sending in std::mem::take(&mut reader.sendings) {
            let is_it = match is_sent {
                true => is_message(&mut reader, &sending.message),
                false => "true".to_owned(),
            };
            effects.push(and(&[sending.when, is_it]));
        }
        if !is_sent {
            for at in 0..self.slice.variables.len() {
                if self.slice.variables[at].role == Role::PerNode {
                    let (one, two) = (reader.now[at].clone(), reader.next[at].clone());
                    effects.push(not(&reader.terms.equal(&one, &two)));
                }
            }
        }
        finish(reader, (action, Asked::IsIdle), &[step, now, or(&effects)])
    }
}

fn finish(
    reader: Reader<'_>,
    (action, what): (&SliceAction, Asked),
    formulas: &[String],
) -> Result<Question, String> {
    if let Some(why) = reader.trouble {
        return Err(format!("of `{}`, {why}", action.name));
    }
    let mut script = sym::PRELUDE.to_owned();
    for line in &reader.terms.lines {
        script.push_str(line);
        script.push('\n');
    }
    for formula in formulas {
        script.push_str(&format!("(assert {formula})\n"));
    }
    script.push_str("(check-sat)\n");
    Ok(Question { action: action.name.clone(), what, script })
}

/// Returns the formula that a message is the one of the condition.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other value is compared as a whole")]
fn is_message(reader: &mut Reader<'_>, message: &Rc<Sym>) -> String {
    let own = reader.message.clone();
    match &**message {
        Sym::Record(fields) => {
            let mut parts = Vec::new();
            for (name, value) in fields {
                let there = reader.apply(&own, &Sym::Text(name.clone()));
                parts.push(reader.terms.equal(value, &there));
            }
            and(&parts)
        }
        Sym::If(condition, then, otherwise) => {
            let (then, otherwise) = (is_message(reader, then), is_message(reader, otherwise));
            format!("(ite {condition} {then} {otherwise})")
        }
        _ => reader.terms.equal(&own, message),
    }
}

/// Returns a condition that was derived as a formula.
fn derived(reader: &mut Reader<'_>, template: &Template, is_next: bool) -> Result<String, String> {
    let mut parts = Vec::new();
    let state = |reader: &Reader<'_>, at: usize| {
        if is_next { reader.next[at].clone() } else { reader.now[at].clone() }
    };
    let field = |reader: &mut Reader<'_>, name: &str| {
        let message = reader.message.clone();
        reader.apply(&message, &Sym::Text(name.to_owned()))
    };
    if let Some(kind) = &template.kind {
        let (value, there) = (scalar(&kind.value)?, field(reader, &kind.field));
        parts.push(reader.terms.equal(&value, &there));
    }
    if let Some(test) = &template.state {
        let (value, there) = (scalar(&test.value)?, state(reader, test.variable));
        let is_equal = reader.terms.equal(&value, &there);
        parts.push(if test.is_equal { is_equal } else { not(&is_equal) });
    }
    if let Some(order) = &template.order {
        let (own, there) = (state(reader, order.variable), field(reader, &order.field));
        let sign = if order.is_strict { ">" } else { ">=" };
        // What is no number is not compared.
        let there_term = reader.terms.term(&there);
        parts.push(format!("((_ is vi) {there_term})"));
        let left = if order.is_length {
            reader.terms.length(&own)
        } else {
            let own_term = reader.terms.term(&own);
            parts.push(format!("((_ is vi) {own_term})"));
            reader.terms.int(&own)
        };
        parts.push(format!("({sign} {left} {})", reader.terms.int(&there)));
    }
    Ok(and(&parts))
}

fn scalar(datum: &Datum) -> Result<Sym, String> {
    match datum {
        Datum::Bool(value) => Ok(Sym::Bool(value.to_string())),
        Datum::Str(text) => Ok(Sym::Text(text.clone())),
        Datum::Model(text) => Ok(Sym::Text(format!("model value {text}"))),
        Datum::Int(_) | Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => Err("a value".to_owned()),
        Datum::Set(_) | Datum::Opaque(_) => Err("a value".to_owned()),
    }
}
