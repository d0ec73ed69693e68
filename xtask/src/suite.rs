//! `cargo xtask test`: everything that must pass, on a fresh Debian machine with a Rust toolchain.

use anyhow::Result;
use base::{Clock, SystemClock};

use crate::packages::{self, Package};
use crate::{run, tidy};

/// One part of the tests.
struct Step {
    title: &'static str,
    needs: &'static [Package],
    run: fn() -> Result<bool>,
}

const GIT: Package = Package::Apt { name: "git", probe: &["git", "--version"] };

/// A C compiler, for dependencies with parts in C and for guests of the stage.
const C_COMPILER: Package = Package::Apt { name: "gcc", probe: &["cc", "--version"] };

/// Python, for guests of the stage.
const PYTHON: Package = Package::Apt { name: "python3", probe: &["python3", "--version"] };

/// Virtual environments of Python, into which systems are provisioned.
const PYTHON_VENV: Package =
    Package::Apt { name: "python3-venv", probe: &["python3", "-c", "import ensurepip"] };

/// Java, for guests of the stage.
const JAVA: Package = Package::Apt { name: "default-jdk-headless", probe: &["javac", "--version"] };

/// Go, for guests of the stage that do without libc.
const GO: Package = Package::Apt { name: "golang-go", probe: &["go", "version"] };

/// A libc that is linked into programs, for guests of the stage.
const MUSL: Package = Package::Apt { name: "musl-tools", probe: &["musl-gcc", "--version"] };

/// A real browser, for tests of pages.
const BROWSER: Package = Package::Apt { name: "chromium", probe: &["chromium", "--version"] };

/// A real editor, for tests of the language server.
const NEOVIM: Package = Package::Apt { name: "neovim", probe: &["nvim", "--version"] };

/// An SMT solver, for conditions of monitors.
const SOLVER: Package = Package::Apt { name: "z3", probe: &["z3", "--version"] };

const STEPS: &[Step] = &[
    Step { title: "rules of the repository", needs: &[GIT], run: tidy::run },
    Step {
        title: "unit, data and command line tests",
        needs: &[C_COMPILER, PYTHON, PYTHON_VENV, JAVA, GO, MUSL, BROWSER, NEOVIM, SOLVER],
        run: cargo_test,
    },
    Step { title: "shared tables under many schedules", needs: &[C_COMPILER], run: schedules },
    Step { title: "large models, optimised", needs: &[C_COMPILER], run: large_models },
    Step { title: "the models of this project, by `specline test`", needs: &[C_COMPILER], run: own_models },
    Step { title: "installed by `cargo install`", needs: &[C_COMPILER], run: install },
];

/// Runs every step, also after one that failed, and prints a summary.
pub fn run() -> Result<bool> {
    let mut lines = Vec::new();
    let mut all_passed = true;
    for step in STEPS {
        println!("== {}", step.title);
        let clock = SystemClock::start();
        packages::ensure(step.needs)?;
        let passed = (step.run)()?;
        all_passed &= passed;
        let verdict = if passed { "passed" } else { "FAILED" };
        lines.push(format!("{verdict}  {} ({:.1} s)", step.title, clock.elapsed().as_secs_f64()));
    }
    println!("\n{}", lines.join("\n"));
    Ok(all_passed)
}

/// Runs the tests of the suite with an optimised program, which is fast enough for large models.
fn large_models() -> Result<bool> {
    run::show("cargo", &["test", "--profile", "quick", "-p", "cli", "--test", "cli", "suite::large"])
}

/// Runs `specline test`, as users do in their projects, on the specifications of this one.
fn own_models() -> Result<bool> {
    let test =
        |project| run::show("cargo", &["run", "--profile", "quick", "-p", "cli", "--", "test", project]);
    Ok(test("suite")?
        & test("examples/raft")?
        & test("specs/pysyncobj")?
        & test("specs/raftos")?
        & test("specs/libraft")?
        & test("specs/ccf")?
        & test("specs/sandtable")?
        & test("specs/etcd")?)
}

/// Installs the program as users do, in a folder of its own, and asks it to read a specification. The profile is that of the
/// steps before, so that little is built again.
fn install() -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().to_string_lossy();
    let args = ["install", "--path", "crates/cli", "--locked", "--profile", "quick", "--root", &root];
    if !run::show("cargo", &args)? {
        return Ok(false);
    }
    let program = folder.path().join("bin/specline");
    let program = program.to_string_lossy();
    Ok(run::show(&program, &["--version"])? & run::show(&program, &["check", "bench/small/TenStates.tla"])?)
}

/// Runs the tests of the tables that workers share, with a scheduler that tries many orders of events.
fn schedules() -> Result<bool> {
    run::show("cargo", &["test", "-p", "value", "--features", "shuttle", "--test", "shuttle"])
}

fn cargo_test() -> Result<bool> {
    run::show("cargo", &["test", "--workspace", "--no-fail-fast"])
}
