//! The command line of `specline tlc`, which is TLC's: it is taken apart in `options`.

use std::ffi::OsString;

use clap::Args;

use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, variables};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct TlcArgs {
    /// A command line of TLC
    #[arg(value_name = "TLC", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// A command line of TLC, with the environment.
#[derive(Debug)]
pub struct TlcJob {
    pub words: Vec<String>,
    pub variables: Vec<(String, String)>,
}

impl Run for TlcArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let words = self.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Ok(super::run(&TlcJob { words, variables: variables() }, console)?)
    }
}
