//! The graph of what a search has found: made after it, by one worker that goes through the states again in the order in
//! which the search found them, and stops where the search did.
//!
//! It keeps its own table of states and touches nothing of the search. That both came to the same number of states
//! is checked: a graph that is not the search's is refused.

use base::FxHashMap;
use diag::{Code, Diagnostic};
use eval::interp::{ActionInstance, Evaluated, Flow, Machine, Shared};
use eval::ir::{CallArg, IrId, IrKind, Root};
use model::coverage::reach::{actions, reachable};
use model::prepare::prepare_again;
use model::{Evaluation, Model, STACK_BYTES, Side, all_hold, datum, intern_made, quietly};
use report::graph::{State, StateGraph, Step, Value as Shown};
use sema::std_ops::{Effect, StdOp};
use value::{Interner, Value, ValueId};

use crate::answer::Counts;
use crate::context::Context;
use crate::expand::Expander;
use crate::observe::Silent;
use crate::options::{Options, Search};
use crate::prepare::{Parts, symmetry};
use crate::run::{Board, WorkerRun};
use crate::space::Space;

/// Options of a graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphWish {
    /// Largest number of states.
    pub states_max: usize,
    /// Whether violations are marked: not needed where a search found none.
    pub marks_violations: bool,
    /// Whether states are kept that a constraint leaves out, and the steps to them.
    pub keeps_outside: bool,
}

/// Why there can be no graph of a search with these options, which is known before it.
pub fn no_graph(model: Model<'_>, options: &Options<'_>) -> Option<Box<Diagnostic>> {
    match options.search {
        Search::BreadthFirst => {}
        Search::DepthFirst => {
            return Some(refuse("it goes with breadth-first search, in whose order states are numbered"));
        }
    }
    let span = unrepeatable(model)?;
    let headline = "no graph: the specification need not do the same when it is explored again";
    let label = "this is random, or reads the run or the world around it";
    Some(Box::new(Diagnostic::new(Code::NoGraph, span, headline).label(label)))
}

/// The graph of what a search with these options has found that ended with these counts; or why there is none.
pub fn state_graph(
    model: Model<'_>,
    options: &Options<'_>,
    (wish, counts): (GraphWish, Counts),
) -> Result<StateGraph, Box<Diagnostic>> {
    if let Some(reason) = no_graph(model, options) {
        return Err(reason);
    }
    base::on_deep_stack(STACK_BYTES, || explore_graph(model, options, (wish, counts)))
}

fn refuse(reason: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::without_place(Code::NoGraph, format!("no graph: {reason}")))
}

/// Something that may be different when it is evaluated again.
fn unrepeatable(model: Model<'_>) -> Option<diag::Span> {
    let program = model.program;
    let roots = program.init.iter().chain(&program.constraints).chain(&program.action_constraints);
    let roots = roots.chain(program.view.iter()).map(|root| root.expr);
    let globals = program.globals.iter().map(|global| global.expr);
    let used = reachable(program, roots.chain(globals).chain(actions(program)));
    used.into_iter().find(|&id| is_unrepeatable(model, id)).map(|id| program.irs[id].span)
}

/// The properties that do something, or may be different when they are evaluated again.
fn unrepeatable_properties(model: Model<'_>) -> Vec<Root> {
    let program = model.program;
    let steps = program.step_properties.iter().map(|property| &property.root);
    let properties = program.invariants.iter().chain(&program.implied_inits).chain(steps);
    let is_unmarked =
        |root: &&Root| reachable(program, [root.expr]).into_iter().any(|id| is_unrepeatable(model, id));
    properties.filter(is_unmarked).copied().collect()
}

fn is_unrepeatable(model: Model<'_>, id: IrId) -> bool {
    let ir = &model.program.irs[id];
    let IrKind::Native { op, args } = &ir.kind else { return false };
    let of_args = args.iter().fold(eval::ir::Facts::default(), |facts, arg| match arg {
        CallArg::Expr(expr) => facts.or(model.program.irs[*expr].facts),
        CallArg::Func(_) | CallArg::Param(_) => facts,
    });
    // What only an argument of it is has a node of its own.
    let is_own = (ir.facts.impure && !of_args.impure) || (ir.facts.dynamic && !of_args.dynamic);
    let is_harmless = op.has_effect(Effect::Prints)
        || op.has_effect(Effect::Asserts)
        || *op == StdOp::TlcGet && model.spec.sources.text(ir.span).contains("\"level\"");
    is_own && !is_harmless
}

fn explore_graph(
    model: Model<'_>,
    options: &Options<'_>,
    (wish, counts): (GraphWish, Counts),
) -> Result<StateGraph, Box<Diagnostic>> {
    let program = model.program;
    let board = Board::new(options, &Silent, std::time::Duration::ZERO);
    let space = Space::new(program.variables.len(), Some(1));
    let shared = Shared::with_counters(program, false);
    let run = WorkerRun::preparing(&board, &space, model);
    let made = quietly(&run, || {
        prepare_again(Evaluation { model, shared: &shared, run: &run }, |machine| {
            symmetry(model, machine, &mut Vec::new())
        })
    });
    let names = program.variables.iter().map(|&name| model.spec.names.text(name).to_owned());
    let graph = StateGraph { variables: names.collect(), ..StateGraph::default() };
    // What ends before the first state has a graph without states.
    let Some((actions, symmetry)) = made.ok().filter(|_| counts.generated > 0) else { return Ok(graph) };
    let parts = Parts::new(model, (&shared, &board), (actions, (symmetry, None)));
    let context = parts.context(&space, None);
    let run = WorkerRun::new(&context, 0);
    let explorer = Explorer {
        context: &context,
        run: &run,
        wish,
        counts,
        unmarked: unrepeatable_properties(model),
        graph,
        ids: Vec::new(),
        numbers: FxHashMap::default(),
        n_generated: 0,
        n_in_model: 0,
        ended: None,
    };
    run.quietly(|| explorer.explore())
}

/// Why not everything is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// There are more states than are wanted.
    Cut,
    /// The search ended here.
    WithSearch,
}

struct Explorer<'a> {
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    wish: GraphWish,
    /// Those of the search.
    counts: Counts,
    /// Properties that are not evaluated again.
    unmarked: Vec<Root>,
    graph: StateGraph,
    /// The values of each state of the graph.
    ids: Vec<Vec<ValueId>>,
    /// The index of each state by what it is compared by.
    numbers: FxHashMap<Vec<ValueId>, usize>,
    n_generated: u64,
    n_in_model: u64,
    ended: Option<Ended>,
}

impl<'a> Explorer<'a> {
    fn explore(mut self) -> Result<StateGraph, Box<Diagnostic>> {
        self.initial();
        let depth_max = self.context.board.options.depth_max;
        let mut index = 0;
        while index < self.graph.states.len() && self.ended.is_none() {
            let State { level, is_in_model, .. } = self.graph.states[index];
            if is_in_model && depth_max.is_none_or(|max| level < max) {
                self.expand(index);
            }
            index += 1;
        }
        self.finish()
    }

    fn initial(&mut self) {
        let region = self.context.board.region();
        let context = self.context;
        let mut machine = Machine::new(context.program(), context.shared, &region, self.run);
        self.run.expand(0, None);
        let walked =
            machine.initial_states(&context.program().init, &mut |machine| Ok(self.add_found(machine, None)));
        self.end_with(&walked);
    }

    fn expand(&mut self, index: usize) {
        let region = self.context.board.region();
        let context = self.context;
        let mut machine = Machine::new(context.program(), context.shared, &region, self.run);
        machine.set_recording(true);
        machine.set_state(values(&self.ids[index]));
        self.run.expand(self.graph.states[index].level, None);
        let n_before = self.n_generated;
        for action in context.actions {
            let walked =
                machine.step(action, &mut |machine| Ok(self.add_found(machine, Some((index, action)))));
            self.end_with(&walked);
            if self.ended.is_some() {
                return;
            }
        }
        self.n_generated += machine.take_intermediate() as u64;
        self.graph.states[index].is_expanded = true;
        let is_deadlock = self.n_generated == n_before && context.board.options.check_deadlock;
        if is_deadlock && self.wish.marks_violations {
            self.graph.states[index].violates.push("Deadlock".to_owned());
        }
    }

    /// The search ended where a walk cannot go on.
    fn end_with(&mut self, walked: &Evaluated<Flow>) {
        if !matches!(walked, Ok(Flow::Continue)) {
            self.ended.get_or_insert(Ended::WithSearch);
        }
    }

    /// An initial state, or a successor by a step of an action from the state of this index.
    fn add_found<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        from: Option<(usize, &ActionInstance<'a>)>,
    ) -> Flow {
        self.n_generated += machine.take_intermediate() as u64;
        if self.n_generated >= self.counts.generated {
            self.ended = Some(Ended::WithSearch);
            return Flow::Stop;
        }
        self.n_generated += 1;
        let Some(ids) = intern_made(machine, Side::made_by(from)) else {
            self.ended = Some(Ended::WithSearch);
            return Flow::Stop;
        };
        let Ok(Some(looked)) = self.look_at(machine, from.is_none()) else {
            self.ended = Some(Ended::WithSearch);
            return Flow::Stop;
        };
        let Some(to) = self.add((ids, looked), from) else {
            return if self.ended.is_some() { Flow::Stop } else { Flow::Continue };
        };
        if let Some((from, action)) = from {
            self.add_step(machine, (from, to), action);
        }
        Flow::Continue
    }

    /// Whether it is marked where this property is violated.
    fn marks(&self, property: &Root) -> bool {
        self.wish.marks_violations && !self.unmarked.iter().any(|known| known.expr == property.expr)
    }

    /// Returns the facts about the state that was just made; `None` if it has nothing that it can be compared by.
    fn look_at<'r>(&self, machine: &mut Machine<'a, 'r>, is_initial: bool) -> Evaluated<Option<Looked>> {
        let (context, run) = (self.context, self.run);
        let program = context.program();
        let about_state = |machine: &mut Machine<'a, 'r>| {
            let is_in_model = all_hold(machine, &program.constraints)?;
            let key = if is_in_model && context.identity().is_derived() {
                key(context, run, machine)
            } else {
                None
            };
            if is_in_model && context.identity().is_derived() && key.is_none() {
                return Ok(None);
            }
            let mut violates = Vec::new();
            let initial = if is_initial { &program.implied_inits[..] } else { &[] };
            for root in program.invariants.iter().chain(initial).filter(|root| self.marks(root)) {
                if matches!(machine.eval_root_bool(*root), Ok(false)) {
                    violates.push(context.root_name(root));
                }
            }
            Ok(Some(Looked { is_in_model, key, violates }))
        };
        if is_initial {
            return run.about_successor(|| about_state(machine));
        }
        let Some(looked) = run.about_successor(|| machine.in_next(about_state))? else { return Ok(None) };
        let is_in_model = looked.is_in_model && all_hold(machine, &program.action_constraints)?;
        Ok(Some(Looked { is_in_model, ..looked }))
    }

    /// The index of the state; nothing if it does not belong into the graph.
    fn add(
        &mut self,
        (ids, looked): (Vec<ValueId>, Looked),
        from: Option<(usize, &ActionInstance<'a>)>,
    ) -> Option<usize> {
        let Looked { is_in_model, key, violates } = looked;
        // One that is left out of the model is told apart from one that is not.
        let key = match is_in_model {
            true => key.unwrap_or_else(|| ids.clone()),
            false if violates.is_empty() && !self.wish.keeps_outside => return None,
            false => ids.iter().copied().chain(ids.first().copied()).collect(),
        };
        if let Some(&known) = self.numbers.get(&key) {
            return Some(known);
        }
        if self.graph.states.len() >= self.wish.states_max {
            self.ended = Some(Ended::Cut);
            return None;
        }
        let index = self.graph.states.len();
        let level = from.map_or(1, |(from, _)| self.graph.states[from].level + 1);
        let shown = self.graph.variables.iter().zip(&ids).map(|(name, &id)| Shown {
            name: name.clone(),
            value: datum(Interner::shared().value(id)).to_string(),
        });
        let (is_initial, id) = (from.is_none(), index as u32 + 1);
        let values = shown.collect();
        self.graph.states.push(State {
            id,
            level,
            is_initial,
            is_expanded: false,
            is_in_model,
            violates,
            values,
        });
        self.n_in_model += u64::from(is_in_model);
        self.ids.push(ids);
        self.numbers.insert(key, index);
        Some(index)
    }

    fn add_step(
        &mut self,
        machine: &mut Machine<'a, '_>,
        (from, to): (usize, usize),
        action: &ActionInstance<'a>,
    ) {
        let taken = model::step(self.context.spec(), machine, action);
        let parameters = taken.parameters.into_iter();
        let parameters =
            parameters.map(|binding| Shown { name: binding.name, value: binding.value.to_string() });
        let mut violates = Vec::new();
        let properties = self.context.program().step_properties.iter();
        for property in properties.filter(|property| self.marks(&property.root)) {
            if matches!(machine.eval_root_bool(property.root), Ok(false)) {
                violates.push(self.context.root_name(&property.root));
            }
        }
        let number = |index: usize| self.graph.states[index].id;
        let (from, to) = (number(from), number(to));
        let step = Step { from, to, action: taken.name, parameters: parameters.collect(), violates };
        // TLC: one edge for several ways to make the same step. The steps of one state stand together.
        let mut siblings = self.graph.steps.iter().rev().take_while(|known| known.from == from);
        if !siblings.any(|known| *known == step) {
            self.graph.steps.push(step);
        }
    }

    fn finish(mut self) -> Result<StateGraph, Box<Diagnostic>> {
        let (n_states, n_found) = (self.n_in_model, self.counts.distinct);
        let is_cut = self.ended == Some(Ended::Cut);
        // A search that was stopped has not judged the state it was at; going through it again is stopped as well.
        let is_stopped = self.context.board.is_over() && n_states != n_found;
        if !is_cut && !is_stopped && n_states != n_found {
            let reason = format!(
                "exploring the states again came to {n_states}, and the search had found {n_found}; it must be \
                 something that is not the same again"
            );
            return Err(refuse(&reason));
        }
        if is_cut {
            self.graph.notes.push(format!(
                "cut after {}, of {n_found} that were found: the first in breadth-first order are here",
                diag::render::count(n_states as usize, "state")
            ));
        }
        if is_stopped && !is_cut {
            self.graph.notes.push(format!(
                "the run was stopped before all was explored again: {} here, and the search had found {n_found}",
                diag::render::count(n_states as usize, "state")
            ));
        }
        let n_open = self.graph.states.iter().filter(|state| state.is_in_model && !state.is_expanded).count();
        if n_open > 0 && !is_cut {
            self.graph.notes.push(format!(
                "the search ended early; states of which not all steps are known: {n_open}, and there may be more states"
            ));
        }
        let program = self.context.program();
        for property in self.unmarked.iter().filter(|_| self.wish.marks_violations) {
            let name = self.context.root_name(property);
            self.graph
                .notes
                .push(format!("where `{name}` is violated is not marked: it does more than to look"));
        }
        if program.symmetry.is_some() {
            self.graph.notes.push("SYMMETRY: a state stands for all its permutations".to_owned());
        }
        if program.view.is_some() {
            self.graph.notes.push("VIEW: a state stands for all that look the same".to_owned());
        }
        let has_constraints = !program.constraints.is_empty() || !program.action_constraints.is_empty();
        if has_constraints && !self.wish.keeps_outside {
            self.graph.notes.push("states and steps that a constraint leaves out are not here".to_owned());
        }
        self.graph.is_complete = n_open == 0 && !is_stopped;
        Ok(self.graph)
    }
}

/// The facts about a state that was just made.
struct Looked {
    is_in_model: bool,
    /// The key by which states are compared, if that is not their values.
    key: Option<Vec<ValueId>>,
    violates: Vec<String>,
}

/// Returns the key by which the state of the machine is compared.
fn key<'a, 'r>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    machine: &mut Machine<'a, 'r>,
) -> Option<Vec<ValueId>> {
    let state: Vec<Value<'r>> = machine.state().iter().flatten().copied().collect();
    let mut expander = Expander::in_passing(context, run);
    let key = expander.identity_ids(machine, &state);
    expander.finish();
    key
}

fn values<'r>(ids: &[ValueId]) -> impl Iterator<Item = Value<'r>> {
    ids.iter().map(|&id| Interner::shared().value(id))
}
