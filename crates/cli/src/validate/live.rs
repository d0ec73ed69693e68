//! `--live`: a log that is still being written, as a file that grows or on standard input. Reading waits for what is not there yet.
//!
//! A search asks for an event only when it can explain all that came before it. So whenever a reader waits, everything that was read
//! is explained, and this can be reported.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time between two looks at a file that has not grown.
const PERIOD: Duration = Duration::from_millis(50);
/// Number of bytes of standard input that are read at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// Called with the number of lines whenever there is nothing more to read for now.
pub type Watch<'a> = dyn Fn(u64) + Sync + Send + 'a;

/// The counter of the lines of all files, and the watch that is notified.
pub type LineWatch<'a> = (&'a AtomicU64, &'a Watch<'a>);

/// A log that is still being written.
pub struct Live<'a> {
    source: Source,
    /// Set when no more is to be waited for: what was read is the whole log.
    ended: Arc<AtomicBool>,
    watch: &'a Watch<'a>,
    /// Lines of all files of the run that were read.
    n_lines: &'a AtomicU64,
    /// Number of lines that were reported.
    n_told: u64,
}

enum Source {
    File { file: File, n_read: u64 },
    Input { chunks: Receiver<io::Result<Vec<u8>>>, rest: Vec<u8>, at: usize, is_over: bool },
}

impl<'a> Live<'a> {
    /// Reads a file that may grow.
    pub fn file(
        path: &Path,
        ended: Arc<AtomicBool>,
        (n_lines, watch): LineWatch<'a>,
    ) -> io::Result<Live<'a>> {
        let source = Source::File { file: File::open(path)?, n_read: 0 };
        Ok(Live { source, ended, watch, n_lines, n_told: 0 })
    }

    /// Reads standard input.
    pub fn input(ended: Arc<AtomicBool>, (n_lines, watch): LineWatch<'a>) -> Live<'a> {
        let source = Source::Input { chunks: chunks(io::stdin()), rest: Vec::new(), at: 0, is_over: false };
        Live { source, ended, watch, n_lines, n_told: 0 }
    }

    pub fn into_buffered(self) -> Box<dyn BufRead + 'a> {
        Box::new(BufReader::new(self))
    }

    fn tell(&mut self) {
        let n_lines = self.n_lines.load(Ordering::Relaxed);
        if n_lines > self.n_told {
            self.n_told = n_lines;
            (self.watch)(n_lines);
        }
    }
}

/// Reads in a thread of its own, which a signal does not have to wake.
fn chunks(mut from: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK_BYTES];
            let read = from.read(&mut chunk).map(|n_read| {
                chunk.truncate(n_read);
                chunk
            });
            let is_last = !matches!(&read, Ok(chunk) if !chunk.is_empty());
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

impl Read for Live<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let is_over = self.ended.load(Ordering::Relaxed) || self.source.is_over();
            if let Some(n_read) = self.source.read_now(buffer)? {
                let n_lines = buffer[..n_read].iter().filter(|&&byte| byte == b'\n').count();
                self.n_lines.fetch_add(n_lines as u64, Ordering::Relaxed);
                return Ok(n_read);
            }
            self.tell();
            if is_over {
                return Ok(0);
            }
            self.source.wait()?;
        }
    }
}

impl Source {
    /// Reads the bytes that are there. `None` means that more may follow, and no bytes mean the end.
    fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self {
            Source::File { file, n_read } => {
                let n = file.read(buffer)?;
                *n_read += n as u64;
                if n == 0 && file.metadata()?.len() < *n_read {
                    let reason = "the file became shorter while it was read";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
                }
                Ok((n > 0).then_some(n))
            }
            Source::Input { rest, at, .. } => {
                let n = (rest.len() - *at).min(buffer.len());
                buffer[..n].copy_from_slice(&rest[*at..*at + n]);
                *at += n;
                Ok((n > 0).then_some(n))
            }
        }
    }

    /// Waits for more bytes, for one period at most.
    fn wait(&mut self) -> io::Result<()> {
        match self {
            Source::File { .. } => thread::park_timeout(PERIOD),
            Source::Input { chunks, rest, at, is_over } => match chunks.recv_timeout(PERIOD) {
                Ok(chunk) => {
                    (*rest, *at) = (chunk?, 0);
                    *is_over = rest.is_empty();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => *is_over = true,
            },
        }
        Ok(())
    }

    /// Whether the writer has closed the log.
    fn is_over(&self) -> bool {
        match self {
            Source::File { .. } => false,
            Source::Input { is_over, .. } => *is_over,
        }
    }
}
