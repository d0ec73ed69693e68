//! Compiled code in walks: made when [`CodePolicy`] says so, and how the successors that it finds are used.
//!
//! Code works on values that are kept for ever (`value::Interner`). Walks that use it keep the values that they meet,
//! up to a limit: then they are interpreted again, as they are before there is code. A walk is the same either way.

use std::sync::{Mutex, PoisonError};

use eval::interp::{Machine, VarSet};
use eval::ir::VarIdx;
use jit::{Compiled, Forge, NotRun, Scratch, Sources, Successor};
use model::{CodeExamples, CodePolicy, CodeUse, Phase, What};
use value::{Ground, Interner, Value, ValueId};

use crate::context::Context;
use crate::expand::{self, Choice, Expander, WalkFinding, in_phase};
use crate::hash::KeptHasher;
use crate::run::WalkRun;

/// The share of the memory that kept values may take is one in this many; the other limit is below.
const KEPT_SHARE: usize = 4;
const KEPT_BYTES_MAX: usize = 1 << 30;
/// The memory that a worker may use to remember the results of code.
const MEMO_BYTES: usize = 16 << 20;

/// The place where code is made and lent to workers.
#[derive(Default)]
pub(crate) struct Workshop {
    code: Option<Compiled>,
    /// Number of states that had been generated when code was last made.
    n_generated: u64,
    examples: CodeExamples,
    forge: Forge,
    tools: Mutex<Vec<Tools>>,
    /// Whether the kept values have used up their memory, so that nothing more is kept.
    is_full: bool,
}

/// The buffers that a worker takes from one round to the next.
struct Tools {
    scratch: Scratch,
    hasher: KeptHasher,
}

impl Workshop {
    /// Makes code if that pays, or makes it again if it gives up too often; called between rounds.
    pub fn prepare<'a>(&mut self, context: &'a Context<'a>, n_generated: u64) {
        let policy = policy(context);
        if self.is_full || !policy.allows_code() {
            return;
        }
        if is_full(context) {
            *self = Workshop { is_full: true, ..Workshop::default() };
            return;
        }
        let is_wanted = match &self.code {
            None => self.n_generated == 0 && policy.is_first_due(n_generated),
            Some(code) => {
                let (n_runs, n_given_up) = code.take_counts();
                let use_of_code = CodeUse { n_runs, n_given_up, is_cut: code.is_cut() };
                policy.is_due_again(use_of_code, [self.n_generated, n_generated])
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
            interpreted: &[],
            notes_ends: false,
            program: context.program(),
            actions: context.actions,
            invariants: &context.invariants,
            constraints: &context.constraints,
        };
        let initial = context.initial.ids();
        let examples = initial.take(CodeExamples::MAX).chain(self.examples.iter());
        let earlier = self.code.as_ref();
        let n_instructions_max = policy(context).n_instructions_max(context.options.clock.elapsed());
        let make =
            || Compiled::new((sources, &self.forge, n_instructions_max), earlier, &mut machine, examples);
        if let Some(made) = model::quietly(&run, make) {
            self.code = Some(made);
        }
        value::trim();
    }

    /// Whether a walk must record examples of states: each one before there is code, then the first of a round.
    pub fn wants_examples(&self, context: &Context<'_>, is_first: bool) -> bool {
        // If no code could be made before, examples do not help.
        let may_help = if self.code.is_some() { is_first } else { self.n_generated == 0 };
        may_help && !self.is_full && policy(context).allows_code()
    }

    pub fn add_examples(&mut self, examples: Vec<Vec<ValueId>>) {
        self.examples.extend(examples);
    }

    /// Returns the data that a worker needs to run code, if there is any.
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

fn policy(context: &Context<'_>) -> CodePolicy {
    CodePolicy::of_walks(context.options.engine, context.options.counts_evaluations)
}

/// Whether nothing more may be kept.
pub(crate) fn is_full(context: &Context<'_>) -> bool {
    let bytes_max = (context.options.memory_bytes_max / KEPT_SHARE).min(KEPT_BYTES_MAX);
    Interner::shared().bytes_used() > bytes_max
}

/// Puts the ids of a state's values into `ids`; `None` if they cannot be kept.
pub(crate) fn intern_state(values: &[Option<Value<'_>>], ids: &mut Vec<ValueId>) -> Option<()> {
    ids.clear();
    for value in values {
        ids.push(Interner::shared().intern(Ground::opt((*value)?)?).ok()?);
    }
    Some(())
}

/// Code, with the buffers of a worker.
pub(crate) struct Hand<'a> {
    code: &'a Compiled,
    scratch: Scratch,
    hasher: KeptHasher,
    /// The ids of the current state; empty while they are not known.
    here: Vec<ValueId>,
    /// The ids of a successor.
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

    /// Returns the hash of a state with these ids.
    pub fn hash(&mut self, ids: &[ValueId]) -> u64 {
        self.hasher.state(ids)
    }

    /// Moves to a state whose ids are known, or must be looked up later.
    pub fn step_to(&mut self, ids: Option<&[ValueId]>) {
        self.here.clear();
        self.here.extend_from_slice(ids.unwrap_or_default());
        if !self.here.is_empty() {
            self.code.turn_to(&self.here, &mut self.scratch);
        }
    }

    /// Looks up the ids of the machine's state; returns whether they are known.
    fn find_here(&mut self, machine: &Machine<'_, '_>) -> bool {
        if self.here.is_empty() {
            if intern_state(machine.state(), &mut self.here).is_none() {
                self.here.clear();
                return false;
            }
            self.code.turn_to(&self.here, &mut self.scratch);
        }
        !self.here.is_empty()
    }

    /// Moves to a successor; returns the variables that changed.
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
    ) -> Option<Result<(), Box<WalkFinding>>> {
        if !hand.find_here(machine) {
            return None;
        }
        hand.n_runs += 1;
        if let Err(why) = hand.code.run_alone(action, machine, &hand.here, &mut hand.scratch) {
            hand.n_given_up += u64::from(why == NotRun::GaveUp);
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
        found: &jit::FoundSuccessors,
    ) -> Result<(), Box<WalkFinding>> {
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
                Err(what) => return Err(Box::new(WalkFinding { what, choice: Some(choice) })),
            }
            choice.ordinal += 1;
            position = next;
        }
        Ok(())
    }
}

/// Checks the successor that a hand has moved to, as [`expand::judge`] does. The interpreter decides where code cannot.
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
        let held = about_successor((run, code), machine, |machine| {
            code.constraint((index, &[]), machine, of, scratch)
        });
        let holds = match held {
            Some(holds) => holds,
            None => {
                set_next(machine, &hand.there);
                let constraint = &context.constraints[index];
                let held = run.about_successor(machine, |machine| machine.hold(constraint, changed));
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

/// Checks invariants by code. The interpreter reports a violation, and also decides it.
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

/// Runs code about the successor; the machine moves there too if the code uses it.
fn about_successor<'p, 'r, T>(
    (run, code): (&WalkRun<'_>, &Compiled),
    machine: &mut Machine<'p, 'r>,
    body: impl FnOnce(&mut Machine<'p, 'r>) -> T,
) -> T {
    match code.formulas_interpret() {
        true => run.about_successor(machine, body),
        false => body(machine),
    }
}

fn set_next(machine: &mut Machine<'_, '_>, ids: &[ValueId]) {
    machine.set_successor(ids.iter().map(|&id| Interner::shared().value(id)));
}
