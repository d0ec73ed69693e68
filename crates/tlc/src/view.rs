//! `-view`: states as the VIEW of the configuration has them.

use std::fmt::Write;

use eval::interp::{Machine, Shared};
use eval::ir::Root;
use eval::{Fact, Owned, Run};
use model::Model;
use sema::Spec;
use sema::config::BoundConfig;
use sema::spec::{ExprId, ExprKind};
use setup::expressions::body_as_written;
use trace::{Datum, Trace};
use value::{Region, Value, ops};

/// TLC's width of a value.
const WIDTH: usize = 80;

/// The part of a state that is shown.
#[derive(Clone, Copy)]
pub struct Viewed<'a> {
    pub model: Model<'a>,
    pub root: Root,
    /// The variables that the VIEW is a tuple of, in the order of the tuple; none if it is something else.
    pub variables: &'a [String],
    /// All variables in TLC's order.
    pub order: &'a [String],
}

impl Viewed<'_> {
    /// A state of a trace; nothing where the VIEW has no value there.
    pub fn text(&self, trace: &Trace, index: usize) -> Option<String> {
        let value = self.value(trace, index)?;
        let Datum::Seq(parts) = &value else { return Some(value.to_lines(WIDTH, 0)) };
        if self.variables.is_empty() {
            return Some(value.to_lines(WIDTH, 0));
        }
        let mut named: Vec<(&String, &Datum)> = self.variables.iter().zip(parts).collect();
        named.sort_by_key(|(name, _)| self.order.iter().position(|known| known == *name));
        let mut text = String::new();
        for (name, part) in named {
            writeln!(text, "/\\ {name} = {}", part.to_lines(WIDTH, 0)).expect("a string takes all");
        }
        Some(text)
    }

    fn value(&self, trace: &Trace, index: usize) -> Option<Datum> {
        let program = self.model.program;
        let (shared, region, run) = (Shared::new(program), Region::new(), Level(index + 1));
        let mut machine = Machine::new(program, &shared, &region, &run);
        let state = &trace.states[index].values;
        let mut values: Vec<Value<'_>> = Vec::new();
        for &name in &program.variables {
            let name = self.model.spec.names.text(name);
            let at = trace.variables.iter().position(|known| known == name)?;
            let owned = model::to_owned_value(self.model.program.atoms, state.get(at)?.as_ref()?)?;
            values.push(owned.to_value(&mut machine, program.atoms).ok()?);
        }
        machine.set_state(values);
        let value = machine.eval_root(self.root).ok()?;
        Some(model::datum(ops::force(&mut machine, value).ok()?))
    }
}

/// A run in which only the level of a state is known.
struct Level(usize);

impl Run for Level {
    fn fact(&self, fact: Fact) -> Option<Owned> {
        (fact == Fact::Level).then_some(Owned::Int(self.0 as i64))
    }
}

/// The variables that the VIEW of a configuration is a tuple of, if it is one.
pub fn variables(spec: &Spec, config: &BoundConfig) -> Vec<String> {
    let written = config.view.as_ref().and_then(|view| body_as_written(spec, view.def));
    let Some(ExprKind::Tuple(parts)) = written else { return Vec::new() };
    let name = |part: &ExprId| {
        let ExprKind::Var(id) = &spec.exprs[*part].kind else { return None };
        Some(spec.names.text(spec.variables[*id].name).to_owned())
    };
    parts.iter().map(name).collect::<Option<_>>().unwrap_or_default()
}
