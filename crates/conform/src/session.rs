//! Behaviours carried out one after the other, each on fresh nodes. The next nodes are started while the last ones are
//! still in use.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use base::{Clock, SystemClock};
use eval::interp::Shared;
use eval::ir::Program;
use eval::world::Machine;
use model::Model;
use sema::Spec;
use sema::config::BoundConfig;
use stage::Settings;
use stage::system::System;
use trace::{Datum, Trace};
use validate::plan::model_values;

use crate::ask::{AskRun, Asker, Frame, Property};
use crate::cluster::{Cluster, Making, nodes_of};
use crate::decode::Decoder;
use crate::follow::{STACK_BYTES, Stagehand, begin_lines, follow};
use crate::json::{Names, word};
use crate::outcome::{Ending, Obstacle, Replayed};
use crate::plan::Plan;

/// Values that are being computed take little: they are those of a few states.
const MEMORY_BYTES: usize = 1 << 30;

/// A specification, ready to run.
pub struct Side {
    pub spec: Spec,
    pub config: BoundConfig,
    pub program: Program,
}

impl Side {
    pub fn model(&self) -> Model<'_> {
        Model { spec: &self.spec, program: &self.program }
    }
}

/// A specification and the program that it is held against.
pub struct Pair {
    /// The specification as it is, for behaviours.
    pub plain: Side,
    /// The specification with the mapping in it, for what is asked about behaviours.
    pub mapped: Side,
    pub plan: Plan,
    pub system: System,
    /// The Python environment of the system.
    pub python: PathBuf,
}

/// The parts of the machine that a session uses.
pub struct Surroundings<'a> {
    /// Settings of the stages.
    pub settings: Settings,
    /// The machine as the specification sees it.
    pub world: &'a Machine,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
}

/// Carries out behaviours one after the other.
pub struct Session<'a> {
    asker: &'a Asker<'a>,
    plan: &'a Plan,
    making: Making,
    begin: Vec<String>,
    decoder: Decoder,
    /// The thread that starts nodes for the next behaviour, if there is one.
    starter: Option<Starter>,
}

/// A thread that starts nodes. It outlives them: the kernel ends them with the thread that started them.
struct Starter {
    wishes: Option<Sender<()>>,
    started: Receiver<Result<Cluster, Box<Replayed>>>,
    thread: Option<JoinHandle<()>>,
}

impl Starter {
    fn new(making: Making, begin: Vec<String>) -> Starter {
        let (wishes, wished) = channel();
        let (sender, started) = channel();
        let thread = std::thread::spawn(move || {
            for () in wished {
                // Whoever wished for it may have gone.
                drop(sender.send(making.begin(&begin)));
            }
        });
        Starter { wishes: Some(wishes), started, thread: Some(thread) }
    }

    fn wish(&self) {
        if let Some(wishes) = &self.wishes {
            // It listens as long as it can be wished for something.
            let _ = wishes.send(());
        }
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        drop(self.wishes.take());
        if let Some(thread) = self.thread.take() {
            // What it has started goes with the channel.
            let _ = thread.join();
        }
    }
}

/// How long a behaviour took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// Starting the nodes, or waiting for those that were started ahead.
    pub start: Duration,
    pub steps: Duration,
}

/// Runs `body` with a session, on a stack that is deep enough. The error says why there can be none.
pub fn with_session<T: Send>(
    pair: &Pair,
    surroundings: Surroundings<'_>,
    starts_ahead: bool,
    body: impl FnOnce(&mut Session<'_>) -> T + Send,
) -> Result<T, String> {
    let here = || {
        let Surroundings { settings, world, interrupted } = surroundings;
        let model = pair.mapped.model();
        let shared = Shared::new(model.program);
        let run = AskRun { model, world, interrupted, memory_bytes_max: MEMORY_BYTES };
        if model::prepare(model, &shared, &run).is_err() {
            return Err("the constants of the specification, or its assumptions, have no value".to_owned());
        }
        let asker = Asker::new(model, &shared, &run);
        let mut session = Session::new(pair, &asker, settings)?;
        if starts_ahead {
            session.start_ahead();
        }
        Ok(body(&mut session))
    };
    base::on_deep_stack(STACK_BYTES, here)
}

impl<'a> Session<'a> {
    fn new(pair: &'a Pair, asker: &'a Asker<'a>, settings: Settings) -> Result<Session<'a>, String> {
        let (system, python) = (pair.system.clone(), pair.python.clone());
        let mut making = Making { system, settings, python, names: Names::default() };
        let plan = &pair.plan;
        let ask = |asked| asker.ask(asked, &Frame::default()).map_err(|told| told.headline.clone());
        let nodes = nodes_of(&making, &ask(plan.nodes)?)?;
        making.names = names(pair, &nodes);
        making.system.keep_nodes(&nodes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
        if let Some(arguments) = plan.arguments {
            making.system.add_arguments(&arguments_of(&ask(arguments)?)?);
        }
        let begin = begin_lines(plan, asker, &making.names).map_err(|ending| ending.reason())?;
        let decoder = Decoder::start(&making.words(&plan.decoder))?;
        Ok(Session { asker, plan, making, begin, decoder, starter: None })
    }

    fn start_ahead(&mut self) {
        let starter = Starter::new(self.making.clone(), self.begin.clone());
        starter.wish();
        self.starter = Some(starter);
    }

    fn start(&mut self) -> Result<Cluster, Box<Replayed>> {
        let Some(starter) = &self.starter else { return self.making.begin(&self.begin) };
        let started = starter.started.recv().expect("the thread waits for wishes");
        starter.wish();
        started
    }

    /// Carries out a behaviour; `property` is what it violates at its end.
    pub fn run(&mut self, trace: &Trace, property: Option<&Property>) -> (Replayed, Took) {
        let clock = SystemClock::start();
        let started = self.start();
        let start = clock.elapsed();
        let replayed = match started {
            Ok(mut cluster) => {
                let Session { asker, plan, making, decoder, .. } = self;
                let mut hand = Stagehand { asker, plan, names: &making.names, decoder };
                follow(&mut hand, &mut cluster, trace, property)
            }
            Err(failed) => *failed,
        };
        (replayed, Took { start, steps: clock.elapsed() - start })
    }

    /// Whether the user has ended it.
    pub fn is_over(replayed: &Replayed) -> bool {
        matches!(replayed.ending, Ending::CouldNot(Obstacle::Interrupted))
    }
}

/// Returns the meaning of names: nodes by their names and addresses, and model values.
fn names(pair: &Pair, nodes: &[(String, Datum)]) -> Names {
    let mut all: Vec<(String, Datum)> = nodes.to_vec();
    for (name, node) in nodes {
        let member = pair.system.nodes.iter().find(|member| member.name == *name);
        all.extend(member.map(|member| (format!("{}:{}", member.host, member.port), node.clone())));
    }
    Names { nodes: all, model_values: model_values(&pair.mapped.spec, &pair.mapped.config) }
}

/// Words for the command of every node.
fn arguments_of(value: &Datum) -> Result<Vec<String>, String> {
    let wrong = || format!("`arguments` of the mapping is no sequence of texts: {value}");
    match value {
        Datum::Seq(items) => {
            items.iter().map(|item| word(item, &Names::default()).ok_or_else(wrong)).collect()
        }
        Datum::Record(fields) if fields.is_empty() => Ok(Vec::new()),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => Err(wrong()),
        Datum::Record(_) | Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => Err(wrong()),
    }
}
