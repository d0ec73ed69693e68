//! Options that several commands share. Those of one command are in its folder.

mod common;
mod coverage;
mod kept;
mod model;
mod reports;
mod sandbox;

pub use common::{
    CheckFormatArg, DeadlockArgs, DenyArg, EngineArg, FormatArg, MinimiseArgs, QuietArgs, SwitchArg,
    WorkersArg, parse_time, parse_variable, parse_workers,
};
pub use coverage::CoverageArgs;
pub use kept::KeptTraceArgs;
pub use model::{InputArgs, ModelArgs, SourceArgs, WantedArgs, module_parser, module_path};
pub use reports::ReportArgs;
pub use sandbox::SandboxArgs;
