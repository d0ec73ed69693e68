//! A command line of TLC, taken apart. Nothing is done here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::table::{self, Row, Standing, Takes, Wish};
use super::trace_files::{Form, TraceFile};
use super::{code, load};
use crate::java::without_machine;

/// The options of a run of TLC.
// Over 20 fields: one for each option of TLC.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The root module, with its extension.
    pub spec: PathBuf,
    pub config: Option<PathBuf>,
    pub libraries: Vec<PathBuf>,
    /// `None` for a search.
    pub simulation: Option<Simulation>,
    /// The walks that a property of Java asks for.
    pub scheduler: Option<Scheduler>,
    pub is_depth_first: bool,
    /// The last level of iterative deepening.
    pub level_max: Option<u32>,
    pub workers: Workers,
    pub leaves_out_deadlock: bool,
    pub goes_on: bool,
    /// Number of steps of a walk; negative for any number.
    pub depth: Option<i64>,
    pub seed: Option<i64>,
    pub aril: Option<u64>,
    pub fingerprint: u32,
    pub counts_coverage: bool,
    pub tells_changes_only: bool,
    pub leaves_out_liveness: bool,
    pub is_tool: bool,
    pub no_warning: bool,
    pub suppressed: Vec<u32>,
    /// Warnings that end the run as errors.
    pub as_errors: Vec<u32>,
    pub shows_view: bool,
    /// Time between checkpoints; `None` if none is given or they are switched off.
    pub checkpoint_every: Option<Duration>,
    pub recover: Option<PathBuf>,
    pub meta_dir: Option<PathBuf>,
    pub user_file: Option<PathBuf>,
    pub time_max: Option<Duration>,
    /// Invariants given as text.
    pub invariants: Vec<String>,
    pub postconditions: Vec<PostCondition>,
    pub dump: Option<Dump>,
    pub trace_files: Vec<TraceFile>,
    /// `-generateSpecTE`: even where TLC would not by itself.
    pub wants_te_spec: bool,
    pub leaves_out_te_spec: bool,
    /// The folder or the file of a specification that explores the trace.
    pub te_spec_place: Option<PathBuf>,
    pub load_trace: Option<(load::Form, PathBuf)>,
    /// The specification runs nothing and writes nothing outside of the current folder.
    pub is_sandboxed: bool,
    /// Options that were accepted and have no effect here, to be reported once.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workers {
    #[default]
    One,
    So(u16),
    /// One for each processor.
    Auto,
}

/// `-simulate num=5,file=trace`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simulation {
    /// Number of walks. TLC: of each worker.
    pub n_walks: Option<u64>,
    pub file: Option<String>,
    pub scheduler: Scheduler,
    /// Whether the graph of actions is written, and how fine.
    pub flow: Option<FlowForm>,
    /// `-generate`: one successor is drawn, and nothing is asked of the others.
    pub is_drawn: bool,
}

/// How the next action of a walk is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    #[default]
    Random,
    /// `sched=rl`: by what was learned in a state.
    Learned,
    /// `sched=rlaction`: by what was learned after an action.
    LearnedActions,
}

/// `stats=basic`, `stats=full`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowForm {
    /// A node for each definition.
    Basic,
    /// A node for each definition and its constant arguments.
    Full,
}

/// `-postCondition Module!Operator`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostCondition {
    pub module: String,
    pub operator: String,
}

/// `-dump dot,actionlabels graph`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// `dot` and what follows it; nothing for TLC's own form.
    pub form: Option<String>,
    pub file: PathBuf,
}

/// The reasons why nothing is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Help,
    /// TLC does not take it either.
    Wrong(String),
    /// TLC takes it, and it has no meaning here.
    Refused(String),
}

/// Takes a command line apart: TLC's own, or that of a Java which runs TLC.
pub fn parse(words: &[String]) -> Result<Options, Stop> {
    let mut options = Options::default();
    let words = without_machine(words.to_vec());
    let mut words = Words { words: &words, at: 0 };
    let mut spec = None;
    while let Some(word) = words.next() {
        if let Some(property) = word.strip_prefix("-D") {
            options.property(property);
        } else if let Some(row) = table::find(word) {
            options.option(row, &mut words)?;
        } else if word.starts_with('-') {
            return Err(Stop::Wrong(format!("Error: unrecognized option: {word}")));
        } else if let Some(first) = spec.replace(word) {
            return Err(Stop::Wrong(format!("Error: more than one input files: {first} and {word}")));
        }
    }
    let Some(spec) = spec else {
        return Err(Stop::Wrong("Error: Missing input TLA+ module.".to_owned()));
    };
    options.spec = with_extension(Path::new(spec), "tla");
    options.consistent()
}

/// TLC: `Spec` and `Spec.tla` are the same.
fn with_extension(path: &Path, extension: &str) -> PathBuf {
    if path.extension().is_some_and(|it| it == extension) {
        return path.to_path_buf();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

struct Words<'w> {
    words: &'w [String],
    at: usize,
}

impl<'w> Words<'w> {
    fn next(&mut self) -> Option<&'w str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    /// The next word, if it is one that an option may have.
    fn next_if(&mut self, is_it: impl Fn(&str) -> bool) -> Option<&'w str> {
        let word = self.words.get(self.at)?;
        if is_it(word) { self.next() } else { None }
    }

    fn has_two(&self) -> bool {
        self.at + 2 <= self.words.len()
    }

    fn take_required(&mut self, option: &str, what: &str) -> Result<&'w str, Stop> {
        self.next().ok_or_else(|| Stop::Wrong(format!("Error: expect a {what} for {option} option.")))
    }
}

/// The word after an option.
#[derive(Clone, Copy)]
struct Given<'w> {
    /// The form, or what may be left out.
    form: Option<&'w str>,
    /// The one word that must be there.
    word: &'w str,
}

fn take_given<'w>(row: &Row, words: &mut Words<'w>) -> Result<Given<'w>, Stop> {
    Ok(match row.takes {
        Takes::Nothing => Given { form: None, word: "" },
        Takes::One(what) => Given { form: None, word: words.take_required(row.name, what)? },
        Takes::FormAndFile => {
            let form = words.take_required(row.name, "format and a file name")?;
            Given { form: Some(form), word: words.take_required(row.name, "file name")? }
        }
        // TLC: wherever in the word.
        Takes::Perhaps(parts) => {
            let form = words.next_if(|word| parts.iter().any(|part| word.contains(part)));
            Given { form, word: "" }
        }
        Takes::FileAfter(starts) => {
            let is_form = words.has_two();
            let form = words.next_if(|word| is_form && starts.iter().any(|start| word.starts_with(start)));
            Given { form, word: words.take_required(row.name, "file name")? }
        }
    })
}

impl Options {
    fn option(&mut self, row: &Row, words: &mut Words<'_>) -> Result<(), Stop> {
        let given = take_given(row, words)?;
        match row.standing {
            Standing::Used(wish) => self.wish(wish, given),
            Standing::Silent => Ok(()),
            Standing::Ignored(why) => {
                self.notes.push(format!("`{}` has no effect: {why}", row.name));
                Ok(())
            }
            Standing::Refused(why) => Err(Stop::Refused(format!("{}: {why}", row.name))),
        }
    }

    fn wish(&mut self, wish: Wish, given: Given<'_>) -> Result<(), Stop> {
        let Given { form, word } = given;
        match wish {
            Wish::Help => return Err(Stop::Help),
            Wish::Config => self.config = Some(PathBuf::from(word)),
            Wish::Continue => self.goes_on = true,
            Wish::NoDeadlock => self.leaves_out_deadlock = true,
            Wish::DiffTrace => self.tells_changes_only = true,
            Wish::Tool => self.is_tool = true,
            Wish::Sandbox => self.is_sandboxed = true,
            Wish::NoSandbox => self.is_sandboxed = false,
            Wish::NoWarning => self.no_warning = true,
            Wish::View => self.shows_view = true,
            Wish::Invariant => self.invariants.push(word.to_owned()),
            Wish::PostCondition => self.postconditions.push(postcondition(word)?),
            Wish::Recover => self.recover = Some(PathBuf::from(word)),
            Wish::MetaDir => self.meta_dir = Some(PathBuf::from(word)),
            Wish::UserFile => self.user_file = Some(PathBuf::from(word)),
            Wish::Dump => self.dump = Some(Dump { form: form.map(str::to_owned), file: PathBuf::from(word) }),
            Wish::DumpTrace => self.trace_files.push(trace_file(form.unwrap_or_default(), word)?),
            Wish::LoadTrace => self.load_trace = Some(parse_load(form.unwrap_or_default(), word)?),
            Wish::ExploreTrace => self.wants_te_spec = true,
            Wish::NoExploration => self.leaves_out_te_spec = true,
            Wish::ExplorationPlace => self.te_spec_place = Some(PathBuf::from(word)),
            Wish::Simulate => self.simulation = Some(simulation("-simulate", form)?),
            Wish::Generate => {
                self.simulation = Some(Simulation { is_drawn: true, ..simulation("-generate", form)? });
            }
            Wish::Aril
            | Wish::Checkpoint
            | Wish::Coverage
            | Wish::Deepen
            | Wish::Depth
            | Wish::Fingerprint
            | Wish::InvariantLevel
            | Wish::LivenessCheck
            | Wish::MessagesAsErrors
            | Wish::Seed
            | Wish::Suppress
            | Wish::Workers => return self.measure(wish, word),
        }
        Ok(())
    }

    /// Reads a number, or one of a few words.
    fn measure(&mut self, wish: Wish, word: &str) -> Result<(), Stop> {
        match wish {
            Wish::Aril => self.aril = Some(number(word, "-aril")?),
            Wish::Deepen => self.level_max = Some(level_max(word)?),
            Wish::Depth => self.depth = Some(number(word, "-depth")?),
            Wish::Seed => self.seed = Some(number(word, "-seed")?),
            Wish::Coverage => {
                number::<u32>(word, "-coverage")?;
                self.counts_coverage = true;
            }
            Wish::Checkpoint => {
                let n_minutes: u64 = number(word, "-checkpoint")?;
                let every = Duration::from_secs(n_minutes.saturating_mul(60));
                self.checkpoint_every = Some(every).filter(|every| !every.is_zero());
            }
            Wish::Fingerprint => {
                self.fingerprint = number(word, "-fp")?;
                if self.fingerprint > 130 {
                    let text = "Error: The number for -fp must be between 0 and 130 (inclusive).";
                    return Err(Stop::Wrong(text.to_owned()));
                }
            }
            Wish::InvariantLevel => {
                let level: i64 = number(word, "-invlevel")?;
                self.invariants.push(level_below(level));
            }
            Wish::LivenessCheck => self.leaves_out_liveness = word.eq_ignore_ascii_case("off"),
            Wish::Suppress => self.suppressed.extend(codes("-suppressMessages", word)?),
            Wish::MessagesAsErrors => {
                self.as_errors.extend(codes("-messagesAsErrors", word)?);
                self.notes.extend(self.as_errors.iter().copied().filter_map(note_unused));
            }
            Wish::Workers => self.workers = workers(word)?,
            Wish::Config
            | Wish::Continue
            | Wish::DiffTrace
            | Wish::Dump
            | Wish::DumpTrace
            | Wish::ExplorationPlace
            | Wish::ExploreTrace
            | Wish::Generate
            | Wish::Help
            | Wish::Invariant
            | Wish::LoadTrace
            | Wish::MetaDir
            | Wish::NoDeadlock
            | Wish::NoExploration
            | Wish::NoWarning
            | Wish::PostCondition
            | Wish::NoSandbox
            | Wish::Recover
            | Wish::Sandbox
            | Wish::Simulate
            | Wish::Tool
            | Wish::UserFile
            | Wish::View => unreachable!("`wish` keeps those for itself"),
        }
        Ok(())
    }

    /// A property of Java that TLC looks at.
    fn property(&mut self, property: &str) {
        let (name, value) = property.split_once('=').unwrap_or((property, ""));
        match name {
            "TLA-Library" => {
                let folders = value.split(':').filter(|folder| !folder.is_empty());
                self.libraries.extend(folders.map(PathBuf::from));
            }
            "tlc2.tool.queue.IStateQueue" => self.is_depth_first = value == "StateDeque",
            "tlc2.TLC.stopAfter" => self.time_max = value.parse().ok().map(Duration::from_secs),
            "tlc2.tool.Simulator.rl" if value == "true" => {
                self.scheduler = Some(Scheduler::Learned);
            }
            "tlc2.tool.Simulator.rlaction" if value == "true" => {
                self.scheduler = Some(Scheduler::LearnedActions);
            }
            "specline.sandbox" => self.is_sandboxed = value == "true",
            // Composition is always possible, and no usage statistics are sent.
            "tlc2.tool.impl.Tool.cdot" | "tlc2.TLC.ide" => {}
            _ => self.notes.push(format!("`-D{name}` has no effect")),
        }
    }

    fn consistent(mut self) -> Result<Options, Stop> {
        if let (Some(simulation), Some(scheduler)) = (&mut self.simulation, self.scheduler) {
            simulation.scheduler = scheduler;
        }
        let simulates = self.simulation.is_some();
        let refused = |text: &str| Err(Stop::Refused(text.to_owned()));
        if self.no_warning && !self.suppressed.is_empty() {
            let text =
                "Error: -nowarning already suppresses all warnings, making -suppressMessages redundant.";
            return Err(Stop::Wrong(text.to_owned()));
        }
        if let Some(code) = self.as_errors.iter().find(|code| self.suppressed.contains(code)) {
            let text = "Error: The following codes were set to both -suppressMessages and -messagesAsErrors";
            return Err(Stop::Wrong(format!("{text}: [{code}]")));
        }
        if self.level_max.is_some() && self.recover.is_some() {
            return refused("-recover: iterative deepening keeps nothing from level to level");
        }
        if simulates && self.recover.is_some() {
            return refused("-recover: walks keep nothing that could be gone on with");
        }
        if (simulates || self.level_max.is_some()) && self.checkpoint_every.take().is_some() {
            let why = "walks and iterative deepening keep nothing that could be gone on with";
            self.notes.push(format!("`-checkpoint` has no effect: {why}"));
        }
        if simulates && self.load_trace.is_some() {
            return Err(Stop::Wrong("Error: -loadTrace is not supported in simulation mode.".to_owned()));
        }
        if (simulates || self.load_trace.is_some()) && self.dump.take().is_some() {
            self.notes.push("`-dump` has no effect: only a search knows all states".to_owned());
        }
        if self.is_depth_first && self.checkpoint_every.take().is_some() {
            let why = "depth-first search keeps no checkpoints, as in TLC";
            self.notes.push(format!("`-checkpoint` has no effect: {why}"));
        }
        Ok(self)
    }
}

fn parse_load(form: &str, word: &str) -> Result<(load::Form, PathBuf), Stop> {
    let unknown = || Stop::Wrong(format!("Error: Unknown format {form} given to -loadTrace."));
    Ok((load::Form::of(form).ok_or_else(unknown)?, PathBuf::from(word)))
}

fn postcondition(word: &str) -> Result<PostCondition, Stop> {
    let wrong = |text: &str| Err(Stop::Wrong(format!("{text} Encountered: {word}")));
    let parts: Vec<&str> = word.split('!').collect();
    match parts.as_slice() {
        [_] => wrong("Module!Operator for postCondition required."),
        ["", _] => wrong("Module name for postCondition required."),
        [module, operator] if !operator.is_empty() && !word.contains('.') => {
            Ok(PostCondition { module: (*module).to_owned(), operator: (*operator).to_owned() })
        }
        _ => wrong("Module!Operator for postCondition must be of the form module!operator."),
    }
}

fn trace_file(form: &str, word: &str) -> Result<TraceFile, Stop> {
    let unknown = || Stop::Wrong(format!("Error: Unknown format {form} given to -dumpTrace."));
    Ok(TraceFile { form: Form::of(form).ok_or_else(unknown)?, path: PathBuf::from(word) })
}

fn number<N: std::str::FromStr>(word: &str, option: &str) -> Result<N, Stop> {
    let wrong = |_| Stop::Wrong(format!("Error: An integer for {option} required. But encountered {word}"));
    word.trim().parse().map_err(wrong)
}

fn level_max(word: &str) -> Result<u32, Stop> {
    let text = "Error: expect a nonnegative integer for -dfid option.";
    let wrong = |_| Stop::Wrong(format!("{text} But encountered {word}"));
    word.trim().parse().map_err(wrong)
}

fn workers(word: &str) -> Result<Workers, Stop> {
    if word.trim().eq_ignore_ascii_case("auto") {
        return Ok(Workers::Auto);
    }
    let wrong = || Stop::Wrong(format!("Error: worker number or 'auto' required. But encountered {word}"));
    match word.trim().parse() {
        Ok(0) => Err(Stop::Wrong("Error: at least one worker required.".to_owned())),
        Ok(n) => Ok(Workers::So(n)),
        Err(_) => Err(wrong()),
    }
}

fn codes(option: &str, word: &str) -> Result<Vec<u32>, Stop> {
    word.split(',').map(|code| number(code, option)).collect()
}

/// Returns a note that no warning has this number, so that none will become an error either.
fn note_unused(code: u32) -> Option<String> {
    let told = code::WARNINGS;
    let numbers = told.map(|code| code.to_string()).join(", ");
    let note =
        format!("`-messagesAsErrors {code}` has no effect: the warnings that are told here are {numbers}");
    (!told.contains(&code)).then_some(note)
}

fn simulation(option: &str, text: Option<&str>) -> Result<Simulation, Stop> {
    let mut simulation = Simulation::default();
    for part in text.unwrap_or_default().split(',').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("num", n)) => simulation.n_walks = Some(number(n, &format!("{option} num="))?),
            Some(("file", file)) => simulation.file = Some(file.to_owned()),
            Some(("sched", "rl")) => simulation.scheduler = Scheduler::Learned,
            Some(("sched", "rlaction")) => simulation.scheduler = Scheduler::LearnedActions,
            Some(("sched", "random")) => simulation.scheduler = Scheduler::Random,
            Some(("stats", "basic")) => simulation.flow = Some(FlowForm::Basic),
            Some(("stats", "full")) => simulation.flow = Some(FlowForm::Full),
            _ => {
                let text = format!(
                    "{option} {part}: known are num=N, file=NAME, stats=basic|full and \
                     sched=random|rl|rlaction"
                );
                return Err(Stop::Refused(text));
            }
        }
    }
    if simulation.file.is_some() && simulation.n_walks.is_none() {
        let text = "Error: You need to specify a 'num' argument when using the 'file' argument, \
                    for example: '\"num=5,file=test.txt\"'.";
        return Err(Stop::Wrong(text.to_owned()));
    }
    Ok(simulation)
}

/// TLC: the modules need not be extended.
fn level_below(level: i64) -> String {
    format!("LET _T == INSTANCE TLC _N == INSTANCE Naturals IN _N!<(_T!TLCGet(\"level\"), {level})")
}
