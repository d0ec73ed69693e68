//! Coverage of the walks of each budget, for `--coverage`: as text and as JSON.
//!
//! The text lists the branches that each budget missed and another budget of its configuration reached. Its
//! counters are the sums over all budgets: a branch that no budget reaches is unreachable for another reason
//! than a bound.

use diag::{Code, Diagnostic};
use report::coverage::{Bounds, Branch, Report, Texts};
use serde_json::Value;

use super::wishes::Pairing;
use crate::coverage::json;
use crate::coverage::text::{branch_text, text};

/// The coverage of the budgets of one configuration, in their order.
#[derive(Default)]
pub struct Covered {
    by_budget: Vec<Report>,
}

impl Covered {
    /// Adds what the walks of the next budget used, or says which module was changed in between: places in one
    /// reading mean nothing in another that has other texts.
    pub fn add(&mut self, used: Report) -> Result<(), Box<Diagnostic>> {
        let first = self.by_budget.first().unwrap_or(&used);
        let mut sources = first.sources.iter().zip(&used.sources);
        if let Some((changed, _)) = sources.find(|(one, other)| one != other) {
            let headline = format!("`{}` was changed while bounds were ranked", changed.file);
            return Err(Box::new(Diagnostic::without_place(Code::CannotRead, headline)));
        }
        self.by_budget.push(used);
        Ok(())
    }

    pub fn text(&self, pairing: &Pairing, order: &[usize]) -> String {
        let sum = Report::sum(&self.by_budget);
        let texts = Texts::new(&sum.sources);
        let mut told = "Branches that other budgets took:\n".to_owned();
        for (place, &index) in order.iter().enumerate() {
            let missed = missed_branches(&sum, &self.by_budget[index]);
            told += &format!("{:>3}  {} missed: {}\n", place + 1, missed.len(), pairing.budgets[index].name);
            for branch in missed {
                told += &format!("       {}\n", branch_text(&sum, &texts, branch));
            }
        }
        told += &format!("Coverage of {}, all budgets together.\n", pairing.name);
        told + &text(&sum)
    }

    /// An object for each budget, then one for all of them together, which has the texts.
    pub fn json(&self, pairing: &Pairing, order: &[usize]) -> Vec<Value> {
        self.reports(pairing, order).iter().map(json).collect()
    }

    /// The report of each budget, then that of all of them together, which has the texts.
    pub fn reports(&self, pairing: &Pairing, order: &[usize]) -> Vec<Report> {
        let bounds = |budget: Option<&String>| {
            Some(Bounds { configuration: pairing.name.clone(), budget: budget.cloned() })
        };
        let each = order.iter().map(|&index| Report {
            bounds: bounds(Some(&pairing.budgets[index].name)),
            sources: Vec::new(),
            ..self.by_budget[index].clone()
        });
        let sum = Report { bounds: bounds(None), ..Report::sum(&self.by_budget) };
        each.chain([sum]).collect()
    }
}

/// Branches that some budget took, and this one did not.
fn missed_branches<'a>(sum: &'a Report, used: &Report) -> Vec<&'a Branch> {
    let takes = |wanted: &&Branch| {
        let same = |branch: &&Branch| (&branch.place, branch.kind) == (&wanted.place, wanted.kind);
        used.branches.iter().find(same).is_some_and(|branch| branch.taken > 0)
    };
    sum.branches.iter().filter(|branch| branch.taken > 0 && !takes(branch)).collect()
}
