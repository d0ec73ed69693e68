//! Coverage of a specification, in the form of TLC's statistics.

use std::io;

use check::Counts;
use diag::Span;
use model::{Coverage, ExpressionCoverage};
use sema::Spec;
use sema::spec::{Def, DefId, DefKind};

use super::outcome::Teller;
use super::{code, moment, place};

const EXPLAINED: &str = "https://explain.tlapl.us/module-coverage-statistics";

pub fn tell(teller: Teller<'_>, coverage: &Coverage, counts: Counts) -> io::Result<()> {
    let voice = teller.voice;
    let now = moment::now();
    let text = format!(
        "The coverage statistics at {now} (see {EXPLAINED} for how to interpret the following statistics)."
    );
    voice.say(code::COVERAGE_START, &text)?;
    let spec = teller.model.spec;
    for root in teller.model.program.init.iter().take(1) {
        let name = model::root_name(spec, root);
        let header = header(teller, &name, root.def, root.span);
        voice.say(code::COVERAGE_INIT, &format!("{header}: {}:{}", counts.initial, counts.initial))?;
        expressions(teller, coverage, &name)?;
    }
    for action in &coverage.actions {
        let header = header(teller, &action.name, None, action.span);
        voice.say(code::COVERAGE_NEXT, &format!("{header}: {}:{}", action.found, action.generated))?;
        expressions(teller, coverage, &action.name)?;
    }
    for root in &teller.model.program.invariants {
        let name = model::root_name(spec, root);
        voice.say(code::COVERAGE_PROPERTY, &header(teller, &name, root.def, root.span))?;
        expressions(teller, coverage, &name)?;
    }
    voice.say(code::COVERAGE_END, "End of statistics.")
}

/// Returns the header of a definition: `<Send line 7, col 1 to line 7, col 6 of module Ok>`. TLC: the place
/// is that of the name with its parameters, without the body.
fn header(teller: Teller<'_>, name: &str, def: Option<DefId>, body: Span) -> String {
    let spec = teller.model.spec;
    let def = def.map(|def| &spec.defs[def]).or_else(|| around(spec, name, body));
    let place = place::of(spec, def.map_or(body, |def| head(spec, def)));
    format!("<{name} {place}>")
}

/// The definition of this name that has `body` in it.
fn around<'s>(spec: &'s Spec, name: &str, body: Span) -> Option<&'s Def> {
    spec.defs.iter().find(|def| {
        let is_around =
            def.span.source == body.source && def.span.start <= body.start && body.end <= def.span.end;
        is_around && def.kind != DefKind::Let && spec.names.text(def.name) == name
    })
}

/// Returns the place of the text before `==`.
fn head(spec: &Spec, def: &Def) -> Span {
    let text = &spec.sources.text(def.span)[(def.name_span.end - def.span.start) as usize..];
    let head = text.find("==").map_or("", |at| text[..at].trim_end());
    Span { end: def.name_span.end + head.len() as u32, ..def.name_span }
}

/// Writes each expression of a definition, with a bar for each expression around it.
fn expressions(teller: Teller<'_>, coverage: &Coverage, definition: &str) -> io::Result<()> {
    let mut open: Vec<Span> = Vec::new();
    let of_it = |it: &&ExpressionCoverage| it.definition.as_deref() == Some(definition);
    for expression in coverage.expressions.iter().filter(of_it) {
        let span = expression.span;
        while open.last().is_some_and(|outer| outer.source != span.source || outer.end < span.end) {
            open.pop();
        }
        let (bars, place) = ("|".repeat(open.len()), place::of(teller.model.spec, span));
        open.push(span);
        teller.voice.say(code::COVERAGE_VALUE, &format!("  {bars}{place}: {}", expression.evaluated))?;
    }
    Ok(())
}
