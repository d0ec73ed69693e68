//! One walk: a sequence of states, each a successor of the one before.
//!
//! The values of a walk live in a region. When that is full, the current state is written as bytes and read again into
//! the emptied region, so that a walk of any length takes the same memory, and nothing is interned.

use eval::Owned;
use eval::interp::Machine;
use model::{REGION_BYTES_MAX, What};
use value::{Encoder, Ground, Region, Value, ValueId};

use crate::compiled::{Hand, intern_state, is_full};
use crate::context::Context;
use crate::dice::{Dice, mix_seeds};
use crate::endless::{Footprints, Outlook};
use crate::expand::{Choice, Expander, WalkFinding};
use crate::guide::{Guide, Lesson};
use crate::hash::Hasher;
use crate::learned::REWARD;
use crate::run::WalkRun;

/// Number of steps between two checks of the clock.
const STEPS_BETWEEN_LOOKS: usize = 16;
/// Number of steps between two example states.
const STEPS_PER_EXAMPLE: usize = 4;
/// The most example states of a walk.
const EXAMPLES_MAX: usize = 64;
/// Number of steps between two checks of the memory for kept values.
const STEPS_BETWEEN_FULL: usize = 1 << 10;

/// A walk that was made.
#[derive(Debug)]
pub(crate) struct FinishedWalk {
    pub number: u64,
    /// The index of its initial state.
    pub initial: usize,
    pub choices: Vec<Choice>,
    /// The hash of each state on the way.
    pub hashes: Vec<u64>,
    pub n_generated: u64,
    pub ending: Ending,
    /// The lessons for the guide.
    pub lessons: Vec<Lesson>,
    /// The ids of some states on the way, if they were asked for.
    pub examples: Vec<Vec<ValueId>>,
    /// Its states, if there are temporal properties.
    pub footprints: Option<Footprints>,
}

/// The reason why a walk ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// It has as many steps as were asked for.
    Depth,
    /// There is no successor, and deadlocks are not checked.
    Stuck,
    /// The time was up, or the user interrupted.
    Cut,
    Found(Box<WalkFinding>),
    /// The result for temporal properties, after it had ended by its depth or without a successor.
    Temporal(Box<Outlook>),
}

impl Ending {
    /// Whether there is something to report.
    pub fn is_finding(&self) -> bool {
        match self {
            Ending::Found(_) | Ending::Temporal(_) => true,
            Ending::Depth | Ending::Stuck | Ending::Cut => false,
        }
    }
}

/// The buffers that a worker takes from one walk to the next.
pub(crate) struct Gear<'a> {
    pub hasher: Hasher,
    pub hand: Option<Box<Hand<'a>>>,
    /// Whether the next walks record example states.
    pub shows_examples: bool,
}

impl<'a> Gear<'a> {
    pub fn new(hand: Option<Box<Hand<'a>>>) -> Gear<'a> {
        Gear { hasher: Hasher::new(), hand, shows_examples: false }
    }
}

/// The state of a walk in progress.
pub(crate) struct Traveller<'a> {
    pub context: &'a Context<'a>,
    pub run: &'a WalkRun<'a>,
    pub guide: Guide<'a>,
    pub dice: Dice,
    /// The actions in some order.
    pub order: Vec<u32>,
    pub gear: Gear<'a>,
    /// The current state while the region is emptied; `None` before the first step.
    carried: Option<Vec<u8>>,
    /// The reward of the last step.
    pub last_reward: f32,
    pub walked: FinishedWalk,
}

/// The walk to make: its number, and who chooses its steps.
pub(crate) struct Assignment<'a> {
    pub number: u64,
    pub guide: Guide<'a>,
}

/// Makes a walk; returns it with the gear.
pub(crate) fn walk<'a>(
    context: &'a Context<'a>,
    run: &'a WalkRun<'a>,
    assignment: Assignment<'a>,
    region: &mut Region,
    gear: Gear<'a>,
) -> (FinishedWalk, Gear<'a>) {
    let Assignment { number, guide } = assignment;
    run.begin(number);
    let mut dice = Dice::new(mix_seeds(context.options.seed, number));
    let initial = dice.below(context.initial.len());
    let walked = FinishedWalk {
        number,
        initial,
        choices: Vec::new(),
        hashes: Vec::new(),
        n_generated: 0,
        ending: Ending::Cut,
        lessons: Vec::new(),
        examples: Vec::new(),
        footprints: context.liveness.is_some().then(Footprints::default),
    };
    let order = (0..context.actions.len() as u32).collect();
    let mut traveller =
        Traveller { context, run, guide, dice, order, gear, carried: None, last_reward: REWARD, walked };
    loop {
        region.reset();
        traveller.gear.hasher.forget();
        if let Some(ending) = traveller.stretch(region) {
            let FinishedWalk { choices, hashes, .. } = &traveller.walked;
            assert!(
                hashes.len() <= choices.len() + 1,
                "a walk has a state for each step, and the initial one"
            );
            return (FinishedWalk { ending, ..traveller.walked }, traveller.gear);
        }
    }
}

impl<'a> Traveller<'a> {
    /// Goes on until the region is full; returns how the walk ended, if it did.
    fn stretch(&mut self, region: &Region) -> Option<Ending> {
        let (context, run) = (self.context, self.run);
        let mut machine = Machine::new(context.program(), context.shared, region, run);
        match self.carried.take() {
            Some(bytes) => load(region, &mut machine, &bytes),
            None => {
                machine.set_state(context.initial.values(self.walked.initial));
                let initial = self.walked.initial;
                let hash = match &mut self.gear.hand {
                    Some(hand) => hand.hash(context.initial.state(initial)),
                    None => self.gear.hasher.state(context.initial.values(initial)),
                };
                self.walked.hashes.push(hash);
                self.leave_footprint(&machine);
            }
        }
        let mut expander = Expander::new(context, run);
        expander.hand = self.gear.hand.take();
        if let Some(hand) = &mut expander.hand {
            hand.step_to(None);
        }
        // One step at least: the state that was carried over may fill the region by itself.
        let mut ending = self.step(&mut machine, &mut expander);
        while ending.is_none() && !region.is_reset_due(REGION_BYTES_MAX) {
            ending = self.step(&mut machine, &mut expander);
        }
        self.gear.hand = expander.hand.take();
        self.walked.n_generated += expander.n_generated;
        self.carried = ending.is_none().then(|| encode_state(machine.state()));
        ending
    }

    /// Makes a step, or returns how the walk ended.
    fn step<'r>(&mut self, machine: &mut Machine<'a, 'r>, expander: &mut Expander<'a, 'r>) -> Option<Ending> {
        let n_steps = self.walked.choices.len();
        if n_steps as u64 >= u64::from(self.context.options.depth) {
            return Some(Ending::Depth);
        }
        if n_steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
            self.context.board.tick();
        }
        if n_steps.is_multiple_of(STEPS_BETWEEN_FULL) && is_full(self.context) {
            (self.gear.shows_examples, expander.hand) = (false, None);
        }
        let n_shown = self.walked.examples.len();
        if self.gear.shows_examples && n_steps == n_shown * STEPS_PER_EXAMPLE && n_shown < EXAMPLES_MAX {
            self.show(machine);
        }
        if self.context.board.is_over() {
            return Some(Ending::Cut);
        }
        expander.clear();
        let index = match self.choose(machine, expander) {
            Ok(Some(index)) => index,
            Ok(None) if self.context.options.check_deadlock => {
                return Some(Ending::Found(Box::new(WalkFinding { what: What::Deadlock, choice: None })));
            }
            Ok(None) => return Some(Ending::Stuck),
            Err(found) if found.is_interruption() => return Some(Ending::Cut),
            Err(found) => return Some(Ending::Found(found)),
        };
        let choice = expander.choices[index];
        let from = self.run.keeps_history().then(|| record(machine));
        self.run.note_step(choice.action as usize, from);
        self.walked.choices.push(choice);
        let hash = expander.kept_hash(index);
        let values = expander.state(index).iter().copied();
        let hash = hash.unwrap_or_else(|| self.gear.hasher.state(values.clone()));
        self.walked.hashes.push(hash);
        machine.set_state(values);
        self.leave_footprint(machine);
        expander.step_to(index);
        None
    }

    /// Keeps the current state, if temporal properties need it later.
    fn leave_footprint(&mut self, machine: &Machine<'_, '_>) {
        if let Some(footprints) = &mut self.walked.footprints {
            footprints.add(encode_state(machine.state()));
        }
    }

    /// Keeps the current state as an example, if there is room.
    fn show(&mut self, machine: &Machine<'_, '_>) {
        let mut ids = Vec::new();
        if intern_state(machine.state(), &mut ids).is_some() {
            self.walked.examples.push(ids);
        }
    }
}

/// Encodes the values of a state, which are explicit, as bytes.
pub(crate) fn encode_state(values: &[Option<Value<'_>>]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut bytes = Vec::new();
    for value in values.iter().flatten() {
        encoder.encode(Ground::opt(*value).expect("the values of a state are explicit"), &mut bytes);
    }
    bytes
}

/// Decodes the values that [`encode_state`] wrote.
pub(crate) fn decode_state<'r>(region: &'r Region, mut bytes: &[u8], n_variables: usize) -> Vec<Value<'r>> {
    let read = |_| value::decode(region, &mut bytes).expect("these bytes were written by this process");
    (0..n_variables).map(read).collect()
}

/// Makes an encoded state the current one.
pub(crate) fn load<'r>(region: &'r Region, machine: &mut Machine<'_, 'r>, bytes: &[u8]) {
    let n_variables = machine.program().variables.len();
    machine.set_state(decode_state(region, bytes, n_variables));
}

/// Returns the current state as a record.
pub(crate) fn record(machine: &Machine<'_, '_>) -> Owned {
    let atoms = &machine.program().variable_atoms;
    let fields = atoms.iter().zip(machine.state()).filter_map(|(&name, value)| {
        let value = value.and_then(Owned::opt_copy)?;
        Some((Owned::Atom(name), value))
    });
    Owned::Function(fields.collect())
}
