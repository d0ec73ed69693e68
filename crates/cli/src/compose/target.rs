//! `--target`: whether coarse grains preserve interaction, from the text and by exploration.

use base::SystemClock;
use compose::accept::Asking;
use compose::compare::{Bounds, Compared, Comparison, Extent, Stop as ExploreStop, Walks, compare};
use compose::conditions::{self, Conditions, TextVerdict};
use compose::interaction::Interaction;
use compose::{Choice, Composed, Family};
use diag::{Code, Diagnostic, SourceMap};
use eval::lower::{Lowered, lower};
use model::Model;
use setup::{composition, memory};
use value::Atoms;

use crate::compose::{Command, tell};
use crate::console::Stream;
use crate::exit::{Ending, Stop};
use crate::signals;

/// Two compositions, and the modules that must not be able to distinguish them.
pub struct Question<'f> {
    pub targets: &'f [String],
    pub fine: Choice<'f>,
    pub coarse: Choice<'f>,
}

/// The answer to a question, with everything that it was found from.
pub struct Answer<'f> {
    pub question: Question<'f>,
    pub fine: Composed,
    pub coarse: Composed,
    pub conditions: Conditions,
    /// The names of the variables that were compared.
    pub visible: Vec<String>,
    pub comparison: Option<Comparison>,
}

/// Answers for the targets together.
pub fn run(
    command: &Command<'_>,
    family: &Family,
    (name, targets): (&str, &[String]),
) -> Result<Ending, Stop> {
    let small = family.with_small_constants();
    let coarse = command.choose(&small, name)?;
    if let Some(unknown) = targets.iter().find(|target| coarse.part(target).is_none()) {
        return Err(unknown_target(command, (&small, unknown), &coarse));
    }
    let fine = match &command.args.against {
        Some(other) => command.choose(&small, other)?,
        None => coarse.refined(targets),
    };
    answer(command, Question { targets, fine, coarse })
}

fn unknown_target(command: &Command<'_>, (family, target): (&Family, &str), choice: &Choice<'_>) -> Stop {
    let names: Vec<&str> = choice.parts.iter().map(|part| part.module.name.text.as_str()).collect();
    let name = &choice.composition.name.text;
    let headline = match family.module(target) {
        Some(_) => format!("composition `{name}` does not have the module `{target}`"),
        None => format!("there is no module `{target}`"),
    };
    let help = match base::nearest(target, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its modules are {}", names.join(", ")),
    };
    let wrong = Diagnostic::without_place(Code::CompositionFile, headline).help(help);
    command.console.refuse(&SourceMap::new(), &wrong)
}

fn answer(command: &Command<'_>, question: Question<'_>) -> Result<Ending, Stop> {
    let same = question.fine.summary() == question.coarse.summary();
    if same && command.args.against.is_none() {
        tell::nothing_coarse(command, &question)?;
        return Ok(Ending::Ok);
    }
    let fine = command.compose(&question.fine)?;
    let coarse = command.compose(&question.coarse)?;
    check_small(command, &question.coarse, [&fine, &coarse])?;
    let (of_fine, of_coarse) = (Interaction::new(&fine), Interaction::new(&coarse));
    let mut targets = Vec::new();
    for name in question.targets {
        match fine.outline.parts.iter().position(|part| part.module == *name) {
            Some(target) => targets.push(target),
            None => return Err(unknown_target(command, (question.fine.family, name), &question.fine)),
        }
    }
    let conditions = conditions::judge((&fine, &of_fine), (&coarse, &of_coarse), &targets);
    let present = conditions.visible.keys().filter(|var| !conditions.missing.contains(var));
    let visible: Vec<String> = present.map(|&var| conditions::name(&fine, var).to_owned()).collect();
    let mut answer = Answer { question, fine, coarse, conditions, visible, comparison: None };
    if !command.args.text_only {
        answer.comparison = Some(explore(command, &mut answer)?);
    }
    for composed in [&answer.fine, &answer.coarse] {
        if let Some(changed) = composition::find_changed(&composed.spec.sources) {
            return Err(command.console.refuse(&composed.spec.sources, &changed));
        }
    }
    tell::answer(command, &answer)?;
    tell::page(command, &answer)?;
    Ok(ending(&answer))
}

/// Refuses a small value of a constant that neither side has.
fn check_small(command: &Command<'_>, choice: &Choice<'_>, sides: [&Composed; 2]) -> Result<(), Stop> {
    let is_unknown = |name: &str| sides.iter().all(|side| !conditions::has_name(side, name));
    let small = choice.composition.small.iter().map(|(name, _)| name.text.as_str());
    let Some(name) = small.into_iter().find(|name| is_unknown(name)) else { return Ok(()) };
    let headline =
        format!("`small` has a value of `{name}`, and no file of either side declares such a constant");
    let wrong = Diagnostic::without_place(Code::CompositionConstant, headline);
    Err(command.console.refuse(&SourceMap::new(), &wrong))
}

/// Returns the values of the command line that are meant for one side: a constant may be there at one grain alone.
fn given_for(command: &Command<'_>, side: &Composed, other: &Composed) -> Vec<String> {
    let is_meant = |define: &&String| {
        let name = define.split_once('=').map_or(define.as_str(), |(name, _)| name).trim();
        conditions::has_name(side, name) || !conditions::has_name(other, name)
    };
    command.args.sources.defines.iter().filter(is_meant).cloned().collect()
}

impl Answer<'_> {
    /// Returns what accepted differences are looked up by.
    pub fn asking(&self) -> Asking<'_> {
        Asking {
            family: self.question.coarse.family,
            composition: &self.question.coarse.composition.name.text,
            targets: self.question.targets,
        }
    }

    /// Whether condition (1) is broken by a missing variable that is not among the accepted differences.
    pub fn misses_variables(&self) -> bool {
        let name = |var| conditions::name(&self.fine, var);
        let missing = self.conditions.missing.iter();
        missing.into_iter().any(|&var| self.asking().accepting_variable(name(var), &[]).is_none())
    }

    /// Returns the number of differences that are not among the accepted ones.
    pub fn n_open(&self) -> usize {
        let differences = self.comparison.iter().flat_map(|comparison| &comparison.differences);
        differences.filter(|difference| self.asking().accepting(difference).is_none()).count()
    }
}

/// Returns how the command ends. Exploration decides; if nothing was explored, the text does.
fn ending(answer: &Answer<'_>) -> Ending {
    if answer.misses_variables() || answer.n_open() > 0 {
        return Ending::NotPreserved;
    }
    match (&answer.comparison, answer.conditions.verdict()) {
        (Some(Comparison { extent: Extent::Complete { .. }, .. }), _) => Ending::Ok,
        // A sample proves nothing.
        (Some(_), _) => Ending::Limit,
        (None, TextVerdict::Preserved) => Ending::Ok,
        (None, TextVerdict::Undecided) => Ending::Limit,
        (None, TextVerdict::Broken) => Ending::NotPreserved,
    }
}

fn explore(command: &Command<'_>, answer: &mut Answer<'_>) -> Result<Comparison, Stop> {
    let atoms = Atoms::new();
    let reference = command.file.clone();
    let mut programs = Vec::new();
    let given =
        [given_for(command, &answer.fine, &answer.coarse), given_for(command, &answer.coarse, &answer.fine)];
    for (composed, given) in [&mut answer.fine, &mut answer.coarse].into_iter().zip(&given) {
        let bound = composition::bind(composed, &reference, given)
            .map_err(|errors| command.refuse(&composed.spec.sources, &errors))?;
        let Lowered { program, diagnostics } = lower(&composed.spec, &bound, atoms);
        if diagnostics.has_errors() {
            return Err(command.refuse(&composed.spec.sources, &diagnostics));
        }
        programs.push(program);
    }
    let [fine, coarse] = programs.as_slice() else { unreachable!("there are two compositions") };
    let interrupted = signals::watch()?;
    let clock = SystemClock::start();
    let args = command.args;
    if !args.quiet.quiet {
        let text = format!("Exploring both sides, for {} s at most.", args.time.as_secs());
        command.console.line(Stream::Err, &text)?;
    }
    let compared = Compared {
        fine: Model { spec: &answer.fine.spec, program: fine },
        coarse: Model { spec: &answer.coarse.spec, program: coarse },
        visible: answer.visible.clone(),
        bounds: Bounds {
            states_max: usize::try_from(args.max_states).unwrap_or(usize::MAX),
            memory_bytes_max: usize::try_from(memory::default_bytes()).unwrap_or(usize::MAX),
            time_max: args.time,
            clock: &clock,
            interrupted: &interrupted,
        },
        walks: Walks { n_walks: args.walks, depth: args.depth, seed: args.seed },
    };
    compare(&compared).map_err(|stop| match stop {
        ExploreStop::TooLarge => {
            let headline = "there are more initial states than may be kept";
            let wrong = Diagnostic::without_place(Code::CompositionFile, headline).help("raise --max-states");
            command.console.refuse(&SourceMap::new(), &wrong)
        }
        ExploreStop::Interrupted => match command.console.line(Stream::Err, "Interrupted.") {
            Ok(()) => Ending::Interrupted.into(),
            Err(error) => error.into(),
        },
        ExploreStop::Wrong(diagnostic) => {
            // Both have the files of the finer side, or the places are drawn from the coarse one.
            let sources = match diagnostic.primary.as_ref().map(|label| label.span) {
                Some(span) if is_within(&answer.fine, span) => &answer.fine.spec.sources,
                Some(_) | None => &answer.coarse.spec.sources,
            };
            command.console.refuse(sources, &diagnostic)
        }
    })
}

fn is_within(composed: &Composed, span: diag::Span) -> bool {
    composed.spec.sources.ids().any(|id| id == span.source)
}
