//! The command line of `specline java`, which is that of Java: it is taken apart in `command_line`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, variables};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct JavaArgs {
    /// A command line of Java
    #[arg(value_name = "JAVA", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// A command line of Java, with the environment.
#[derive(Debug)]
pub struct JavaJob {
    pub words: Vec<OsString>,
    pub variables: Vec<(String, String)>,
    /// The Java that SPECLINE_JAVA names.
    pub java: Option<PathBuf>,
    /// Folders in which programs are looked for.
    pub search_path: OsString,
}

impl JavaJob {
    #[expect(clippy::disallowed_methods, reason = "which Java to run is said in the environment")]
    fn new(words: Vec<OsString>) -> JavaJob {
        let java = std::env::var_os("SPECLINE_JAVA").filter(|value| !value.is_empty());
        let search_path = std::env::var_os("PATH").unwrap_or_default();
        JavaJob { words, variables: variables(), java: java.map(PathBuf::from), search_path }
    }
}

impl Run for JavaArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(super::run(&JavaJob::new(self.words), console)?)
    }
}
