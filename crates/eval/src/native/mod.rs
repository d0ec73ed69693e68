//! The standard operators that are implemented here and not by their TLA+ definitions.
//!
//! There is one function for each operator and one file for each family of modules. Natives are strict: arguments are
//! evaluated in order before anything else happens, as in TLC. An operator that is not listed in [`implementation`] is
//! evaluated by the definition in its module, which means the same, or has no value when the module calls it native.

mod bags;
mod call;
mod clocks;
mod csv;
mod fingerprint;
mod finite_sets;
mod format;
mod functions;
mod graphs;
mod io_utils;
mod json;
mod naturals;
mod numbers;
mod pickle;
mod random;
mod registers;
mod replace;
mod sequences;
mod sequences_ext;
mod statistics;
mod svg;
mod tlc;
mod tlc_ext;
mod tlc_text;

use std::cmp::Ordering;

use sema::std_ops::StdOp;
use value::{OpResult, Value, ops};

pub use self::tlc::printable;
pub use self::tlc_text::not_decidable;

use self::call::Call;
use crate::interp::{Evaluated, Machine};
use crate::ir::{CallArg, IrId};

type Native = for<'c, 'a, 'p, 'r> fn(&'c mut Call<'a, 'p, 'r>) -> Evaluated<Value<'r>>;
type Unary = for<'m, 'p, 'r> fn(&'m mut Machine<'p, 'r>, Value<'r>) -> OpResult<Value<'r>>;
type Binary = for<'m, 'p, 'r> fn(&'m mut Machine<'p, 'r>, Value<'r>, Value<'r>) -> OpResult<Value<'r>>;
type Ternary =
    for<'m, 'p, 'r> fn(&'m mut Machine<'p, 'r>, Value<'r>, Value<'r>, Value<'r>) -> OpResult<Value<'r>>;

/// The implementation of an operator.
#[derive(Clone, Copy)]
pub(crate) enum Implementation {
    /// A function of the values of all its arguments, which `value::ops` has.
    Unary(Unary),
    Binary(Binary),
    Ternary(Ternary),
    /// A comparison of two integers, with the name that messages use.
    Comparison(&'static str, Comparison),
    /// Any other operator: it evaluates its arguments itself.
    Call(Native),
}

#[derive(Clone, Copy)]
pub(crate) enum Comparison {
    Lt,
    Gt,
    Leq,
    Geq,
}

impl Comparison {
    #[inline]
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Lt => ordering.is_lt(),
            Comparison::Gt => ordering.is_gt(),
            Comparison::Leq => ordering.is_le(),
            Comparison::Geq => ordering.is_ge(),
        }
    }
}

/// Whether an operator is evaluated natively.
pub fn is_native(op: StdOp) -> bool {
    implementation(op).is_some()
}

/// Applies a native operator that evaluates its arguments itself.
pub(crate) fn call<'r>(
    machine: &mut Machine<'_, 'r>,
    native: Native,
    (op, args): (StdOp, &[CallArg]),
    id: IrId,
) -> Evaluated<Value<'r>> {
    native(&mut Call::new(machine, op, args, id))
}

/// Applies a native operator to values. `id` is the place of its faults.
pub(crate) fn call_values<'r>(
    machine: &mut Machine<'_, 'r>,
    native: Native,
    (op, values): (StdOp, &[Value<'r>]),
    id: IrId,
) -> Evaluated<Value<'r>> {
    native(&mut Call::of_values(machine, op, values, id))
}

#[expect(clippy::too_many_lines, reason = "one arm per operator")]
pub(crate) fn implementation(op: StdOp) -> Option<Implementation> {
    use Implementation::{Binary, Comparison as Compares, Ternary, Unary};
    let native: Native = match op {
        StdOp::Nat => naturals::nat,
        StdOp::Plus => return Some(Binary(|machine, a, b| ops::add(machine, a, b))),
        StdOp::Minus => return Some(Binary(|machine, a, b| ops::subtract(machine, a, b))),
        StdOp::Times => return Some(Binary(|machine, a, b| ops::multiply(machine, a, b))),
        StdOp::Power => return Some(Binary(|machine, a, b| ops::power(machine, a, b))),
        StdOp::Lt => return Some(Compares("<", Comparison::Lt)),
        StdOp::Gt => return Some(Compares(">", Comparison::Gt)),
        StdOp::Leq => return Some(Compares("\\leq", Comparison::Leq)),
        StdOp::Geq => return Some(Compares("\\geq", Comparison::Geq)),
        StdOp::Mod => return Some(Binary(|machine, a, b| ops::modulo(machine, a, b))),
        StdOp::Div => return Some(Binary(|machine, a, b| ops::divide(machine, a, b))),
        StdOp::Interval => return Some(Binary(|machine, a, b| ops::interval(machine, a, b))),
        StdOp::Int => naturals::int,
        StdOp::Neg => return Some(Unary(|machine, a| ops::negate(machine, a))),
        StdOp::Real => naturals::real,

        StdOp::Seq => sequences::seq,
        StdOp::Len => return Some(Unary(|machine, a| ops::len(machine, a))),
        StdOp::Concat => return Some(Binary(|machine, a, b| ops::concat(machine, a, b))),
        StdOp::Append => return Some(Binary(|machine, a, b| ops::append(machine, a, b))),
        StdOp::Head => return Some(Unary(|machine, a| ops::head(machine, a))),
        StdOp::Tail => return Some(Unary(|machine, a| ops::tail(machine, a))),
        StdOp::SubSeq => return Some(Ternary(|machine, a, b, c| ops::sub_seq(machine, a, b, c))),
        StdOp::SelectSeq => sequences::select_seq,

        StdOp::IsFiniteSet => finite_sets::is_finite_set,
        StdOp::Cardinality => return Some(Unary(|machine, a| ops::cardinality(machine, a))),
        StdOp::FoldSet => finite_sets::fold_set,
        StdOp::Quantify => finite_sets::quantify,
        StdOp::KSubset => finite_sets::k_subset,
        StdOp::MapThenFoldSet => finite_sets::map_then_fold_set,

        StdOp::IsABag => bags::is_a_bag,
        StdOp::BagToSet => bags::bag_to_set,
        StdOp::SetToBag => bags::set_to_bag,
        StdOp::BagIn => bags::bag_in,
        StdOp::EmptyBag => bags::empty_bag,
        StdOp::BagPlus => bags::plus,
        StdOp::BagMinus => bags::minus,
        StdOp::BagUnion => bags::bag_union,
        StdOp::BagSubset => bags::subset,
        StdOp::BagOfAll => bags::bag_of_all,
        StdOp::BagCardinality => bags::bag_cardinality,
        StdOp::CopiesIn => bags::copies_in,
        StdOp::FoldBag => bags::fold_bag,

        StdOp::Print => tlc::print,
        StdOp::PrintT => tlc::print_t,
        StdOp::Assert => tlc::assert,
        StdOp::JavaTime => tlc::java_time,
        StdOp::TlcGet => registers::tlc_get,
        StdOp::TlcSet => registers::tlc_set,
        StdOp::MapsTo => tlc::maps_to,
        StdOp::Override => tlc::override_with,
        StdOp::Permutations => tlc::permutations,
        StdOp::SortSeq => tlc::sort_seq,
        StdOp::RandomElement => random::random_element,
        StdOp::Any => tlc::any,
        StdOp::ToString => tlc::to_string,
        StdOp::TlcEval => tlc::tlc_eval,

        StdOp::AssertError => tlc_ext::assert_error,
        StdOp::Trace => tlc_ext::trace,
        StdOp::CounterExample => tlc_ext::counter_example,
        StdOp::TlcNoOp => tlc_ext::tlc_no_op,
        StdOp::TlcModelValue => tlc_ext::tlc_model_value,
        StdOp::TlcFp => fingerprint::tlc_fp,
        StdOp::TlcGetOrDefault => registers::tlc_get_or_default,
        StdOp::TlcGetAndSet => registers::tlc_get_and_set,
        StdOp::PickSuccessor => tlc_ext::pick_successor,
        StdOp::TeTrace => tlc_ext::te_trace,
        StdOp::TePosition => tlc_ext::te_position,

        StdOp::RandomSubset => random::random_subset,
        StdOp::RandomSetOfSubsets => random::random_set_of_subsets,

        StdOp::SetToSeq => sequences_ext::set_to_seq,
        StdOp::SetToSeqs => sequences_ext::set_to_seqs,
        StdOp::SequencesContains => sequences_ext::contains,
        StdOp::AllSubSeqs => sequences_ext::all_sub_seqs,
        StdOp::FoldLeft => sequences_ext::fold_left,
        StdOp::FoldLeftDomain => sequences_ext::fold_left_domain,
        StdOp::FoldRight => sequences_ext::fold_right,
        StdOp::FoldRightDomain => sequences_ext::fold_right_domain,
        StdOp::FoldSeq => functions::fold_function,
        StdOp::IsPrefix => sequences_ext::is_prefix,
        StdOp::LongestCommonPrefix => sequences_ext::longest_common_prefix,
        StdOp::RemoveFirst => sequences_ext::remove_first,
        StdOp::RemoveFirstMatch => sequences_ext::remove_first_match,
        StdOp::ReplaceAllSubSeqs => replace::replace_all,
        StdOp::ReplaceFirstSubSeq => replace::replace_first,
        StdOp::SelectInSeq => sequences_ext::select_in_seq,
        StdOp::SelectInSubSeq => sequences_ext::select_in_sub_seq,
        StdOp::SelectLastInSeq => sequences_ext::select_last_in_seq,
        StdOp::SelectLastInSubSeq => sequences_ext::select_last_in_sub_seq,
        StdOp::Suffixes => sequences_ext::suffixes,

        StdOp::AntiFunction => functions::anti_function,
        StdOp::FoldFunction => functions::fold_function,
        StdOp::FoldFunctionOnSet => functions::fold_function_on_set,
        StdOp::IsInjective => functions::is_injective,

        StdOp::GraphsSimplePath => graphs::simple_path,
        StdOp::GraphsAreConnectedIn => graphs::are_connected_in,
        StdOp::IsStronglyConnected => graphs::is_strongly_connected,
        StdOp::UndirectedSimplePath => graphs::undirected_simple_path,
        StdOp::UndirectedAreConnectedIn => graphs::undirected_are_connected_in,
        StdOp::ConnectedComponents => graphs::connected_components,

        StdOp::BitAnd => numbers::bit_and,
        StdOp::BitOr => numbers::bit_or,
        StdOp::BitXor => numbers::bit_xor,
        StdOp::BitNot => numbers::bit_not,
        StdOp::ShiftR => numbers::shift_r,
        StdOp::Choose => numbers::choose,
        StdOp::DyadicReduce => numbers::reduce,

        StdOp::ToJson => json::to_json,
        StdOp::ToJsonArray => json::to_json_array,
        StdOp::ToJsonObject => json::to_json_object,
        StdOp::JsonSerialize => json::serialize,
        StdOp::JsonDeserialize => json::deserialize,
        StdOp::NdJsonSerialize => json::nd_serialize,
        StdOp::NdJsonDeserialize => json::nd_deserialize,

        StdOp::IoSerialize => pickle::serialize,
        StdOp::IoDeserialize => pickle::deserialize,
        StdOp::Serialize => io_utils::serialize,
        StdOp::Deserialize => io_utils::deserialize,
        StdOp::IoExec => io_utils::exec,
        StdOp::IoEnvExec => io_utils::env_exec,
        StdOp::IoExecTemplate => io_utils::exec_template,
        StdOp::IoEnvExecTemplate => io_utils::env_exec_template,
        StdOp::IoEnv => io_utils::env,
        StdOp::Atoi => io_utils::atoi,

        StdOp::CsvWrite => csv::write,
        StdOp::CsvWriteRecord => csv::write_record,
        StdOp::CsvRead => csv::read,
        StdOp::CsvRecords => csv::records,

        StdOp::SvgElemToString => svg::elem_to_string,
        StdOp::NodeOfRingNetwork => svg::node_of_ring_network,
        StdOp::PointOnLine => svg::point_on_line,

        StdOp::ChiSquare => statistics::chi_square,
        StdOp::CausalOrder => clocks::causal_order,
        StdOp::DotDiGraph => fingerprint::dot_di_graph,

        // Their definitions are as good.
        StdOp::SubBag
        | StdOp::AssertEq
        | StdOp::ToTrace
        | StdOp::TlcCache
        | StdOp::TlcDefer
        | StdOp::TestRandomSetOfSubsets
        | StdOp::Factorial => return None,
        // Lowering replaces this by the definition that it names.
        StdOp::TlcEvalDefinition => return None,
        // LIMIT: real numbers, and the layouts of a graph-drawing library.
        StdOp::Divide | StdOp::Infinity | StdOp::NodesOfDirectedMultiGraph => return None,
    };
    Some(Implementation::Call(native))
}
