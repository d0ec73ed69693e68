//! A check from its beginning to its end, in TLC's order (contract 1.7): constant definitions, assumptions,
//! actions, initial states, the search, postconditions.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use diag::{Code, Diagnostic};
use eval::interp::{
    ActionInstance, Conjuncts, Evaluated, Fault, FaultKind, Machine, Shared, action_instances,
};
use eval::ir::Root;
use sema::Spec;
use sema::spec::{AssumeKind, DefBody, Entity, ExprKind, ScopeEntry};

use crate::aim::{self, Aim, Reached};
use crate::answer::{
    Answer, Counts, Ended, Kept, Limit, Memory, NoVerdict, Outcome, Phase, Property, PropertyKind, Tally,
    Verdict, Violation,
};
use crate::bfs;
use crate::checkpoint::Keeper;
use crate::code_shelf::CodeShelf;
use crate::context::{Context, root_name};
use crate::coverage::coverage;
use crate::fault;
use crate::keep::can_go_on;
use crate::kit::{QuietRun, quietly};
use crate::live::{self, Liveness};
use crate::observe::Observer;
use crate::options::{Model, Options};
use crate::run::{Board, WorkerRun};
use crate::search::{Explored, Record, Searcher};
use crate::space::Space;
use crate::spill::{self, Folder, Past, Spilled};
use crate::symmetry::Symmetry;
use crate::unreduced;
use crate::witness::Witnesses;

/// Checks a model: every state that it can reach, every property that it names.
pub fn check(model: Model<'_>, options: &Options<'_>, observer: &dyn Observer) -> Answer {
    on_deep_stack(|| match unreduced::is_due(model.program) {
        true => unreduced::check(model, options, observer),
        false => check_here(model, options, observer, None).0,
    })
}

/// Likewise, until the search has come to what it is to come to.
pub(crate) fn check_to(
    model: Model<'_>,
    options: &Options<'_>,
    aim: &Aim,
    observer: &dyn Observer,
) -> (Answer, Reached) {
    on_deep_stack(|| check_here(model, options, observer, Some(aim)))
}

/// Evaluation recurses as deep as the specification does: give it room.
fn on_deep_stack<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let main = std::thread::Builder::new().stack_size(bfs::STACK_BYTES);
        let joined = main.spawn_scoped(scope, body).expect("a thread can be started").join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

pub(crate) fn check_here(
    model: Model<'_>,
    options: &Options<'_>,
    observer: &dyn Observer,
    aim: Option<&Aim>,
) -> (Answer, Reached) {
    let program = model.program;
    let keeper = match options.checkpoints.map(|wish| Keeper::open(model, options, wish)).transpose() {
        Ok(keeper) => keeper,
        Err(error) => return (refused(NoVerdict::Checkpoint(error)), Reached::default()),
    };
    let elapsed_before = keeper.as_ref().map_or(Duration::ZERO, Keeper::elapsed_before);
    let mut board = Board::new(options, observer, elapsed_before);
    board.aim = aim;
    let board = board;
    let n_variables = program.variables.len();
    let n_identity_values = match (program.view, program.symmetry) {
        (Some(_), _) => Some(1),
        (None, Some(_)) => Some(n_variables),
        (None, None) => None,
    };
    let space = Space::new(n_variables, n_identity_values);
    let space = if program.temporal.is_empty() { space } else { space.with_handles() };
    // For what has nothing to do with states that were visited.
    let aside = Space::new(n_variables, Some(1));
    let shared = Shared::with_counters(program, options.counts_evaluations);
    let run = WorkerRun::preparing(&board, &aside, model.spec);
    let mut warnings = Vec::new();
    let prepared = prepare(model, (&shared, &run), |machine| {
        let symmetry = symmetry(model, machine, &mut warnings)?;
        Ok((symmetry, live::prepare(model, machine, options)?))
    });
    let prepared = prepared.and_then(|(actions, (symmetry, mut liveness))| {
        if let Some(liveness) = &mut liveness {
            let region = board.region();
            liveness.derive(&mut Machine::new(program, &shared, &region, &run), &actions);
        }
        let folder = options.spill.as_ref().map(spill::open).transpose()?;
        Ok((Parts::new(model, (&shared, &board), (actions, (symmetry, liveness))), folder))
    });
    let Searched { outcome, tallies, later, memory, n_waits, kept } = match prepared {
        Err(ended) => Searched::early(ended.outcome(), &space, keeper.as_ref()),
        Ok((parts, folder)) => search(&parts, (space, &aside), folder, keeper),
    };
    warnings.extend(later);
    let outcome = match outcome {
        // Before there are states, evaluation says no more than that it had to end.
        Err(NoVerdict::Interrupted) if board.time_over.load(Ordering::Relaxed) => {
            Err(NoVerdict::Limit(Limit::Time))
        }
        Err(NoVerdict::Interrupted) if board.memory_over.load(Ordering::Relaxed) => {
            Err(NoVerdict::Limit(Limit::Memory))
        }
        other => other,
    };
    warnings.extend(lost_updates(model, &shared));
    let found_by = board.found_by.lock().unwrap_or_else(PoisonError::into_inner);
    let coverage = coverage(model, &shared, &found_by);
    let answer =
        Answer { outcome, counts: board.counts(), memory, n_waits, tallies, warnings, kept, coverage };
    (answer, aim::taken(&board.reached))
}

/// The answer of a check that is refused before it begins.
pub(crate) fn refused(reason: NoVerdict) -> Answer {
    Answer {
        outcome: Err(reason),
        counts: Counts::default(),
        memory: Memory::default(),
        n_waits: 0,
        tallies: Vec::new(),
        warnings: Vec::new(),
        kept: None,
        coverage: None,
    }
}

/// The actions; the permutations and the temporal properties.
pub(crate) type Prepared<'a> = (Vec<ActionInstance<'a>>, (Option<Symmetry>, Option<Liveness>));

/// What a search says, and what it took.
struct Searched {
    outcome: Outcome,
    tallies: Vec<Tally>,
    later: Vec<Diagnostic>,
    memory: Memory,
    n_waits: usize,
    /// The checkpoint that is there, if the search is not complete.
    kept: Option<Kept>,
}

impl Searched {
    /// Without a search.
    fn early(outcome: Outcome, space: &Space, keeper: Option<&Keeper>) -> Searched {
        let (memory, n_waits) = (space.memory(), space.n_waits());
        let distinct =
            keeper.and_then(Keeper::n_kept).filter(|_| matches!(&outcome, Err(reason) if can_go_on(reason)));
        let kept = distinct.map(|distinct| Kept { distinct });
        Searched { outcome, tallies: Vec::new(), later: Vec::new(), memory, n_waits, kept }
    }
}

/// What a context is made of, besides the states.
pub(crate) struct Parts<'a> {
    model: Model<'a>,
    shared: &'a Shared,
    board: &'a Board<'a>,
    code: CodeShelf,
    actions: Vec<ActionInstance<'a>>,
    symmetry: Option<Symmetry>,
    invariants: Vec<Conjuncts>,
    constraints: Vec<Conjuncts>,
    liveness: Option<Liveness>,
    witnesses: Witnesses,
}

impl<'a> Parts<'a> {
    pub fn new(
        model: Model<'a>,
        (shared, board): (&'a Shared, &'a Board<'a>),
        (actions, (symmetry, liveness)): Prepared<'a>,
    ) -> Self {
        let program = model.program;
        let conjuncts = |roots: &[Root]| {
            roots.iter().map(|root| Conjuncts::of(program, root)).collect::<Vec<Conjuncts>>()
        };
        Parts {
            model,
            shared,
            board,
            code: CodeShelf::default(),
            actions,
            symmetry,
            invariants: conjuncts(&program.invariants),
            constraints: conjuncts(&program.constraints),
            liveness,
            witnesses: Witnesses::new(model),
        }
    }

    pub fn context<'c>(&'c self, space: &'c Space, past: Option<&'c Past>) -> Context<'c> {
        Context {
            model: self.model,
            shared: self.shared,
            board: self.board,
            space,
            past,
            code: &self.code,
            actions: &self.actions,
            symmetry: self.symmetry.as_ref(),
            invariants: &self.invariants,
            constraints: &self.constraints,
            liveness: self.liveness.as_ref(),
            witnesses: &self.witnesses,
        }
    }
}

/// Searches in `space`, and from disk when that is full; then `aside` has the states of traces.
fn search(
    parts: &Parts<'_>,
    (space, aside): (Space, &Space),
    folder: Option<Folder>,
    keeper: Option<Keeper>,
) -> Searched {
    let (record, spilled) = {
        let context = parts.context(&space, None);
        let mut searcher = Searcher::new(&context, folder, keeper);
        match searcher.run() {
            Explored::Ended(outcome) => {
                let pursuit = std::mem::take(&mut searcher.pursuit);
                let searched = conclude(&context, outcome, searcher, &space);
                // After the postconditions: what is evaluated again may set registers.
                let reached = context.board.aim.map(|_| pursuit.reached(&context));
                *context.board.reached.lock().unwrap_or_else(PoisonError::into_inner) = reached;
                return searched;
            }
            Explored::Spilled(spilled) => (searcher.into_record(), spilled),
        }
    };
    let (memory, n_waits) = (space.memory(), space.n_waits());
    drop(space);
    parts.board.is_on_disk.store(true, Ordering::Relaxed);
    let Spilled { disk, past } = *spilled;
    let context = parts.context(aside, Some(&past));
    let mut searcher = Searcher::going_on(&context, record);
    let outcome = searcher.run_from_disk(disk, &past);
    Searched { memory, n_waits, ..conclude(&context, outcome, searcher, aside) }
}

/// `_POSSIBLE` and postconditions, after a search that ended.
fn conclude<'a>(
    context: &'a Context<'a>,
    outcome: Outcome,
    searcher: Searcher<'a>,
    space: &Space,
) -> Searched {
    let outcome = match outcome {
        Ok(Verdict::Holds) => finish(context),
        // TLC: postconditions run after a violation too, and change nothing then.
        Ok(Verdict::Violated(violation)) => {
            context.board.keep_counterexample(violation.trace.as_ref());
            let _ = finish(context);
            Ok(Verdict::Violated(violation))
        }
        Err(reason) => Err(reason),
    };
    let kept = searcher.kept;
    let Record { tallies, later, warnings, .. } = searcher.into_record();
    let n_steps = context.liveness.map_or(0, Liveness::n_steps);
    let steps = context.board.step_bytes.load(Ordering::Relaxed);
    let behaviours = context.board.behaviour_bytes_most.load(Ordering::Relaxed);
    let memory = Memory { steps, n_steps, behaviours, ..space.memory() };
    let n_waits = space.n_waits();
    let later = warnings.into_iter().chain(later.map(|error| *error)).collect();
    Searched { outcome, tallies, later, memory, n_waits, kept }
}

/// The actions, and what `before` makes before them; or how the check ends before the first state.
pub(crate) fn prepare<'a, T>(
    model: Model<'a>,
    (shared, run): (&'a Shared, &'a dyn QuietRun),
    before: impl FnOnce(&mut Machine<'a, '_>) -> Result<T, Ended>,
) -> Result<(Vec<ActionInstance<'a>>, T), Ended> {
    let region = run.region();
    let mut machine = Machine::new(model.program, shared, &region, run.as_run());
    preevaluate(model, &mut machine);
    assumptions(model, run, &mut machine)?;
    constant_formulas(model, &mut machine)?;
    constant_postconditions(model, &mut machine)?;
    actions_and(model, &mut machine, before)
}

/// Likewise after everything that was to hold before the first state did, and need not be evaluated again.
pub(crate) fn prepare_again<'a, T>(
    model: Model<'a>,
    (shared, run): (&'a Shared, &'a dyn QuietRun),
    before: impl FnOnce(&mut Machine<'a, '_>) -> Result<T, Ended>,
) -> Result<(Vec<ActionInstance<'a>>, T), Ended> {
    let region = run.region();
    let mut machine = Machine::new(model.program, shared, &region, run.as_run());
    preevaluate(model, &mut machine);
    actions_and(model, &mut machine, before)
}

fn preevaluate(model: Model<'_>, machine: &mut Machine<'_, '_>) {
    for &global in &model.program.preevaluated {
        // TLC: what fails here fails when it is used.
        let _ = machine.global(global);
    }
}

/// The actions, and what is made before them.
fn actions_and<'a, T>(
    model: Model<'a>,
    machine: &mut Machine<'a, '_>,
    before: impl FnOnce(&mut Machine<'a, '_>) -> Result<T, Ended>,
) -> Result<(Vec<ActionInstance<'a>>, T), Ended> {
    if model.program.next.is_none() {
        // TLC: without variables there is nothing to check but the assumptions.
        let only_assumptions = model.program.init.is_empty() && model.program.variables.is_empty();
        return Err(if only_assumptions { Ended::Verdict(Verdict::Holds) } else { no_next(model).into() });
    }
    let made = before(machine)?;
    let undefined = |fault: Box<Fault>| Err(undefined(model, Phase::Preparation, fault));
    let actions = action_instances(model.program, machine).map_err(undefined)?;
    Ok((actions, made))
}

/// The permutations that SYMMETRY names.
pub(crate) fn symmetry(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Option<Symmetry>, Ended> {
    let Some(root) = model.program.symmetry else { return Ok(None) };
    let n_operands = n_operands(model.spec, root);
    let symmetry = Symmetry::new(machine, root, model.program.view, n_operands);
    let symmetry = symmetry.map_err(|fault| Err(no_symmetry(model, fault)))?;
    if symmetry.is_trivial() {
        let headline = "the symmetry set has no effect";
        warnings.push(Diagnostic::new(Code::EmptySymmetry, root.span, headline));
    }
    Ok(Some(symmetry))
}

/// How many operands the outermost operator of a definition has.
fn n_operands(spec: &Spec, root: Root) -> usize {
    let Some(def) = root.def else { return 1 };
    let DefBody::Expr(body) = spec.defs[def].body else { return 1 };
    let kind = &spec.exprs[body].kind;
    if let ExprKind::Apply { args, .. } = kind {
        return args.len();
    }
    // Other kinds of set have one operand.
    if let ExprKind::SetEnum(elements) = kind { elements.len() } else { 1 }
}

fn undefined(model: Model<'_>, phase: Phase, fault: Box<Fault>) -> NoVerdict {
    let error = Box::new(fault::diagnostic(model, &fault));
    if matches!(fault.kind, FaultKind::Interrupted) {
        return NoVerdict::Interrupted;
    }
    NoVerdict::Undefined { phase, initial: false, error, fault: Some(fault), trace: None }
}

fn no_symmetry(model: Model<'_>, fault: Box<Fault>) -> NoVerdict {
    if matches!(fault.kind, FaultKind::Interrupted) {
        return NoVerdict::Interrupted;
    }
    let help = "SYMMETRY names a set of permutations of model values, such as `Permutations(S)`";
    let error = Box::new(fault::diagnostic(model, &fault).help(help));
    let phase = Phase::Configuration;
    NoVerdict::Undefined { phase, initial: false, error, fault: Some(fault), trace: None }
}

fn assumptions(model: Model<'_>, run: &dyn QuietRun, machine: &mut Machine<'_, '_>) -> Result<(), Ended> {
    for (kind, root) in &model.program.assumptions {
        match kind {
            AssumeKind::Axiom => continue,
            AssumeKind::Assume => {}
        }
        let holds = machine.eval_root_bool(*root);
        match holds {
            Ok(true) => {}
            Ok(false) => {
                let words = (Code::AssumptionFalse, "an assumption is false".to_owned());
                let diagnostic = quietly(run, || fault::blame(model, machine, root, words));
                return Err(Ended::Verdict(violated(
                    PropertyKind::Assumption,
                    "ASSUME".to_owned(),
                    diagnostic,
                )));
            }
            Err(fault) => return Err(undefined(model, Phase::Assumption, fault).into()),
        }
    }
    Ok(())
}

/// TLC: a formula with a name that is FALSE whatever happens is a mistake. Of other parts of a property it is a violation.
fn constant_formulas(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Result<(), Ended> {
    for root in &model.program.named_formulas {
        if is_constant(model, root) && matches!(machine.eval_root_bool(*root), Ok(false)) {
            return Err(NoVerdict::Unsupported(Box::new(always_false(model, root))).into());
        }
    }
    Ok(())
}

/// TLC: what is a constant says nothing about the run that ends.
fn constant_postconditions(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Result<(), Ended> {
    for root in &model.program.postconditions {
        if is_constant(model, root) && is_of_root(model, root) && machine.eval_root(*root).is_ok() {
            let name = root.def.map_or("it", |def| model.spec.names.text(model.spec.defs[def].name));
            let headline = format!("the postcondition `{name}` is a constant: no run can make a difference");
            let help = "say something about the run, with `TLCGet`, or use ASSUME";
            let error = Box::new(Diagnostic::new(Code::ConfigLevel, root.span, headline).help(help));
            let phase = Phase::Configuration;
            let fault = None;
            return Err(NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }.into());
        }
    }
    Ok(())
}

/// Whether the root module knows it, as it does what a configuration names. TLC: of another module it may say what it likes.
fn is_of_root(model: Model<'_>, root: &Root) -> bool {
    let is_it = |entry: &ScopeEntry| root.def.is_none_or(|def| entry.entity == Entity::Def(def));
    model.spec.modules[model.spec.root].scope.values().any(is_it)
}

fn is_constant(model: Model<'_>, root: &Root) -> bool {
    let facts = model.program.irs[root.expr].facts;
    !(facts.reads_state || facts.reads_next || facts.impure || facts.dynamic)
}

fn always_false(model: Model<'_>, root: &Root) -> Diagnostic {
    let name = root.def.map_or("a property", |def| model.spec.names.text(model.spec.defs[def].name));
    let headline = format!("`{name}` is FALSE whatever happens: no variable occurs in it");
    Diagnostic::new(Code::ConfigLevel, root.span, headline)
}

fn no_next(model: Model<'_>) -> NoVerdict {
    let headline = "there is no next-state relation";
    let error = match model.program.init.first() {
        Some(root) => Diagnostic::new(Code::NotEvaluable, root.span, headline),
        None => Diagnostic::without_place(Code::NotEvaluable, headline),
    };
    let error = Box::new(error.help("name one with NEXT or SPECIFICATION in the configuration"));
    let phase = Phase::Preparation;
    NoVerdict::Undefined { phase, initial: false, error, fault: None, trace: None }
}

fn violated(kind: PropertyKind, name: String, diagnostic: Diagnostic) -> Verdict {
    let span = diagnostic.primary.as_ref().map(|label| label.span);
    let property = Property { kind, name, span };
    Verdict::Violated(Box::new(Violation { property, trace: None, is_prefix: false, diagnostic }))
}

/// `_POSSIBLE` and postconditions.
fn finish<'a>(context: &'a Context<'a>) -> Outcome {
    let run = WorkerRun::new(context, 0);
    run.expand(0, None);
    conclude_with(context.model, (context.shared, &run), context.witnesses)
}

/// What postconditions and `_POSSIBLE` say about a run that is over.
pub(crate) fn conclude_with(
    model: Model<'_>,
    (shared, run): (&Shared, &dyn QuietRun),
    witnesses: &Witnesses,
) -> Outcome {
    let program = model.program;
    for root in &program.postconditions {
        let name = root_name(model.spec, root);
        let region = run.region();
        let mut machine = Machine::new(program, shared, &region, run.as_run());
        let held: Evaluated<bool> = machine.eval_root_bool(*root);
        match held {
            Ok(true) => {}
            Ok(false) => {
                let headline = format!("postcondition `{name}` is false");
                let words = (Code::PostconditionFalse, headline);
                let diagnostic = quietly(run, || fault::blame(model, &mut machine, root, words));
                return Ok(violated(PropertyKind::Postcondition, name, diagnostic));
            }
            Err(fault) => return Err(undefined(model, Phase::Postcondition, fault)),
        }
    }
    if let Some(root) = witnesses.unsatisfied() {
        let name = root_name(model.spec, root);
        let headline = format!("nothing that can happen satisfies `{name}`");
        let diagnostic = Diagnostic::new(Code::NeverPossible, root.span, headline);
        return Ok(violated(PropertyKind::Possible, name, diagnostic));
    }
    Ok(Verdict::Holds)
}

/// EXCEPTs whose path led outside the domain. TLC warns and goes on.
pub(crate) fn lost_updates(model: Model<'_>, shared: &Shared) -> Vec<Diagnostic> {
    let warn = |id| {
        let span = model.program.irs[id].span;
        let headline = "an EXCEPT is applied outside of the domain, and changes nothing there";
        Diagnostic::new(Code::LostUpdate, span, headline)
    };
    shared.lost_updates().into_iter().map(warn).collect()
}
