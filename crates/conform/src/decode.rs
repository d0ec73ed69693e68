//! Decodes messages: bytes to JSON, by a command of the system where they are not JSON already.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base::FxHashMap;
use serde_json::Value;
use trace::Datum;

/// Reads messages; what was read once is known.
pub struct Decoder {
    command: Option<Running>,
    known: FxHashMap<Vec<u8>, Value>,
    /// The values that the mapping makes of messages; `None` for messages that are not part of the protocol.
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

    /// Decodes a message; null if it has no content that can be read.
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
        // Ctrl-C is for us: we end the decoder, and it has nothing to say about it.
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        match (input, output) {
            (Some(input), Some(output)) => Ok(Running { child, input, output: BufReader::new(output) }),
            _ => Err(format!("`{program}` cannot be talked to")),
        }
    }

    fn ask(&mut self, bytes: &[u8]) -> Result<Value, String> {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut line = String::new();
        let asked = writeln!(self.input, "{hex}").and_then(|()| self.input.flush());
        match asked.and_then(|()| self.output.read_line(&mut line)) {
            Ok(n) if n > 0 => {}
            Ok(_) | Err(_) => return Err(self.silence()),
        }
        serde_json::from_str(&line).map_err(|error| format!("the decoder of messages wrote no JSON: {error}"))
    }

    /// Why there is no answer. One that has closed its streams has ended, or has nothing more to say.
    fn silence(&mut self) -> String {
        // It is ended where it has not: waiting for it must not take for ever.
        let ended = self.child.try_wait().ok().flatten().or_else(|| {
            let _ = self.child.kill();
            self.child.wait().ok()
        });
        match ended {
            Some(status) => format!("the decoder of messages ended ({status})"),
            None => "the decoder of messages does not answer".to_owned(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoder(script: &str) -> Decoder {
        Decoder::start(&["sh", "-c", script].map(str::to_owned)).expect("there is a shell")
    }

    #[test]
    fn how_a_decoder_ended_is_told() {
        assert_eq!(
            decoder("exit 3").read(b"x").expect_err("it has ended"),
            "the decoder of messages ended (exit status: 3)"
        );
        let told = decoder("read x; echo nothing").read(b"x").expect_err("that is no JSON");
        assert!(told.starts_with("the decoder of messages wrote no JSON"), "{told}");
    }

    #[test]
    fn a_decoder_that_goes_on_without_answering_is_ended() {
        let told = decoder("exec >&- <&-; exec sleep 1000").read(b"x").expect_err("it does not answer");
        assert_eq!(told, "the decoder of messages ended (signal: 9 (SIGKILL))");
    }

    #[test]
    fn ctrl_c_does_not_reach_a_decoder() {
        let decoder = decoder("read x");
        let id = decoder.command.as_ref().expect("it runs").child.id();
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        // After the name in parentheses: state, parent, group.
        let group = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2));
        assert_eq!(group, Some(id.to_string().as_str()), "{stat}");
    }
}
