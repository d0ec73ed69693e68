//! Actions taken apart, and code that instances share.
//!
//! TLC knows `\/ A \/ B` as two actions and `\E i \in S : A(i)` as one for each i, but `g /\ (A \/ B)` as one. To code it
//! makes no difference: each way through the choices that come before any step is written becomes code of its own, so
//! that what is known about one way is kept apart from the others. Long code is made once for all elements of a constant
//! set: it reads the element from its parameters.

use std::time::Duration;

use base::{FxHashSet, FxIndexMap};
use cranelift_codegen::ir::Block;
use eval::interp::{ActionInstance, VarSet, reads};
use eval::ir::{IrId, Program};
use value::{Constant, raw};

use crate::code::Compiled;
use crate::emit::Emitter;
use crate::hint::{self, Hint};

/// The most pieces of one action. An action with more is compiled as a whole.
pub(crate) const PIECES_MAX: usize = 512;

/// The least number of nodes for which a choice is taken apart, or shared by the elements of a set.
pub(crate) const PIECE_MIN: usize = 150;

/// Actions on which the interpreter spent less than this part of its time have no code at first, if they have so many nodes.
const RARE_SHARE: u32 = 32;
const RARE_MIN: usize = 150;

/// The most ends of an action that are told apart by what was read, and the most variables that may have been read.
const CLOSINGS_MAX: usize = 6;
const CLOSING_READS_MAX: u32 = 4;

/// The choices on the way to one piece of an action, and those still to be made.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    ways: Vec<Way>,
    /// Number of ways that were taken since the code was begun.
    n_taken: usize,
    /// The choices in the order in which they were met.
    met: Vec<Met>,
    params: Vec<Vec<Constant>>,
    /// Number of parameters of the code before these.
    n_params_before: usize,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    chosen: usize,
    n_ways: usize,
}

#[derive(Clone, Copy, Debug)]
enum Met {
    Way(usize),
    Param(usize),
}

/// One piece of an action with values for its parameters.
#[derive(Debug, Default)]
pub(crate) struct PieceInstance {
    /// The choices that lead to it. Pieces come in the order of these.
    pub key: Vec<usize>,
    pub params: Vec<Constant>,
}

/// Actions that differ in constants only, and share their code if it is long.
pub(crate) struct ActionGroup<'s, 'p> {
    /// The first of them.
    pub action: &'s ActionInstance<'p>,
    /// The slots of the constants in which they differ, and the form of these.
    pub slots: Vec<(u16, Hint)>,
    /// The number of each action, with its values for these slots.
    pub members: Vec<(usize, Vec<Constant>)>,
}

impl<'s, 'p> ActionGroup<'s, 'p> {
    /// Groups actions, in the order of their first members.
    pub fn all(program: &Program, actions: &'s [ActionInstance<'p>]) -> Vec<ActionGroup<'s, 'p>> {
        let mut by_leaf: FxIndexMap<IrId, Vec<usize>> = FxIndexMap::default();
        for (index, action) in actions.iter().enumerate() {
            by_leaf.entry(action.leaf.expr).or_default().push(index);
        }
        let mut groups = Vec::new();
        for (expr, members) in by_leaf {
            let is_long = nodes_of(program, &[expr], PIECE_MIN) >= PIECE_MIN;
            match ActionGroup::shared(actions, &members).filter(|_| is_long) {
                Some(group) => groups.push(group),
                None => groups.extend(members.into_iter().map(|index| ActionGroup {
                    action: &actions[index],
                    slots: Vec::new(),
                    members: vec![(index, Vec::new())],
                })),
            }
        }
        groups
    }

    /// Whether all of them have code that goes on being used.
    pub fn has_code_in(&self, earlier: &Compiled) -> bool {
        self.members.iter().all(|&(index, _)| earlier.kept_pieces(index).is_some())
    }

    /// Returns the numbers of those groups whose code would take long to make, while the interpreter has spent little of
    /// its time on all of them together.
    pub fn find_rare(groups: &[Self], program: &Program, interpreted: &[Duration]) -> FxHashSet<usize> {
        let time = |group: &Self| -> Duration {
            group.members.iter().filter_map(|&(index, _)| interpreted.get(index)).sum()
        };
        let is_long = |group: &Self| nodes_of(program, &[group.action.leaf.expr], RARE_MIN) >= RARE_MIN;
        let mut long: Vec<(Duration, usize)> = groups
            .iter()
            .enumerate()
            .filter(|(_, group)| is_long(group))
            .map(|(number, group)| (time(group), number))
            .collect();
        long.sort_unstable();
        let total: Duration = groups.iter().map(time).sum();
        let mut left = Duration::ZERO;
        let is_rare = |&(time, _): &(Duration, usize)| {
            left += time;
            left * RARE_SHARE < total
        };
        long.into_iter().take_while(is_rare).map(|(_, number)| number).collect()
    }

    /// Makes one group of these actions, if they differ in constants only.
    fn shared(actions: &'s [ActionInstance<'p>], members: &[usize]) -> Option<ActionGroup<'s, 'p>> {
        let first = &actions[*members.first()?];
        let others = || members.iter().map(|&index| &actions[index]);
        let slots_of = |action: &'s ActionInstance<'p>| action.bindings().iter().map(|&(slot, _)| slot);
        let is_alike = |action: &'s ActionInstance<'p>| slots_of(action).eq(slots_of(first));
        if !others().all(is_alike) {
            return None;
        }
        let word = |constant: Constant| raw::word(constant.get());
        let mut slots = Vec::new();
        for (nth, &(slot, constant)) in first.bindings().iter().enumerate() {
            let values: Vec<Constant> = others().map(|action| action.bindings()[nth].1).collect();
            if values.iter().all(|&value| word(value) == word(constant)) {
                continue;
            }
            if !Emitter::are_params(&values) {
                return None;
            }
            slots.push((nth, slot, joined_hint(&values)));
        }
        let params = |index: usize| slots.iter().map(|&(nth, ..)| actions[index].bindings()[nth].1).collect();
        let members = members.iter().map(|&index| (index, params(index))).collect();
        let slots = slots.into_iter().map(|(_, slot, hint)| (slot, hint)).collect();
        Some(ActionGroup { action: first, slots, members })
    }
}

/// Returns the form that all these values have.
pub(crate) fn joined_hint(values: &[Constant]) -> Hint {
    let hints = values.iter().map(|value| hint::of_constant(value.get()));
    hints.reduce(|a, b| hint::join(&a, &b)).unwrap_or(Hint::Unknown)
}

/// Returns the number of nodes of these parts, counted as often as they are used, up to a limit.
pub(crate) fn nodes_of(program: &Program, ids: &[IrId], limit: usize) -> usize {
    let mut todo = ids.to_vec();
    let mut n = 0;
    while let Some(id) = todo.pop() {
        n += 1;
        if n >= limit {
            break;
        }
        program.irs[id].kind.for_each_child(&mut |child| todo.push(child));
    }
    n
}

impl Choices {
    /// Begins with the first piece of code that has so many parameters in any case.
    pub fn new(n_params_before: usize) -> Choices {
        Choices { n_params_before, ..Choices::default() }
    }

    /// Returns the disjunct to take of `n_ways`.
    pub fn way(&mut self, n_ways: usize) -> usize {
        if self.n_taken == self.ways.len() {
            self.ways.push(Way { chosen: 0, n_ways });
        }
        let way = self.ways[self.n_taken];
        debug_assert_eq!(way.n_ways, n_ways, "code is made the same way each time");
        self.n_taken += 1;
        self.met.push(Met::Way(way.chosen));
        way.chosen
    }

    /// Adds a parameter that takes each of these values. Returns its number.
    pub fn param(&mut self, values: Vec<Constant>) -> usize {
        self.params.push(values);
        self.met.push(Met::Param(self.params.len() - 1));
        self.n_params_before + self.params.len() - 1
    }

    /// Number of instances of the piece whose choices were made.
    pub fn n_instances(&self) -> usize {
        self.params.iter().map(Vec::len).product()
    }

    /// Ends a piece: returns its instances, and whether there is another piece.
    pub fn advance(&mut self) -> (Vec<PieceInstance>, bool) {
        let mut instances = vec![PieceInstance { key: Vec::new(), params: Vec::new() }];
        for &met in &self.met {
            match met {
                Met::Way(chosen) => instances.iter_mut().for_each(|instance| instance.key.push(chosen)),
                Met::Param(param) => {
                    let with = |instance: &PieceInstance, (nth, &value): (usize, &Constant)| PieceInstance {
                        key: instance.key.iter().copied().chain([nth]).collect(),
                        params: instance.params.iter().copied().chain([value]).collect(),
                    };
                    let values = &self.params[param];
                    instances = instances
                        .iter()
                        .flat_map(|instance| {
                            values.iter().enumerate().map(move |value| with(instance, value))
                        })
                        .collect();
                }
            }
        }
        (self.n_taken, self.met, self.params) = (0, Vec::new(), Vec::new());
        while let Some(last) = self.ways.last_mut() {
            last.chosen += 1;
            if last.chosen < last.n_ways {
                return (instances, true);
            }
            self.ways.pop();
        }
        (instances, false)
    }
}

impl Emitter<'_, '_, '_> {
    /// Returns the block where an action ends that is not possible because of the variables that were read so far.
    pub fn closing(&mut self) -> Option<Block> {
        let reads = self.reads.bits();
        if let Some(&(_, known)) = self.closings.iter().find(|(known, _)| *known == reads) {
            return Some(known);
        }
        if !self.can_close(self.reads) {
            return None;
        }
        let block = self.block();
        self.closings.push((reads, block));
        Some(block)
    }

    /// Whether it pays to test whether there is any way at all before each is walked: then what it reads tells in which other
    /// states there is none.
    pub fn is_tested_first(&self, id: IrId, done: Block) -> bool {
        let read = || reads(self.program, id);
        self.is_first_way(done)
            && self.size(&[id], PIECE_MIN) < PIECE_MIN
            && read().is_some_and(|read| self.can_close(self.reads.with(read)))
    }

    /// Whether an action can have one more end that is kept by what was read.
    pub fn can_close(&self, reads: VarSet) -> bool {
        let n_reads = reads.bits().count_ones();
        let is_some = (n_reads as usize) < self.program.variables.len();
        is_some && self.closings.len() < CLOSINGS_MAX && (1..=CLOSING_READS_MAX).contains(&n_reads)
    }

    /// Whether the values of a set can be parameters of code.
    pub fn are_params(values: &[Constant]) -> bool {
        !values.is_empty() && values.iter().all(|value| Self::const_id(value.get()).is_some())
    }
}

#[cfg(test)]
mod tests {
    use value::{Constant, Value};

    use super::Choices;

    fn ints(ints: &[i32]) -> Vec<Constant> {
        let int = |&int: &i32| Constant::opt_inline(Value::small(int)).expect("a small integer is a word");
        ints.iter().map(int).collect()
    }

    #[test]
    fn every_way_is_taken_once_and_in_order() {
        // (A \/ (\E x \in {5, 6} : B \/ C)) as keys of choices.
        let mut choices = Choices::default();
        let mut keys = Vec::new();
        loop {
            if choices.way(2) == 1 {
                choices.param(ints(&[5, 6]));
                choices.way(2);
            }
            let (instances, is_more) = choices.advance();
            keys.extend(instances.into_iter().map(|instance| instance.key));
            if !is_more {
                break;
            }
        }
        keys.sort();
        assert_eq!(keys, [vec![0], vec![1, 0, 0], vec![1, 0, 1], vec![1, 1, 0], vec![1, 1, 1]]);
    }
}
