//! What a run needs, worked out from the command line and the environment. Nothing is done here.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap::error::ErrorKind;
use diag::render::Colour;
use eval::world::Machine;

use crate::args::{
    AuditArgs, CheckArgs, Cli, ColorArg, Command, ConformArgs, CoverageCommand, DenyArg, EmitArg, FormatArg,
    GraphArgs, InputArgs, RankArgs, ReplayArgs, ReportArgs, SearchArg, SimulateArgs, StageArgs, TestArgs,
    TraceCommand, ValidateArgs, WorkersArg,
};
use crate::world::machine;

/// Everything that a run depends on besides the files it reads.
#[derive(Debug)]
pub struct Settings {
    pub job: Job,
    pub colours: Colours,
}

#[derive(Debug)]
pub enum Job {
    Parse(ParseJob),
    Lint(LintJob),
    Check(Box<CheckJob>),
    Simulate(Box<SimulateJob>),
    Rank(Box<RankJob>),
    Audit(Box<AuditJob>),
    Validate(Box<ValidateJob>),
    Test(TestJob),
    Trace(Box<TraceJob>),
    Coverage(CoverageCommand),
    Graph(GraphArgs),
    Stage(StageJob),
    Replay(Box<ReplayJob>),
    Conform(Box<ConformJob>),
    Tlc(TlcJob),
    Java(JavaJob),
    Explain { code: Option<String> },
    Demo(StagePlace),
    Completions(clap_complete::Shell),
    Man(PathBuf),
}

#[derive(Debug)]
pub struct ParseJob {
    pub input: Input,
    pub emit: Option<EmitArg>,
}

#[derive(Debug)]
pub struct LintJob {
    pub input: Input,
    /// The configuration of the one file; without it each file's own is looked for.
    pub config: Option<PathBuf>,
}

#[derive(Debug)]
pub struct CheckJob {
    pub args: CheckArgs,
    pub n_workers: usize,
    /// Whether progress may overwrite itself.
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

#[derive(Debug)]
pub struct SimulateJob {
    pub args: SimulateArgs,
    pub n_workers: usize,
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

#[derive(Debug)]
pub struct RankJob {
    pub args: RankArgs,
    pub n_workers: usize,
    pub environment: Environment,
    /// The machine as the specification sees it.
    pub world: Machine,
}

#[derive(Debug)]
pub struct AuditJob {
    pub args: AuditArgs,
    pub n_workers: usize,
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

#[derive(Debug)]
pub struct ValidateJob {
    pub args: ValidateArgs,
    /// How many logs are validated at once.
    pub n_workers: usize,
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

impl ValidateJob {
    /// How many of so many logs are validated at once.
    pub fn n_at_once(&self, n_logs: usize) -> usize {
        self.n_workers.min(n_logs).max(1)
    }
}

#[derive(Debug)]
pub struct TestJob {
    pub args: TestArgs,
    /// How many models are checked at once.
    pub n_jobs: usize,
}

#[derive(Debug)]
pub struct TlcJob {
    pub words: Vec<String>,
    pub variables: Vec<(String, String)>,
}

/// A command line of Java.
#[derive(Debug)]
pub struct JavaJob {
    pub words: Vec<OsString>,
    pub variables: Vec<(String, String)>,
    /// The Java that SPECLINE_JAVA names.
    pub java: Option<PathBuf>,
    /// Where programs are looked for.
    pub search_path: OsString,
}

#[derive(Debug)]
pub struct TraceJob {
    pub command: TraceCommand,
    pub variables: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct StageJob {
    pub args: StageArgs,
    /// Whether a person types, who wants to see a prompt.
    pub has_prompt: bool,
    pub place: StagePlace,
}

#[derive(Debug)]
pub struct ReplayJob {
    pub args: ReplayArgs,
    /// The machine as the specification sees it.
    pub world: Machine,
    pub place: StagePlace,
}

#[derive(Debug)]
pub struct ConformJob {
    pub args: ConformArgs,
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
    pub place: StagePlace,
}

/// What a stage takes from the machine.
#[derive(Debug)]
pub struct StagePlace {
    /// Where programs are looked for.
    pub search_path: OsString,
    /// Where folders for a run are made.
    pub temporary: PathBuf,
    /// Where what was provisioned is kept.
    pub cache: PathBuf,
}

/// What to read, and how to report on it.
#[derive(Debug)]
pub struct Input {
    pub files: Vec<PathBuf>,
    pub libraries: Vec<PathBuf>,
    pub format: FormatArg,
    pub deny_warnings: bool,
    pub reports: ReportArgs,
    /// Nothing is said of files without errors.
    pub is_quiet: bool,
}

/// Colours of the two streams, which may lead to different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    pub stdout: Colour,
    pub stderr: Colour,
}

/// What the process was started with.
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

impl Settings {
    pub fn new(cli: Cli, environment: Environment) -> Result<Settings, clap::Error> {
        let colours = Colours::new(cli.color, environment);
        let job = match cli.command {
            Command::Parse(args) => Job::Parse(ParseJob { input: args.input.into(), emit: args.emit }),
            Command::Lint(args) => {
                let input = Input::from(args.input);
                if args.config.is_some() && input.files.len() > 1 {
                    return Err(one_file_for_a_config());
                }
                Job::Lint(LintJob { input, config: args.config })
            }
            Command::Check(args) if args.spill.is_some() && args.search == SearchArg::Dfs => {
                return Err(no_spill_for_depth_first());
            }
            Command::Check(args) => Job::Check(Box::new(CheckJob::new(*args, environment)?)),
            Command::Simulate(args) => Job::Simulate(Box::new(SimulateJob::new(*args, environment)?)),
            Command::Rank(args) => Job::Rank(Box::new(RankJob {
                n_workers: n_workers(args.workers),
                environment,
                world: world(args.model.sandbox.is_wanted())?,
                args: *args,
            })),
            Command::Audit(args) => Job::Audit(Box::new(AuditJob::new(*args, environment)?)),
            Command::Validate(args) => Job::Validate(Box::new(ValidateJob {
                n_workers: n_workers(args.workers),
                is_terminal: environment.stderr_is_terminal && !args.quiet.quiet,
                world: world(args.sandbox.is_wanted())?,
                args: args.settled(),
            })),
            Command::Test(args) => Job::Test(TestJob { n_jobs: n_workers(args.workers), args }),
            Command::Trace(command) => Job::Trace(Box::new(TraceJob { command, variables: variables() })),
            Command::Coverage(command) => Job::Coverage(command),
            Command::Graph(args) => Job::Graph(args),
            Command::Stage(args) => Job::Stage(StageJob::new(args, environment)),
            Command::Replay(args) => Job::Replay(Box::new(ReplayJob {
                world: world(args.sandbox.is_wanted())?,
                place: StagePlace::read().in_memory(),
                args: *args,
            })),
            Command::Conform(args) => Job::Conform(Box::new(ConformJob {
                is_terminal: environment.stderr_is_terminal && !args.quiet.quiet,
                world: world(args.model.sandbox.is_wanted())?,
                place: StagePlace::read().in_memory(),
                args: *args,
            })),
            Command::Tlc { words } => Job::Tlc(TlcJob { words: texts(&words), variables: variables() }),
            Command::Java { words } => Job::Java(JavaJob::new(words)),
            Command::Explain(args) => Job::Explain { code: args.code },
            Command::Demo => Job::Demo(StagePlace::read()),
            Command::Completions { shell } => Job::Completions(shell),
            Command::Man { folder } => Job::Man(folder),
        };
        Ok(Settings { job, colours })
    }
}

impl JavaJob {
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    fn new(words: Vec<OsString>) -> JavaJob {
        let java = std::env::var_os("SPECLINE_JAVA").filter(|value| !value.is_empty());
        let search_path = std::env::var_os("PATH").unwrap_or_default();
        JavaJob { words, variables: variables(), java: java.map(PathBuf::from), search_path }
    }
}

impl StageJob {
    fn new(args: StageArgs, environment: Environment) -> Self {
        StageJob {
            args,
            has_prompt: environment.stdout_is_terminal && std::io::stdin().is_terminal(),
            place: StagePlace::read(),
        }
    }
}

impl StagePlace {
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    fn read() -> StagePlace {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home_cache = || variable("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let cache = variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(home_cache);
        StagePlace {
            search_path: variable("PATH").unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin")),
            temporary: std::env::temp_dir(),
            cache: cache.unwrap_or_else(std::env::temp_dir).join("specline"),
        }
    }

    /// Likewise, with folders in memory where that can be and TMPDIR says nothing else: nodes are started hundreds of times
    /// and write a file at every step, which a busy disk makes many times as slow.
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    fn in_memory(self) -> StagePlace {
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
/// What it must have room for.
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

impl CheckJob {
    fn new(mut args: CheckArgs, environment: Environment) -> Result<Self, clap::Error> {
        args.model.wanted = args.wanted.clone();
        Ok(CheckJob {
            n_workers: n_workers(args.workers),
            is_terminal: environment.stderr_is_terminal,
            world: world(args.model.sandbox.is_wanted())?,
            args,
        })
    }
}

impl SimulateJob {
    fn new(mut args: SimulateArgs, environment: Environment) -> Result<Self, clap::Error> {
        args.model.wanted = args.wanted.clone();
        Ok(SimulateJob {
            n_workers: n_workers(args.workers),
            is_terminal: environment.stderr_is_terminal,
            world: world(args.model.sandbox.is_wanted())?,
            args,
        })
    }
}

impl AuditJob {
    fn new(mut args: AuditArgs, environment: Environment) -> Result<Self, clap::Error> {
        args.model.wanted = args.wanted.clone();
        Ok(AuditJob {
            n_workers: n_workers(args.workers),
            is_terminal: environment.stderr_is_terminal && !args.quiet.quiet,
            world: world(args.model.sandbox.is_kept())?,
            args,
        })
    }
}

fn texts(words: &[OsString]) -> Vec<String> {
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// One worker for each processor, if nothing is said.
fn n_workers(wish: Option<WorkersArg>) -> usize {
    match wish {
        Some(WorkersArg::Count(count)) => usize::from(count),
        Some(WorkersArg::Auto) | None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The machine as a specification sees it.
fn world(is_sandboxed: bool) -> Result<Machine, clap::Error> {
    machine(variables(), is_sandboxed).map_err(|error| {
        let reason = format!("--sandbox: the current folder cannot be found: {error}");
        Cli::command().error(ErrorKind::Io, reason)
    })
}

/// The environment.
fn variables() -> Vec<(String, String)> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect()
}

fn no_spill_for_depth_first() -> clap::Error {
    let reason =
        "--spill goes with breadth-first search: depth-first search must know at once what was visited";
    Cli::command().error(ErrorKind::ArgumentConflict, reason)
}

fn one_file_for_a_config() -> clap::Error {
    Cli::command().error(ErrorKind::ArgumentConflict, "--config goes with one FILE, and several were given")
}

impl From<InputArgs> for Input {
    fn from(args: InputArgs) -> Self {
        Input {
            files: args.files,
            libraries: args.libraries,
            format: args.format,
            deny_warnings: args.deny == Some(DenyArg::Warnings),
            reports: args.reports,
            is_quiet: args.quiet.quiet,
        }
    }
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
