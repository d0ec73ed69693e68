//! Python for the demo's real program, installed where there is none.

use std::io;
use std::process::{Command, Output, Stdio};

use crate::console::{Console, Stream};
use crate::stage::last_lines;

/// Installs Python on Debian. Virtual environments need `python3-venv`, and its pip needs the machine's
/// certificates.
const INSTALL: &[&str] =
    &["apt-get", "install", "--yes", "--no-install-recommends", "python3-venv", "ca-certificates"];

/// Installs Python on Debian if there is none, as root or with a `sudo` that needs no password. Returns why
/// that is impossible, if it is.
pub fn install(console: &Console) -> io::Result<Option<String>> {
    if succeeds(&["python3", "--version"]) {
        return Ok(None);
    }
    if !succeeds(&["apt-get", "--version"]) {
        return Ok(Some("There is no `python3` here, and no `apt-get` that would install it.\n".to_owned()));
    }
    let sudo: &[&str] = match succeeds(&["test", "-w", "/etc"]) {
        true => &[],
        false if succeeds(&["sudo", "-n", "true"]) => &["sudo", "-n"],
        false => {
            let told = "There is no `python3` here, and it cannot be installed without being root";
            return Ok(Some(format!("{told}:\n\n    # {}\n", INSTALL.join(" "))));
        }
    };
    for words in [&["apt-get", "update"][..], INSTALL] {
        let words: Vec<&str> = sudo.iter().chain(words).copied().collect();
        let line = words.join(" ");
        console.line(Stream::Out, &format!("    $ {line}\n"))?;
        let ended = run(&words);
        if !is_success(&ended) {
            return Ok(Some(format!("`{line}` failed:\n\n{}", why(&ended))));
        }
    }
    Ok(None)
}

fn run(words: &[&str]) -> io::Result<Output> {
    // A question of apt would wait for an answer for ever.
    let quietly = ("DEBIAN_FRONTEND", "noninteractive");
    Command::new(words[0]).args(&words[1..]).env(quietly.0, quietly.1).stdin(Stdio::null()).output()
}

fn succeeds(words: &[&str]) -> bool {
    is_success(&run(words))
}

fn is_success(ended: &io::Result<Output>) -> bool {
    ended.as_ref().is_ok_and(|output| output.status.success())
}

fn why(ended: &io::Result<Output>) -> String {
    match ended {
        Ok(output) => {
            let written = String::from_utf8_lossy(&output.stderr);
            last_lines(&written).map(|line| format!("    {line}\n")).collect()
        }
        Err(error) => format!("    {error}\n"),
    }
}
