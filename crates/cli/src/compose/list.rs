//! Lists the parts of a composition, as text.

use compose::{Choice, Composed, Family};
use serde_json::json;
use setup::words::counted;

use crate::args::CheckFormatArg;
use crate::compose::Command;
use crate::console::Stream;
use crate::exit::{Ending, Stop};

/// Lists the compositions of a file, and what is wrong with each.
pub fn run(command: &Command<'_>, family: &Family) -> Result<Ending, Stop> {
    let mut ending = Ending::Ok;
    for composition in &family.compositions {
        let result = command.choose(family, &composition.name.text).and_then(|choice| {
            let composed = command.compose(&choice)?;
            line(command, &choice, &composed)
        });
        match result {
            Ok(()) => {}
            Err(Stop::Ended(worse)) => ending = ending.max(worse),
            Err(stop) => return Err(stop),
        }
    }
    if family.compositions.is_empty() {
        command.console.line(Stream::Out, "the file has no composition")?;
    }
    Ok(ending)
}

fn line(command: &Command<'_>, choice: &Choice<'_>, composed: &Composed) -> Result<(), Stop> {
    if command.args.format == CheckFormatArg::Json {
        return show(command, choice, composed);
    }
    let (name, outline) = (&choice.composition.name.text, &composed.outline);
    let n_actions: usize = outline.parts.iter().map(|part| part.actions.len()).sum();
    let n_variables = composed.spec.modules[composed.spec.root].variables.len();
    let text = format!(
        "{name}: {}\n  {}, {}, {} ({} left out)",
        choice.summary(),
        counted(n_variables as u64, "variable"),
        counted(n_actions as u64, "action"),
        counted(outline.invariants.len() as u64, "invariant"),
        outline.left_out.len()
    );
    Ok(command.console.line(Stream::Out, &text)?)
}

/// Shows one composition: modules with their variables and actions, invariants and properties, and those that
/// are left out.
pub fn show(command: &Command<'_>, choice: &Choice<'_>, composed: &Composed) -> Result<(), Stop> {
    if command.args.quiet.quiet {
        return Ok(());
    }
    if command.args.format == CheckFormatArg::Json {
        return Ok(command.console.line(Stream::Out, &to_json(choice, composed).to_string())?);
    }
    let mut text = format!("composition {}: {}\n", choice.composition.name.text, choice.summary());
    for part in &composed.outline.parts {
        let names = |ids: &[sema::spec::VarId]| variable_names(composed, ids).join(", ");
        text.push_str(&format!("\n  {}.{}\n", part.module, part.grain));
        if !part.owns.is_empty() {
            text.push_str(&format!("    owns {}\n", names(&part.owns)));
        }
        for action in &part.actions {
            let name = composed.spec.names.text(composed.spec.defs[action.def].name);
            let place = model::place_text(&composed.spec, composed.spec.defs[action.def].name_span);
            let unchanged = match action.unchanged.as_slice() {
                [] => String::new(),
                unchanged => format!("; leaves {} unchanged", names(unchanged)),
            };
            text.push_str(&format!("    {name} ({place}){unchanged}\n"));
        }
    }
    let outline = &composed.outline;
    if !outline.invariants.is_empty() {
        text.push_str(&format!("\n  invariants: {}\n", outline.invariants.join(", ")));
    }
    if !outline.properties.is_empty() {
        text.push_str(&format!("  properties: {}\n", outline.properties.join(", ")));
    }
    for left_out in &outline.left_out {
        text.push_str(&format!("  left out: {}: {}\n", left_out.name, left_out.why));
    }
    Ok(command.console.write(Stream::Out, &text)?)
}

fn variable_names<'c>(composed: &'c Composed, ids: &[sema::spec::VarId]) -> Vec<&'c str> {
    ids.iter().map(|&id| composed.spec.names.text(composed.spec.variables[id].name)).collect()
}

fn to_json(choice: &Choice<'_>, composed: &Composed) -> serde_json::Value {
    let outline = &composed.outline;
    let parts: Vec<_> = outline
        .parts
        .iter()
        .map(|part| {
            let actions: Vec<_> = part
                .actions
                .iter()
                .map(|action| {
                    json!({
                        "name": composed.spec.names.text(composed.spec.defs[action.def].name),
                        "unchanged": variable_names(composed, &action.unchanged),
                    })
                })
                .collect();
            json!({
                "module": part.module,
                "grain": part.grain,
                "owns": variable_names(composed, &part.owns),
                "actions": actions,
            })
        })
        .collect();
    let left_out: Vec<_> = outline
        .left_out
        .iter()
        .map(|left| json!({ "name": left.name, "why": left.why.to_string() }))
        .collect();
    json!({
        "event": "composition",
        "name": choice.composition.name.text,
        "parts": parts,
        "invariants": outline.invariants,
        "properties": outline.properties,
        "left_out": left_out,
    })
}
