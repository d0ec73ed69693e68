//! Commands of a system that stay beside the stage and answer line by line, so that none is started for each question.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A command that runs beside the stage. It reads a line for each question and writes one with the answer.
pub struct Helper {
    /// The name of its task, for messages.
    task: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Helper {
    /// Starts a command, in a folder if one is given.
    pub fn start(task: &str, words: &[String], folder: Option<&Path>) -> Result<Helper, String> {
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut command = Command::new(program);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        // Ctrl-C is for us: we end the helper, and it has nothing to say about it.
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        match (input, output) {
            (Some(input), Some(output)) => {
                Ok(Helper { task: task.to_owned(), child, input, output: BufReader::new(output) })
            }
            _ => Err(format!("`{program}` cannot be talked to")),
        }
    }

    /// Writes a line and returns the line that is the answer.
    pub fn ask(&mut self, question: &str) -> Result<String, String> {
        let mut line = String::new();
        let asked = writeln!(self.input, "{question}").and_then(|()| self.input.flush());
        match asked.and_then(|()| self.output.read_line(&mut line)) {
            Ok(n) if n > 0 => Ok(line),
            Ok(_) | Err(_) => Err(self.silence()),
        }
    }

    /// Returns the process number of the command.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says why there is no answer. A helper that has closed its streams has ended, or has nothing more to say.
    fn silence(&mut self) -> String {
        // It is ended where it has not: waiting for it must not take for ever.
        let ended = self.child.try_wait().ok().flatten().or_else(|| {
            let _ = self.child.kill();
            self.child.wait().ok()
        });
        let task = &self.task;
        match ended {
            Some(status) => format!("{task} ended ({status})"),
            None => format!("{task} does not answer"),
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
