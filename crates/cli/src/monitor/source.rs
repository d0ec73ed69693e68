//! The input of a monitor: lines as events, read by a thread of their own, so that a signal is noticed while there are none.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use diag::Code;
use monitor::input::{Event, EventForm, parse_line};

/// The longest line that is read.
const LINE_BYTES_MAX: u64 = 64 << 20;
/// The most bytes that are read before lines are handed over.
const BATCH_BYTES: usize = 1 << 16;
/// The most batches that wait to be looked at. Then the input waits.
const N_BATCHES_MAX: usize = 64;
/// How often signals are looked for while there are no lines.
const LOOK: Duration = Duration::from_millis(100);

/// Why there are no more events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    End,
    /// A signal asks for the end, or for reading the files again.
    Signal,
}

type Batch = io::Result<Vec<Vec<u8>>>;

/// Opens a tap, and hands its lines over until there are none.
type TapOpener = Box<dyn FnOnce(&mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>) -> io::Result<()> + Send>;

/// Where lines come from.
pub enum Input {
    Lines(BufReader<Box<dyn Read + Send>>),
    Tap(TapOpener),
}

/// Opens a file with lines; `-` is standard input.
pub fn of_lines(input: &Path) -> io::Result<Input> {
    let reader: Box<dyn Read + Send> = match input.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(input).map_err(|error| named(input, &error))?),
    };
    Ok(Input::Lines(BufReader::with_capacity(BATCH_BYTES, reader)))
}

/// The lines of the input as events. A line that is none is a gap.
pub struct Source<'a> {
    batches: Receiver<Batch>,
    lines: std::vec::IntoIter<Vec<u8>>,
    record: Option<BufWriter<File>>,
    /// Why the record ended before the input.
    pub record_trouble: Option<io::Error>,
    number: u64,
    pub trouble: Option<io::Error>,
    pub stopped: Stopped,
    /// Set by signals: the end, and reading the files again.
    signals: [&'a AtomicBool; 2],
}

impl<'a> Source<'a> {
    pub fn open(input: Input, record: Option<&Path>, signals: [&'a AtomicBool; 2]) -> io::Result<Source<'a>> {
        let record = match record {
            Some(path) => Some(File::create(path).map_err(|error| named(path, &error))?),
            None => None,
        };
        let (sender, batches) = sync_channel(N_BATCHES_MAX);
        // It ends with the input, or when nobody takes its lines any more.
        std::thread::Builder::new().name("input".to_owned()).spawn(move || read(input, &sender))?;
        Ok(Source {
            batches,
            lines: Vec::new().into_iter(),
            record: record.map(BufWriter::new),
            record_trouble: None,
            number: 0,
            trouble: None,
            stopped: Stopped::End,
            signals,
        })
    }

    /// Writes what is left of the record.
    pub fn finish(&mut self) {
        if let Some(mut record) = self.record.take()
            && let Err(error) = record.flush()
        {
            self.record_trouble = Some(error);
        }
    }

    fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            if self.signals.iter().any(|signal| signal.load(Ordering::Relaxed)) {
                self.stopped = Stopped::Signal;
                return None;
            }
            if let Some(line) = self.lines.next() {
                return Some(line);
            }
            match self.batches.recv_timeout(LOOK) {
                Ok(Ok(lines)) => {
                    self.keep(&lines);
                    self.lines = lines.into_iter();
                }
                Ok(Err(error)) => {
                    self.trouble = Some(error);
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => self.flush_record(),
                Err(RecvTimeoutError::Disconnected) => {
                    self.stopped = Stopped::End;
                    return None;
                }
            }
        }
    }

    /// Records lines. A disk that is full ends the record, and not the watch.
    fn keep(&mut self, lines: &[Vec<u8>]) {
        let Some(record) = &mut self.record else { return };
        if let Err(error) = lines.iter().try_for_each(|line| record.write_all(line)) {
            self.record_trouble = Some(error);
            self.record = None;
        }
    }

    fn flush_record(&mut self) {
        if let Some(record) = &mut self.record
            && let Err(error) = record.flush()
        {
            self.record_trouble = Some(error);
            self.record = None;
        }
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn read(input: Input, sender: &SyncSender<Batch>) {
    match input {
        Input::Lines(mut reader) => hand_over(|| read_batch(&mut reader), sender),
        Input::Tap(open) => {
            let opened = open(&mut |lines| {
                hand_over(|| read_line(lines), sender);
                Ok(())
            });
            if let Err(error) = opened {
                // Nobody may be there any more to hear of it.
                drop(sender.send(Err(error)));
            }
        }
    }
}

/// Hands batches over until there are no more, or nobody takes them.
fn hand_over(mut next: impl FnMut() -> Batch, sender: &SyncSender<Batch>) {
    loop {
        let batch = next();
        let is_last = batch.as_ref().map_or(true, Vec::is_empty);
        let is_empty = batch.as_ref().is_ok_and(Vec::is_empty);
        if !is_empty && sender.send(batch).is_err() || is_last {
            return;
        }
    }
}

/// Reads one line of a tap, which waits for the next.
fn read_line(reader: &mut dyn BufRead) -> Batch {
    let mut line = Vec::new();
    Read::take(reader, LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
    Ok(if line.is_empty() { Vec::new() } else { vec![line] })
}

/// Reads a line, and those after it that are there already.
fn read_batch(reader: &mut BufReader<Box<dyn Read + Send>>) -> Batch {
    let mut lines = Vec::new();
    let mut n_bytes = 0;
    loop {
        let mut line = Vec::new();
        n_bytes += reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(lines);
        }
        lines.push(line);
        // What is in the buffer can be had without waiting.
        if n_bytes >= BATCH_BYTES || reader.buffer().is_empty() {
            return Ok(lines);
        }
    }
}

impl Iterator for Source<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            let line = self.next_line()?;
            self.number += 1;
            let parsed = match std::str::from_utf8(&line) {
                Ok(text) => {
                    parse_line(text, self.number).map_err(|bad| format!("{}; {}", bad.what, bad.help))
                }
                Err(_) => Err("this is no UTF-8".to_owned()),
            };
            match parsed {
                Ok(Some(event)) => return Some(event),
                Ok(None) => {}
                Err(why) => {
                    let why = Some(format!("{}: {why}", Code::MonitorInput));
                    return Some(Event { number: self.number, kind: EventForm::Gap { why } });
                }
            }
        }
    }
}
