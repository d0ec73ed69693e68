//! Options that several commands share, each under one name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::SwitchArg;

/// How many threads a run has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkersArg {
    /// One for each processor.
    Auto,
    Count(u16),
}

/// Reads `auto`, or a number from 1 on.
pub fn parse_workers(text: &str) -> Result<WorkersArg, String> {
    if text == "auto" {
        return Ok(WorkersArg::Auto);
    }
    let count = text.parse().ok().filter(|&count| count > 0).map(WorkersArg::Count);
    count.ok_or_else(|| format!("expected a number from 1 to {}, or `auto`", u16::MAX))
}

/// Reads the path of a module, whose `.tla` may be left out.
pub fn module_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(module_path)
}

/// `Queue` means `Queue.tla`, unless there is a file of the first name alone.
fn module_path(path: PathBuf) -> PathBuf {
    if path.is_file() || path.file_name().is_none() {
        return path;
    }
    let mut longer = OsString::from(path.as_os_str());
    longer.push(".tla");
    let longer = PathBuf::from(longer);
    // Where neither exists, messages name the file that was meant.
    let is_bare = path.extension().is_none() && !path.exists();
    if Path::is_file(&longer) || is_bare { longer } else { path }
}

/// Properties that are given on the command line, besides those of the configuration.
#[derive(Args, Clone, Debug, Default)]
pub struct WantedArgs {
    /// Check this in every state: `EXPR` over the names of SPEC, or `NAME == EXPR`; may be repeated
    #[arg(long = "invariant", value_name = "EXPR", allow_hyphen_values = true)]
    pub invariants: Vec<String>,

    /// Check this formula of all behaviours: `EXPR` over the names of SPEC, or `NAME == EXPR`; may be repeated
    #[arg(long = "property", value_name = "EXPR", allow_hyphen_values = true)]
    pub properties: Vec<String>,
}

/// Whether deadlock is looked for.
#[derive(Args, Debug)]
pub struct DeadlockArgs {
    /// Whether a state without successors is an error; without it the configuration says. `--no-deadlock` means `off`
    #[arg(long, value_enum, value_name = "SWITCH", overrides_with_all = ["deadlock", "no_deadlock"])]
    deadlock: Option<SwitchArg>,

    /// The same as `--deadlock off`
    #[arg(long, hide = true, overrides_with_all = ["deadlock", "no_deadlock"])]
    no_deadlock: bool,
}

impl DeadlockArgs {
    /// What the command line says, if it says anything.
    pub fn wish(&self) -> Option<bool> {
        if self.no_deadlock { Some(false) } else { self.deadlock.map(|switch| switch == SwitchArg::On) }
    }
}

/// Whether a walk that goes wrong is made short.
#[derive(Args, Debug)]
pub struct MinimiseArgs {
    /// Whether a walk that goes wrong is made as short as it gets. `--no-minimise` means `off`
    #[arg(long, alias = "minimize", value_enum, value_name = "SWITCH", default_value_t = SwitchArg::On, overrides_with_all = ["minimise", "no_minimise"])]
    minimise: SwitchArg,

    /// The same as `--minimise off`
    #[arg(long, alias = "no-minimize", hide = true, overrides_with_all = ["minimise", "no_minimise"])]
    no_minimise: bool,
}

impl MinimiseArgs {
    pub fn is_on(&self) -> bool {
        !self.no_minimise && self.minimise == SwitchArg::On
    }
}

/// How much a command says.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct QuietArgs {
    /// Say only what is wrong: no progress, no summary
    #[arg(short, long)]
    pub quiet: bool,
}

#[cfg(test)]
mod tests {
    use super::{WorkersArg, parse_workers};

    #[test]
    fn workers_are_a_number_or_auto() {
        assert_eq!(parse_workers("auto"), Ok(WorkersArg::Auto));
        assert_eq!(parse_workers("3"), Ok(WorkersArg::Count(3)));
        for wrong in ["0", "-1", "many", "", "65536"] {
            assert!(parse_workers(wrong).is_err(), "{wrong}");
        }
    }
}
