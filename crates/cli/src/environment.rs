//! The process as it was started: its environment, its terminal, the machine. Nothing else reads them.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use clap::CommandFactory;
use clap::error::ErrorKind;
use conform::Surroundings;
use diag::render::Colour;
use eval::world::Machine;
use setup::world::machine;

use crate::args::WorkersArg;
use crate::commands::{Cli, ColorArg};
use crate::exit::Stop;

/// The parts of the machine that a stage uses.
#[derive(Debug)]
pub struct StagePlace {
    /// Folders in which programs are looked for.
    pub search_path: OsString,
    /// Folder in which a run makes its folders.
    pub temporary: PathBuf,
    /// Folder for provisioned environments.
    pub cache: PathBuf,
}

/// The parts of the process that a run depends on.
#[derive(Clone, Copy)]
pub struct RunSetting<'a> {
    pub interrupted: &'a AtomicBool,
    pub clock: &'a SystemClock,
    /// The machine as the specification sees it.
    pub world: &'a Machine,
}

/// Colours of the two streams, which may lead to different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    pub stdout: Colour,
    pub stderr: Colour,
}

/// The environment and the terminal of the process.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// NO_COLOR is set and not empty, or the terminal says that it has no colours.
    pub no_color: bool,
    pub stdout_is_terminal: bool,
    pub stderr_is_terminal: bool,
}

impl Environment {
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn read() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        Environment {
            no_color: is_set("NO_COLOR") || is_dumb,
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }
}

impl StagePlace {
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn read() -> StagePlace {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home_cache = || variable("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let cache = variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(home_cache);
        StagePlace {
            search_path: variable("PATH").unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin")),
            temporary: std::env::temp_dir(),
            cache: cache.unwrap_or_else(std::env::temp_dir).join("specline"),
        }
    }

    /// Returns what a session on the stage takes from here.
    pub fn surroundings<'a>(&self, world: &'a Machine, interrupted: &'a AtomicBool) -> Surroundings<'a> {
        let mut settings = ::stage::Settings::new(self.temporary.clone());
        settings.search_path.clone_from(&self.search_path);
        Surroundings { settings, world, interrupted }
    }

    /// Takes folders in memory where there are some and TMPDIR says nothing else: nodes are started hundreds of times
    /// and write a file at every step, which a busy disk makes many times as slow.
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn in_memory(self) -> StagePlace {
        let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
        let is_free = std::env::var_os("TMPDIR").is_none_or(|value| value.is_empty());
        match is_free && has_memory_folder(&mounts) && is_writable(Path::new(MEMORY)) {
            true => StagePlace { temporary: PathBuf::from(MEMORY), ..self },
            false => self,
        }
    }
}

/// Where files are in memory on every Linux.
const MEMORY: &str = "/dev/shm";
/// The least free memory of a folder in memory.
const MEMORY_KIB_MIN: u64 = 1 << 20;

/// Whether files there are in memory, there is room for many, and a library can be loaded from there.
fn has_memory_folder(mounts: &str) -> bool {
    let mut here = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        (words.next()? == MEMORY).then_some((words.next()?, words.next()?))
    });
    here.next_back().is_some_and(|(kind, options)| {
        let has_room = |option: &str| match option.strip_prefix("size=") {
            Some(size) => {
                size.strip_suffix('k').and_then(|n| n.parse().ok()).is_some_and(|n: u64| n >= MEMORY_KIB_MIN)
            }
            None => option != "noexec" && option != "ro",
        };
        kind == "tmpfs" && options.split(',').all(has_room)
    })
}

fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(format!("specline-{}", std::process::id()));
    std::fs::create_dir(&probe).and_then(|()| std::fs::remove_dir(&probe)).is_ok()
}

/// Returns the number of workers: one for each processor, if nothing is said.
pub fn n_workers(wish: Option<WorkersArg>) -> usize {
    match wish {
        Some(WorkersArg::Count(count)) => usize::from(count),
        Some(WorkersArg::Auto) | None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Returns the machine as a specification sees it.
pub fn world(is_sandboxed: bool) -> Result<Machine, Stop> {
    machine(variables(), is_sandboxed).map_err(|error| {
        let reason = format!("--sandbox: the current folder cannot be found: {error}");
        Cli::command().error(ErrorKind::Io, reason).into()
    })
}

/// Reads the variables of the environment.
pub fn variables() -> Vec<(String, String)> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect()
}

impl Colours {
    pub fn new(wish: ColorArg, environment: Environment) -> Self {
        let colour = |is_terminal: bool| match wish {
            ColorArg::Always => Colour::Ansi,
            ColorArg::Never => Colour::Plain,
            ColorArg::Auto if is_terminal && !environment.no_color => Colour::Ansi,
            ColorArg::Auto => Colour::Plain,
        };
        Colours {
            stdout: colour(environment.stdout_is_terminal),
            stderr: colour(environment.stderr_is_terminal),
        }
    }
}

#[cfg(test)]
mod tests {
    use diag::render::Colour::{Ansi, Plain};

    use super::{ColorArg, Colours, Environment};

    #[test]
    fn files_are_in_memory_only_where_there_is_room_and_libraries_can_be_loaded() {
        let is_one = |kind: &str, options: &str| {
            super::has_memory_folder(&format!("/dev/vda / ext4 rw 0 0\nshm /dev/shm {kind} {options} 0 0\n"))
        };
        assert!(is_one("tmpfs", "rw,nosuid,nodev"));
        assert!(is_one("tmpfs", "rw,relatime,size=24684112k"));
        assert!(!is_one("tmpfs", "rw,size=65536k"), "too small");
        assert!(!is_one("tmpfs", "rw,noexec"));
        assert!(!is_one("tmpfs", "ro"));
        assert!(!is_one("ext4", "rw"));
        assert!(!super::has_memory_folder("/dev/vda / ext4 rw 0 0\n"));
    }

    #[test]
    fn colours_follow_the_flag_then_no_color_then_the_terminal() {
        let environment =
            Environment { no_color: false, stdout_is_terminal: false, stderr_is_terminal: true };
        let silent = Environment { no_color: true, ..environment };
        let check = |wish, environment, stdout, stderr| {
            assert_eq!(Colours::new(wish, environment), Colours { stdout, stderr });
        };
        check(ColorArg::Auto, environment, Plain, Ansi);
        check(ColorArg::Auto, silent, Plain, Plain);
        check(ColorArg::Never, environment, Plain, Plain);
        check(ColorArg::Always, silent, Ansi, Ansi);
    }
}
