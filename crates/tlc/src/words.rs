//! Errors of evaluation, in TLC's words and with TLC's numbers.
//!
//! Where TLC speaks of its own classes and methods there is nothing to imitate: then the words are ours.

use base::Name;
use eval::interp::{Fault, FaultKind};
use eval::ir::Failure;
use model::Model;
use sema::spec::{Arg, Builtin, Expr, ExprId, ExprKind, Op};
use trace::Datum;
use value::OpError;

use super::code::{self, Code};
use super::place;

/// A message about a failed evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    pub code: Code,
    pub text: String,
    pub manner: Manner,
    /// Whether the error comes from a value itself, and not from an operator.
    pub is_of_values: bool,
}

/// The form in which TLC reports an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// A message of its own.
    Own,
    /// TLC's message about an unexpected exception.
    Unexpected,
    /// A message with its number inside another one.
    Nested,
}

impl Words {
    fn own(code: Code, text: impl Into<String>) -> Words {
        Words { code, text: text.into(), manner: Manner::Own, is_of_values: false }
    }

    pub fn unexpected(text: impl Into<String>) -> Words {
        let manner = Manner::Unexpected;
        Words { code: code::GENERAL, text: text.into(), manner, is_of_values: false }
    }

    fn nested_words(code: Code, text: impl Into<String>) -> Words {
        Words { code, text: text.into(), manner: Manner::Nested, is_of_values: false }
    }

    fn of_values(text: impl Into<String>) -> Words {
        Words { is_of_values: true, ..Words::unexpected(text) }
    }
}

pub fn of(model: Model<'_>, fault: &Fault) -> Words {
    let here = place::of(model.spec, fault.span);
    match &fault.kind {
        FaultKind::Op(error) => of_operator(model, fault, error),
        FaultKind::NotBoolean { value } => not_boolean(model, fault, value),
        FaultKind::Failure(failure) => of_failure(model, fault, *failure),
        FaultKind::Unassigned { variable, .. } => {
            let name = model.program.variable_name(*variable);
            name.map_or_else(|| ours(model, fault), |name| undefined_name(model, name, &here))
        }
        FaultKind::NoArm => {
            Words::unexpected(format!("Attempted to evaluate a CASE with no conditions true.\n{here}"))
        }
        FaultKind::NoWitness { .. } => Words::unexpected(format!(
            "Attempted to compute the value of an expression of form\n\
             CHOOSE x \\in S: P, but no element of S satisfied P.\n{here}"
        )),
        FaultKind::TooDeep { .. } => Words::own(code::STACK_OVERFLOW, STACK_OVERFLOW),
        FaultKind::Assert { message } => Words::own(
            code::ASSERT_FAILED,
            format!("The first argument of Assert evaluated to FALSE; the second argument was:\n{message}"),
        ),
        FaultKind::Argument { op, position, expected, value } => of_argument(op, *position, expected, value),
        FaultKind::NotApplicable { op, expected, value } => Words::own(
            code::APPLYING_TO_WRONG_VALUE,
            format!("Applying {op} to the following value,\nwhich is not {expected}:\n{value}"),
        ),
        FaultKind::OutsideSequence { op, position, index, sequence } => {
            outside_sequence(op, position, index, sequence)
        }
        FaultKind::NoRegister { name } => {
            Words::nested_words(code::TLCGET_UNDEFINED, format!("TLCGet({name}) was undefined."))
        }
        FaultKind::NoMatch { .. }
        | FaultKind::NoRow { .. }
        | FaultKind::Unavailable { .. }
        | FaultKind::Io { .. }
        | FaultKind::Sandboxed { .. }
        | FaultKind::Malformed { .. }
        | FaultKind::Interrupted => ours(model, fault),
    }
}

const STACK_OVERFLOW: &str = "This was a Java StackOverflowError. It was probably the result\n\
of an incorrect recursive function definition that caused TLC to enter\n\
an infinite loop when trying to compute the function or its application\n\
to an element in its putative domain.";

/// A sentence of our own, and where.
fn ours(model: Model<'_>, fault: &Fault) -> Words {
    let headline = fault.kind.headline(model.program, &model.spec.names);
    Words::unexpected(format!("{}.\n{}", sentence(&headline), place::of(model.spec, fault.span)))
}

/// A headline as a sentence begins.
pub fn sentence(headline: &str) -> String {
    let mut chars = headline.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn of_operator(model: Model<'_>, fault: &Fault, error: &OpError) -> Words {
    let here = place::of(model.spec, fault.span);
    match error {
        OpError::NotComparable { left, right } => not_comparable(fault, left, right),
        OpError::WrongModelType { model, other } => Words::unexpected(format!(
            "Attempted to check equality of typed model value {model} and non-model value\n{other}"
        )),
        OpError::DifferentModelTypes { left, right } => Words::unexpected(format!(
            "Attempted to check equality of the differently-typed model values {left} and {right}"
        )),
        OpError::RecordWithFunction { record, function } => Words::unexpected(format!(
            "Attempted to check equality of record:\n{record}\nwith non-record\n{function}"
        )),
        OpError::NotDecidable { element, set, kind } => match eval::not_decidable(element, set, *kind) {
            Some(text) => Words::unexpected(text),
            None => Words::own(
                code::CHECK_MEMBER_OF,
                format!("Attempted to check if the value:\n{element}\nis an element of {set}."),
            ),
        },
        OpError::OutsideDomain { function, argument } => outside_domain(function, argument),
        OpError::NoSuchField { record, field } => Words::unexpected(format!(
            "Attempted to select nonexistent field \"{field}\" from the record\n{record}\n{here}"
        )),
        OpError::TooLarge { .. } => {
            Words::unexpected("Attempted to construct a set with too many elements (>1000000).")
        }
        OpError::NotStorable { value } => Words::unexpected(format!(
            "TLC has found a state in which the value of a variable contains {value}"
        )),
        OpError::EmptySequence { op } => {
            Words::own(code::EMPTY_SEQUENCE, format!("Attempted to apply {op} to the empty sequence."))
        }
        OpError::IndexOutside { index, sequence } => {
            // The lower bound is looked at first, and only it can be too small.
            let is_low = index.starts_with('-') || index == "0";
            outside_sequence("SubSeq", if is_low { "second" } else { "third" }, index, sequence)
        }
        OpError::DivisionByZero => Words::own(code::DIVISION_BY_ZERO, "The second argument of \\div is 0."),
        OpError::NotPositive { divisor } => of_argument("%", Some("second"), "positive number", divisor),
        OpError::NegativeExponent { exponent } => {
            of_argument("^", Some("second"), "natural number", exponent)
        }
        OpError::ZeroToTheZero => Words::own(code::ZERO_TO_ZERO, "0^0 is undefined."),
        OpError::WrongKind { op, expected, got, value } => {
            let operand = WrongOperand { expected, got: got.describe(), value };
            wrong_kind(model, fault, op, operand).unwrap_or_else(|| ours(model, fault))
        }
        OpError::NotEnumerable { set } if is_application_of(model, fault, "Cardinality") => {
            Words::own(2181, format!("Attempted to compute cardinality of the value\n{set}"))
        }
        OpError::NotBoolean { .. }
        | OpError::NotEnumerable { .. }
        | OpError::NumberTooLarge { .. }
        | OpError::BadFields { .. }
        | OpError::NoEvaluator
        | OpError::NoRoom
        | OpError::Full
        | OpError::Raised(_) => ours(model, fault),
    }
}

/// Whether the place of a fault is an application of this operator.
fn is_application_of(model: Model<'_>, fault: &Fault, name: &str) -> bool {
    model.spec.sources.text(fault.span).starts_with(name)
}

/// An operand of the wrong kind.
struct WrongOperand<'a> {
    /// The kind that the operator takes, with its article.
    expected: &'a str,
    got: &'a str,
    value: &'a str,
}

/// Returns TLC's words about an operand of the wrong kind, where they are about the specification.
fn wrong_kind(model: Model<'_>, fault: &Fault, op: &str, operand: WrongOperand<'_>) -> Option<Words> {
    let WrongOperand { expected, got, value } = operand;
    let here = place::of(model.spec, fault.span);
    Some(match op {
        "Head" | "Tail" | "Len" => Words::own(
            2283,
            format!("The argument of {op} should be {expected}, but instead it is:\n{value}"),
        ),
        "Append" => Words::own(
            2182,
            format!("Evaluating an expression of the form Append(s, v) when s is not {expected}:\n{value}"),
        ),
        "\\o" => Words::own(
            2182,
            format!("Evaluating an expression of the form t \\o s when s is not {expected}:\n{value}"),
        ),
        "<" | ">" | "<=" | ">=" | "=<" | "\\leq" | "\\geq" => Words::own(
            2266,
            format!("The argument of {op} should be {expected}, but instead it is:\n{value}"),
        ),
        "f[e]" => Words::unexpected(format!("A non-function ({got}) was applied as a function.\n{here}")),
        "DOMAIN" => Words::unexpected(format!(
            "Attempted to apply the operator DOMAIN to a non-function\n({got})\n{here}"
        )),
        "." => {
            let field = model.spec.sources.text(fault.span).rsplit('.').next().unwrap_or_default();
            Words::unexpected(format!(
                "Attempted to select field \"{}\" from a non-record value {value}\n{here}",
                field.trim()
            ))
        }
        _ => return None,
    })
}

/// Returns the message about two values that cannot be compared. TLC: it depends on the left value, and on
/// whether the values are parts of others.
fn not_comparable(fault: &Fault, left: &str, right: &str) -> Words {
    let whole = fault.operands.first().map(|(_, value)| model::data::saved_datum(value));
    let is_scalar = matches!(whole, Some(Datum::Int(_) | Datum::Str(_) | Datum::Bool(_)));
    let text = match Look::of(left) {
        Look::Integer => format!("Attempted to check equality of integer {left} with non-integer:\n{right}"),
        Look::String => format!("Attempted to check equality of string {left} with non-string:\n{right}"),
        Look::Boolean => {
            format!("Attempted to compare equality of boolean {left} with non-boolean:\n{right}")
        }
        Look::Set => format!("Attempted to check equality of the set {left} with the value:\n{right}"),
        Look::Record => {
            format!("Attempted to check equality of the record:\n{left}\nwith the value:\n{right}")
        }
        Look::Tuple | Look::Function => {
            format!("Attempted to check equality of the function {left} with the value:\n{right}")
        }
        Look::Other => format!("Attempted to check equality of {left} with the value:\n{right}"),
    };
    if is_scalar { Words::unexpected(text) } else { Words::of_values(text) }
}

/// The kind of a value, by how it is printed: faults keep no more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Integer,
    String,
    Boolean,
    Set,
    Tuple,
    Record,
    Function,
    Other,
}

impl Look {
    fn of(printed: &str) -> Look {
        match printed.as_bytes() {
            [b'"', ..] => Look::String,
            [b'{', ..] => Look::Set,
            [b'<', b'<', ..] => Look::Tuple,
            [b'[', ..] => Look::Record,
            [b'(', ..] => Look::Function,
            b"TRUE" | b"FALSE" => Look::Boolean,
            [b'-', rest @ ..] | rest if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => {
                Look::Integer
            }
            _ => Look::Other,
        }
    }

    /// Returns TLC's name of it.
    fn words(self) -> &'static str {
        match self {
            Look::Integer => "an integer",
            Look::String => "a string",
            Look::Boolean => "a boolean",
            Look::Set => "a set of the form {e1, ... ,eN}",
            Look::Tuple => "a tuple",
            Look::Record => "a record",
            Look::Function => "a function of the form  (d1 :> e1 @@ ... @@ dN :> eN)",
            Look::Other => "a value",
        }
    }
}

/// Returns the message about a value that is no boolean. TLC: it depends on where a boolean is needed.
fn not_boolean(model: Model<'_>, fault: &Fault, value: &str) -> Words {
    let spec = model.spec;
    let kind = Look::of(value).words();
    let around = spec.exprs.iter().filter(|expr| {
        let (outer, inner) = (expr.span, fault.span);
        outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end && outer != inner
    });
    let around = around.min_by_key(|expr| expr.span.range().len());
    let place = |expr: &Expr| place::of(spec, expr.span);
    let is_at = |id: &ExprId| spec.exprs[*id].span == fault.span;
    if let Some(expr) = around {
        if let ExprKind::If { condition, .. } = &expr.kind
            && is_at(condition)
        {
            return Words::unexpected(format!(
                "A non-boolean expression ({kind}) was used as the condition of an IF.\n{}",
                place(expr)
            ));
        }
        if let ExprKind::Apply { op: Op::Builtin(Builtin::Not), .. } = &expr.kind {
            return Words::unexpected(format!(
                "Attempted to apply the operator ~ to a non-boolean\n({kind})\n{}",
                place(expr)
            ));
        }
        if let ExprKind::Apply {
            op: Op::Builtin(op @ (Builtin::And | Builtin::Or | Builtin::Implies)),
            args,
        } = &expr.kind
        {
            let sign = if *op == Builtin::And {
                "/\\"
            } else if *op == Builtin::Or {
                "\\/"
            } else {
                "=>"
            };
            let is_first = matches!(args.first(), Some(Arg::Expr(first)) if is_at(first));
            let which = if is_first { "P" } else { "Q" };
            return Words::unexpected(format!(
                "Attempted to evaluate an expression of form P {sign} Q when {which} was\n{kind}.\n{}",
                place(expr)
            ));
        }
    }
    let here = place::of(spec, fault.span);
    Words::nested_words(2215, format!("TLC expected a boolean value, but did not find one. {here}"))
}

/// Returns the message about an argument outside of a domain. TLC: it is another one for tuples.
fn outside_domain(function: &str, argument: &str) -> Words {
    let is_tuple = function.starts_with("<<");
    let is_number = argument.parse::<i64>().is_ok();
    Words::of_values(match (is_tuple, is_number) {
        (true, true) => {
            format!("Attempted to access index {argument} of tuple\n{function}\nwhich is out of bounds.")
        }
        (true, false) => format!("Attempted to access tuple at a non integral index: {argument}"),
        (false, _) => format!(
            "Attempted to apply function:\n{function}\n\
             to argument {argument}, which is not in the domain of the function."
        ),
    })
}

fn outside_sequence(op: &str, position: &str, index: &str, sequence: &str) -> Words {
    let text = format!(
        "The {position} argument of {op} must be in the domain of its first argument:\n{sequence}\n, but \
         instead it is\n{index}"
    );
    Words::own(code::ARGUMENT_NOT_IN_DOMAIN, text)
}

fn of_argument(op: &str, position: Option<&str>, expected: &str, value: &str) -> Words {
    let starts_with_vowel = expected.starts_with(['a', 'e', 'i', 'o', 'u']);
    match position {
        None => Words::own(
            2283,
            format!("The argument of {op} should be a {expected}, but instead it is:\n{value}"),
        ),
        Some(position) if starts_with_vowel => Words::own(
            2266,
            format!("The {position} argument of {op} should be an {expected}, but instead it is:\n{value}"),
        ),
        Some(position) => Words::own(
            code::ARGUMENT,
            format!("The {position} argument of {op} should be a {expected}, but instead it is:\n{value}"),
        ),
    }
}

/// A name without a value.
fn undefined_name(model: Model<'_>, name: Name, here: &str) -> Words {
    let name = model.spec.names.text(name);
    let text =
        format!("In evaluation, the identifier {name} is either undefined or not an operator.\n{here}");
    Words::nested_words(2280, text)
}

fn of_failure(model: Model<'_>, fault: &Fault, failure: Failure) -> Words {
    let here = place::of(model.spec, fault.span);
    match failure {
        Failure::UnboundedChoose => Words::unexpected(format!(
            "TLC attempted to evaluate an unbounded CHOOSE.\n\
             Make sure that the expression is of form CHOOSE x \\in S: P(x).\n{here}"
        )),
        Failure::UnboundedQuantifier => {
            let is_all = model.spec.sources.text(fault.span).starts_with("\\A");
            let quantifier = if is_all { "\\A" } else { "\\E" };
            Words::unexpected(format!(
                "TLC attempted to evaluate an unbounded {quantifier}.\n\
                 Make sure that the expression is of form {quantifier} x \\in S: P(x).\n{here}"
            ))
        }
        Failure::NoValue(name) => undefined_name(model, name, &here),
        Failure::Temporal
        | Failure::Real
        | Failure::NoNative(_)
        | Failure::Cyclic(_)
        | Failure::DoublePrime => ours(model, fault),
    }
}
