//! The one place that writes: standard output for answers, standard error for messages.
//!
//! Every write returns its error, so that `main` can distinguish a closed reader from a full disk.

use std::io::{self, Write};

use diag::{Diagnostic, SourceMap, render};

use crate::environment::Colours;
use crate::exit::{Ending, Stop};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

#[derive(Clone, Copy, Debug)]
pub struct Console {
    colours: Colours,
    /// Whether a closed reader is no error.
    outlives_readers: bool,
}

impl Console {
    pub fn new(colours: Colours) -> Self {
        Console { colours, outlives_readers: false }
    }

    /// Returns a console that ignores a closed reader, for a run whose verdict counts even if it is not read.
    #[must_use]
    pub fn outliving_readers(self) -> Self {
        Console { outlives_readers: true, ..self }
    }

    /// Writes `text` and a line feed.
    pub fn line(&self, stream: Stream, text: &str) -> io::Result<()> {
        self.write(stream, &format!("{text}\n"))
    }

    /// Draws `diagnostic` with its source lines, and an empty line after it.
    pub fn draw(&self, stream: Stream, sources: &SourceMap, diagnostic: &Diagnostic) -> io::Result<()> {
        let colour = match stream {
            Stream::Out => self.colours.stdout,
            Stream::Err => self.colours.stderr,
        };
        self.write(stream, &format!("{}\n\n", render::text(sources, diagnostic, colour)))
    }

    /// Draws the error that stops a command, and returns the stop.
    pub fn refuse(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> Stop {
        match self.draw(Stream::Err, sources, diagnostic) {
            Ok(()) => Ending::of(diagnostic, false).into(),
            Err(error) => error.into(),
        }
    }

    /// Whether what goes to a stream may have colours.
    pub fn has_colour(&self, stream: Stream) -> bool {
        let colour = match stream {
            Stream::Out => self.colours.stdout,
            Stream::Err => self.colours.stderr,
        };
        colour == render::Colour::Ansi
    }

    /// Writes `text` without a line feed, and flushes it, so that the two streams stay in order on a
    /// terminal.
    pub fn write(&self, stream: Stream, text: &str) -> io::Result<()> {
        let written = match stream {
            Stream::Out => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
            Stream::Err => io::stderr().lock().write_all(text.as_bytes()),
        };
        match written {
            Err(error) if self.outlives_readers && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }
}
