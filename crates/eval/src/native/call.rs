//! One application of a native operator: its arguments, and helpers that the natives share.

use std::io;

use diag::Span;
use sema::std_ops::StdOp;
use value::{Items, OpError, OpResult, Value, ValueVec, View, ops};

use crate::interp::{At, Evaluated, Fault, FaultKind, Machine, Operator};
use crate::ir::{CallArg, Failure, IrId};
use crate::sandbox::Forbidden;

/// The noun for an operator argument that selects elements.
pub(super) const PREDICATE: &str = "boolean-valued operator";

/// One application of a native operator.
pub(crate) struct Call<'a, 'p, 'r> {
    pub(super) machine: &'a mut Machine<'p, 'r>,
    op: StdOp,
    args: Arguments<'a, 'r>,
    id: IrId,
}

/// The arguments of an application.
#[derive(Clone, Copy)]
enum Arguments<'a, 'r> {
    /// Expressions, evaluated when the native asks for them, and operators.
    Written(&'a [CallArg]),
    /// Values, of which none is an operator.
    Values(&'a [Value<'r>]),
}

/// One argument of an application.
enum Argument<'r> {
    Written(CallArg),
    Value(Value<'r>),
}

/// The position of a value in the list of arguments, as TLC's messages word it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ArgPosition {
    /// "The argument of"
    Only,
    First,
    Second,
    Third,
    Fourth,
}

impl ArgPosition {
    fn text(self) -> Option<&'static str> {
        match self {
            ArgPosition::Only => None,
            ArgPosition::First => Some("first"),
            ArgPosition::Second => Some("second"),
            ArgPosition::Third => Some("third"),
            ArgPosition::Fourth => Some("fourth"),
        }
    }
}

impl<'a, 'p, 'r> Call<'a, 'p, 'r> {
    pub(super) fn new(machine: &'a mut Machine<'p, 'r>, op: StdOp, args: &'a [CallArg], id: IrId) -> Self {
        Call { machine, op, args: Arguments::Written(args), id }
    }

    /// Makes an application to values. Faults are at the place of `id`.
    pub(super) fn of_values(
        machine: &'a mut Machine<'p, 'r>,
        op: StdOp,
        values: &'a [Value<'r>],
        id: IrId,
    ) -> Self {
        Call { machine, op, args: Arguments::Values(values), id }
    }

    fn arg(&self, index: usize) -> Option<Argument<'r>> {
        match self.args {
            Arguments::Written(args) => args.get(index).copied().map(Argument::Written),
            Arguments::Values(values) => values.get(index).copied().map(Argument::Value),
        }
    }

    pub(super) fn span(&self) -> Span {
        self.machine.span(self.id)
    }

    /// Returns the operator's name, for messages.
    pub(super) fn name(&self) -> &'static str {
        self.op.signature().1
    }

    /// Evaluates an argument.
    #[inline]
    pub(super) fn value(&mut self, index: usize) -> Evaluated<Value<'r>> {
        match self.arg(index) {
            Some(Argument::Value(value)) => Ok(value),
            Some(Argument::Written(CallArg::Expr(expr))) => self.machine.eval(expr),
            Some(Argument::Written(CallArg::Func(_) | CallArg::Param(_))) | None => {
                Err(self.fault(FaultKind::Failure(Failure::NoNative(self.op))))
            }
        }
    }

    /// Evaluates all arguments of an operator without operator arguments.
    #[inline]
    pub(super) fn values<const N: usize>(&mut self) -> Evaluated<[Value<'r>; N]> {
        let mut values = [Value::FALSE; N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = self.value(index)?;
        }
        Ok(values)
    }

    /// Evaluates an argument. The inner result has the fault if it has no value.
    pub(super) fn attempt(&mut self, index: usize) -> Evaluated<Evaluated<Value<'r>>> {
        match self.arg(index) {
            Some(Argument::Value(value)) => Ok(Ok(value)),
            Some(Argument::Written(CallArg::Expr(expr))) => Ok(self.machine.attempt(expr)),
            Some(Argument::Written(CallArg::Func(_) | CallArg::Param(_))) | None => {
                Err(self.fault(FaultKind::Failure(Failure::NoNative(self.op))))
            }
        }
    }

    pub(super) fn operator(&mut self, index: usize) -> Evaluated<Operator> {
        match self.arg(index) {
            Some(Argument::Written(arg)) => self.machine.operator_arg(arg, self.id),
            Some(Argument::Value(_)) | None => {
                Err(self.fault(FaultKind::Failure(Failure::NoNative(self.op))))
            }
        }
    }

    /// Applies an operator argument.
    pub(super) fn apply(&mut self, operator: Operator, args: &[Value<'r>]) -> Evaluated<Value<'r>> {
        self.machine.call_values(operator, args)
    }

    /// Applies an operator argument that must give a boolean.
    pub(super) fn holds(
        &mut self,
        operator: Operator,
        args: &[Value<'r>],
        place: ArgPosition,
    ) -> Evaluated<bool> {
        let value = self.apply(operator, args)?;
        value.as_bool().ok_or_else(|| self.refuse(place, PREDICATE, value))
    }

    /// Runs an operator of values, and adds the place of this call to its error.
    #[inline]
    pub(super) fn op<T>(&mut self, run: impl FnOnce(&mut Machine<'p, 'r>) -> OpResult<T>) -> Evaluated<T> {
        run(self.machine).at(self.machine.span(self.id))
    }

    pub(super) fn fault(&self, kind: FaultKind) -> Box<Fault> {
        Fault::new(kind, self.span())
    }

    /// Makes a fault for an argument of the wrong kind. `expected` is a noun without its article.
    #[cold]
    pub(super) fn refuse(
        &mut self,
        place: ArgPosition,
        expected: &'static str,
        value: Value<'r>,
    ) -> Box<Fault> {
        let value = self.machine.show(value);
        self.fault(FaultKind::Argument { op: self.name(), position: place.text(), expected, value })
    }

    /// Makes a fault for an operator that is not defined for this value. `expected` is a noun with its article.
    #[cold]
    pub(super) fn not_applicable(&mut self, expected: &'static str, value: Value<'r>) -> Box<Fault> {
        let value = self.machine.show(value);
        self.fault(FaultKind::NotApplicable { op: self.name(), expected, value })
    }

    #[cold]
    pub(super) fn unavailable_fault(&self, needs: &'static str) -> Box<Fault> {
        self.fault(FaultKind::Unavailable { op: self.name(), needs })
    }

    #[cold]
    pub(super) fn malformed_fault(&self, reason: impl Into<String>) -> Box<Fault> {
        self.fault(FaultKind::Malformed { op: self.name(), reason: reason.into() })
    }

    #[cold]
    pub(super) fn io(&self, target: &str, reason: impl ToString) -> Box<Fault> {
        let (target, reason) = (target.to_owned(), reason.to_string());
        self.fault(FaultKind::Io { op: self.name(), target, reason })
    }

    /// Makes a fault for an error of the world. An act that the sandbox forbids has a kind of its own.
    #[cold]
    pub(super) fn world_fault(&self, target: &str, error: &io::Error) -> Box<Fault> {
        match Forbidden::of(error) {
            Some(forbidden) => {
                self.fault(FaultKind::Sandboxed { op: self.name(), target: target.to_owned(), forbidden })
            }
            None => self.io(target, error),
        }
    }

    #[cold]
    pub(super) fn too_large(&self, set: impl Into<String>) -> Box<Fault> {
        self.fault(FaultKind::Op(Box::new(OpError::TooLarge { set: set.into() })))
    }

    pub(super) fn sequence(&mut self, place: ArgPosition, value: Value<'r>) -> Evaluated<Items<'r>> {
        match self.op(|machine| ops::as_sequence(machine, value))? {
            Some(items) => Ok(items),
            None => Err(self.refuse(place, "sequence", value)),
        }
    }

    /// Reads a 64-bit integer.
    pub(super) fn int(
        &mut self,
        place: ArgPosition,
        expected: &'static str,
        value: Value<'r>,
    ) -> Evaluated<i64> {
        value.as_i64().ok_or_else(|| self.refuse(place, expected, value))
    }

    pub(super) fn text(&mut self, place: ArgPosition, value: Value<'r>) -> Evaluated<&'static str> {
        match value.as_string() {
            Some(atom) => Ok(atom.text()),
            None => Err(self.refuse(place, "string", value)),
        }
    }

    pub(super) fn boolean(&mut self, place: ArgPosition, value: Value<'r>) -> Evaluated<bool> {
        value.as_bool().ok_or_else(|| self.refuse(place, "boolean", value))
    }

    /// Makes a string that may not occur in the specification.
    pub(super) fn string(&self, text: &str) -> Value<'r> {
        Value::atom(self.machine.program().atoms.string(text))
    }

    /// Returns the elements of a finite set, each once, in normal order.
    pub(super) fn elements(&mut self, set: Value<'r>) -> Evaluated<Vec<Value<'r>>> {
        self.op(|machine| {
            let mut elements = ops::elements_normal(machine, set)?;
            let mut all = Vec::new();
            while let Some(element) = elements.next(machine)? {
                all.push(element);
            }
            Ok(all)
        })
    }

    /// Returns the graph of a function with a finite domain, or `None` for a value that is not a function.
    pub(super) fn graph(&mut self, value: Value<'r>) -> Evaluated<Option<Vec<(Value<'r>, Value<'r>)>>> {
        if !value.is_function() {
            return Ok(None);
        }
        let function = self.op(|machine| ops::explicit_function(machine, value))?;
        Ok(pairs(function))
    }

    /// Makes a function with these keys and values. Of equal keys the first wins.
    pub(super) fn function(&mut self, pairs: &[(Value<'r>, Value<'r>)]) -> Evaluated<Value<'r>> {
        self.op(|machine| ops::function_from_pairs(machine, pairs))
    }

    /// Makes a record by the names of its fields.
    pub(super) fn record(&mut self, fields: &[(&str, Value<'r>)]) -> Evaluated<Value<'r>> {
        let pairs: Vec<_> = fields.iter().map(|&(name, value)| (self.string(name), value)).collect();
        self.function(&pairs)
    }

    /// Returns the field of a record, if it has one of this name.
    pub(super) fn field(&mut self, record: Value<'r>, name: &str) -> Evaluated<Option<Value<'r>>> {
        let Some((shape, values)) = record.as_record() else { return Ok(None) };
        let field = self.machine.program().atoms.string(name);
        Ok(shape.position(field).map(|index| values.get(index)))
    }

    pub(super) fn equal(&mut self, left: Value<'r>, right: Value<'r>) -> Evaluated<bool> {
        self.op(|machine| ops::equal(machine, left, right))
    }

    /// Prints the value as TLC does, on one line.
    pub(super) fn show(&mut self, value: Value<'r>) -> Evaluated<String> {
        self.op(|machine| value::print(machine, value))
    }

    pub(super) fn sequence_of(&self, values: &[Value<'r>]) -> Value<'r> {
        self.machine.region().sequence(values)
    }

    pub(super) fn set_of(&self, values: &[Value<'r>]) -> Value<'r> {
        self.machine.region().set(values)
    }
}

/// Returns keys and values of a function given by its graph.
fn pairs<'r>(function: Value<'r>) -> Option<Vec<(Value<'r>, Value<'r>)>> {
    match function.view() {
        View::Sequence(items) => Some((1..).map(small).zip(items).collect()),
        View::Record(shape, items) => {
            let keys = shape.fields().iter().map(|&field| Value::atom(field));
            Some(keys.zip(items).collect())
        }
        View::Function(domain, items) => match domain.as_interval() {
            Some((first, _)) => Some((first..).map(small).zip(items).collect()),
            None => Some(domain.as_normal_set()?.iter().zip(items).collect()),
        },
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => None,
        View::LazyFunction { .. } | View::Set { .. } | View::Interval(..) | View::Powerset(_) => None,
        View::KSubsets(..) | View::FunctionSet(..) | View::RecordSet(..) | View::Product(_) => None,
        View::Filter(..) | View::Cup(..) | View::Cap(..) | View::Difference(..) | View::Union(_) => None,
        View::Naturals | View::Integers | View::Reals | View::Strings => None,
        View::Sequences(_) | View::Anything => None,
    }
}

/// Makes a key of a function on an interval. Intervals have bounds that fit in a word.
fn small<'r>(index: i64) -> Value<'r> {
    Value::opt_int(index).unwrap_or(Value::FALSE)
}

/// Collects the items into a vector.
pub(super) fn collect<'r>(items: Items<'r>) -> Vec<Value<'r>> {
    items.iter().collect()
}

/// Returns a part of a sequence.
pub(super) fn slice<'r>(call: &Call<'_, '_, 'r>, items: Items<'r>, start: usize, len: usize) -> Value<'r> {
    let mut values = ValueVec::with_capacity(call.machine.region(), len);
    values.extend(items.slice(start, len));
    values.into_sequence()
}
