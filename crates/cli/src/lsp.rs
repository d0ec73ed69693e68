//! `specline lsp`: the language server, on standard input and output.

use std::path::PathBuf;

use ::lsp::Host;
use clap::Args;
use diag::{Code, Diagnostic, SourceMap};
use lsp_server::Connection;

use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::{Environment, StagePlace};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct LspArgs {
    /// Talk over standard input and output. That is what it does anyway; editors that say so are understood
    #[arg(long)]
    pub stdio: bool,
}

impl Run for LspArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let folder = format!("specline-lsp-{}", std::process::id());
        let host = Host {
            program: program(),
            version: crate::VERSION.to_owned(),
            temporary: StagePlace::read().temporary.join(folder),
        };
        let (connection, threads) = Connection::stdio();
        let served = ::lsp::serve(&connection, &host);
        // The threads end when nobody can send anything any more.
        drop(connection);
        if let Err(error) = served {
            let headline = format!("the language server ended: {error}");
            let wrong = Diagnostic::without_place(Code::CannotRead, headline);
            console.draw(Stream::Err, &SourceMap::new(), &wrong)?;
            return Ok(Ending::Unreadable);
        }
        threads.join()?;
        Ok(Ending::Ok)
    }
}

/// This program, for checks of models.
fn program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("specline"))
}
