//! A command that is run for each alarm, with the alarm as JSON on its standard input.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

/// The most commands that run at the same time. Further alarms are told, and start none.
const N_RUNNING_MAX: usize = 8;

/// Runs a command, and does not wait for it.
pub struct Hook {
    command: Option<String>,
    running: Vec<Child>,
}

impl Hook {
    pub fn new(command: Option<String>) -> Hook {
        Hook { command, running: Vec::new() }
    }

    /// Starts the command; returns why it could not be, in words.
    pub fn call(&mut self, alarm: &str) -> Option<String> {
        let command = self.command.as_ref()?;
        self.running.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        if self.running.len() >= N_RUNNING_MAX {
            return Some(format!(
                "{N_RUNNING_MAX} commands of earlier alarms still run: no other is started"
            ));
        }
        match start(command, alarm) {
            Ok(child) => {
                self.running.push(child);
                None
            }
            Err(error) => Some(format!("the command for alarms cannot be run: {error}")),
        }
    }

    /// Waits for what still runs.
    pub fn finish(self) {
        for mut child in self.running {
            // It is its own affair how it ends.
            let _ = child.wait();
        }
    }
}

fn start(command: &str, alarm: &str) -> io::Result<Child> {
    let mut child = Command::new("/bin/sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()?;
    let stdin = child.stdin.take();
    let text = format!("{alarm}\n");
    // A command that does not read must not hold up the monitor.
    std::thread::Builder::new().name("alarm".to_owned()).spawn(move || {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(text.as_bytes());
        }
    })?;
    Ok(child)
}
