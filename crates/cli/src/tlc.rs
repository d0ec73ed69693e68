//! `specline tlc`: the crate `tlc`, on this console.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use tlc::{Host, TlcJob};

use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::{Environment, variables};
use crate::exit::{Ending, Stop};
use crate::signals;

#[derive(Args, Debug)]
pub struct TlcArgs {
    /// A command line of TLC
    #[arg(value_name = "TLC", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Run for TlcArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let words = self.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Ok(tlc::run(&TlcJob { words, variables: variables() }, console)?)
    }
}

impl Host for Console {
    fn say(&self, line: &str) -> io::Result<()> {
        self.line(Stream::Out, line)
    }

    fn say_aside(&self, line: &str) -> io::Result<()> {
        self.line(Stream::Err, line)
    }

    fn watch_signals(&self) -> io::Result<Arc<AtomicBool>> {
        signals::watch()
    }
}
