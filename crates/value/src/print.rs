//! Prints values on one line, as TLC does (contract 2.4). `pretty.rs` breaks lines.

use std::fmt::Write;

use base::with_stack;

use crate::view::View;
use crate::{Atom, Host, Items, OpResult, Shape, Value, ops};

/// Size of a set below which `SUBSET` of it is shown with all its elements.
const POWERSET_BASE_MAX: i64 = 7;
/// Size below which a set of functions, records or tuples is shown with all its elements.
const LAZY_SIZE_MAX: i64 = 2000;
/// Size up to which an interned interval is shown as a set: a state's `{1, 2, 3}` is stored as one.
const INTERVAL_SHOWN_MAX: i64 = 64;
/// Number of bytes of a value that messages show, approximately.
const RAW_BYTES_MAX: usize = 4096;

/// Prints the value on one line, as TLC does. Lazy sets are shown expanded when they are small, otherwise by their
/// form. Refused when a set that must be put into normal form cannot be.
pub fn print<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<String> {
    let mut printer =
        Printer { out: String::new(), bytes_max: usize::MAX, expand: |value| expand(host, value) };
    printer.value(value)?;
    Ok(printer.out)
}

/// Prints the value in its present form, without evaluating anything, and cut when it is long: for messages and for
/// debugging.
pub fn print_raw(value: Value<'_>) -> String {
    let mut printer = Printer {
        out: String::new(),
        bytes_max: RAW_BYTES_MAX,
        expand: |value| Ok(ShownForm::AsItIs(value)),
    };
    match printer.value(value) {
        Ok(()) => printer.out,
        Err(error) => unreachable!("nothing is evaluated, but: {error}"),
    }
}

/// The way in which a value is shown.
pub(crate) enum ShownForm<'r> {
    AsItIs(Value<'r>),
    /// The explicit form of the value.
    Instead(Value<'r>),
}

/// Decides how a value is shown. TLC: a value that cannot be expanded is shown by its form, whatever the reason.
pub(crate) fn expand<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<ShownForm<'r>> {
    let explicit = match value.view() {
        View::Set { is_normal: false, .. } => {
            return ops::normalize(host, value).map(|()| ShownForm::AsItIs(value));
        }
        View::Powerset(base) | View::KSubsets(base, _) if !is_below(host, base, POWERSET_BASE_MAX) => None,
        View::FunctionSet(..) | View::RecordSet(..) | View::Product(..)
            if !is_below(host, value, LAZY_SIZE_MAX) =>
        {
            None
        }
        View::Powerset(..) | View::KSubsets(..) | View::FunctionSet(..) => {
            ops::explicit_set(host, value).ok()
        }
        View::RecordSet(..) | View::Product(..) | View::Filter(..) => ops::explicit_set(host, value).ok(),
        View::Cup(..) | View::Cap(..) | View::Difference(..) => ops::explicit_set(host, value).ok(),
        // TLC: this is the one form whose failure is not hidden.
        View::Union(..) => Some(ops::explicit_set(host, value)?),
        View::LazyFunction { .. } => ops::explicit_function(host, value).ok(),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => None,
        View::Sequence(_) | View::Record(..) | View::Function(..) | View::Set { .. } | View::Interval(..) => {
            None
        }
        View::Naturals | View::Integers | View::Reals | View::Strings => None,
        View::Sequences(_) | View::Anything => None,
    };
    Ok(explicit.map_or(ShownForm::AsItIs(value), ShownForm::Instead))
}

fn is_below<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>, size: i64) -> bool {
    ops::cardinality(host, set).ok().and_then(Value::as_i64).is_some_and(|n| n < size)
}

struct Printer<E> {
    out: String,
    bytes_max: usize,
    expand: E,
}

impl<'r, E: FnMut(Value<'r>) -> OpResult<ShownForm<'r>>> Printer<E> {
    fn value(&mut self, value: Value<'r>) -> OpResult<()> {
        if self.out.len() > self.bytes_max {
            if !self.out.ends_with("...") {
                self.out.push_str("...");
            }
            return Ok(());
        }
        if !value.is_object() {
            return self.form(value);
        }
        with_stack(|| match (self.expand)(value)? {
            ShownForm::AsItIs(value) => self.form(value),
            ShownForm::Instead(value) => self.value(value),
        })
    }

    fn display(&mut self, value: impl std::fmt::Display) {
        write!(self.out, "{value}").expect("a string takes all");
    }

    fn form(&mut self, value: Value<'r>) -> OpResult<()> {
        match value.view() {
            View::Int(int) => self.display(int),
            View::BigInt(int) => self.display(int),
            View::Sequence(items) => self.list("<<", items, ">>")?,
            View::Record(shape, values) => self.record(shape, values)?,
            View::Function(domain, values) => self.graph(&domain_items(domain), values)?,
            View::Set { elements, .. } => self.list("{", elements, "}")?,
            View::Interval(first, last) => self.interval(value, first, last),
            View::RecordSet(shape, sets) => self.fields("[", shape, ": ", sets)?,
            View::Product(sets) => self.print_separated("(", sets, " \\X ", ")")?,
            View::LazyFunction { domain, .. } => self.print_around("[x \\in ", domain, " |-> ...]")?,
            View::Filter(set, _) => self.print_around("{x \\in ", set, " : ...}")?,
            View::Powerset(set) if set.as_interval().is_some() => self.print_around("SUBSET (", set, ")")?,
            View::Powerset(set) => self.print_around("SUBSET ", set, "")?,
            View::KSubsets(set, size) => self.print_around(&format!("kSubset({size}, "), set, ")")?,
            View::FunctionSet(domain, range) => self.two("[", domain, " -> ", range, "]")?,
            View::Cup(left, right) => self.two("", left, " \\cup ", right, "")?,
            View::Cap(left, right) => self.two("", left, " \\cap ", right, "")?,
            View::Difference(left, right) => self.two("", left, " \\ ", right, "")?,
            View::Union(set) => self.print_around("UNION(", set, ")")?,
            View::Sequences(set) => self.print_around("Seq(", set, ")")?,
            View::Bool(value) => self.out.push_str(if value { "TRUE" } else { "FALSE" }),
            View::String(atom) => push_quoted(&mut self.out, atom.text()),
            View::ModelValue(atom) => self.out.push_str(atom.text()),
            View::Naturals => self.out.push_str("Nat"),
            View::Integers => self.out.push_str("Int"),
            View::Reals => self.out.push_str("Real"),
            View::Strings => self.out.push_str("STRING"),
            View::Anything => self.out.push_str("ANY"),
        }
        Ok(())
    }

    fn list(&mut self, open: &str, items: Items<'r>, close: &str) -> OpResult<()> {
        self.print_separated(open, items, ", ", close)
    }

    fn print_separated(
        &mut self,
        open: &str,
        items: Items<'r>,
        separator: &str,
        close: &str,
    ) -> OpResult<()> {
        self.out.push_str(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(separator);
            }
            self.value(item)?;
            if self.out.len() > self.bytes_max {
                break;
            }
        }
        self.out.push_str(close);
        Ok(())
    }

    fn print_around(&mut self, before: &str, value: Value<'r>, after: &str) -> OpResult<()> {
        self.out.push_str(before);
        self.value(value)?;
        self.out.push_str(after);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "what stands before, between and after")]
    fn two(
        &mut self,
        before: &str,
        left: Value<'r>,
        between: &str,
        right: Value<'r>,
        after: &str,
    ) -> OpResult<()> {
        self.print_around(before, left, between)?;
        self.print_around("", right, after)
    }

    fn interval(&mut self, value: Value<'r>, first: i64, last: i64) {
        if !value.is_interned() || last.saturating_sub(first) >= INTERVAL_SHOWN_MAX {
            return self.display(format_args!("{first}..{last}"));
        }
        let elements: Vec<String> = (first..=last).map(|int| int.to_string()).collect();
        self.display(format_args!("{{{}}}", elements.join(", ")));
    }

    /// Prints a record. TLC: a function on strings is shown as a record only if all of them could be field names.
    fn record(&mut self, shape: Shape, values: Items<'r>) -> OpResult<()> {
        if shape.fields().iter().all(|field| field.is_identifier()) {
            return self.fields("[", shape, " |-> ", values);
        }
        let keys: Vec<Value<'r>> = shape.fields().iter().map(|&field| Value::atom(field)).collect();
        self.graph(&keys, values)
    }

    fn fields(&mut self, open: &str, shape: Shape, arrow: &str, values: Items<'r>) -> OpResult<()> {
        self.out.push_str(open);
        for (index, (field, value)) in shape.fields().iter().zip(values).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            self.display(format_args!("{comma}{}{arrow}", Atom::text(*field)));
            self.value(value)?;
        }
        self.out.push(']');
        Ok(())
    }

    fn graph(&mut self, keys: &[Value<'r>], values: Items<'r>) -> OpResult<()> {
        self.out.push('(');
        for (index, (&key, value)) in keys.iter().zip(values).enumerate() {
            let before = if index > 0 { " @@ " } else { "" };
            self.two(before, key, " :> ", value, "")?;
            if self.out.len() > self.bytes_max {
                break;
            }
        }
        self.out.push(')');
        Ok(())
    }
}

/// Returns the elements of the domain of a function, which is in normal form.
pub(crate) fn domain_items<'r>(domain: Value<'r>) -> Vec<Value<'r>> {
    match domain.as_interval() {
        Some((first, last)) => (first..=last).filter_map(Value::opt_int).collect(),
        None => domain.as_normal_set().into_iter().flatten().collect(),
    }
}

/// Appends a string as a literal. TLC escapes these six characters.
fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            other => out.push(other),
        }
    }
    out.push('"');
}
