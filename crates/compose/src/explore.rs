//! The states of one composition, made on demand, with the part of each that the target can observe.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::{FxHashMap, FxHashSet, FxIndexSet};
use diag::{Code, Diagnostic};
use eval::Run;
use eval::interp::{ActionInstance, Evaluated, Flow, Machine, Shared};
use model::{Ended, Model, QuietRun, Side as StateSide, all_hold, intern_made};
use trace::Step;
use value::{Interner, Region, Value, ValueId};

/// The number of a state of one side.
pub(crate) type StateIdx = u32;
/// The number of the observable part of a state, the same for both sides.
pub(crate) type ShownId = u32;

/// The reason why an exploration stops.
#[derive(Debug)]
pub enum Stop {
    /// There are more states than may be kept.
    TooLarge,
    Interrupted,
    /// The specification has an error.
    Wrong(Box<Diagnostic>),
}

/// The observable parts of states seen so far. Both sides share it, so that equal numbers mean equal values.
#[derive(Debug, Default)]
pub(crate) struct ShownTable {
    known: FxIndexSet<Box<[ValueId]>>,
}

impl ShownTable {
    fn number(&mut self, values: Box<[ValueId]>) -> ShownId {
        self.known.insert_full(values).0 as ShownId
    }

    pub(crate) fn values(&self, shown: ShownId) -> &[ValueId] {
        &self.known[shown as usize]
    }
}

/// The limits of an exploration.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// Number of states that each side may have.
    pub states_max: usize,
    /// Number of bytes for values that are being computed.
    pub memory_bytes_max: usize,
    /// Time for the exploration: the first half for all behaviours, the rest for walks if the behaviours are
    /// too many.
    pub time_max: Duration,
    pub clock: &'a (dyn base::Clock + Sync),
    pub interrupted: &'a AtomicBool,
}

/// The phase of an exploration, which decides how long it may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    All,
    Walks,
    /// Behaviours are made of what was found.
    Finish,
}

/// The run around an evaluation: nothing is printed, and nothing is random.
pub(crate) struct ExploreRun<'a> {
    model: Model<'a>,
    bounds: Bounds<'a>,
    pub(crate) phase: Cell<Phase>,
}

impl ExploreRun<'_> {
    /// Whether the time of the phase is used up.
    pub(crate) fn is_late(&self) -> bool {
        let Bounds { time_max, clock, .. } = self.bounds;
        match self.phase.get() {
            Phase::All => clock.elapsed() > time_max / 2,
            Phase::Walks => clock.elapsed() > time_max,
            Phase::Finish => false,
        }
    }
}

impl Run for ExploreRun<'_> {
    fn place(&self, span: diag::Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        self.bounds.interrupted.load(Ordering::Relaxed)
    }
}

impl QuietRun for ExploreRun<'_> {
    fn region(&self) -> Region {
        Region::with_limit(self.bounds.memory_bytes_max)
    }

    fn set_quiet(&self, _: bool) -> bool {
        true
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

/// A step to another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) to: StateIdx,
    pub(crate) action: u32,
}

/// The context of one side's exploration, which all its parts read.
pub(crate) struct SideContext<'a> {
    pub(crate) model: Model<'a>,
    pub(crate) shared: Shared,
    pub(crate) run: ExploreRun<'a>,
    /// For each variable that the target can observe, its index in a state.
    pub(crate) columns: Vec<usize>,
}

impl<'a> SideContext<'a> {
    /// Prepares one side. `visible` are the names of the variables that the target can observe.
    pub(crate) fn new(model: Model<'a>, bounds: Bounds<'a>, visible: &[String]) -> SideContext<'a> {
        let name = |index: usize| model.spec.names.text(model.program.variables[index]);
        let column = |wanted: &String| (0..model.program.variables.len()).find(|&at| name(at) == wanted);
        let columns = visible.iter().filter_map(column).collect();
        let run = ExploreRun { model, bounds, phase: Cell::new(Phase::All) };
        SideContext { model, shared: Shared::new(model.program), run, columns }
    }

    pub(crate) fn actions(&'a self) -> Result<Vec<ActionInstance<'a>>, Stop> {
        model::prepare(self.model, &self.shared, &self.run).map_err(|ended| self.stop_for(ended))
    }

    fn stop_for(&self, ended: Ended) -> Stop {
        let headline = "a composition cannot be explored: it ends before its first state";
        let help = "see what `specline check` says of it";
        match ended {
            Ended::NoVerdict(model::NoVerdict::Interrupted) => Stop::Interrupted,
            Ended::Verdict(_) | Ended::NoVerdict(_) => {
                Stop::Wrong(Box::new(Diagnostic::without_place(Code::CompositionFile, headline).help(help)))
            }
        }
    }
}

/// One composition while it is explored.
pub(crate) struct Explored<'a> {
    pub(crate) context: &'a SideContext<'a>,
    actions: Vec<ActionInstance<'a>>,
    states: Vec<Box<[ValueId]>>,
    numbers: FxHashMap<Box<[ValueId]>, StateIdx>,
    shown: Vec<ShownId>,
    successors: Vec<Option<Rc<[Edge]>>>,
    pub(crate) initial: Vec<StateIdx>,
}

impl<'a> Explored<'a> {
    /// Makes the initial states.
    pub(crate) fn new(context: &'a SideContext<'a>, table: &mut ShownTable) -> Result<Explored<'a>, Stop> {
        let actions = context.actions()?;
        let mut explored = Explored {
            context,
            actions,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            shown: Vec::new(),
            successors: Vec::new(),
            initial: Vec::new(),
        };
        let region = context.run.region();
        let program = context.model.program;
        let mut machine = Machine::new(program, &context.shared, &region, &context.run);
        let mut made: Vec<Vec<ValueId>> = Vec::new();
        let mut is_complete = true;
        let walked = machine.initial_states(&program.init, &mut |machine| {
            match intern_made(machine, StateSide::Current) {
                Some(ids) if all_hold(machine, &program.constraints)? => made.push(ids),
                Some(_) => {}
                None => is_complete = false,
            }
            Ok(if is_complete { Flow::Continue } else { Flow::Stop })
        });
        explored.check(&walked, is_complete)?;
        for ids in made {
            let state = explored.add(ids, table)?;
            if !explored.initial.contains(&state) {
                explored.initial.push(state);
            }
        }
        Ok(explored)
    }

    pub(crate) fn n_states(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn shown(&self, state: StateIdx) -> ShownId {
        self.shown[state as usize]
    }

    pub(crate) fn action_name(&self, action: u32) -> &str {
        self.context.model.spec.names.text(self.actions[action as usize].leaf.name)
    }

    fn check(&self, walked: &Evaluated<Flow>, is_complete: bool) -> Result<(), Stop> {
        match walked {
            Err(_) if self.context.run.is_over() => Err(Stop::Interrupted),
            Err(fault) => Err(Stop::Wrong(Box::new(model::fault_diagnostic(self.context.model, fault)))),
            Ok(_) if !is_complete => {
                let headline = "a composition cannot be explored: a step leaves a variable without a value";
                let help = "see what `specline check` says of it";
                Err(Stop::Wrong(Box::new(
                    Diagnostic::without_place(Code::CompositionFile, headline).help(help),
                )))
            }
            Ok(_) => Ok(()),
        }
    }

    fn add(&mut self, ids: Vec<ValueId>, table: &mut ShownTable) -> Result<StateIdx, Stop> {
        let ids = ids.into_boxed_slice();
        if let Some(&known) = self.numbers.get(&ids) {
            return Ok(known);
        }
        if self.states.len() >= self.context.run.bounds.states_max || self.context.run.is_late() {
            return Err(Stop::TooLarge);
        }
        if self.context.run.is_over() {
            return Err(Stop::Interrupted);
        }
        let state = self.states.len() as StateIdx;
        let shown = table.number(self.context.columns.iter().map(|&column| ids[column]).collect());
        self.numbers.insert(ids.clone(), state);
        self.states.push(ids);
        self.shown.push(shown);
        self.successors.push(None);
        Ok(state)
    }

    /// Returns the steps from a state, each target once for each action.
    pub(crate) fn successors(&mut self, state: StateIdx, table: &mut ShownTable) -> Result<Rc<[Edge]>, Stop> {
        if let Some(known) = &self.successors[state as usize] {
            return Ok(Rc::clone(known));
        }
        let context = self.context;
        let program = context.model.program;
        let region = context.run.region();
        let mut machine = Machine::new(program, &context.shared, &region, &context.run);
        machine.set_state(values(&self.states[state as usize]));
        let mut made: Vec<(Vec<ValueId>, u32)> = Vec::new();
        let mut is_complete = true;
        for (at, action) in self.actions.iter().enumerate() {
            let walked = machine.step(action, &mut |machine| {
                match intern_made(machine, StateSide::Next) {
                    Some(ids) if is_in_model(machine)? => made.push((ids, at as u32)),
                    Some(_) => {}
                    None => is_complete = false,
                }
                Ok(if is_complete { Flow::Continue } else { Flow::Stop })
            });
            self.check(&walked, is_complete)?;
        }
        drop(machine);
        let mut edges: FxIndexSet<(StateIdx, u32)> = FxIndexSet::default();
        for (ids, action) in made {
            edges.insert((self.add(ids, table)?, action));
        }
        let edges: Rc<[Edge]> = edges.into_iter().map(|(to, action)| Edge { to, action }).collect();
        self.successors[state as usize] = Some(Rc::clone(&edges));
        Ok(edges)
    }

    /// Returns what a step is called, with its parameters.
    fn step_between(&self, from: StateIdx, edge: Edge) -> Option<Step> {
        let context = self.context;
        let region = context.run.region();
        let program = context.model.program;
        let mut machine = Machine::new(program, &context.shared, &region, &context.run);
        machine.set_recording(true);
        machine.set_state(values(&self.states[from as usize]));
        let action = &self.actions[edge.action as usize];
        let wanted = &self.states[edge.to as usize];
        let mut found = None;
        let walked = machine.step(action, &mut |machine| {
            if intern_made(machine, StateSide::Next).is_some_and(|ids| ids[..] == wanted[..]) {
                found = Some(model::step(context.model.spec, machine, action));
                return Ok(Flow::Stop);
            }
            Ok(Flow::Continue)
        });
        walked.ok().and(found)
    }

    /// Returns a shortest behaviour in which a target sees exactly this, as the steps between: those that it does not
    /// see, then the one that it does. `None` if there is none within the states that may be kept.
    pub(crate) fn behaviour(&mut self, seen: &[ShownId], table: &mut ShownTable) -> Option<Vec<SeenStep>> {
        type SearchNode = (StateIdx, usize);
        let first = *seen.first()?;
        let mut from: FxHashMap<SearchNode, Option<(SearchNode, Edge)>> = FxHashMap::default();
        let mut queue: VecDeque<SearchNode> = VecDeque::new();
        for &state in &self.initial {
            if self.shown(state) == first && from.insert((state, 0), None).is_none() {
                queue.push_back((state, 0));
            }
        }
        let mut end = queue.iter().copied().find(|_| seen.len() == 1);
        while end.is_none() {
            let (state, at) = queue.pop_front()?;
            for &edge in self.successors(state, table).ok()?.iter() {
                let shown = self.shown(edge.to);
                let next = match shown == seen[at] {
                    true => (edge.to, at),
                    false if shown == seen[at + 1] => (edge.to, at + 1),
                    false => continue,
                };
                if from.contains_key(&next) {
                    continue;
                }
                from.insert(next, Some(((state, at), edge)));
                if next.1 + 1 == seen.len() {
                    end = Some(next);
                    break;
                }
                queue.push_back(next);
            }
        }
        let mut place = end?;
        let mut way = Vec::new();
        while let Some((before, edge)) = from[&place] {
            way.push((before, edge, place.1));
            place = before;
        }
        way.reverse();
        Some(self.seen_steps(&way))
    }

    fn seen_steps(&self, way: &[((StateIdx, usize), Edge, usize)]) -> Vec<SeenStep> {
        let mut steps: Vec<SeenStep> = Vec::new();
        let mut hidden = Vec::new();
        for &((state, at), edge, after) in way {
            let step = self.step_between(state, edge);
            match after > at {
                true => steps.push(SeenStep { hidden: std::mem::take(&mut hidden), step }),
                false => hidden.push(step),
            }
        }
        steps
    }
}

/// A step that the target sees, and those before it that it does not see.
#[derive(Clone, Debug)]
pub(crate) struct SeenStep {
    pub(crate) hidden: Vec<Option<Step>>,
    pub(crate) step: Option<Step>,
}

/// Whether the constraints allow the successor that was just made.
fn is_in_model(machine: &mut Machine<'_, '_>) -> Evaluated<bool> {
    let program = machine.program();
    let is_inside = machine.in_next(|machine| all_hold(machine, &program.constraints))?;
    Ok(is_inside && all_hold(machine, &program.action_constraints)?)
}

fn values<'r>(ids: &[ValueId]) -> impl Iterator<Item = Value<'r>> {
    ids.iter().map(|&id| Interner::shared().value(id))
}

/// The sets of states that one side can be in, given what a target has seen; each set once.
#[derive(Debug, Default)]
pub(crate) struct SetTable {
    sets: FxIndexSet<Box<[StateIdx]>>,
    moves: FxHashMap<u32, Rc<[(ShownId, u32)]>>,
}

impl SetTable {
    pub(crate) fn states(&self, set: u32) -> &[StateIdx] {
        &self.sets[set as usize]
    }

    /// Returns the number of the set of these states and of all states that steps lead to from them without a
    /// change that the target observes.
    pub(crate) fn close(
        &mut self,
        states: &[StateIdx],
        side: &mut Explored<'_>,
        table: &mut ShownTable,
    ) -> Result<u32, Stop> {
        let mut seen: FxHashSet<StateIdx> = states.iter().copied().collect();
        let mut todo: Vec<StateIdx> = states.to_vec();
        let mut all: Vec<StateIdx> = Vec::new();
        while let Some(state) = todo.pop() {
            all.push(state);
            for edge in side.successors(state, table)?.iter() {
                if side.shown(edge.to) == side.shown(state) && seen.insert(edge.to) {
                    todo.push(edge.to);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(self.sets.insert_full(all.into_boxed_slice()).0 as u32)
    }

    /// Returns what a target can see next, with the set of states that the side is in then, by number.
    pub(crate) fn moves(
        &mut self,
        set: u32,
        side: &mut Explored<'_>,
        table: &mut ShownTable,
    ) -> Result<Rc<[(ShownId, u32)]>, Stop> {
        if let Some(known) = self.moves.get(&set) {
            return Ok(Rc::clone(known));
        }
        let mut by_shown: std::collections::BTreeMap<ShownId, Vec<StateIdx>> =
            std::collections::BTreeMap::new();
        for state in self.states(set).to_vec() {
            for edge in side.successors(state, table)?.iter() {
                let shown = side.shown(edge.to);
                if shown != side.shown(state) {
                    by_shown.entry(shown).or_default().push(edge.to);
                }
            }
        }
        let mut moves = Vec::new();
        for (shown, mut states) in by_shown {
            states.sort_unstable();
            states.dedup();
            moves.push((shown, self.close(&states, side, table)?));
        }
        let moves: Rc<[(ShownId, u32)]> = moves.into();
        self.moves.insert(set, Rc::clone(&moves));
        Ok(moves)
    }
}
