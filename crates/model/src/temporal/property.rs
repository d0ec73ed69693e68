//! Temporal properties, and how their violations are reported.

use diag::{Code, Diagnostic};
use eval::temporal::TemporalFormula;
use live::{Formula, Plan, Refusal};
use sema::Spec;
use trace::Finding as Shown;

use super::blame;
use super::build;
use super::meaning::Word;
use crate::outcome::{NoVerdict, Property, PropertyKind, Violation};

pub struct TemporalProperty {
    pub name: String,
    pub span: diag::Span,
    pub formula: Formula,
    /// The formula with the values of bound names.
    pub expanded: TemporalFormula,
    pub plan: Plan,
}

impl TemporalProperty {
    /// For which values of bound names it fails on a behaviour.
    pub fn failing_instances(&self, spec: &Spec, word: &Word) -> Option<String> {
        blame::instances(spec, (&self.expanded, &self.formula), word)
    }
}

/// Remarks on a violation beside the behaviour.
#[derive(Default)]
pub struct Remarks {
    /// The values of bound names for which the property fails.
    pub instances: Option<String>,
    pub help: Option<&'static str>,
}

pub fn refuse(property: &TemporalProperty, refusal: Refusal) -> NoVerdict {
    NoVerdict::Unsupported(Box::new(build::refusal(&property.name, property.span, refusal)))
}

/// The names of all properties that a behaviour violates.
pub fn violated_names(properties: &[TemporalProperty], word: &Word) -> Vec<String> {
    let violated = properties.iter().filter(|property| !word.satisfies(&property.formula));
    let mut names: Vec<String> = violated.map(|violated| violated.name.clone()).collect();
    names.dedup();
    names
}

/// Returns a remark on a behaviour that stops although nothing makes it.
pub fn stops_anywhere(back_to: Option<usize>, fairness: &[Formula]) -> Option<&'static str> {
    let may_stop = back_to.is_none() && fairness.is_empty();
    may_stop.then_some("without fairness, such as `WF_vars(Next)`, every behaviour may stop anywhere")
}

/// A violation that `trace` shows, of all properties with these `names`.
pub fn describe_violation(
    property: &TemporalProperty,
    mut trace: Option<trace::Trace>,
    names: Vec<String>,
    remarks: Remarks,
) -> Violation {
    if let Some(trace) = &mut trace {
        trace.finding = Shown::TemporalProperty { names };
    }
    let name = property.name.clone();
    let diagnostic = violation_diagnostic(&name, property.span, remarks.instances.as_deref());
    let diagnostic = match remarks.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    };
    let is_prefix = property.plan.is_safety();
    let property = Property { kind: PropertyKind::Temporal, name, span: Some(property.span) };
    Violation { property, trace, is_prefix, diagnostic }
}

/// The diagnostic of a violated property; `instances` are the values of bound names for which it fails.
pub fn violation_diagnostic(name: &str, span: diag::Span, instances: Option<&str>) -> Diagnostic {
    let headline = format!("temporal property `{name}` is violated");
    let diagnostic = Diagnostic::new(Code::TemporalViolated, span, headline);
    match instances {
        Some(instances) => diagnostic.label(format!("this does not hold for {instances}")),
        None => diagnostic.label("this does not hold"),
    }
}

pub fn no_counterexample(property: &TemporalProperty) -> Diagnostic {
    let headline = format!("what was found to violate `{}` is no counterexample", property.name);
    Diagnostic::new(Code::Internal, property.span, headline)
}
