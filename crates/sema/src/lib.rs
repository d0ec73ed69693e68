//! From trees to meaning: loads modules, resolves names, checks arities and levels, carries out INSTANCE.

mod api;
pub mod config;
mod door;
mod dump;
pub mod embedded;
pub mod level;
pub mod lint;
mod load;
mod resolve;
pub mod spec;
pub mod spec_walk;
pub mod std_ops;
pub mod unfold;

pub use api::{GeneratedRoot, Loaded, load, load_generated, load_text};
pub use door::{
    ExprText, ResolvedText, define_constant, define_state, define_step, define_temporal, know_modules,
    resolve_expr, resolve_within,
};
pub use dump::{dump_module, dump_spec, dump_spec_json};
pub use load::{DiskFiles, FileSystem, LoadOptions};
pub use spec::Spec;
