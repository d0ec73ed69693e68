//! A temporary folder with files in it, and runs of the program there.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use test_kit::Expectations;

/// A folder that is removed when the test ends.
pub struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        Sandbox { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    /// Adds a file, and the folders that lead to it.
    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(name);
        let parent = path.parent().expect("a file has a folder");
        std::fs::create_dir_all(parent).expect("folders can be made");
        std::fs::write(path, content).expect("files can be written");
        self
    }

    /// A program: a script that the shell runs.
    pub fn script(self, name: &str, content: &str) -> Self {
        let sandbox = self.file(name, format!("#!/bin/sh\n{content}\n"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(sandbox.path().join(name), mode).expect("a file can be made a program");
        sandbox
    }

    pub fn folder(self, name: &str) -> Self {
        std::fs::create_dir_all(self.folder.path().join(name)).expect("folders can be made");
        self
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A file that a run wrote.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).expect("the file was written")
    }

    /// Runs `specline` with `args`, separated by blanks, in this folder and with an empty environment.
    pub fn run(&self, args: &str) -> Run {
        self.run_with(args, &[])
    }

    /// Runs the program with these environment variables.
    pub fn run_with(&self, args: &str, environment: &[(&str, &str)]) -> Run {
        let mut command = self.command(args);
        let output = command.envs(environment.iter().copied()).output().expect("the program starts");
        let settings = environment.iter().map(|(name, value)| format!("{name}={value} "));
        Run { line: format!("{}specline {args}", settings.collect::<String>()), output: timeless(output) }
    }

    /// The command itself, for tests that hold its streams.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_specline"));
        command.args(args.split_whitespace()).current_dir(self.folder.path());
        command.env_clear().stdin(Stdio::null());
        command
    }
}

/// A run that has ended.
pub struct Run {
    line: String,
    output: Output,
}

impl Run {
    /// A run that a test has made itself.
    pub fn of(line: &str, output: Output) -> Run {
        Run { line: format!("specline {line}"), output }
    }

    /// Compares everything that the run left with `snapshots/NAME.txt`.
    #[track_caller]
    pub fn check(&self, name: &str) -> &Self {
        self.check_masked(name, str::to_owned)
    }

    /// Compares the output with the snapshot `name`, after `mask` has removed what differs from run to run.
    #[track_caller]
    pub fn check_masked(&self, name: &str, mask: impl Fn(&str) -> String) -> &Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots");
        let mut expectations = Expectations::new();
        expectations.check(&folder.join(format!("{name}.txt")), &mask(&self.transcript()));
        expectations.finish();
        self
    }

    pub fn stdout(&self) -> &str {
        std::str::from_utf8(&self.output.stdout).expect("output is UTF-8")
    }

    pub fn stderr(&self) -> &str {
        std::str::from_utf8(&self.output.stderr).expect("output is UTF-8")
    }

    /// Fails the test if the exit code is another one.
    #[track_caller]
    pub fn ends_with(&self, code: i32) {
        assert_eq!(self.code(), Some(code), "{}\n{}\n{}", self.line, self.stdout(), self.stderr());
    }

    /// Fails the test if the exit code is another one, or one of the texts is on neither stream.
    #[track_caller]
    pub fn says(&self, code: i32, texts: &[&str]) {
        self.ends_with(code);
        let all = format!("{}{}", self.stdout(), self.stderr());
        for text in texts {
            assert!(all.contains(text), "{}\n`{text}` is not in\n{all}", self.line);
        }
    }

    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    fn transcript(&self) -> String {
        let code = self.code().map_or("none: it was killed".to_owned(), |code| code.to_string());
        let (line, stdout, stderr) = (&self.line, self.stdout(), self.stderr());
        let transcript =
            format!("$ {line}\n-- stdout --\n{stdout}-- stderr --\n{stderr}-- exit code: {code} --\n");
        without_figures(&without_version(&transcript.replace('\x1b', "\\e")))
    }
}

/// Expectations say `0.0.0` whatever the version is, so that a release changes none of them.
fn without_version(transcript: &str) -> String {
    transcript.replace(concat!("specline ", env!("CARGO_PKG_VERSION")), "specline 0.0.0")
}

/// How much memory something took is not what tests are about.
fn without_figures(transcript: &str) -> String {
    let line = |line: &str| match line.contains(r#""kind":"memory""#) {
        true => line.replace(|c: char| c.is_ascii_digit(), "").replace(":.", ":"),
        false => line.to_owned(),
    };
    transcript.split_inclusive('\n').map(line).collect()
}

/// The beginning of the last line on standard error, which differs from run to run.
pub const TIME_LINE: &str = "It took ";

/// Returns the output without the time that the run took.
fn timeless(output: Output) -> Output {
    let lines = output.stderr.split_inclusive(|&byte| byte == b'\n');
    let kept = lines.filter(|line| !line.starts_with(TIME_LINE.as_bytes()));
    let stderr = kept.flatten().copied().collect();
    Output { stderr, ..output }
}
