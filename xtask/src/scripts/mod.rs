//! `cargo xtask scripts DIR...`: runs the scripts by which public projects run TLC and SANY, unchanged, with Specline
//! in place of `java`. Checkouts are given by the user and are copied before anything runs in them.

mod table;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base::{Clock, SystemClock};
use clap::Args;

use self::table::{PROJECTS, Project, Script};
use crate::{program, run};

/// The exit code of `timeout` when the time is over.
const TIMED_OUT: i32 = 124;
/// The additional time beyond its limit in which a script must end.
const GRACE: Duration = Duration::from_secs(30);
/// The most lines of a failed script that are shown.
const LINES_SHOWN: usize = 25;

#[derive(Args)]
pub struct Options {
    /// Checkouts of projects: microsoft/CCF, etcd-io/raft, tlaplus/Examples, mongodb/mongo, and further ones of the table.
    #[arg(required = true, value_name = "DIR")]
    checkouts: Vec<PathBuf>,

    /// Only lines with this in them; may be given several times.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,

    /// The time that each line has, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    limit: u64,

    /// With which profile of cargo the program is built.
    #[arg(long, default_value = "release")]
    profile: String,

    /// Run this program, which is built already.
    #[arg(long, value_name = "FILE", conflicts_with = "profile")]
    program: Option<PathBuf>,

    /// Run also the lines that take many minutes.
    #[arg(long)]
    long: bool,

    /// List the lines, and run none.
    #[arg(long)]
    list: bool,
}

/// A copy of a checkout, and a folder of programs that comes first in the search path.
struct Workshop {
    folder: tempfile::TempDir,
}

pub fn run(options: &Options) -> Result<bool> {
    let mut planned = Vec::new();
    for checkout in &options.checkouts {
        planned.push((checkout, project(checkout)?));
    }
    let is_wanted = |script: &&Script| {
        options.only.is_empty() || options.only.iter().any(|text| script.line.contains(text.as_str()))
    };
    if options.list {
        for (_, project) in &planned {
            project.scripts.iter().filter(is_wanted).for_each(|script| {
                let long = script.long.map_or_else(String::new, |why| format!(" (with --long: {why})"));
                println!("{}: {}{long}", project.name, script.line);
            });
        }
        return Ok(true);
    }
    let specline = match &options.program {
        Some(program) => {
            program.canonicalize().with_context(|| format!("there is no `{}`", program.display()))?
        }
        None => program::build(&options.profile)?,
    };
    let (mut n_run, mut n_failed, mut n_long) = (0, 0, 0);
    for (checkout, project) in planned {
        let workshop = Workshop::new(&specline, checkout, project)?;
        for script in project.scripts.iter().filter(is_wanted) {
            if let Some(why) = script.long.filter(|_| !options.long) {
                println!("{}: {} ... not run without --long: {why}", project.name, script.line);
                n_long += 1;
                continue;
            }
            n_run += 1;
            n_failed += usize::from(!workshop.run(project, script, Duration::from_secs(options.limit))?);
        }
    }
    println!("{n_run} lines of scripts, {n_failed} failed, {n_long} not run because they are long");
    Ok(n_failed == 0)
}

/// Returns the project of which a folder is a checkout.
fn project(checkout: &Path) -> Result<&'static Project> {
    match PROJECTS.iter().find(|project| checkout.join(project.marker).is_file()) {
        Some(project) => Ok(project),
        None => {
            let known: Vec<String> =
                PROJECTS.iter().map(|project| format!("{} (has {})", project.name, project.marker)).collect();
            bail!("`{}` is a checkout of none of {}", checkout.display(), known.join(", "))
        }
    }
}

impl Workshop {
    fn new(specline: &Path, checkout: &Path, project: &Project) -> Result<Workshop> {
        let workshop = Workshop { folder: tempfile::tempdir().context("cannot make a folder")? };
        std::fs::create_dir(workshop.programs()).context("cannot make a folder")?;
        symlink(specline, workshop.programs().join("java")).context("cannot make a link")?;
        // Scripts need not fetch the jars of the TLA+ tools: the modules are built in.
        for name in ["wget", "curl"] {
            let path = workshop.programs().join(name);
            std::fs::write(&path, "#!/bin/sh\nexit 0\n").context("cannot write a program")?;
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755))
                .context("cannot make a program")?;
        }
        let from = checkout.join(project.folder);
        let copied = Command::new("cp").arg("-r").arg(&from).arg(workshop.copy()).status();
        if !copied.context("cannot run `cp`")?.success() {
            bail!("`{}` cannot be copied", from.display());
        }
        for file in project.empty_files {
            let path = workshop.copy().join(file);
            let folder = path.parent().context("a file is in a folder")?;
            let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, ""));
            written.with_context(|| format!("cannot write `{file}`"))?;
        }
        Ok(workshop)
    }

    fn programs(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    fn copy(&self) -> PathBuf {
        self.folder.path().join("copy")
    }

    /// Runs a line of the shell, and prints the result; returns whether it ended as it should.
    #[expect(clippy::disallowed_methods, reason = "a task may ask where programs are")]
    fn run(&self, project: &Project, script: &Script, limit: Duration) -> Result<bool> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.programs()).chain(std::env::split_paths(&path));
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", &limit.as_secs().to_string(), "bash", "-c", script.line]);
        command.current_dir(self.copy()).env("PATH", std::env::join_paths(folders)?).env("TERM", "dumb");
        let clock = SystemClock::start();
        let ended = run::run_within(limit + GRACE, &mut command)?;
        let seconds = clock.elapsed().as_secs();
        let exit = ended.as_ref().map_or(TIMED_OUT, |ended| ended.exit);
        let is_right = exit == script.exit;
        let verdict = match (is_right, exit) {
            (true, _) => "ok".to_owned(),
            (false, TIMED_OUT) => format!("TIME OVER after {seconds} s"),
            (false, _) => format!("FAILED with {exit}, not {}", script.exit),
        };
        println!("{}: {} ... {verdict} ({seconds} s)", project.name, script.line);
        if let Some(ended) = ended.filter(|_| !is_right) {
            let lines: Vec<&str> = ended.output.lines().chain(ended.errors.lines()).collect();
            let from = lines.len().saturating_sub(LINES_SHOWN);
            // A script that goes on after a failure says so far above its end.
            let complaints = lines[..from].iter().filter(|line| line.contains("ERROR")).take(LINES_SHOWN);
            complaints.chain(&lines[from..]).for_each(|line| println!("    {line}"));
        }
        Ok(is_right)
    }
}
