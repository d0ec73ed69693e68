//! Compiled code in walks: when it is made, and what becomes of the successors that it finds.
//!
//! Code works on values that are kept for ever (`value::Interner`). Walks that use it keep what they meet, up to a limit:
//! then they are interpreted again, as they are before there is code. How a walk is made changes nothing about it.

use std::sync::{Mutex, PoisonError};

use check::kit::{self, What};
use check::{Engine, Phase};
use eval::interp::{Machine, VarSet};
use eval::ir::VarIdx;
use jit::{Compiled, Forge, Ran, Scratch, Sources, Successor};
use value::{Ground, Interner, Value, ValueId};

use crate::context::Context;
use crate::expand::{self, Choice, Expander, Found, in_phase};
use crate::hash::KeptHasher;
use crate::run::WalkRun;

/// Fewer states than this are generated sooner than code is made, which takes a tenth of a second or two.
const GENERATED_MIN: u64 = 30_000;
/// How many states are looked at for what variables look like.
const EXAMPLES_MAX: usize = 8000;
/// Code that gives up more often than once in so many runs is made again with newer examples.
const RUNS_PER_GIVEN_UP: u64 = 50;
/// What values that are kept may take: this part of the memory, and no more than this.
const KEPT_SHARE: usize = 4;
const KEPT_BYTES_MAX: usize = 1 << 30;
/// What a worker may keep of what code gave.
const MEMO_BYTES: usize = 16 << 20;

/// Where code is made, and lent to workers.
#[derive(Default)]
pub(crate) struct Workshop {
    code: Option<Compiled>,
    /// How many states had been generated when it was made last.
    n_generated: u64,
    examples: Vec<Vec<ValueId>>,
    forge: Forge,
    tools: Mutex<Vec<Tools>>,
    /// Values fill the room that they have: nothing more is kept.
    is_full: bool,
}

/// What a worker takes from one round to the next.
struct Tools {
    scratch: Scratch,
    hasher: KeptHasher,
}

impl Workshop {
    /// Between rounds: makes code if that pays, or makes it again if it gives up too often.
    pub fn prepare<'a>(&mut self, context: &'a Context<'a>, n_generated: u64) {
        if self.is_full || !may_compile(context) {
            return;
        }
        if is_full(context) {
            *self = Workshop { is_full: true, ..Workshop::default() };
            return;
        }
        let is_wanted = match (&self.code, context.options.engine) {
            (None, Engine::Auto) => self.n_generated == 0 && n_generated >= GENERATED_MIN,
            (None, _) => self.n_generated == 0,
            (Some(code), _) => {
                let (n_runs, n_given_up) = code.take_counts();
                n_generated >= 2 * self.n_generated && n_given_up > n_runs / RUNS_PER_GIVEN_UP
            }
        };
        if is_wanted {
            self.n_generated = n_generated.max(1);
            self.make(context);
        }
    }

    fn make<'a>(&mut self, context: &'a Context<'a>) {
        let region = context.board.region();
        let run = WalkRun::new(context, 0);
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        let sources = Sources {
            program: context.program(),
            actions: context.actions,
            invariants: &context.invariants,
            constraints: &context.constraints,
        };
        let initial = context.initial.ids();
        let examples = initial.take(EXAMPLES_MAX).chain(self.examples.iter().map(Vec::as_slice));
        self.code = kit::quietly(&run, || Compiled::new((sources, &self.forge), &mut machine, examples));
        value::trim();
    }

    /// Whether a walk is to show what states look like: each before there is code, then the first of a round.
    pub fn wants_examples(&self, context: &Context<'_>, is_first: bool) -> bool {
        // No code can be made where none was.
        let may_help = if self.code.is_some() { is_first } else { self.n_generated == 0 };
        may_help && !self.is_full && may_compile(context)
    }

    pub fn add_examples(&mut self, examples: Vec<Vec<ValueId>>) {
        self.examples.extend(examples);
        if self.examples.len() > EXAMPLES_MAX {
            let mut is_second = false;
            self.examples.retain(|_| {
                is_second = !is_second;
                is_second
            });
        }
    }

    /// What a worker needs to run code, if there is any.
    pub fn hand(&self) -> Option<Box<Hand<'_>>> {
        let code = self.code.as_ref()?;
        let known = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tools =
            known.unwrap_or_else(|| Tools { scratch: Scratch::default(), hasher: KeptHasher::new() });
        tools.scratch.prepare(code, MEMO_BYTES);
        let Tools { scratch, hasher } = tools;
        let (here, there) = (Vec::new(), Vec::new());
        Some(Box::new(Hand { code, scratch, hasher, here, there, n_runs: 0, n_given_up: 0 }))
    }

    pub fn give_back(&self, hand: Box<Hand<'_>>) {
        let Hand { code, scratch, hasher, n_runs, n_given_up, .. } = *hand;
        code.count(n_runs, n_given_up);
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(Tools { scratch, hasher });
    }
}

fn may_compile(context: &Context<'_>) -> bool {
    // What is compiled does not count.
    context.options.engine != Engine::Interpreted && !context.options.counts_evaluations
}

/// Whether nothing more may be kept.
pub(crate) fn is_full(context: &Context<'_>) -> bool {
    let bytes_max = (context.options.memory_bytes_max / KEPT_SHARE).min(KEPT_BYTES_MAX);
    Interner::shared().bytes_used() > bytes_max
}

/// The ids of the values of a state, if they are or can be kept.
pub(crate) fn interned(values: &[Option<Value<'_>>], ids: &mut Vec<ValueId>) -> Option<()> {
    ids.clear();
    for value in values {
        ids.push(Interner::shared().intern(Ground::opt((*value)?)?).ok()?);
    }
    Some(())
}

/// Code, and what a worker has with it.
pub(crate) struct Hand<'a> {
    code: &'a Compiled,
    scratch: Scratch,
    hasher: KeptHasher,
    /// The ids of the current state; empty while they are not known.
    here: Vec<ValueId>,
    /// Those of a successor.
    there: Vec<ValueId>,
    n_runs: u64,
    n_given_up: u64,
}

impl Hand<'_> {
    /// Whether it is known that an action has no successors in the current state.
    #[inline]
    pub fn is_closed(&self, action: usize) -> bool {
        !self.here.is_empty() && self.code.is_closed(action, &self.scratch)
    }

    /// The hash of a state with these ids.
    pub fn hash(&mut self, ids: &[ValueId]) -> u64 {
        self.hasher.state(ids)
    }

    /// The walk goes on from a state whose ids are known, or must be looked for.
    pub fn step_to(&mut self, ids: Option<&[ValueId]>) {
        self.here.clear();
        self.here.extend_from_slice(ids.unwrap_or_default());
        if !self.here.is_empty() {
            self.code.turn_to(&self.here, &mut self.scratch);
        }
    }

    /// Finds out what the ids of the machine's state are. Whether they are known.
    fn find_here(&mut self, machine: &Machine<'_, '_>) -> bool {
        if self.here.is_empty() {
            if interned(machine.state(), &mut self.here).is_none() {
                self.here.clear();
                return false;
            }
            self.code.turn_to(&self.here, &mut self.scratch);
        }
        !self.here.is_empty()
    }

    /// Turns to a successor; what is new in it.
    fn turn_to(&mut self, successor: Successor<'_>) -> VarSet {
        self.there.clear();
        self.there.extend_from_slice(&self.here);
        let mut changed = VarSet::NONE;
        for (index, id) in successor.ids() {
            if self.there[index] != id {
                self.there[index] = id;
                changed = changed.with(VarSet::one(VarIdx(index as u16)));
            }
        }
        changed
    }
}

impl<'a, 'r> Expander<'a, 'r> {
    /// Adds the successors by an action with code. `None` when the interpreter must do it: then nothing has happened.
    pub fn add_by_code(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        action: usize,
        hand: &mut Hand<'a>,
    ) -> Option<Result<(), Box<Found>>> {
        if !hand.find_here(machine) {
            return None;
        }
        hand.n_runs += 1;
        if let Err(why) = hand.code.run_alone(action, machine, &hand.here, &mut hand.scratch) {
            hand.n_given_up += u64::from(why == Ran::GaveUp);
            return None;
        }
        let found = hand.scratch.take_found();
        let added = self.add_found(machine, (hand, action), &found);
        hand.scratch.give_back(found);
        Some(added)
    }

    fn add_found(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (hand, action): (&mut Hand<'a>, usize),
        found: &jit::Found,
    ) -> Result<(), Box<Found>> {
        let mut choice = Choice { action: action as u32, ordinal: 0 };
        let mut position = 0;
        while let Some((successor, next)) = found.at(position) {
            self.n_generated += 1;
            let changed = hand.turn_to(successor);
            match judge(self.context, self.run, machine, (hand, changed)) {
                Ok(true) => {
                    self.values
                        .extend(hand.there.iter().map(|&id| -> Value<'r> { Interner::shared().value(id) }));
                    self.push_kept(choice, &hand.there);
                }
                Ok(false) => {}
                Err(what) => return Err(Box::new(Found { what, choice: Some(choice) })),
            }
            choice.ordinal += 1;
            position = next;
        }
        Ok(())
    }
}

/// As [`expand::judge`], of the successor that a hand has turned to. What code does not know the interpreter says.
fn judge<'a>(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    machine: &mut Machine<'a, '_>,
    (hand, changed): (&mut Hand<'_>, VarSet),
) -> Result<bool, What> {
    let program = context.program();
    let is_about_steps = !context.step_properties.is_empty() || !program.action_constraints.is_empty();
    if is_about_steps || !program.possible.is_empty() || hand.code.formulas_interpret() {
        set_next(machine, &hand.there);
    }
    check_invariants(context, run, machine, (hand, changed))?;
    expand::check_steps(context, machine)?;
    for index in 0..context.constraints.len() {
        let Hand { code, scratch, there, .. } = hand;
        let of = (there.as_slice(), changed);
        let held =
            about_successor((run, code), machine, |machine| code.constraint(index, machine, of, scratch));
        let holds = match held {
            Some(holds) => holds,
            None => {
                set_next(machine, &hand.there);
                let constraint = &context.constraints[index];
                let held =
                    run.about_successor(|| machine.in_next(|machine| machine.hold(constraint, changed)));
                in_phase(Phase::Constraint, held)?
            }
        };
        if !holds {
            return Ok(false);
        }
    }
    match is_about_steps || !program.possible.is_empty() {
        true => expand::is_step_in_model(context, run, machine),
        false => Ok(true),
    }
}

/// What is wrong is told by the interpreter, which also has the last word.
fn check_invariants(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    machine: &mut Machine<'_, '_>,
    (hand, changed): (&mut Hand<'_>, VarSet),
) -> Result<(), What> {
    let Hand { code, scratch, there, .. } = hand;
    let of = (there.as_slice(), changed);
    if about_successor((run, code), machine, |machine| code.all_invariants(machine, of, scratch)) {
        return Ok(());
    }
    for index in 0..context.invariants.len() {
        let held =
            about_successor((run, code), machine, |machine| code.invariant(index, machine, of, scratch));
        if held != Some(true) {
            set_next(machine, there);
            expand::check_invariant(context, run, machine, (index, changed))?;
        }
    }
    Ok(())
}

/// Runs code about the successor: the machine is there too if the code asks it.
fn about_successor<'p, 'r, T>(
    (run, code): (&WalkRun<'_>, &Compiled),
    machine: &mut Machine<'p, 'r>,
    body: impl FnOnce(&mut Machine<'p, 'r>) -> T,
) -> T {
    match code.formulas_interpret() {
        true => run.about_successor(|| machine.in_next(body)),
        false => body(machine),
    }
}

fn set_next(machine: &mut Machine<'_, '_>, ids: &[ValueId]) {
    machine.set_successor(ids.iter().map(|&id| Interner::shared().value(id)));
}
