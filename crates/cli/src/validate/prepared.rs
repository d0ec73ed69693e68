//! A trace specification, ready to run on any log.

use std::io;
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use check::{Aim, Answer, Observer, Options, Reached, Room, Search};
use diag::{Diagnostics, Span};
use eval::World;
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use eval::world::{Finished, Machine, Opening};
use model::{Engine, Model};
use sema::config::{BoundConfig, Named};
use sema::{ExprText, Spec, define_state};
use setup::memory::{self, bytes};
use setup::read_model::{self, Read};
use setup::{ModelInput, expressions};
use validate::{Means, Reads};
use value::Atoms;

use crate::args::CheckFormatArg;
use crate::validate::args::ValidateArgs;

/// Bytes of states, from the last one back, that `--format json` shows of a behaviour that is not kept in a file.
const JSON_TRACE_BYTES: usize = 1 << 20;
/// A behaviour that is kept takes no more than this part of the memory.
const KEPT_SHARE: usize = 4;

pub struct Prepared {
    pub spec: Spec,
    pub reads: Reads,
    pub means: Means,
    /// An event is read by steps from the state in which it comes next, and by nothing else.
    pub is_read_by_steps: bool,
    /// Place at which the specification ends the search itself.
    pub exit: Option<Span>,
    program: Program,
    check_deadlock: bool,
    aim: Aim,
}

/// The machine and the options that a search depends on.
pub struct Surrounding<'a> {
    pub world: Machine,
    /// Path and text of the log, if the text that is read differs from that of the file.
    pub rewritten: Option<(String, Vec<u8>)>,
    /// Number of searches that share the memory.
    pub n_at_once: usize,
    /// Number of further threads that judge the steps of each.
    pub n_judges: usize,
    pub interrupted: &'a AtomicBool,
}

/// The machine, with a log whose text differs from that of its file.
struct LogWorld {
    machine: eval::world::Machine,
    rewritten: Option<(String, Vec<u8>)>,
}

impl World for LogWorld {
    fn epoch_seconds(&self) -> Option<u64> {
        self.machine.epoch_seconds()
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.machine.environment()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match &self.rewritten {
            Some((log, text)) if log == path => Ok(text.clone()),
            Some(_) | None => self.machine.read(path),
        }
    }

    fn write(&self, path: &str, contents: &[u8], opening: Opening) -> io::Result<()> {
        self.machine.write(path, contents, opening)
    }

    fn execute(&self, command: &[String], environment: &[(String, String)]) -> io::Result<Finished> {
        self.machine.execute(command, environment)
    }
}

/// Options of the searches.
#[derive(Clone, Copy)]
pub struct SearchSetting<'a> {
    pub args: &'a ValidateArgs,
    /// Whether there is no other log.
    pub is_alone: bool,
    /// Number of searches that share the memory.
    pub n_at_once: usize,
}

/// Returns the memory of each of `n_at_once` searches.
fn memory_of_one(args: &ValidateArgs, n_at_once: usize) -> u64 {
    args.memory.unwrap_or_else(memory::default_bytes) / n_at_once.max(1) as u64
}

impl Prepared {
    /// Reads the specification. Where there are errors there is nothing; all that is to be said about it is said in any case.
    pub fn read(wanted: SearchSetting<'_>, model: &ModelInput) -> (Result<Prepared, Box<Spec>>, Diagnostics) {
        let args = wanted.args;
        let Read { mut spec, config, mut diagnostics } = read_model::read(model, &[]);
        let shown = &args.kept.trace_expr;
        let reads = validate::reads(&spec);
        let config = config
            .and_then(|config| expressions::with(&mut spec, config, shown, &mut diagnostics))
            .and_then(|config| asking(&mut spec, config, (args, &reads), &mut diagnostics));
        let Some((config, asked)) = config else { return (Err(Box::new(spec)), diagnostics) };
        let Lowered { program, diagnostics: further } = lower(&spec, &config, Atoms::new());
        diagnostics.extend(further);
        if diagnostics.has_errors() {
            return (Err(Box::new(spec)), diagnostics);
        }
        let aim = wanted.aim(&spec, &program, (&reads, &asked));
        let check_deadlock = config.check_deadlock.unwrap_or(true);
        let means = Means {
            has_accept: args.accept.is_some(),
            has_postcondition: !program.postconditions.is_empty(),
            has_exit: reads.has_exit,
            end_properties: reads
                .sequence
                .as_ref()
                .map_or_else(Vec::new, |sequence| validate::end_properties(&spec, &config, sequence)),
        };
        let is_read_by_steps = reads
            .sequence
            .as_ref()
            .is_some_and(|sequence| validate::is_read_by_steps_alone(&spec, &config, sequence));
        let exit = validate::exit_place(&spec, &config);
        (
            Ok(Prepared { spec, reads, means, is_read_by_steps, exit, program, check_deadlock, aim }),
            diagnostics,
        )
    }

    pub fn search(
        &self,
        args: &ValidateArgs,
        surrounding: Surrounding<'_>,
        observer: &dyn Observer,
    ) -> (Answer, Reached) {
        let Surrounding { world: machine, rewritten, n_at_once, n_judges, interrupted } = surrounding;
        let (clock, world) = (SystemClock::start(), LogWorld { machine, rewritten });
        let options = Options {
            search: Search::DepthFirst,
            engine: Engine::Auto,
            n_workers: 1,
            n_judges,
            // Behaviours that lead nowhere are in the nature of a log; the formula alone says what it is to come to.
            check_deadlock: self.check_deadlock && args.accept.is_none(),
            depth_max: None,
            states_max: None,
            time_max: args.time,
            memory_bytes_max: bytes(memory_of_one(args, n_at_once)),
            spill: None,
            violations_max: Some(1),
            seed: 0,
            counts_evaluations: args.coverage.is_wanted(),
            reports_engine: false,
            checkpoints: None,
            interrupted,
            world: &world,
            clock: &clock,
        };
        let model = Model { spec: &self.spec, program: &self.program };
        check::check_to(model, &options, &self.aim, observer)
    }
}

/// Questions that are put to the specification, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// The formula that accepts.
    Accept,
    /// How many events there are.
    Length,
    /// Which these are.
    Events,
}

impl Question {
    fn name(self) -> &'static str {
        match self {
            Question::Accept => "--accept",
            Question::Length => "length",
            Question::Events => "events",
        }
    }
}

/// The configuration with what is asked on the way.
fn asking(
    spec: &mut Spec,
    mut config: BoundConfig,
    (args, reads): (&ValidateArgs, &Reads),
    diagnostics: &mut Diagnostics,
) -> Option<(BoundConfig, Vec<Question>)> {
    let sequence = reads.sequence.as_ref().map(|sequence| &sequence.name);
    let wanted = [
        (Question::Accept, args.accept.clone()),
        (Question::Length, sequence.map(|name| format!("Len({name})"))),
        (Question::Events, sequence.filter(|_| args.why_html.is_some()).cloned()),
    ];
    let mut asked = Vec::new();
    for (question, text) in wanted.into_iter().filter_map(|(question, text)| Some((question, text?))) {
        let (name, module) = (question.name(), spec.root);
        let text = ExprText { origin: name, text: &text, module, params: &[] };
        match define_state(spec, name, text) {
            Ok(def) => {
                let (name, span) = (spec.defs[def].name, spec.defs[def].span);
                config.asked.push(Named { name, span, def });
                asked.push(question);
            }
            Err(errors) if question == Question::Accept => diagnostics.extend(errors),
            // Whether `Len` is what it is called in this module was a guess.
            Err(_) => {}
        }
    }
    (!diagnostics.has_errors()).then_some((config, asked))
}

impl SearchSetting<'_> {
    /// Returns the aim with the questions as the program has them.
    fn aim(&self, spec: &Spec, program: &Program, (reads, asked): (&Reads, &[Question])) -> Aim {
        let of = |question| asked.iter().position(|&known| known == question).map(|at| program.asked[at]);
        let sequence = reads.sequence.as_ref();
        let is_cursor = |name: &str| sequence.is_some_and(|sequence| sequence.variable == name);
        let SearchSetting { args, is_alone, .. } = self;
        let has_page = args.why_html.is_some();
        let is_kept = !args.kept.files().is_empty() || args.format == CheckFormatArg::Json;
        Aim {
            accept: of(Question::Accept),
            cursor: program.variables.iter().position(|&name| is_cursor(spec.names.text(name))),
            length: of(Question::Length),
            events: of(Question::Events),
            // In a page of many logs those that are accepted are not of interest.
            keeps_accepting: is_kept || (has_page && *is_alone),
            room: self.room(),
            tells_choices: has_page,
        }
    }

    /// Returns how much of a behaviour is reported.
    fn room(&self) -> Room {
        let SearchSetting { args, n_at_once, .. } = self;
        if !args.kept.files().is_empty() || args.why_html.is_some() {
            let bytes_max = bytes(memory_of_one(args, *n_at_once)) / KEPT_SHARE;
            // Files of states are written state by state; a page and an answer for programs are made as a whole.
            let is_made_whole = args.kept.trace_html.is_some() || args.format == CheckFormatArg::Json;
            let written_bytes_max = if is_made_whole { bytes_max } else { usize::MAX };
            return Room { bytes_max, written_bytes_max };
        }
        match args.format {
            CheckFormatArg::Text => Room::LAST,
            CheckFormatArg::Json => Room { bytes_max: usize::MAX, written_bytes_max: JSON_TRACE_BYTES },
        }
    }
}
