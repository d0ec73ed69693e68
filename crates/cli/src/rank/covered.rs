//! What the walks of each budget used of the specification, for `--coverage`: as text and as JSON.
//!
//! For people, what each budget missed is told beside what the others of its configuration came by, and the counters are
//! those of all of them together: what no budget reaches is a matter of the specification, not of a bound.

use std::sync::Arc;

use check::{Branch, Coverage};
use diag::{Code, Diagnostic};
use sema::Spec;
use serde_json::{Value, json};

use super::wishes::Pairing;
use crate::coverage;

/// The coverage of the budgets of one configuration, in their order.
#[derive(Default)]
pub struct Covered {
    /// As it was read for the first budget. The modules are the same for all, and so are places in them.
    spec: Option<Spec>,
    by_budget: Vec<Coverage>,
}

impl Covered {
    /// Adds what the walks of the next budget used, or says which module was changed in between.
    pub fn add(&mut self, spec: Spec, used: Coverage) -> Result<(), Box<Diagnostic>> {
        if let Some(changed) = self.spec.as_ref().and_then(|first| changed_module(first, &spec)) {
            let headline = format!("`{changed}` was changed while bounds were ranked");
            return Err(Box::new(Diagnostic::without_place(Code::CannotRead, headline)));
        }
        self.spec.get_or_insert(spec);
        self.by_budget.push(used);
        Ok(())
    }

    pub fn text(&self, pairing: &Pairing, order: &[usize]) -> String {
        let Some(spec) = &self.spec else { return String::new() };
        let sum = Coverage::sum(&self.by_budget);
        let mut text = "Branches that other budgets took:\n".to_owned();
        for (place, &index) in order.iter().enumerate() {
            let missed = missed(&sum, &self.by_budget[index]);
            text += &format!("{:>3}  {} missed: {}\n", place + 1, missed.len(), pairing.budgets[index].name);
            for branch in missed {
                text += &format!("       {}\n", coverage::branch_text(spec, &sum, branch));
            }
        }
        text += &format!("Coverage of {}, all budgets together.\n", pairing.name);
        text + &coverage::text(spec, &sum)
    }

    /// An object for each budget, then one for all of them together.
    pub fn json(&self, pairing: &Pairing, order: &[usize]) -> Vec<Value> {
        let Some(spec) = &self.spec else { return Vec::new() };
        let object = |budget: Option<&str>, used: &Coverage| {
            let mut object = coverage::json(spec, used);
            object["configuration"] = json!(pairing.name);
            object["budget"] = json!(budget);
            object
        };
        let each = order.iter().map(|&index| {
            let budget = &pairing.budgets[index].name;
            object(Some(budget), &self.by_budget[index])
        });
        each.chain([object(None, &Coverage::sum(&self.by_budget))]).collect()
    }
}

/// Branches that some budget took, and this one did not.
fn missed<'a>(sum: &'a Coverage, used: &Coverage) -> Vec<&'a Branch> {
    let takes = |wanted: &&Branch| {
        let same = |branch: &&Branch| (branch.span, branch.kind) == (wanted.span, wanted.kind);
        used.branches.iter().find(same).is_some_and(|branch| branch.n_taken > 0)
    };
    sum.branches.iter().filter(|branch| branch.n_taken > 0 && !takes(branch)).collect()
}

/// Places in one reading mean nothing in another that has other texts.
fn changed_module(first: &Spec, later: &Spec) -> Option<String> {
    let text = |spec: &Spec, module: &sema::spec::Module| {
        let file = spec.sources.file(module.span.source);
        (module.span, file.name().to_owned(), Arc::clone(file.text()))
    };
    let mut modules = first.modules.iter().zip(later.modules.iter());
    let (changed, _) = modules.find(|(one, other)| text(first, one) != text(later, other))?;
    Some(first.sources.file(changed.span.source).name().to_owned())
}
