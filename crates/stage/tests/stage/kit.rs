//! Starts guests, alone and on a stage.

use std::path::{Path, PathBuf};
use std::time::Duration;

use stage::{NodeId, NodeSpec, NodeState, Settings, Stage, Trouble};

/// Describes a node that runs a command.
pub fn node(name: &str, command: &[&str]) -> NodeSpec {
    NodeSpec {
        name: name.to_owned(),
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        folder: std::env::temp_dir(),
        environment: Vec::new(),
        tracks_files: false,
        runtime_threads: Vec::new(),
        takes_turns: false,
        has_agent: false,
        door: None,
    }
}

pub fn settings() -> Settings {
    let mut settings = Settings::new(std::env::temp_dir());
    settings.idle_limit = Duration::from_secs(20);
    settings.search_path = search_path();
    settings
}

#[expect(clippy::disallowed_methods, reason = "tests find the machine's programs where the shell does")]
fn search_path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

#[track_caller]
pub fn open(nodes: Vec<NodeSpec>) -> Stage {
    Stage::open(settings(), nodes).expect("a stage can be opened")
}

const COMPILED: &str = env!("CARGO_TARGET_TMPDIR");

fn text(path: PathBuf) -> String {
    path.to_str().expect("a path of ours").to_owned()
}

/// Compiles a guest in C.
pub fn c(name: &str) -> String {
    text(test_kit::c_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in C as a library.
pub fn library(name: &str) -> String {
    text(test_kit::c_library(name, Path::new(COMPILED)))
}

/// Compiles a guest in C without libc.
pub fn bare(name: &str) -> String {
    text(test_kit::bare_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in C that is statically linked.
pub fn static_c(name: &str) -> String {
    text(test_kit::static_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in C that is statically linked with musl.
pub fn musl(name: &str) -> String {
    text(test_kit::musl_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in Rust that is statically linked.
pub fn static_rust(name: &str) -> String {
    text(test_kit::static_rust_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in Go.
pub fn go(name: &str) -> String {
    text(test_kit::go_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in Rust.
pub fn rust(name: &str) -> String {
    text(test_kit::rust_guest(name, Path::new(COMPILED)))
}

/// Compiles a guest in Java, and returns the folder with its classes.
pub fn java(name: &str) -> String {
    text(test_kit::java_guest(name, Path::new(COMPILED)))
}

pub fn output(stage: &Stage, node: NodeId) -> String {
    String::from_utf8(stage.output(node).expect("there is an output")).expect("guests write text")
}

/// Ticks until the node ends or waits for no deadline any more, and returns the number of ticks.
#[track_caller]
pub fn tick_to_end(stage: &mut Stage, node: NodeId) -> usize {
    for n_ticks in 0..10_000 {
        if stage.state(node) != NodeState::Running {
            return n_ticks;
        }
        match stage.tick(node) {
            Ok(_) | Err(Trouble::NotRunning { .. }) => {}
            Err(trouble) => panic!("{trouble}: {:#?}", stage.threads(node)),
        }
    }
    panic!("the guest waits for ever");
}

/// Returns the path of a guest that needs no compiler.
pub fn guest(name: &str) -> String {
    text(test_kit::guests().join(name))
}
