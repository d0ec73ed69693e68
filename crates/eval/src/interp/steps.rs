//! Expands the next-state relation over its constant bounds into the actions that a search runs.

use value::{Constant, check_room};

use super::fault::{At, Evaluated};
use super::{Flow, Machine, NO_LINK};
use crate::ir::{ActionLeaf, ActionTree, Bound, IrId, Memo, Program};

/// Number of words that an instance takes in memory, besides its bindings.
const INSTANCE_WORDS: usize = 16;

/// One action with its constant parameters. A search tries these in every state, in this order.
#[derive(Debug)]
pub struct ActionInstance<'p> {
    pub leaf: &'p ActionLeaf,
    /// Bound names on the way, by slot.
    pub(super) bindings: Vec<(u16, Constant)>,
    /// Memo slots on the way, emptied before each use.
    pub(super) memos: Vec<Memo>,
    pub(super) n_slots: u16,
}

/// Expands the next-state relation. The parts that this evaluates need no state.
pub fn action_instances<'p>(
    program: &'p Program,
    machine: &mut Machine<'p, '_>,
) -> Evaluated<Vec<ActionInstance<'p>>> {
    let Some((tree, n_slots)) = &program.next else { return Ok(Vec::new()) };
    let mut expansion =
        ActionExpansion { instances: Vec::new(), bindings: Vec::new(), memos: Vec::new(), n_slots: *n_slots };
    machine.with_frame(*n_slots, NO_LINK, |machine| expansion.expand(machine, tree))?;
    Ok(expansion.instances)
}

/// Returns the actions of [`Program::rules`], which have no constant bounds to expand.
pub fn rule_instances(program: &Program) -> Vec<ActionInstance<'_>> {
    program
        .rules
        .iter()
        .map(|(leaf, n_slots)| ActionInstance {
            leaf,
            bindings: Vec::new(),
            memos: Vec::new(),
            n_slots: *n_slots,
        })
        .collect()
}

struct ActionExpansion<'p> {
    instances: Vec<ActionInstance<'p>>,
    bindings: Vec<(u16, Constant)>,
    memos: Vec<Memo>,
    n_slots: u16,
}

impl<'p> ActionExpansion<'p> {
    fn expand(&mut self, machine: &mut Machine<'p, '_>, tree: &'p ActionTree) -> Evaluated<()> {
        match tree {
            ActionTree::Or(branches) => branches.iter().try_for_each(|branch| self.expand(machine, branch)),
            ActionTree::Exists { bounds, body, whole } => {
                let before = (self.instances.len(), self.bindings.len(), self.memos.len());
                match self.expand_exists(machine, bounds, body) {
                    Err(fault) if fault.kind.is_limit() => Err(match (bounds.first(), whole.def) {
                        (Some(bound), Some(def)) => machine.add_inlined_call(fault, bound.set, def),
                        (None, _) | (_, None) => fault,
                    }),
                    // TLC: bounds without a value are no error before a state is asked for its successors.
                    Err(_) => {
                        self.instances.truncate(before.0);
                        self.bindings.truncate(before.1);
                        self.memos.truncate(before.2);
                        self.add_instance(machine, whole)
                    }
                    Ok(()) => Ok(()),
                }
            }
            ActionTree::Bind { memos, body } => {
                let n_before = self.memos.len();
                self.memos.extend_from_slice(memos);
                machine.reset(memos, true);
                self.expand(machine, body)?;
                self.memos.truncate(n_before);
                Ok(())
            }
            ActionTree::Leaf(leaf) => self.add_instance(machine, leaf),
        }
    }

    fn expand_exists(
        &mut self,
        machine: &mut Machine<'p, '_>,
        bounds: &'p [Bound],
        body: &'p ActionTree,
    ) -> Evaluated<()> {
        let slots: Vec<u16> = bounds.iter().flat_map(|bound| bound.pattern.slots()).copied().collect();
        let Some(place) = bounds.first().map(|bound| bound.set) else { return self.expand(machine, body) };
        machine.for_each_binding(bounds, place, &mut |machine| {
            let n_before = self.bindings.len();
            for &slot in &slots {
                let value = machine.slot_constant(slot, place)?;
                self.bindings.push((slot, value));
            }
            self.expand(machine, body)?;
            self.bindings.truncate(n_before);
            Ok(Flow::Continue)
        })?;
        Ok(())
    }

    fn add_instance(&mut self, machine: &mut Machine<'p, '_>, leaf: &'p ActionLeaf) -> Evaluated<()> {
        let n_words = INSTANCE_WORDS + 2 * self.bindings.len() + self.memos.len();
        check_room(machine, n_words.saturating_mul(self.instances.len())).at(leaf.span)?;
        let (bindings, memos) = (self.bindings.clone(), self.memos.clone());
        self.instances.push(ActionInstance { leaf, bindings, memos, n_slots: self.n_slots });
        Ok(())
    }
}

impl<'p, 'r> Machine<'p, 'r> {
    /// Returns the value of a slot of the current frame, kept forever.
    pub(super) fn slot_constant(&mut self, slot: u16, place: IrId) -> Evaluated<Constant> {
        let span = self.span(place);
        let value = self.read_slot(crate::ir::SlotRef { up: 0, index: slot }, place)?;
        Constant::new(self, value).at(span)
    }

    /// Calls `found` for each successor of the current state by `action`. The values of the next state are then in
    /// [`Machine::next`]. If some are missing ([`Machine::n_missing`]), the action leaves them open.
    pub fn step(
        &mut self,
        action: &ActionInstance<'p>,
        found: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        self.with_frame(action.n_slots, NO_LINK, |machine| {
            for &(slot, value) in &action.bindings {
                machine.set_slot(slot, value.get());
            }
            machine.reset(&action.memos, true);
            if machine.watch.is_counting {
                return machine.count_step(action, found);
            }
            machine
                .successors(action.leaf.expr, found)
                .map_err(|fault| machine.add_action(fault, action.leaf))
        })
    }

    #[cold]
    fn count_step(
        &mut self,
        action: &ActionInstance<'p>,
        found: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        let mut n_states = 0;
        let flow = self.successors(action.leaf.expr, &mut |machine| {
            n_states += 1;
            found(machine)
        });
        self.count_states(action.leaf.expr, n_states);
        flow.map_err(|fault| self.add_action(fault, action.leaf))
    }
}
