//! Imitates TLC: its command line, its output and its exit codes, around our own search. SANY's are here,
//! too.
//!
//! `table` and `options` take the command line apart, `search` and `walk` run what it asks for by the same calls as
//! `check` and `simulate`, and the rest says it as TLC does: `voice` frames messages, `outcome` tells what was found.

mod arguments;
mod behaviour;
mod code;
mod config;
mod constants;
mod coverage;
mod deepen;
mod dump;
mod flow;
mod help;
pub mod java;
mod load;
mod moment;
mod nested;
mod options;
mod outcome;
mod parse_error;
pub mod pcal_command;
mod place;
mod postcondition;
mod sany;
pub mod sany_command;
mod search;
mod table;
mod te_spec;
mod trace_files;
mod view;
mod voice;
mod walk;
mod words;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::{Clock, SystemClock};
use diag::{Diagnostic, Diagnostics};
use eval::lower::{Lowered, lower};
use model::Model;
use sema::config::{BoundConfig, Named};
use sema::{ExprText, Spec, define_state};
use setup::config::{config_again, config_of};
use setup::read_model::{self, Read, worst};
use setup::{Ending, ModelInput, expressions, outputs, threads};
use value::Atoms;

use self::behaviour::Shown;
use self::constants::Constants;
use self::options::{Options, Stop, Workers};
use self::outcome::Teller;
use self::view::Viewed;
use self::voice::Voice;

/// The process that speaks as TLC does.
pub trait Host: Sync {
    /// Writes a line to standard output.
    fn say(&self, line: &str) -> io::Result<()>;
    /// Writes a line to standard error.
    fn say_aside(&self, line: &str) -> io::Result<()>;
    /// Returns a flag that is set when the user wants the run to end.
    fn watch_signals(&self) -> io::Result<Arc<AtomicBool>>;
}

/// A command line of TLC, with the environment.
#[derive(Debug)]
pub struct TlcJob {
    pub words: Vec<String>,
    pub variables: Vec<(String, String)>,
}

/// Runs a command line of TLC, with TLC's output.
pub fn run(job: &TlcJob, host: &dyn Host) -> io::Result<Ending> {
    let clock = SystemClock::start();
    let options = match options::parse(&job.words) {
        Ok(options) => options,
        Err(stop) => return report_stop(stop, &Voice::new(host, false)),
    };
    let voice = Voice::new(host, options.is_tool);
    if let Some(refusal) = refusal(&options) {
        return report_stop(Stop::Refused(refusal), &voice);
    }
    if let Some(refusal) = overwriting(&options).or_else(|| nowhere(&options)) {
        return report_stop(Stop::Refused(refusal), &voice);
    }
    let user_file = match options.user_file.as_ref().map(File::create).transpose() {
        Ok(file) => file,
        Err(_) => {
            let text = "Error: Failed to create user output log file.";
            return report_stop(Stop::Wrong(text.to_owned()), &voice);
        }
    };
    let voice = voice.with_wishes(&options, user_file);
    let unknown = options.dump.as_ref().and_then(dump::unknown_word);
    for note in options.notes.iter().chain(&unknown) {
        voice.aside(note)?;
    }
    let ending = Run { job, host, options: &options, voice: &voice, clock: &clock }.whole()?;
    // TLC: one that is stopped says no more, and tools know it by that.
    if ending == Ending::Interrupted {
        return Ok(ending);
    }
    let took = moment::took(clock.elapsed(), voice.is_tool);
    voice.say(code::FINISHED, &format!("Finished in {took} at ({})", moment::now()))?;
    voice.finish()?;
    Ok(ending)
}

/// A command line that is not carried out.
fn report_stop(stop: Stop, voice: &Voice<'_>) -> io::Result<Ending> {
    match stop {
        Stop::Help => {
            voice.line(&help::text())?;
            return Ok(Ending::Ok);
        }
        Stop::Wrong(text) => {
            voice.say(code::VERSION, &version())?;
            voice.error(
                code::WRONG_COMMANDLINE,
                &format!("{text}\nUsage: specline tlc [-help] [-option] inputfile"),
            )?;
        }
        Stop::Refused(text) => {
            voice.say(code::VERSION, &version())?;
            voice.aside(&text)?;
            voice.error(code::WRONG_COMMANDLINE, &format!("{text}\nSee `specline tlc -help`."))?;
        }
    }
    Ok(Ending::BadUsage)
}

/// Returns the reason why known options cannot be carried out together.
fn refusal(options: &Options) -> Option<String> {
    options.dump.as_ref().and_then(dump::refusal)
}

/// A file that would be written over what is read, or over another one that is written.
fn overwriting(options: &Options) -> Option<String> {
    let dumps = options.trace_files.iter().map(|file| ("-dumpTrace", file.path.clone()));
    let user = options.user_file.iter().map(|path| ("-userFile", path.clone()));
    let graph = options.dump.iter().map(|dump| ("-dump", dump::file(dump)));
    let explorer = te_spec::file(options).map(|path| ("-teSpecOutDir", path.to_owned()));
    let has_flow = options.simulation.as_ref().is_some_and(|simulation| simulation.flow.is_some());
    let flow =
        has_flow.then(|| ("-simulate stats=", flow::file(&place::stem(&options.spec.to_string_lossy()))));
    let written: Vec<(&str, PathBuf)> = dumps.chain(user).chain(graph).chain(explorer).chain(flow).collect();
    let mut read = outputs::read(&model_input(options), &written);
    read.extend(options.load_trace.iter().map(|(_, path)| ("the trace", path.clone())));
    outputs::clash(&written, &read).map(|clash| clash.headline)
}

/// A folder for walks that is not there.
fn nowhere(options: &Options) -> Option<String> {
    let file = options.simulation.as_ref()?.file.as_ref()?;
    let folder = Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty())?;
    (!folder.is_dir()).then(|| format!("-simulate file={file}: there is no folder `{}`", folder.display()))
}

fn version() -> String {
    format!("TLC2 Version specline {}", env!("CARGO_PKG_VERSION"))
}

fn model_input(options: &Options) -> ModelInput {
    let beside = |config: &PathBuf| options.spec.parent().map(|folder| folder.join(config));
    let is_there = |config: &Path| sany::is_file(config) || sany::is_file(&config.with_extension("cfg"));
    let config = options.config.as_ref().map(|config| match beside(config) {
        // TLC: a configuration is also looked for beside the module.
        Some(other) if !is_there(config) && is_there(&other) => other,
        Some(_) | None => config.clone(),
    });
    let (spec, libraries) = (options.spec.clone(), options.libraries.clone());
    let conditions = options.postconditions.iter().map(|condition| condition.module.clone());
    let invariants = options.invariants.iter().flat_map(|text| instantiated_modules(text));
    let beside = conditions.chain(invariants.map(str::to_owned)).collect();
    let ahead = folders_ahead(&options.spec);
    ModelInput { spec, config, libraries, ahead, beside, needs_config: true, ..ModelInput::default() }
}

/// The folders in which TLC looks for modules before it looks in the folder of the specification: the current one, unless
/// the specification is given by an absolute path.
fn folders_ahead(spec: &Path) -> Vec<PathBuf> {
    if spec.is_absolute() { Vec::new() } else { vec![PathBuf::new()] }
}

/// The modules that an expression makes instances of.
fn instantiated_modules(expression: &str) -> impl Iterator<Item = &str> {
    let after = expression.split("INSTANCE").skip(1).filter(|rest| rest.starts_with(char::is_whitespace));
    after.filter_map(|rest| {
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty())
    })
}

struct Run<'a> {
    job: &'a TlcJob,
    host: &'a dyn Host,
    options: &'a Options,
    voice: &'a Voice<'a>,
    clock: &'a SystemClock,
}

impl Run<'_> {
    fn whole(&self) -> io::Result<Ending> {
        let (voice, options) = (self.voice, self.options);
        voice.say(code::VERSION, &version())?;
        let n_workers = self.n_workers();
        self.banner(n_workers)?;
        if let Some(trouble) = threads::refuse(n_workers) {
            voice.trouble(&words::sentence(&trouble.headline))?;
            return Ok(Ending::Unreadable);
        }
        let interrupted = self.host.watch_signals()?;
        let Read { mut spec, config, diagnostics } = read_model::read(&model_input(self.options), &[]);
        let mut diagnostics = sany::promote(voice, diagnostics);
        let config = config.filter(|_| !diagnostics.has_errors());
        let config = config.and_then(|config| self.with_wishes(&mut spec, config, &mut diagnostics));
        let constants = self.constants(&mut spec);
        sany::tell(voice, &spec, &diagnostics)?;
        voice.say(code::STARTING, &format!("Starting... ({})", moment::now()))?;
        let Some(mut config) = config else { return self.unreadable(&spec, &diagnostics) };
        match postcondition::find_all(&spec, &options.postconditions) {
            // TLC: before those of the configuration.
            Ok(named) => drop(config.postconditions.splice(..0, named)),
            Err(reason) => {
                voice.trouble(&format!("{reason}."))?;
                return Ok(Ending::Unreadable);
            }
        }
        let Lowered { mut program, diagnostics: lowered } = lower(&spec, &config, Atoms::new());
        if lowered.has_errors() {
            return self.unreadable(&spec, &lowered);
        }
        if options.leaves_out_liveness {
            program.temporal.clear();
        }
        if deepening(options).is_some() && !program.postconditions.is_empty() {
            voice.aside(
                "-dfid: postconditions are not evaluated, as in TLC; a search without it evaluates them",
            )?;
            program.postconditions.clear();
        }
        let world = setup::world::machine(self.job.variables.clone(), options.is_sandboxed)?;
        let check_deadlock = config.check_deadlock.unwrap_or(true) && !options.leaves_out_deadlock;
        let setting = search::Setting {
            wishes: options,
            n_workers,
            check_deadlock,
            interrupted,
            clock: self.clock,
            world: &world,
            folder: self.folder(),
            constants: &constants,
        };
        self.model(Model { spec: &spec, program: &program }, &config, &setting)
    }

    /// A model that was read, run.
    fn model(
        &self,
        model: Model<'_>,
        config: &BoundConfig,
        setting: &search::Setting<'_>,
    ) -> io::Result<Ending> {
        let (spec, options) = (model.spec, self.options);
        let (variables, fields) = (behaviour::variables(spec), behaviour::fields(spec, config));
        let viewed = view::variables(spec, config);
        // TLC: what ALIAS shows is no state that the VIEW is of.
        let root = model.program.view.filter(|_| options.shows_view && model.program.alias.is_none());
        let view = root.map(|root| Viewed { model, root, variables: &viewed, order: &variables });
        let changes_only = options.tells_changes_only;
        let shown = Shown { spec, variables: &variables, fields: &fields, changes_only, view };
        let ending = run_as_wished(Teller { voice: self.voice, model, shown }, setting);
        if let Some(folder) = &setting.folder {
            tidy(folder);
        }
        ending
    }

    fn n_workers(&self) -> usize {
        match self.options.workers {
            Workers::One => 1,
            Workers::So(n) => usize::from(n),
            Workers::Auto => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// Reads the constants of the configuration; there are none if it cannot be read.
    fn constants(&self, spec: &mut Spec) -> Constants {
        let args = model_input(self.options);
        let path = config_of(&args.spec, args.config.as_deref());
        let tree = path.and_then(|path| config_again(spec, &path));
        tree.map_or_else(Constants::default, |tree| Constants::of(spec, &tree))
    }

    /// The shape is TLC's, since tools take it apart.
    fn banner(&self, n_workers: usize) -> io::Result<()> {
        let options = self.options;
        let seed = options.seed.unwrap_or_default();
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let s = if n_workers == 1 { "" } else { "s" };
        let heap = setup::memory::default_bytes() >> 20;
        let rest = format!(
            "with {n_workers} worker{s} on {n_cores} cores with {heap}MB heap and 0MB offheap memory [pid: {}] \
             ({} {}, specline {})",
            std::process::id(),
            std::env::consts::OS,
            std::env::consts::ARCH,
            env!("CARGO_PKG_VERSION"),
        );
        if options.simulation.is_some() {
            let text = format!("Running Random Simulation with seed {seed} {rest}.");
            return self.voice.say(code::MODE_SIMULATION, &text);
        }
        let fingerprint = options.fingerprint;
        let (code, order) = match options.level_max {
            Some(_) => (code::MODE_DEEPENING, "depth-first"),
            None => (code::MODE_SEARCH, "breadth-first"),
        };
        let text =
            format!("Running {order} search Model-Checking with fp {fingerprint} and seed {seed} {rest}.");
        self.voice.say(code, &text)
    }

    /// Reports errors that are found before anything is run.
    fn unreadable(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<Ending> {
        let cannot_read = |error: &Diagnostic| error.code == diag::Code::CannotRead;
        if diagnostics.iter().any(cannot_read) && self.is_module_missing() {
            let module = self.options.spec.file_stem().unwrap_or_default().to_string_lossy();
            self.voice.line(&format!("Cannot find source file for module {module}"))?;
            self.voice.error(code::PARSING_FAILED, "Parsing or semantic analysis failed.")?;
            return Ok(Ending::SpecError);
        }
        let is_parsers = |error: &Diagnostic| error.is_error() && sany::is_parsers(error);
        if diagnostics.iter().any(is_parsers) {
            self.voice.error(code::PARSING_FAILED, "Parsing or semantic analysis failed.")?;
            sany::elsewhere(self.voice, spec, diagnostics)?;
        } else {
            config::tell(self.voice, spec, diagnostics)?;
        }
        Ok(worst(diagnostics))
    }

    /// Whether there is a configuration and no module. TLC: without a configuration, that is what is missing.
    fn is_module_missing(&self) -> bool {
        let args = model_input(self.options);
        let config = config_of(&args.spec, args.config.as_deref());
        !args.spec.exists() && config.is_some_and(|config| config.is_file())
    }

    /// Adds the invariants of the command line, and the expressions that a trace specification needs.
    fn with_wishes(
        &self,
        spec: &mut Spec,
        mut config: BoundConfig,
        diagnostics: &mut Diagnostics,
    ) -> Option<BoundConfig> {
        let module = spec.root;
        for text in &self.options.invariants {
            match define_state(spec, "-inv", ExprText { origin: "-inv", text, module, params: &[] }) {
                Ok(def) => config.invariants.push(name_of(spec, def)),
                Err(errors) => diagnostics.extend(errors),
            }
        }
        if te_spec::is_wished(self.options) {
            let hidden = te_spec::hidden_variables(spec, &config);
            config = expressions::with(spec, config, &hidden, diagnostics)?;
        }
        (!diagnostics.has_errors()).then_some(config)
    }

    /// Creates the folder for checkpoints and for states that do not fit into memory.
    fn folder(&self) -> Option<PathBuf> {
        if self.options.simulation.is_some() || self.options.recover.is_some() {
            return None;
        }
        let beside = self.options.spec.parent().unwrap_or(Path::new(""));
        let root = self.options.meta_dir.clone().unwrap_or_else(|| beside.join("states"));
        let now = jiff::Zoned::now().strftime("%y-%m-%d-%H-%M-%S");
        let folder = root.join(format!("{now}.{}", std::process::id()));
        // Where nothing can be written a search is as large as the memory.
        std::fs::create_dir_all(&folder).ok().map(|()| folder)
    }
}

/// Returns the last level, if iterative deepening is asked for.
fn deepening(wishes: &Options) -> Option<u32> {
    wishes.level_max.filter(|_| wishes.simulation.is_none() && wishes.load_trace.is_none())
}

/// Runs iterative deepening, a simulation, a trace of a file, or a search, as the options say.
fn run_as_wished(teller: Teller<'_>, setting: &search::Setting<'_>) -> io::Result<Ending> {
    let wishes = setting.wishes;
    if let Some(level_max) = deepening(wishes) {
        return deepen::run(teller, setting, level_max);
    }
    match (&wishes.simulation, &wishes.load_trace) {
        (Some(simulation), _) => walk::run(teller, setting, simulation),
        (None, Some((form, path))) => load::run(teller, setting, (*form, path)),
        (None, None) => search::run(teller, setting),
    }
}

fn name_of(spec: &Spec, def: sema::spec::DefId) -> Named {
    Named { name: spec.defs[def].name, span: spec.defs[def].span, def }
}

/// Removes the folder if it is empty.
fn tidy(folder: &Path) {
    // One that holds a checkpoint, or that others use, stays.
    if std::fs::remove_dir(folder).is_ok()
        && let Some(root) = folder.parent()
    {
        let _ = std::fs::remove_dir(root);
    }
}
