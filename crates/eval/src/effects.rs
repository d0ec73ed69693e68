//! The standard operators that do more than compute a value. The facts of nodes (`lower::node`) have the other reasons
//! why a node cannot be evaluated once and for all.

use sema::std_ops::StdOp;

/// Whether an operator writes something that outlasts its evaluation, in registers or in files.
pub fn writes(op: StdOp) -> bool {
    matches!(
        op,
        StdOp::TlcSet
            | StdOp::TlcGetAndSet
            | StdOp::TlcDefer
            | StdOp::JsonSerialize
            | StdOp::NdJsonSerialize
            | StdOp::IoSerialize
            | StdOp::Serialize
            | StdOp::CsvWrite
            | StdOp::CsvWriteRecord
    )
}

/// Whether an operator runs another program.
pub fn runs_a_program(op: StdOp) -> bool {
    matches!(op, StdOp::IoExec | StdOp::IoEnvExec | StdOp::IoExecTemplate | StdOp::IoEnvExecTemplate)
}
