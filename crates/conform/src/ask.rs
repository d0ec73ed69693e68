//! Expressions of a mapping, evaluated: what is asked, in which state, and what the program looks like then.

use std::sync::atomic::{AtomicBool, Ordering};

use base::FxHashMap;
use diag::{Diagnostic, Span};
use eval::interp::{At, Machine, Shared};
use eval::ir::Root;
use eval::{Owned, Run, World};
use model::{Model, QuietRun};
use trace::{Datum, Failure};
use value::{Ground, Region, Value};

use crate::plan::AskedIdx;

/// Evaluation outside of any search: nothing is printed, and there are no registers.
pub struct AskRun<'a> {
    pub model: Model<'a>,
    pub world: &'a (dyn World + Sync),
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
    /// Memory that values under computation may take.
    pub memory_bytes_max: usize,
}

impl QuietRun for AskRun<'_> {
    fn region(&self) -> Region {
        Region::with_limit(self.memory_bytes_max)
    }

    /// It always is.
    fn set_quiet(&self, _: bool) -> bool {
        true
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for AskRun<'_> {
    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn world(&self) -> &dyn World {
        self.world
    }
}

/// Values of variables by their names: those of a state, and those that a mapping adds.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    values: FxHashMap<String, Datum>,
}

impl Frame {
    pub fn set(&mut self, name: &str, value: Datum) {
        self.values.insert(name.to_owned(), value);
    }

    pub fn with(mut self, name: &str, value: Datum) -> Frame {
        self.set(name, value);
        self
    }

    pub fn get(&self, name: &str) -> Option<&Datum> {
        self.values.get(name)
    }
}

/// A property that a behaviour may violate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// Of the last state.
    Invariant(String),
    /// Of the last step.
    Step(String),
}

impl Property {
    pub fn name(&self) -> &str {
        match self {
            Property::Invariant(name) | Property::Step(name) => name,
        }
    }
}

/// Whether a property holds.
#[derive(Debug)]
pub enum Holds {
    Yes,
    /// The part that failed, if it is known.
    No(Option<Box<Failure>>),
}

/// Answers questions about states.
pub struct Asker<'a> {
    pub model: Model<'a>,
    shared: &'a Shared,
    run: &'a AskRun<'a>,
    names: Vec<String>,
}

impl<'a> Asker<'a> {
    /// The constants of the model must have been evaluated.
    pub fn new(model: Model<'a>, shared: &'a Shared, run: &'a AskRun<'a>) -> Asker<'a> {
        let names = model.program.variables.iter();
        let names = names.map(|&name| model.spec.names.text(name).to_owned()).collect();
        Asker { model, shared, run, names }
    }

    /// The value of an expression.
    pub fn ask(&self, asked: AskedIdx, frame: &Frame) -> Result<Datum, Box<Diagnostic>> {
        let root = self.model.program.asked[asked];
        let region = self.run.region();
        let mut machine = Machine::new(self.model.program, self.shared, &region, self.run);
        let state = self.state(&mut machine, frame);
        machine.set_state(state);
        let value = machine.eval_root(root).and_then(|value| Ground::new(&mut machine, value).at(root.span));
        match value {
            Ok(value) => Ok(model::datum(value.value())),
            Err(fault) => Err(Box::new(model::fault_diagnostic(self.model, &fault))),
        }
    }

    /// Whether the user has ended it: what is evaluated now has no value.
    pub fn is_interrupted(&self) -> bool {
        self.run.is_over()
    }

    /// Whether a formula is TRUE.
    pub fn is_true(&self, asked: AskedIdx, frame: &Frame) -> Result<bool, Box<Diagnostic>> {
        Ok(self.ask(asked, frame)? == Datum::Bool(true))
    }

    /// The definition of a property, to see what it reads.
    pub fn definition(&self, property: &Property) -> Option<sema::spec::DefId> {
        self.root(property)?.def
    }

    fn root(&self, property: &Property) -> Option<Root> {
        let program = self.model.program;
        let is_named = |root: &&Root| model::root_name(self.model.spec, root) == property.name();
        match property {
            Property::Invariant(_) => program.invariants.iter().find(is_named).copied(),
            Property::Step(_) => {
                program.step_properties.iter().map(|property| &property.root).find(is_named).copied()
            }
        }
    }

    /// Whether a property holds in a state, or of the step between two.
    pub fn holds(
        &self,
        property: &Property,
        before: Option<&Frame>,
        after: &Frame,
    ) -> Result<Holds, Box<Diagnostic>> {
        let root = self.root(property).ok_or_else(|| {
            let headline = format!("the configuration has no property `{}`", property.name());
            Box::new(Diagnostic::without_place(diag::Code::ReplayImpossible, headline))
        })?;
        let region = self.run.region();
        let mut machine = Machine::new(self.model.program, self.shared, &region, self.run);
        let after_state = self.state(&mut machine, after);
        match (property, before) {
            (Property::Step(_), Some(before)) => {
                let before = self.state(&mut machine, before);
                machine.set_state(before);
                machine.set_successor(after_state);
            }
            (Property::Invariant(_), _) | (Property::Step(_), None) => machine.set_state(after_state),
        }
        match machine.eval_root_bool(root) {
            Ok(true) => Ok(Holds::Yes),
            Ok(false) => {
                let part = model::failing_part(self.model, &mut machine, root);
                Ok(Holds::No(part.map(|(_, failure)| Box::new(failure))))
            }
            Err(fault) => Err(Box::new(model::fault_diagnostic(self.model, &fault))),
        }
    }

    /// Returns the values of a state. Variables that the frame does not have are TRUE: the texts that are asked do not
    /// know their names.
    fn state<'r>(&self, machine: &mut Machine<'a, 'r>, frame: &Frame) -> Vec<Value<'r>> {
        let atoms = self.model.program.atoms;
        let value = |name: &String| {
            let owned =
                frame.get(name).and_then(|datum| model::to_owned_value(self.model.program.atoms, datum));
            owned.unwrap_or(Owned::Bool(true)).to_value(machine, atoms).unwrap_or(Value::TRUE)
        };
        self.names.iter().map(value).collect()
    }
}
