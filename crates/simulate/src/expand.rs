//! Finds the successors of a state by one action, and checks each as TLC does when it simulates: invariants and action
//! properties of all of them, then the constraints (contract 5).

use eval::interp::{At, Evaluated, Flow, Machine, VarSet};
use model::{Phase, Possible, Side, What};
use value::{Value, ValueId};

use crate::compiled::Hand;
use crate::context::Context;
use crate::dice::Dice;
use crate::run::WalkRun;

/// A successor, by its action and its number among those that the action makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub action: u32,
    pub ordinal: u32,
}

/// Something to report, which ends a walk.
#[derive(Debug)]
pub(crate) struct WalkFinding {
    pub what: What,
    /// The successor that it is about; `None` if it is about the state itself.
    pub choice: Option<Choice>,
}

impl WalkFinding {
    /// Whether nothing was found and the walk was cut off.
    pub fn is_interruption(&self) -> bool {
        self.what.is_interruption()
    }
}

/// Finds successors that are in the model.
pub(crate) struct Expander<'a, 'r> {
    pub context: &'a Context<'a>,
    pub run: &'a WalkRun<'a>,
    /// The values of the successors that were found, one after the other, and, below, which successor each is.
    pub values: Vec<Value<'r>>,
    pub choices: Vec<Choice>,
    /// For each successor, the position of its ids in `kept`, if they are known.
    kept_at: Vec<Option<usize>>,
    kept: Vec<ValueId>,
    pub n_generated: u64,
    /// Compiled code, if there is any.
    pub hand: Option<Box<Hand<'a>>>,
}

impl<'a, 'r> Expander<'a, 'r> {
    pub fn new(context: &'a Context<'a>, run: &'a WalkRun<'a>) -> Self {
        Expander {
            context,
            run,
            values: Vec::new(),
            choices: Vec::new(),
            kept_at: Vec::new(),
            kept: Vec::new(),
            n_generated: 0,
            hand: None,
        }
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.choices.clear();
        self.kept_at.clear();
        self.kept.clear();
    }

    /// Adds a successor with its ids; its values were added before.
    pub fn push_kept(&mut self, choice: Choice, ids: &[ValueId]) {
        self.choices.push(choice);
        self.kept_at.push(Some(self.kept.len()));
        self.kept.extend_from_slice(ids);
    }

    /// Returns the range of a successor's ids, if they are known.
    fn ids(&self, index: usize) -> Option<std::ops::Range<usize>> {
        let at = self.kept_at[index]?;
        Some(at..at + self.context.program().variables.len())
    }

    /// Returns the hash of a successor, if the ids of its values are known.
    pub fn kept_hash(&mut self, index: usize) -> Option<u64> {
        let ids = self.ids(index)?;
        Some(self.hand.as_mut()?.hash(&self.kept[ids]))
    }

    /// Moves the walk to a successor.
    pub fn step_to(&mut self, index: usize) {
        let ids = self.ids(index);
        if let Some(hand) = &mut self.hand {
            hand.step_to(ids.map(|ids| &self.kept[ids]));
        }
    }

    /// Returns the values of a successor.
    pub fn state(&self, index: usize) -> &[Value<'r>] {
        let n_variables = self.context.program().variables.len();
        &self.values[index * n_variables..(index + 1) * n_variables]
    }

    /// Adds the successors of the machine's state by an action.
    pub fn add_by(&mut self, machine: &mut Machine<'a, 'r>, action: usize) -> Result<(), Box<WalkFinding>> {
        if self.hand.as_ref().is_some_and(|hand| hand.is_closed(action)) {
            return Ok(());
        }
        self.run.try_action(action);
        if let Some(mut hand) = self.hand.take() {
            let added = self.add_by_code(machine, action, &mut hand);
            self.hand = Some(hand);
            if let Some(added) = added {
                return added;
            }
        }
        self.add_interpreted(machine, action)
    }

    fn add_interpreted(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        action: usize,
    ) -> Result<(), Box<WalkFinding>> {
        self.walk(machine, action, Which::All).map(|_| ())
    }

    /// Draws one of the successors by an action, and adds it if it is in the model. The others are made too, since it
    /// is not known beforehand how many there are, but they are not checked.
    pub fn draw_by(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        action: usize,
        dice: &mut Dice,
    ) -> Result<(), Box<WalkFinding>> {
        self.run.try_action(action);
        let mut n_left = self.walk(machine, action, Which::None)?;
        // An action that is random may have fewer successors when it is run again.
        while n_left > 0 {
            let drawn = dice.below(n_left as usize) as u32;
            let n_met = self.walk(machine, action, Which::One(drawn))?;
            if n_met > drawn {
                break;
            }
            n_left = n_met;
        }
        Ok(())
    }

    /// Visits the successors by an action and adds those in the model that are wanted; returns how many there are.
    fn walk(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        action: usize,
        which: Which,
    ) -> Result<u32, Box<WalkFinding>> {
        let (context, run) = (self.context, self.run);
        let mut found = None;
        let mut choice = Choice { action: action as u32, ordinal: 0 };
        let walked = machine.step(&context.actions[action], &mut |machine| {
            let n_intermediate = machine.take_intermediate() as u64;
            if which.is_wanted(choice.ordinal) {
                self.n_generated += 1 + n_intermediate;
                match judge(context, run, machine) {
                    Ok(true) => {
                        self.values.extend(machine.next().iter().flatten());
                        self.choices.push(choice);
                        self.kept_at.push(None);
                    }
                    Ok(false) => {}
                    Err(what) => {
                        found = Some(WalkFinding { what, choice: Some(choice) });
                        return Ok(Flow::Stop);
                    }
                }
            }
            choice.ordinal += 1;
            Ok(if which.is_last(choice.ordinal - 1) { Flow::Stop } else { Flow::Continue })
        });
        match (found, walked) {
            (Some(found), _) => Err(Box::new(found)),
            (None, Err(fault)) => {
                Err(Box::new(WalkFinding { what: What::Fault(Phase::Next, fault), choice: None }))
            }
            (None, Ok(_)) => Ok(choice.ordinal),
        }
    }
}

/// The successors by an action that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    All,
    None,
    One(u32),
}

impl Which {
    fn is_wanted(self, ordinal: u32) -> bool {
        match self {
            Which::All => true,
            Which::None => false,
            Which::One(wanted) => wanted == ordinal,
        }
    }

    fn is_last(self, ordinal: u32) -> bool {
        self == Which::One(ordinal)
    }
}

/// Whether the successor that a machine has just made is in the model; fails with what is wrong with it. Its values are
/// made explicit.
pub(crate) fn judge<'a>(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    machine: &mut Machine<'a, '_>,
) -> Result<bool, What> {
    if machine.n_missing() > 0 {
        return Err(What::Incomplete);
    }
    // A lazy value may read the state that it was made from, which is not the current one where invariants are
    // evaluated.
    let span = machine.fallback_span();
    in_phase(Phase::Next, model::ground(machine, Side::Next).at(span))?;
    // An invariant over unchanged variables is known to hold, because the state before was checked.
    let changed = machine.changed_variables();
    for index in 0..context.invariants.len() {
        check_invariant(context, run, machine, (index, changed))?;
    }
    check_steps(context, machine)?;
    let is_in_model = run.about_successor(machine, |machine| {
        for constraint in &context.constraints {
            if !machine.hold(constraint, changed)? {
                return Ok(false);
            }
        }
        Ok(true)
    });
    if !in_phase(Phase::Constraint, is_in_model)? {
        return Ok(false);
    }
    is_step_in_model(context, run, machine)
}

/// Checks an invariant in the machine's next state, unless it depends on nothing that changed.
pub(crate) fn check_invariant(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    machine: &mut Machine<'_, '_>,
    (index, changed): (usize, VarSet),
) -> Result<(), What> {
    let invariant = &context.invariants[index];
    let holds = run.about_successor(machine, |machine| machine.hold(invariant, changed));
    match in_phase(Phase::Invariant, holds)? {
        true => Ok(()),
        false => Err(What::Invariant(index)),
    }
}

/// Checks the action properties of the machine's step.
pub(crate) fn check_steps(context: &Context<'_>, machine: &mut Machine<'_, '_>) -> Result<(), What> {
    for (index, property) in context.step_properties.iter().enumerate() {
        if !in_phase(Phase::StepProperty, machine.eval_root_bool(property.root))? {
            return Err(What::StepProperty(index));
        }
    }
    Ok(())
}

/// Whether the machine's step, to a state within the constraints, is in the model.
pub(crate) fn is_step_in_model(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    machine: &mut Machine<'_, '_>,
) -> Result<bool, What> {
    let seen = run
        .about_successor(machine, |machine| context.board.witnesses.observe(machine, Possible::AboutStates));
    in_phase(Phase::Constraint, seen)?;
    let actions = &context.program().action_constraints;
    if !in_phase(Phase::Constraint, model::all_hold(machine, actions))? {
        return Ok(false);
    }
    in_phase(Phase::Constraint, context.board.witnesses.observe(machine, Possible::AboutSteps))?;
    Ok(true)
}

/// Whether an initial state, whose values the machine has, is in the model; fails with what is wrong with it.
pub(crate) fn judge_initial(context: &Context<'_>, machine: &mut Machine<'_, '_>) -> Result<bool, What> {
    if machine.n_missing() > 0 {
        return Err(What::Incomplete);
    }
    let program = context.program();
    if context.options.checks_properties {
        check_initial(context, machine)?;
    }
    if !in_phase(Phase::Constraint, model::all_hold(machine, &program.constraints))? {
        return Ok(false);
    }
    in_phase(Phase::Constraint, context.board.witnesses.observe(machine, Possible::AboutStates))?;
    let span = machine.fallback_span();
    in_phase(Phase::Init, model::ground(machine, Side::Current).at(span))?;
    Ok(true)
}

/// Checks the invariants in an initial state. TLC: properties of initial states are not checked.
fn check_initial(context: &Context<'_>, machine: &mut Machine<'_, '_>) -> Result<(), What> {
    for (index, root) in context.program().invariants.iter().enumerate() {
        if !in_phase(Phase::Invariant, machine.eval_root_bool(*root))? {
            return Err(What::Invariant(index));
        }
    }
    Ok(())
}

pub(crate) fn in_phase<T>(phase: Phase, result: Evaluated<T>) -> Result<T, What> {
    result.map_err(|fault| What::Fault(phase, fault))
}
