//! `specline explore`: a specification step by step, at a prompt.

use ::eval::world::Machine;
use ::explore::{Session, Settings};
use clap::Args;
use sema::Spec;
use sema::config::BoundConfig;
use value::Atoms;

use crate::args::ModelArgs;
use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::eval::args::{EvalModelArgs, TracePlace, parse_place};
use crate::eval::{LoadedModel, load, with_settings};
use crate::exit::{Ending, Stop};
use crate::repl::{Repl, ReplKind, StepSource};

#[derive(Args, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// Begin in this state of a trace, counted from 1
    #[arg(long, value_name = "TRACE:STATE", value_parser = parse_place)]
    pub at: Option<TracePlace>,
}

impl Run for ExploreArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        let model = EvalModelArgs {
            spec: Some(self.model.spec.clone()),
            config: self.model.config.clone(),
            extends: Vec::new(),
            sources: self.model.sources.clone(),
            translate: self.model.translate,
            sandbox: self.model.sandbox,
        };
        let LoadedModel { spec, config } = load(&model, console)?;
        with_settings(model.sandbox, |settings, world| {
            self.explore((spec, &config), &model, (settings, world), (environment, console))
        })
    }
}

impl ExploreArgs {
    // Seven values: what was prepared from the command line, handed over once.
    fn explore(
        &self,
        (spec, config): (Spec, &BoundConfig),
        model: &EvalModelArgs,
        (settings, world): (&Settings<'_>, &Machine),
        (environment, console): (&Environment, &Console),
    ) -> Result<Ending, Stop> {
        base::on_deep_stack(model::STACK_BYTES, || {
            let atoms = Atoms::new();
            let states = spec.clone();
            let session = Session::new(spec, config, atoms, settings);
            let mut repl = Repl::new(session, (ReplKind::Explore, model.input()), world, console);
            if let Some(place) = &self.at {
                repl.load(place)?;
            }
            let source = StepSource { spec: &states, config, atoms };
            repl.with_steps(Some(source), settings, |repl, steps| {
                let Some(steps) = steps else { return repl.show_next(None) };
                repl.begin(steps)?;
                if environment.stdout_is_terminal {
                    console.line(Stream::Out, "")?;
                }
                repl.read_lines(Some(steps), environment)
            })
        })
    }
}
