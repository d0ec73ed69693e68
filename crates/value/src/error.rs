//! Errors of operators. They know values, never places: the evaluator adds the place.

use std::any::Any;
use std::sync::Arc;

use thiserror::Error;

/// The result of an operator that may have no value for its arguments.
pub type OpResult<T> = Result<T, Box<OpError>>;

/// The kind of a value, as messages name it. Sets that print alike but are built differently have different kinds,
/// because different operations are possible with them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Boolean,
    Integer,
    String,
    ModelValue,
    /// A function with domain `1..n`, including the empty function.
    Sequence,
    /// A function whose domain is a non-empty set of strings.
    Record,
    /// Any other function given by its graph.
    Function,
    /// `[x \in S |-> e]` not yet evaluated, or a recursive function.
    LazyFunction,
    /// `{e1, ..., en}`.
    Set,
    /// `a..b`.
    Interval,
    /// `SUBSET S`.
    Powerset,
    /// The subsets of `S` with `k` elements.
    KSubsets,
    /// `[S -> T]`.
    FunctionSet,
    /// `[a : S, b : T]`.
    RecordSet,
    /// `S \X T`.
    Product,
    /// `{x \in S : P}` not yet evaluated.
    Filter,
    /// `S \cup T` not yet evaluated.
    Cup,
    /// `S \cap T` not yet evaluated.
    Cap,
    /// `S \ T` not yet evaluated.
    Difference,
    /// `UNION S` not yet evaluated.
    Union,
    /// `Nat`.
    Naturals,
    /// `Int`.
    Integers,
    /// `Real`.
    Reals,
    /// `STRING`.
    Strings,
    /// `Seq(S)`.
    Sequences,
    /// TLC's `Any`, which has every value as an element.
    Anything,
}

impl Kind {
    pub fn is_set(self) -> bool {
        match self {
            Kind::Boolean | Kind::Integer | Kind::String | Kind::ModelValue => false,
            Kind::Sequence | Kind::Record | Kind::Function | Kind::LazyFunction => false,
            Kind::Set | Kind::Interval | Kind::Powerset | Kind::KSubsets | Kind::FunctionSet => true,
            Kind::RecordSet | Kind::Product | Kind::Filter | Kind::Cup | Kind::Cap => true,
            Kind::Difference | Kind::Union | Kind::Naturals | Kind::Integers | Kind::Reals => true,
            Kind::Strings | Kind::Sequences | Kind::Anything => true,
        }
    }

    /// Whether it is a set that is not infinite by its form. TLC: only such a set is ever enumerated.
    pub fn is_enumerable(self) -> bool {
        match self {
            Kind::Set | Kind::Interval | Kind::Powerset | Kind::KSubsets | Kind::FunctionSet => true,
            Kind::RecordSet | Kind::Product | Kind::Filter | Kind::Cup | Kind::Cap => true,
            Kind::Difference | Kind::Union => true,
            Kind::Naturals
            | Kind::Integers
            | Kind::Reals
            | Kind::Strings
            | Kind::Sequences
            | Kind::Anything => false,
            Kind::Boolean | Kind::Integer | Kind::String | Kind::ModelValue => false,
            Kind::Sequence | Kind::Record | Kind::Function | Kind::LazyFunction => false,
        }
    }

    pub fn is_function(self) -> bool {
        matches!(self, Kind::Sequence | Kind::Record | Kind::Function | Kind::LazyFunction)
    }

    /// Describes the kind as a noun with its article.
    pub fn describe(self) -> &'static str {
        match self {
            Kind::Boolean => "a boolean",
            Kind::Integer => "an integer",
            Kind::String => "a string",
            Kind::ModelValue => "a model value",
            Kind::Sequence => "a sequence",
            Kind::Record => "a record",
            Kind::Function => "a function",
            Kind::LazyFunction => "a function of the form [x \\in S |-> e]",
            Kind::Set => "a set of the form {e1, ..., en}",
            Kind::Interval => "a set of the form a..b",
            Kind::Powerset => "a set of the form SUBSET S",
            Kind::KSubsets => "a set of subsets of one size",
            Kind::FunctionSet => "a set of the form [S -> T]",
            Kind::RecordSet => "a set of the form [a : S, b : T]",
            Kind::Product => "a set of the form S \\X T",
            Kind::Filter => "a set of the form {x \\in S : P}",
            Kind::Cup => "a set of the form S \\cup T",
            Kind::Cap => "a set of the form S \\cap T",
            Kind::Difference => "a set of the form S \\ T",
            Kind::Union => "a set of the form UNION S",
            Kind::Naturals => "the set Nat",
            Kind::Integers => "the set Int",
            Kind::Reals => "the set Real",
            Kind::Strings => "the set STRING",
            Kind::Sequences => "a set of the form Seq(S)",
            Kind::Anything => "the set Any",
        }
    }
}

/// The reason why an operator has no value for these arguments. Values are carried as printed text, because an error
/// outlives the region that they were in.
#[derive(Clone, Debug, Error)]
pub enum OpError {
    /// Values of kinds that TLC refuses to compare, in an equality or while ordering the elements of a set.
    #[error("cannot compare {left} with {right}")]
    NotComparable { left: String, right: String },
    /// A record on the left of a function that is not a record.
    #[error("cannot compare the record {record} with {function}, which is no record")]
    RecordWithFunction { record: String, function: String },
    /// A model value with a type letter met something of another type.
    #[error("cannot compare the typed model value {model} with {other}")]
    WrongModelType { model: String, other: String },
    /// Two model values with different type letters.
    #[error("cannot compare the model values {left} and {right}, which have different types")]
    DifferentModelTypes { left: String, right: String },
    /// `e \in S` where S, a set of this kind, can only be tested for other values.
    #[error("cannot decide whether {element} is an element of {set}")]
    NotDecidable { element: String, set: String, kind: Kind },
    /// An operand of the wrong kind. `expected` is a noun with its article.
    #[error("`{op}` needs {expected}, not {}: {value}", got.describe())]
    WrongKind { op: &'static str, expected: &'static str, got: Kind, value: String },
    /// `f[e]` with `e` outside the domain of `f`.
    #[error("{argument} is not in the domain of {function}")]
    OutsideDomain { function: String, argument: String },
    /// `r.f` where `r` has no field `f`.
    #[error("no field `{field}` in {record}")]
    NoSuchField { record: String, field: String },
    /// A set that must be enumerated and cannot be: infinite, or not a set.
    #[error("cannot enumerate {set}")]
    NotEnumerable { set: String },
    /// A set with too many elements to be counted or made explicit.
    #[error("too many elements in {set}")]
    TooLarge { set: String },
    /// A number too large for its use: an exponent, a bound of an interval, an index.
    #[error("`{op}`: {number} is too large")]
    NumberTooLarge { op: &'static str, number: String },
    /// A value that cannot be part of a state: it contains an infinite set or function.
    #[error("cannot be stored in a state: {value}")]
    NotStorable { value: String },
    #[error("`{op}` of the empty sequence")]
    EmptySequence { op: &'static str },
    /// `SubSeq(s, m, n)` with a bound outside `1..Len(s)`.
    #[error("`SubSeq`: {index} is not in the domain of {sequence}")]
    IndexOutside { index: String, sequence: String },
    #[error("division by zero")]
    DivisionByZero,
    /// `a % b` with `b` not positive.
    #[error("the second operand of `%` must be positive, not {divisor}")]
    NotPositive { divisor: String },
    /// `a ^ b` with `b` negative.
    #[error("the exponent of `^` must not be negative: {exponent}")]
    NegativeExponent { exponent: String },
    #[error("`0 ^ 0` has no value")]
    ZeroToTheZero,
    /// A field name twice in a record or a set of records.
    #[error("field names must be distinct strings: {fields}")]
    BadFields { fields: String },
    /// The predicate of a filter gave something that is not a boolean.
    #[error("the predicate of a set filter is {value}, not a boolean")]
    NotBoolean { value: String },
    /// A closure was called where there is no evaluator.
    #[error("there is no evaluator to call")]
    NoEvaluator,
    /// An evaluation has made more values than there is room for.
    #[error("out of memory: there is no room for the values that are made here")]
    NoRoom,
    /// The table of constants is full.
    #[error("no room for more constants")]
    Full,
    /// The evaluator's own error on its way through an operator that called back.
    #[error("evaluation failed")]
    Raised(Arc<dyn Any + Send + Sync>),
}
