//! Reports on interaction preservation, as text, as JSON and as a page.

use compose::Composed;
use compose::compare::{Difference, Extent, SideStep, Which};
use compose::conditions::{self, TextVerdict, UpdateJudgement, UpdatePlace, UpdateVerdict};
use compose::interaction::{Reason, Reasons};
use compose::page::{DifferencePage, changes};
use diag::{Code, Diagnostic, SourceMap, Span};
use sema::spec::VarId;
use serde_json::json;

use crate::args::CheckFormatArg;
use crate::compose::Command;
use crate::compose::target::{Answer, Question};
use crate::console::Stream;
use crate::exit::Stop;

/// Width of a column of a comparison, in characters.
const COLUMN: usize = 44;

/// Says that no module of a composition is coarser than it could be.
pub fn nothing_coarse(command: &Command<'_>, question: &Question<'_>) -> Result<(), Stop> {
    let name = &question.coarse.composition.name.text;
    let targets = question.targets.join(", ");
    let text = format!("Nothing to compare: no module of `{name}` besides {targets} is at a coarser grain.");
    Ok(command.console.line(Stream::Out, &text)?)
}

/// Prints the answer.
pub fn answer(command: &Command<'_>, answer: &Answer<'_>) -> Result<(), Stop> {
    let text = match command.args.format {
        CheckFormatArg::Json => format!("{}\n", to_json(answer)),
        CheckFormatArg::Text => to_text(answer),
    };
    Ok(command.console.write(Stream::Out, &text)?)
}

fn to_text(answer: &Answer<'_>) -> String {
    let (fine, coarse) = names(answer);
    let targets = answer.question.targets.join(", ");
    let mut text = format!("target {targets}: {coarse}\n  against {fine}\n");
    let conditions = &answer.conditions;
    let (own, shared): (Vec<_>, Vec<_>) =
        conditions.visible.iter().partition(|(var, _)| conditions.dependencies.contains(var));
    text.push_str(&format!("\ndependency variables of {targets}\n"));
    own.iter().for_each(|(var, reason)| text.push_str(&evidence(answer, **var, reason)));
    if own.is_empty() {
        text.push_str("  none\n");
    }
    text.push_str("\nother interaction variables, and what updates of the target read\n");
    shared.iter().for_each(|(var, reason)| text.push_str(&evidence(answer, **var, reason)));
    if shared.is_empty() {
        text.push_str("  none\n");
    }
    text.push_str(&condition_one(answer));
    text.push_str(&condition_two(answer));
    text.push_str(&match conditions.verdict() {
        TextVerdict::Preserved => "\nby the text: interaction is preserved\n".to_owned(),
        TextVerdict::Undecided => "\nby the text: undecided, some updates are worded otherwise\n".to_owned(),
        TextVerdict::Broken => "\nby the text: a condition is broken\n".to_owned(),
    });
    text.push_str(&describe_exploration(answer));
    text
}

/// Returns the names of both compositions, the fine one first.
fn names(answer: &Answer<'_>) -> (String, String) {
    let coarse = &answer.question.coarse;
    let fine = &answer.question.fine;
    (fine.summary(), format!("{} ({})", coarse.composition.name.text, coarse.summary()))
}

fn evidence(answer: &Answer<'_>, var: VarId, reason: &Reason) -> String {
    let name = conditions::name(&answer.fine, var);
    let (words, span) = conditions::explain(&answer.fine, reason);
    let place = span.map_or_else(String::new, |span| format!("  {}", quote(&answer.fine, span)));
    format!("  {name:<20} {words}{place}\n")
}

/// Returns a place with what is written there: `Clients.tla:11: holder = c`.
fn quote(composed: &Composed, span: Span) -> String {
    let sources = &composed.spec.sources;
    let line = sources.position(span).line;
    let written = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let written: String = match written.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &written[..at]),
        None => written,
    };
    format!("{}:{line}: {written}", sources.file(span.source).name())
}

fn condition_one(answer: &Answer<'_>) -> String {
    let missing = &answer.conditions.missing;
    if missing.is_empty() {
        return "\ncondition (1), variables: all are there\n".to_owned();
    }
    let mut text = "\ncondition (1), variables: broken\n".to_owned();
    for &var in missing {
        let name = conditions::name(&answer.fine, var);
        let accepted = answer.asking().accepting_variable(name, &[]);
        let accepted =
            accepted.map_or_else(String::new, |entry| format!(" (accepted: {})", entry.reason.text));
        text.push_str(&format!("  {name} is not there{accepted}\n"));
    }
    text
}

fn condition_two(answer: &Answer<'_>) -> String {
    let mut text = "\ncondition (2), updates\n".to_owned();
    for update in &answer.conditions.updates {
        let UpdateJudgement { module, variable, verdict, fine, coarse } = update;
        let words = match verdict {
            UpdateVerdict::Same => "the same",
            UpdateVerdict::Reworded => "worded otherwise",
            UpdateVerdict::Lost => "lost: only the finer grain updates it",
            UpdateVerdict::Added => "added: only the coarser grain updates it",
        };
        let actions = fine.iter().map(|place| action_name(&answer.fine, place));
        let actions: Vec<String> =
            actions.chain(coarse.iter().map(|place| action_name(&answer.coarse, place))).collect();
        let accepted = match verdict {
            UpdateVerdict::Same => None,
            UpdateVerdict::Reworded | UpdateVerdict::Lost | UpdateVerdict::Added => {
                answer.asking().accepting_variable(variable, &actions)
            }
        };
        let accepted =
            accepted.map_or_else(String::new, |entry| format!(" (accepted: {})", entry.reason.text));
        text.push_str(&format!("  {variable:<20} by {module}: {words}{accepted}\n"));
        for (side, composed, places) in [("fine", &answer.fine, fine), ("coarse", &answer.coarse, coarse)] {
            for place in places {
                let action = action_name(composed, place);
                // What parameters stand for is not in the text of the update itself.
                let meaning =
                    place.value.split_once(" where ").map(|(_, meaning)| format!(" where {meaning}"));
                let meaning = meaning.unwrap_or_default();
                text.push_str(&format!("    {side:<7} {action}  {}{meaning}\n", quote(composed, place.span)));
            }
        }
    }
    if answer.conditions.updates.is_empty() {
        text.push_str("  none of these variables is updated by a module with a coarser grain\n");
    }
    text
}

fn action_name(composed: &Composed, place: &UpdatePlace) -> String {
    composed.spec.names.text(composed.spec.defs[place.action].name).to_owned()
}

fn describe_exploration(answer: &Answer<'_>) -> String {
    let Some(comparison) = &answer.comparison else { return "\nnothing was explored\n".to_owned() };
    let mut text = format!("\n{}\n", extent_text(answer));
    for difference in &comparison.differences {
        text.push_str(&difference_text(answer, difference));
    }
    let n_accepted = comparison.differences.len() - answer.n_open();
    let accepted = match n_accepted {
        0 => String::new(),
        n_accepted => format!(" ({n_accepted} accepted)"),
    };
    let is_sample = matches!(comparison.extent, Extent::Sample { .. });
    text.push_str(&match (answer.n_open(), is_sample, answer.misses_variables()) {
        (0, _, true) => "\nInteraction is not preserved: condition (1) is broken.\n".to_owned(),
        (0, false, false) => {
            format!("\nInteraction is preserved within these bounds: both sides show the same{accepted}.\n")
        }
        (0, true, false) => {
            format!("\nNo difference was found{accepted}. This is a sample: it proves nothing.\n")
        }
        (1, _, _) => format!("\nInteraction is not preserved: 1 kind of difference{accepted}.\n"),
        (n_open, _, _) => {
            format!("\nInteraction is not preserved: {n_open} kinds of differences{accepted}.\n")
        }
    });
    text
}

/// Returns how much was compared.
fn extent_text(answer: &Answer<'_>) -> String {
    let Some(comparison) = &answer.comparison else { return String::new() };
    let (fine, coarse) = comparison.n_states;
    let variables = answer.visible.join(", ");
    match &comparison.extent {
        Extent::Nothing => "nothing was compared".to_owned(),
        Extent::Complete { n_pairs } => format!(
            "by exploration: all behaviours of both sides, in {variables} ({fine} states fine, {coarse} coarse, {n_pairs} \
             pairs of sets)"
        ),
        Extent::Sample { matched, given_up } => format!(
            "by random walks, a sample, in {variables}: {} walks of the fine side and {} of the coarse one were \
             matched; {} and {} were given up for lack of room",
            matched.0, matched.1, given_up.0, given_up.1
        ),
    }
}

fn difference_text(answer: &Answer<'_>, difference: &Difference) -> String {
    let (can, cannot) = match difference.can {
        Which::Fine => ("fine", "coarse"),
        Which::Coarse => ("coarse", "fine"),
    };
    let actions = difference.actions.join(" or ");
    let mut text =
        format!("\ndifference: the {can} side can take {actions} here, the {cannot} side cannot\n");
    if let Some(entry) = answer.asking().accepting(difference) {
        text.push_str(&format!("  accepted: {}\n", entry.reason.text));
    }
    text.push_str(&columns("fine", "coarse"));
    let n_rows = difference.rows.len();
    for (at, row) in difference.rows.iter().enumerate() {
        let step =
            |which: Which, step: &Option<SideStep>| match (step, at + 1 == n_rows && which != difference.can)
            {
                (_, true) => "cannot".to_owned(),
                (None, false) if at == 0 => "initial".to_owned(),
                (None, false) => "?".to_owned(),
                (Some(step), false) => step_text(step),
            };
        text.push_str(&columns(&step(Which::Fine, &row.fine), &step(Which::Coarse, &row.coarse)));
        let before = at.checked_sub(1).map(|at| &difference.rows[at]);
        for line in changes(&answer.visible, before, row) {
            text.push_str(&format!("      {line}\n"));
        }
    }
    if !difference.instead.is_empty() {
        text.push_str(&format!("  in its place the {cannot} side can take\n"));
        for one in &difference.instead {
            text.push_str(&format!("    {}: {}\n", one.action, one.changes.join("; ")));
        }
    }
    text
}

fn step_text(step: &SideStep) -> String {
    let hidden = step.hidden.iter().map(|hidden| format!("({hidden})"));
    hidden.chain([step.step.clone()]).collect::<Vec<_>>().join(" ")
}

fn columns(fine: &str, coarse: &str) -> String {
    format!("  {fine:<COLUMN$} | {coarse}\n")
}

/// Writes the page that was asked for.
pub fn page(command: &Command<'_>, answer: &Answer<'_>) -> Result<(), Stop> {
    let Some(path) = &command.args.html else { return Ok(()) };
    let (fine, coarse) = names(answer);
    let comparison = answer.comparison.iter().flat_map(|comparison| &comparison.differences);
    let asking = answer.asking();
    let differences = comparison
        .map(|difference| (difference, asking.accepting(difference).map(|entry| entry.reason.text.as_str())))
        .collect::<Vec<_>>();
    let title = format!("{coarse} as seen by {}", answer.question.targets.join(", "));
    let about = vec![format!("against {fine}"), extent_text(answer)];
    let page = DifferencePage {
        title,
        about,
        names: ("fine".to_owned(), "coarse".to_owned()),
        variables: &answer.visible,
        differences,
    };
    std::fs::write(path, compose::page::html(&page)).map_err(|error| {
        let headline = format!("cannot write `{}`: {error}", path.display());
        command.console.refuse(&SourceMap::new(), &Diagnostic::without_place(Code::CannotWrite, headline))
    })?;
    Ok(())
}

fn to_json(answer: &Answer<'_>) -> serde_json::Value {
    let conditions = &answer.conditions;
    let variable = |(var, reason): (&VarId, &Reason)| {
        let (words, span) = conditions::explain(&answer.fine, reason);
        json!({
            "name": conditions::name(&answer.fine, *var),
            "is_dependency": conditions.dependencies.contains(var),
            "why": words,
            "place": span.map(|span| quote(&answer.fine, span)),
        })
    };
    let visible: &Reasons = &conditions.visible;
    let updates: Vec<_> = conditions.updates.iter().map(|update| update_json(answer, update)).collect();
    let missing: Vec<&str> =
        conditions.missing.iter().map(|&var| conditions::name(&answer.fine, var)).collect();
    let text = match conditions.verdict() {
        TextVerdict::Preserved => "preserved",
        TextVerdict::Undecided => "undecided",
        TextVerdict::Broken => "broken",
    };
    json!({
        "event": "interaction",
        "targets": answer.question.targets,
        "composition": answer.question.coarse.composition.name.text,
        "fine": answer.question.fine.summary(),
        "coarse": answer.question.coarse.summary(),
        "visible": visible.iter().map(variable).collect::<Vec<_>>(),
        "missing": missing,
        "updates": updates,
        "text": text,
        "explored": answer.comparison.as_ref().map(|_| explored_json(answer)),
        "open_differences": answer.n_open(),
    })
}

fn update_json(answer: &Answer<'_>, update: &UpdateJudgement) -> serde_json::Value {
    let verdict = match update.verdict {
        UpdateVerdict::Same => "same",
        UpdateVerdict::Reworded => "reworded",
        UpdateVerdict::Lost => "lost",
        UpdateVerdict::Added => "added",
    };
    let places = |composed: &Composed, places: &[UpdatePlace]| -> Vec<_> {
        let each = |place: &UpdatePlace| json!({ "action": action_name(composed, place), "place": quote(composed, place.span) });
        places.iter().map(each).collect()
    };
    json!({
        "module": update.module,
        "variable": update.variable,
        "verdict": verdict,
        "fine": places(&answer.fine, &update.fine),
        "coarse": places(&answer.coarse, &update.coarse),
    })
}

fn explored_json(answer: &Answer<'_>) -> serde_json::Value {
    let Some(comparison) = &answer.comparison else { return serde_json::Value::Null };
    let extent = match &comparison.extent {
        Extent::Nothing => json!({ "kind": "nothing" }),
        Extent::Complete { n_pairs } => json!({ "kind": "complete", "pairs": n_pairs }),
        Extent::Sample { matched, given_up } => {
            json!({ "kind": "sample", "matched": [matched.0, matched.1], "given_up": [given_up.0, given_up.1] })
        }
    };
    let difference = |difference: &Difference| {
        let rows: Vec<_> = difference
            .rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let before = at.checked_sub(1).map(|at| &difference.rows[at]);
                json!({
                    "changes": changes(&answer.visible, before, row),
                    "fine": row.fine.as_ref().map(step_text),
                    "coarse": row.coarse.as_ref().map(step_text),
                })
            })
            .collect();
        json!({
            "can": match difference.can { Which::Fine => "fine", Which::Coarse => "coarse" },
            "actions": difference.actions,
            "changed": difference.changed,
            "rows": rows,
            "accepted": answer.asking().accepting(difference).map(|entry| entry.reason.text.clone()),
        })
    };
    json!({
        "extent": extent,
        "states": [comparison.n_states.0, comparison.n_states.1],
        "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
    })
}
