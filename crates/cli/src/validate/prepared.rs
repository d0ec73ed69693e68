//! A trace specification, ready to run on any log.

use std::sync::atomic::AtomicBool;

use base::SystemClock;
use check::{Aim, Answer, Engine, Model, Observer, Options, Reached, Search};
use diag::{Diagnostics, Span};
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use sema::config::{BoundConfig, Named};
use sema::{ExprText, Spec, define_state};
use validate::{LogSequence, Means, Reads};
use value::Atoms;

use crate::args::{CheckFormatArg, ModelArgs, ValidateArgs};
use crate::check::bytes;
use crate::model::{self, Read};
use crate::{expressions, memory};

pub struct Prepared {
    pub spec: Spec,
    pub reads: Reads,
    pub means: Means,
    /// An event is read by steps from the state in which it comes next, and by nothing else.
    pub is_read_by_steps: bool,
    /// Where it ends the search itself.
    pub exit: Option<Span>,
    program: Program,
    check_deadlock: bool,
    aim: Aim,
}

/// What a search depends on besides the specification.
pub struct Surrounding<'a> {
    pub variables: Vec<(String, String)>,
    /// How many searches share the memory.
    pub n_at_once: usize,
    pub interrupted: &'a AtomicBool,
}

impl Prepared {
    /// Reads the specification. Where there are errors there is nothing; all that is to be said about it is said in any case.
    pub fn read(args: &ValidateArgs, model: &ModelArgs) -> (Result<Prepared, Box<Spec>>, Diagnostics) {
        let Read { mut spec, config, mut diagnostics } = model::read(model, &[]);
        let shown = &args.kept.trace_expr;
        let reads = validate::reads(&spec);
        let config = config
            .and_then(|config| expressions::with(&mut spec, config, shown, &mut diagnostics))
            .and_then(|config| asking(&mut spec, config, (args, &reads), &mut diagnostics));
        let Some(config) = config else { return (Err(Box::new(spec)), diagnostics) };
        let Lowered { program, diagnostics: further } = lower(&spec, &config, Atoms::new());
        diagnostics.extend(further);
        if diagnostics.has_errors() {
            return (Err(Box::new(spec)), diagnostics);
        }
        let aim = aim(&spec, &program, args, &reads);
        let check_deadlock = config.check_deadlock.unwrap_or(true);
        let means = Means {
            has_accept: args.accept.is_some(),
            has_postcondition: !program.postconditions.is_empty(),
            has_exit: reads.has_exit,
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
        let Surrounding { variables, n_at_once, interrupted } = surrounding;
        let (clock, world) = (SystemClock::start(), eval::world::Machine { environment: variables });
        let memory_bytes = args.memory.unwrap_or_else(memory::default_bytes) / n_at_once.max(1) as u64;
        let options = Options {
            search: Search::DepthFirst,
            engine: Engine::Auto,
            n_workers: 1,
            check_deadlock: self.check_deadlock,
            depth_max: None,
            states_max: None,
            time_max: args.time,
            memory_bytes_max: bytes(memory_bytes),
            spill: None,
            violations_max: Some(1),
            seed: 0,
            counts_evaluations: args.coverage.is_wanted(),
            checkpoints: None,
            interrupted,
            world: &world,
            clock: &clock,
        };
        let model = Model { spec: &self.spec, program: &self.program };
        check::check_to(model, &options, &self.aim, observer)
    }
}

/// The configuration with what is asked on the way: the formula that accepts, and how many events there are.
fn asking(
    spec: &mut Spec,
    mut config: BoundConfig,
    (args, reads): (&ValidateArgs, &Reads),
    diagnostics: &mut Diagnostics,
) -> Option<BoundConfig> {
    let length = reads.sequence.as_ref().map(length_text);
    let wanted = args.accept.as_ref().map(|text| ("--accept", text.clone()));
    for (name, text) in wanted.into_iter().chain(length.map(|text| ("length", text))) {
        let module = spec.root;
        let text = ExprText { origin: name, text: &text, module, params: &[] };
        match define_state(spec, name, text) {
            Ok(def) => {
                let (name, span) = (spec.defs[def].name, spec.defs[def].span);
                config.asked.push(Named { name, span, def });
            }
            // Whether `Len` is what it is called in this module was a guess.
            Err(_) if name == "length" => {}
            Err(errors) => diagnostics.extend(errors),
        }
    }
    (!diagnostics.has_errors()).then_some(config)
}

fn length_text(sequence: &LogSequence) -> String {
    format!("Len({})", sequence.name)
}

/// What was asked, as the program has it: the formula first, if there is one.
fn aim(spec: &Spec, program: &Program, args: &ValidateArgs, reads: &Reads) -> Aim {
    let mut asked = program.asked.iter().copied();
    let accept = args.accept.as_ref().and_then(|_| asked.next());
    let length = asked.next();
    let is_cursor = |name: &str| reads.sequence.as_ref().is_some_and(|sequence| sequence.variable == name);
    let cursor = program.variables.iter().position(|&name| is_cursor(spec.names.text(name)));
    let keeps_accepting = !args.kept.files().is_empty() || args.format == CheckFormatArg::Json;
    Aim { accept, cursor, length, keeps_accepting }
}
