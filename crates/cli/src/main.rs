//! The `specline` program: arguments in, work done by the other crates, messages and an exit code out.
//!
//! Nothing is understood here; this crate alone prints, exits and reads the environment.

mod args;
mod audit;
mod check;
mod commands;
mod compose;
mod conform;
mod console;
mod coverage;
mod cpu;
mod crash;
mod demo;
mod environment;
mod eval;
mod exit;
mod explain;
mod explore;
mod fmt;
mod graph;
mod hints;
mod init;
mod java;
mod kept;
mod lint;
mod lsp;
mod manual;
mod monitor;
mod new;
mod outputs;
mod pages;
mod parse;
mod pcal;
mod project;
mod prompt;
mod rank;
mod repl;
mod replayed;
mod reports;
mod signals;
mod simulate;
mod skeleton;
mod stage;
mod tap;
mod test;
mod tlc;
mod trace;
mod validate;
mod verdicts;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use diag::{Code, Diagnostic, SourceMap};

use crate::commands::{Cli, Run};
use crate::console::{Console, Stream};
use crate::environment::{Colours, Environment};
use crate::exit::{Ending, Stop};

/// The version, and the commit where it is known: for people, and for reports of our own bugs. Files and JSON have the version alone.
const VERSION: &str = env!("SPECLINE_VERSION");

#[global_allocator]
static HEAP: value::Heap = value::Heap;

fn main() -> ExitCode {
    value::Heap::keep_back(crash::end_without_memory);
    let environment = Environment::read();
    let cli = match Cli::try_parse_from(command_line()) {
        Ok(cli) => cli,
        Err(error) => return usage(&error).code(),
    };
    let console = Console::new(Colours::new(cli.color, environment));
    let result = crash::guard(|| cli.command.run(&environment, &console));
    let ending = result.unwrap_or_else(|bug| {
        console.draw(Stream::Err, &SourceMap::new(), &bug)?;
        Ok(Ending::Bug)
    });
    match ending {
        Ok(ending) | Err(Stop::Ended(ending)) => ending.code(),
        Err(Stop::Usage(error)) => usage(&error).code(),
        // The reader closed the pipe: it has seen enough.
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ending::Ok.code(),
        Err(Stop::Io(error)) => {
            // Standard error may be what cannot be written: then the exit code alone says it.
            let told =
                Diagnostic::without_place(Code::CannotWrite, format!("reading or writing failed: {error}"));
            let _ = console.draw(Stream::Err, &SourceMap::new(), &told);
            Ending::Unreadable.code()
        }
    }
}

/// The words of the command line; those of a program that is called `java` stand for `specline java`.
fn command_line() -> Vec<OsString> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let is_java = words.first().is_some_and(|name| Path::new(name).file_name() == Some(OsStr::new("java")));
    match is_java {
        true => {
            ["specline", "java"].map(OsString::from).into_iter().chain(words.into_iter().skip(1)).collect()
        }
        false => words,
    }
}

/// Prints clap's message: help and version are answers, everything else is a wrong command line.
fn usage(error: &clap::Error) -> Ending {
    // When even this cannot be printed, the exit code still says it.
    let _ = error.print();
    if error.use_stderr() { Ending::BadUsage } else { Ending::Ok }
}
