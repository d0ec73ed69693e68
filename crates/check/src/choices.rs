//! Alternatives to the steps that led to a state, and the definitions through which each step went.
//!
//! A search keeps neither. Each state on the way is expanded once more, and what a constraint cuts off is no choice.

use base::FxHashSet;
use eval::interp::{ActionInstance, Flow, Machine};
use model::blocked::failing_constraint;
use model::{Side, intern_made, step};
use trace::Step;
use value::ValueId;

use crate::context::Context;
use crate::rebuild::load;
use crate::rebuild::path;
use crate::run::WorkerRun;
use crate::space::Handle;

/// So many other steps from a state are told.
const OTHERS_MAX: usize = 8;

/// A step of a behaviour, and those that could have been taken instead of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The definitions about steps that the step went through, in the order in which it came to them.
    pub via: Vec<String>,
    /// Steps to other states.
    pub others: Vec<Step>,
    /// Number of other choices; only a few of them are reported.
    pub n_others: usize,
}

/// One for each step of the behaviour to `handle` after its first `n_before` states.
pub(crate) fn choices<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    (handle, n_before): (Handle, usize),
) -> Vec<Choice> {
    let states = path(context.space, handle);
    let steps = states.iter().zip(states.iter().skip(1)).enumerate().skip(n_before);
    steps.map(|(index, (&from, &to))| choice(context, run, (from, to), index as u32 + 1)).collect()
}

fn choice<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    (from, to): (Handle, Handle),
    level: u32,
) -> Choice {
    let mut taken = vec![ValueId::from_bits(0); context.space.n_variables()];
    context.space.state(to, &mut taken);
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    machine.set_recording(true);
    run.expand(level, Some(from));
    load(context, &mut machine, from);
    let mut found = Choice::default();
    let mut known: FxHashSet<Vec<ValueId>> = FxHashSet::default();
    for action in context.actions {
        let walked = machine.step(action, &mut |machine| {
            if let Some(ids) = intern_made(machine, Side::Next) {
                found.meet(context, machine, action, (ids == taken, known.insert(ids)));
            }
            Ok(Flow::Continue)
        });
        // What cannot be evaluated was told when the search came to it.
        if walked.is_err() {
            break;
        }
    }
    found
}

impl Choice {
    /// A step that was made again: whether it is the one that was taken, and whether it leads where no other did.
    fn meet<'a>(
        &mut self,
        context: &'a Context<'a>,
        machine: &mut Machine<'a, '_>,
        action: &ActionInstance<'a>,
        (is_taken, is_new): (bool, bool),
    ) {
        if is_taken && self.via.is_empty() {
            let names = machine.actions_passed().into_iter();
            let spec = context.spec();
            self.via = names.map(|def| spec.names.text(spec.defs[def].name).to_owned()).collect();
        }
        if !is_taken && is_new && failing_constraint(context.model, machine).is_none() {
            self.n_others += 1;
            if self.others.len() < OTHERS_MAX {
                self.others.push(step(context.spec(), machine, action));
            }
        }
    }
}
