//! A check from its beginning to its end, in TLC's order (contract 1.7): constant definitions, assumptions,
//! actions, initial states, the search, postconditions.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base::on_deep_stack;
use diag::{Code, Diagnostic};
use eval::interp::{ActionInstance, Conjuncts, Fault, FaultKind, Machine, Shared};
use eval::ir::Root;
use model::coverage::coverage;
use model::prepare::{lost_updates, prepare_with};
use model::{
    Ended, Evaluation, Limit, Model, NoVerdict, Outcome, Phase, STACK_BYTES, Tally, Verdict, Witnesses, fault,
};
use sema::Spec;
use sema::spec::{DefBody, ExprKind};

use crate::aim::{self, Aim, Reached};
use crate::answer::{Answer, Counts, Kept, Memory};
use crate::checkpoint::Keeper;
use crate::code_shelf::CodeShelf;
use crate::context::{Context, variables_in_view};
use crate::engine_report::EngineReport;
use crate::keep::can_go_on;
use crate::live::{self, Liveness};
use crate::observe::Observer;
use crate::options::Options;
use crate::run::{Board, WorkerRun};
use crate::search::{Explored, Record, Searcher};
use crate::space::Space;
use crate::spill::{self, Folder, Past, Spilled};
use crate::symmetry::Symmetry;
use crate::unreduced;

/// Checks a model: every state that it can reach, every property that it names.
pub fn check(model: Model<'_>, options: &Options<'_>, observer: &dyn Observer) -> Answer {
    on_deep_stack(STACK_BYTES, || match unreduced::is_due(model.program) {
        true => unreduced::check(model, options, observer),
        false => check_here(model, options, observer, None).0,
    })
}

/// Checks a model until the search has reached its aim. Returns the answer, and how far the search came.
pub(crate) fn check_to(
    model: Model<'_>,
    options: &Options<'_>,
    aim: &Aim,
    observer: &dyn Observer,
) -> (Answer, Reached) {
    on_deep_stack(STACK_BYTES, || check_here(model, options, observer, Some(aim)))
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
        Err(error) => return (refuse(NoVerdict::Checkpoint(error)), Reached::default()),
    };
    let elapsed_before = keeper.as_ref().map_or(Duration::ZERO, Keeper::elapsed_before);
    let mut board = Board::new(options, observer, elapsed_before);
    board.aim = aim;
    let board = board;
    let n_variables = program.variables.len();
    let n_identity_values = match (program.view, program.symmetry) {
        (Some(_), _) => Some(variables_in_view(program).map_or(1, |viewed| viewed.len())),
        (None, Some(_)) => Some(n_variables),
        (None, None) => None,
    };
    let space = Space::new(n_variables, n_identity_values);
    let space = if program.temporal.is_empty() { space } else { space.with_handles() };
    // For what has nothing to do with states that were visited.
    let aside = Space::new(n_variables, Some(1));
    let shared = Shared::with_counters(program, options.counts_evaluations);
    let run = WorkerRun::preparing(&board, &aside, model);
    let mut warnings = Vec::new();
    let prepared = prepare_with(Evaluation { model, shared: &shared, run: &run }, |machine| {
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
    let Searched { outcome, tallies, later, memory, n_waits, kept, engine } = match prepared {
        Err(ended) => Searched::early(ended.outcome(), &space, keeper.as_ref()),
        Ok((parts, folder)) => search(&parts, (space, &aside), folder, keeper),
    };
    warnings.extend(later);
    let outcome = match outcome {
        // Before there are states, evaluation says no more than that it had to end.
        Err(NoVerdict::Interrupted) if board.limits.time_over.load(Ordering::Relaxed) => {
            Err(NoVerdict::Limit(Limit::Time))
        }
        Err(NoVerdict::Interrupted) if board.limits.memory_over.load(Ordering::Relaxed) => {
            Err(NoVerdict::Limit(Limit::Memory))
        }
        other => other,
    };
    warnings.extend(lost_updates(model, &shared));
    let found_by = board.found_by.lock().unwrap_or_else(PoisonError::into_inner);
    let coverage = coverage(model, &shared, &found_by);
    let answer = Answer {
        outcome,
        counts: board.counts(),
        memory,
        n_waits,
        tallies,
        warnings,
        kept,
        coverage,
        engine,
    };
    (answer, aim::take_reached(&board.reached))
}

/// The answer of a check that is refused before it begins.
pub(crate) fn refuse(reason: NoVerdict) -> Answer {
    Answer {
        outcome: Err(reason),
        counts: Counts::default(),
        memory: Memory::default(),
        n_waits: 0,
        tallies: Vec::new(),
        warnings: Vec::new(),
        kept: None,
        coverage: None,
        engine: EngineReport::default(),
    }
}

/// The actions; the permutations and the temporal properties.
pub(crate) type Prepared<'a> = (Vec<ActionInstance<'a>>, (Option<Symmetry>, Option<Liveness>));

/// The answer of a search, and the memory it took.
struct Searched {
    outcome: Outcome,
    tallies: Vec<Tally>,
    later: Vec<Diagnostic>,
    memory: Memory,
    n_waits: usize,
    engine: EngineReport,
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
        let engine = EngineReport::default();
        Searched { outcome, tallies: Vec::new(), later: Vec::new(), memory, n_waits, kept, engine }
    }
}

/// The parts of a context besides the states.
pub(crate) struct Parts<'a> {
    model: Model<'a>,
    shared: &'a Shared,
    board: &'a Board<'a>,
    code: CodeShelf,
    actions: Vec<ActionInstance<'a>>,
    symmetry: Option<Symmetry>,
    viewed: Option<Vec<usize>>,
    invariants: Vec<Conjuncts>,
    constraints: Vec<Conjuncts>,
    liveness: Option<Liveness>,
    witnesses: Witnesses,
}

impl<'a> Parts<'a> {
    pub fn new(
        model: Model<'a>,
        (shared, board): (&'a Shared, &'a Board<'a>),
        prepared: Prepared<'a>,
    ) -> Self {
        let (actions, (symmetry, liveness)) = prepared;
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
            viewed: variables_in_view(program),
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
            viewed: self.viewed.as_deref(),
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
    let (record, growth, spilled) = {
        let context = parts.context(&space, None);
        let mut searcher = Searcher::new(&context, folder, keeper);
        match searcher.run() {
            Explored::Ended(outcome) => {
                let pursuit = std::mem::take(&mut searcher.pursuit);
                let searched = conclude(&context, outcome, searcher, &space);
                // After the postconditions: what is evaluated again may set registers.
                let reached = context.board.aim.map(|_| pursuit.report(&context));
                *context.board.reached.lock().unwrap_or_else(PoisonError::into_inner) = reached;
                return searched;
            }
            Explored::Spilled(spilled) => {
                let growth = std::mem::take(&mut searcher.growth);
                (searcher.into_record(), growth, spilled)
            }
        }
    };
    let (memory, n_waits) = (space.memory(), space.n_waits());
    drop(space);
    parts.board.is_on_disk.store(true, Ordering::Relaxed);
    let Spilled { disk, past } = *spilled;
    let context = parts.context(aside, Some(&past));
    let mut searcher = Searcher::going_on(&context, record);
    searcher.growth = growth;
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
    let engine = context.code.report(context);
    Searched { outcome, tallies, later, memory, n_waits, kept, engine }
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

fn no_symmetry(model: Model<'_>, fault: Box<Fault>) -> NoVerdict {
    if matches!(fault.kind, FaultKind::Interrupted) {
        return NoVerdict::Interrupted;
    }
    let help = "SYMMETRY names a set of permutations of model values, such as `Permutations(S)`";
    let error = Box::new(fault::diagnostic(model, &fault).help(help));
    let phase = Phase::Configuration;
    NoVerdict::Undefined { phase, initial: false, error, fault: Some(fault), trace: None }
}

/// `_POSSIBLE` and postconditions.
fn finish<'a>(context: &'a Context<'a>) -> Outcome {
    let run = WorkerRun::new(context, 0);
    run.expand(0, None);
    model::conclude(context.evaluation(&run), context.witnesses)
}
