//! PlusCal translations that were edited, are out of date, or are missing (SL0608).
//!
//! The algorithm is translated afresh. Where the result is not what stands in the module, the checksums that the translator
//! leaves in the `BEGIN TRANSLATION` comment say which of the two was changed, as SANY's warnings 4804 and 4805 do.

use diag::{Code, Diagnostic, Diagnostics, Severity, SourceId, Span};
use pcal::{Options, Status};

use super::is_own;
use crate::spec::{ModuleId, Spec};

/// Looks at the translations of all modules of the user's.
pub fn translations(spec: &Spec) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for (id, module) in spec.modules.iter_enumerated() {
        let source = module.span.source;
        let text = spec.sources.file(source).text();
        if is_own(spec, id) && module.parent.is_none() && pcal::has_algorithm(text) {
            diagnostics.extend(check(spec, id, (source, text)).into_iter().collect());
        }
    }
    diagnostics
}

fn check(spec: &Spec, module: ModuleId, (source, text): (SourceId, &str)) -> Option<Diagnostic> {
    let stale = |place: Span, headline: &str| Diagnostic::new(Code::StaleTranslation, place, headline);
    match pcal::status(text, source, &Options::default()) {
        Ok(Status::NoAlgorithm | Status::Fresh | Status::Different(_)) => None,
        Ok(Status::Missing) => missing(spec, module),
        Ok(Status::Edited(place)) => Some(
            stale(place, "the translation was edited after it was made from the PlusCal algorithm")
                .label("its checksum is not the one recorded here")
                .help("translate again with `specline pcal`; if the edit is wanted, remove the checksums"),
        ),
        Ok(Status::Stale(place)) => Some(match option_that_fits(text, source) {
            Some(option) => stale(place, "the translation was made with an option that the module does not have")
                .label(format!("it fits the algorithm with `-{option}`"))
                .help(format!("write `PlusCal options ({option})` in a comment of the module, or translate again with `specline pcal`")),
            None => stale(place, "the PlusCal algorithm was edited after the translation was made")
                .label("its checksum is not the one recorded here")
                .help("translate again with `specline pcal`"),
        }),
        // The module is what is run: an algorithm that cannot be translated is no error of it.
        Err(error) => Some(Diagnostic { severity: Severity::Warning, ..*error }),
    }
}

/// Returns the option about fairness with which the translation is that of the algorithm, if there is one.
fn option_that_fits(text: &str, source: SourceId) -> Option<&'static str> {
    let fits = |option: &&str| {
        let mut options = Options::default();
        let is_set = options.set(option, None).is_ok();
        is_set && matches!(pcal::status(text, source, &options), Ok(Status::Fresh))
    };
    ["wf", "sf", "wfNext", "termination"].into_iter().find(fits)
}

/// Warns that an algorithm has no translation, unless the module defines a behaviour in another way.
fn missing(spec: &Spec, module: ModuleId) -> Option<Diagnostic> {
    let module = &spec.modules[module];
    let defines = |name: &str| module.defs.iter().any(|&def| spec.names.text(spec.defs[def].name) == name);
    if defines("Init") || defines("Spec") {
        return None;
    }
    let headline = "the PlusCal algorithm of the module has no translation";
    let place = module.span.start_point();
    Some(
        Diagnostic::new(Code::StaleTranslation, place, headline)
            .help("translate it with `specline pcal`, or run it with `--translate`"),
    )
}
