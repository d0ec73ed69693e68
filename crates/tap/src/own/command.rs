//! A command that reads messages: it is given each as a line of hexadecimal digits, and answers with a line of JSON, as the decoders of `conform`.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde_json::Value;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// A command, which is started when there is something to read.
#[derive(Debug)]
pub struct Running {
    words: Vec<String>,
    process: Option<Process>,
    /// Why it is not asked any more.
    failed: Option<String>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Running {
    pub fn new(words: Vec<String>) -> Running {
        Running { words, process: None, failed: None }
    }

    /// Asks what a message is. After an answer that does not come nothing is asked any more.
    pub fn ask(&mut self, bytes: &[u8]) -> Result<Value, String> {
        if let Some(why) = &self.failed {
            return Err(why.clone());
        }
        let answer = self.answer(bytes).inspect_err(|why| {
            self.process = None;
            self.failed = Some(why.clone());
        })?;
        serde_json::from_str(&answer).map_err(|error| format!("the decoder wrote no JSON: {error}"))
    }

    fn answer(&mut self, bytes: &[u8]) -> Result<String, String> {
        let process = match &mut self.process {
            Some(process) => process,
            empty @ None => empty.insert(Process::start(&self.words)?),
        };
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let asked = writeln!(process.input, "{hex}").and_then(|()| process.input.flush());
        if asked.is_err() {
            return Err("the decoder does not read its input".to_owned());
        }
        process.answers.recv_timeout(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                format!("the decoder has not answered within {} seconds", PATIENCE.as_secs())
            }
            RecvTimeoutError::Disconnected => "the decoder ended".to_owned(),
        })
    }
}

impl Process {
    fn start(words: &[String]) -> Result<Process, String> {
        let (program, arguments) = words.split_first().ok_or("no command is named")?;
        let mut command = Command::new(program);
        // Ctrl-C is for us: we end the decoder, and it has nothing to say about it.
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(format!("`{program}` cannot be talked to"));
        };
        Ok(Process { child, input, answers: read_lines(output) })
    }
}

/// Reads lines on a thread of its own, so that one that does not come can be given up.
fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = String::new();
            let read = (&mut output).take(ANSWER_BYTES_MAX).read_line(&mut line);
            let is_over = !matches!(read, Ok(1..)) || sender.send(line).is_err();
            if is_over {
                return;
            }
        }
    });
    receiver
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::Running;

    fn running(script: &str) -> Running {
        Running::new(["sh", "-c", script].map(str::to_owned).to_vec())
    }

    #[test]
    fn a_command_is_asked_for_each_message() {
        let mut command = running(r#"while read line; do echo "\"$line\""; done"#);
        assert_eq!(command.ask(b"\x01\xff").unwrap(), "01ff");
        assert_eq!(command.ask(b"a").unwrap(), "61");
    }

    #[test]
    fn a_command_that_fails_is_not_asked_again() {
        let mut command = running("read line; exit 3");
        assert_eq!(command.ask(b"x").unwrap_err(), "the decoder ended");
        assert_eq!(command.ask(b"x").unwrap_err(), "the decoder ended");
        let mut none = Running::new(vec!["/no/such/program".to_owned()]);
        assert!(none.ask(b"x").unwrap_err().contains("cannot be run"));
    }
}
