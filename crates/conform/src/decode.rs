//! What messages say: bytes to JSON, by a command of the system where they are not JSON already.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base::FxHashMap;
use serde_json::Value;
use trace::Datum;

/// Reads messages; what was read once is known.
pub struct Decoder {
    command: Option<Running>,
    known: FxHashMap<Vec<u8>, Value>,
    /// What the mapping makes of messages that were read; nothing for those that are none of the protocol.
    pub(crate) values: FxHashMap<Vec<u8>, Option<Datum>>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Decoder {
    /// Without words messages are JSON.
    pub fn start(words: &[String]) -> Result<Decoder, String> {
        let command = match words.split_first() {
            None => None,
            Some((program, arguments)) => Some(Running::start(program, arguments)?),
        };
        Ok(Decoder { command, known: FxHashMap::default(), values: FxHashMap::default() })
    }

    /// What a message says; null if it says nothing that can be read.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Value, String> {
        if let Some(known) = self.known.get(bytes) {
            return Ok(known.clone());
        }
        let value = match &mut self.command {
            None => serde_json::from_slice(bytes).unwrap_or(Value::Null),
            Some(running) => running.ask(bytes)?,
        };
        self.known.insert(bytes.to_vec(), value.clone());
        Ok(value)
    }
}

impl Running {
    fn start(program: &str, arguments: &[String]) -> Result<Running, String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        match (input, output) {
            (Some(input), Some(output)) => Ok(Running { child, input, output: BufReader::new(output) }),
            _ => Err(format!("`{program}` cannot be talked to")),
        }
    }

    fn ask(&mut self, bytes: &[u8]) -> Result<Value, String> {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let failed = |error: std::io::Error| format!("the decoder of messages does not answer: {error}");
        writeln!(self.input, "{hex}").and_then(|()| self.input.flush()).map_err(failed)?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(failed)?;
        serde_json::from_str(&line).map_err(|error| format!("the decoder of messages wrote no JSON: {error}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
