//! Findings of an audit: a case for each mutant and each property, and a finding for each gap.

use audit::{Judged, Report, Survival, Tallied, Verdict};
use diag::Span;
use report::findings::{Finding, FindingPlace, Level, Outcome};
use sema::Spec;

use super::Reports;
use crate::audit::text::{cannot_fail_line, idle_line, mutant_line, verdict_line};
use crate::check::json::finding_diagnostic;
use crate::check::text::short;

impl Reports<'_> {
    pub fn audit(&mut self, spec: &Spec, report: &Report) {
        self.note(&spec.sources, &report.warnings);
        for judged in &report.judged {
            self.mutant(spec, judged);
        }
        for tallied in &report.properties {
            self.property(spec, tallied);
        }
        for part in &report.idle {
            let message = idle_line(spec, part, &report.base);
            self.tell(spec, ("audit-idle", Level::Error), Some(part.span), message.clone());
            let kind = "audit-idle".to_owned();
            let name = format!("{} says something", part.property);
            self.case(name, Outcome::Failed { kind, message, text: String::new() });
        }
        for action in &report.never_enabled {
            let message = format!("`{}` is never possible", action.name);
            self.tell(spec, ("audit-never-possible", Level::Warning), Some(action.span), message);
        }
    }

    /// Adds that nothing was audited, because the original specification has an error or no answer.
    pub fn add_refusal(&mut self, spec: &Spec, outcome: &model::Outcome) {
        self.note(&spec.sources, finding_diagnostic(outcome));
        let (kind, message) = ("audit-refused".to_owned(), short(outcome));
        self.case("audit", Outcome::Broken { kind, message, text: String::new() });
    }

    fn tell(&mut self, spec: &Spec, (rule, level): (&str, Level), span: Option<Span>, message: String) {
        self.find(Finding {
            rule: rule.to_owned(),
            name: rule.to_owned(),
            level,
            message,
            place: span.and_then(|span| FindingPlace::of(&spec.sources, span)),
            related: Vec::new(),
        });
    }

    fn mutant(&mut self, spec: &Spec, judged: &Judged) {
        let line = mutant_line(spec, &judged.mutant);
        let why = verdict_line(&judged.verdict).unwrap_or_default();
        let (rule, message) = match &judged.verdict {
            Verdict::Caught { .. } => return self.case(line, Outcome::Passed),
            Verdict::Survived(Survival::Same) => {
                return self.case(line, Outcome::Skipped("it is the same as before".to_owned()));
            }
            Verdict::Invalid(_) => {
                return self.case(line, Outcome::Skipped("it cannot be run".to_owned()));
            }
            Verdict::Failed(_) => {
                let why = format!("noticed by an error alone: {why}");
                return self.case(line, Outcome::Skipped(why));
            }
            Verdict::Survived(Survival::Differs(_)) => ("audit-missed", "no property catches this mutant"),
            Verdict::Survived(Survival::Unknown(_)) => {
                ("audit-unknown", "no property catches this mutant, and no difference was shown")
            }
            Verdict::Undecided(_) => ("audit-undecided", "nothing was found out about this mutant"),
        };
        let is_missed = matches!(judged.verdict, Verdict::Survived(Survival::Differs(_)));
        let level = if is_missed { Level::Error } else { Level::Warning };
        let text = format!("{line}\n{why}");
        self.tell(spec, (rule, level), Some(judged.mutant.span), format!("{message}: {text}"));
        let (kind, message) = (rule.to_owned(), message.to_owned());
        let outcome = match is_missed {
            true => Outcome::Failed { kind, message, text },
            false => Outcome::Broken { kind, message, text },
        };
        self.case(line, outcome);
    }

    fn property(&mut self, spec: &Spec, tallied: &Tallied) {
        let name = format!("{} can fail", tallied.property.name);
        let Some(message) = cannot_fail_line(tallied) else { return self.case(name, Outcome::Passed) };
        self.tell(spec, ("audit-cannot-fail", Level::Error), tallied.property.span, message.clone());
        let kind = "audit-cannot-fail".to_owned();
        self.case(name, Outcome::Failed { kind, message, text: String::new() });
    }
}
