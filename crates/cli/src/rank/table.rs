//! Ranked tables, as text and as JSON. `docs/rank.md` is the user's copy.

use std::io;

use serde_json::{Value, json};
use setup::words::{counted, grouped};
use simulate::{Estimate, Measure};

use super::covered::Covered;
use super::wishes::{Pairing, Wishes};
use crate::args::CheckFormatArg;
use crate::console::{Console, Stream};

pub struct Tables<'a> {
    console: &'a Console,
    format: CheckFormatArg,
    wishes: &'a Wishes,
}

impl<'a> Tables<'a> {
    pub fn new(console: &'a Console, format: CheckFormatArg, wishes: &'a Wishes) -> Self {
        Tables { console, format, wishes }
    }

    /// The table of one configuration, the best budget first.
    pub fn show(&self, pairing: &Pairing, measures: &[Measure], order: &[usize]) -> io::Result<()> {
        match self.format {
            CheckFormatArg::Text => self.console.write(Stream::Out, &self.text(pairing, measures, order)),
            CheckFormatArg::Json => {
                self.console.line(Stream::Out, &self.json(pairing, measures, order).to_string())
            }
        }
    }

    /// Shows the coverage of the budgets, if it is known.
    pub fn show_covered(&self, pairing: &Pairing, covered: &Covered, order: &[usize]) -> io::Result<()> {
        match self.format {
            CheckFormatArg::Text => self.console.write(Stream::Out, &covered.text(pairing, order)),
            CheckFormatArg::Json => {
                let mut objects = covered.json(pairing, order).into_iter();
                objects.try_for_each(|object| self.console.line(Stream::Out, &object.to_string()))
            }
        }
    }

    fn text(&self, pairing: &Pairing, measures: &[Measure], order: &[usize]) -> String {
        let Wishes { n_walks, depth, .. } = self.wishes;
        let n_budgets = pairing.budgets.len();
        let mut text = format!(
            "{}: {}, {} of at most {} for each.\n",
            pairing.name,
            counted(n_budgets as u64, "budget"),
            counted(*n_walks, "walk"),
            counted(u64::from(*depth), "step")
        );
        text += "      branches       actions    steps   states, at least\n";
        for (place, &index) in order.iter().enumerate() {
            let measure = &measures[index];
            text += &format!(
                "{:>3}  {:>3} of {:>3}  {:>9.2}  {:>9.2}   {:<32} {}\n",
                place + 1,
                measure.n_taken,
                measure.n_branches,
                measure.diversity,
                measure.depth,
                states(measure.states),
                pairing.budgets[index].name,
            );
        }
        text
    }

    fn json(&self, pairing: &Pairing, measures: &[Measure], order: &[usize]) -> Value {
        let rows = order.iter().enumerate().map(|(place, &index)| {
            let measure = &measures[index];
            let (states, interval) = match measure.states {
                Some(Estimate::AtLeast { states, low, high }) => {
                    (states.round(), json!([low.round(), high.round()]))
                }
                Some(Estimate::More(n)) => (n as f64, json!(null)),
                None => (0.0, json!(null)),
            };
            json!({
                "rank": place + 1,
                "budget": pairing.budgets[index].name,
                "defines": pairing.budgets[index].defines,
                "branches_taken": measure.n_taken,
                "branches": measure.n_branches,
                "diversity": measure.diversity,
                "depth": measure.depth,
                "states_at_least": states,
                "states_interval": interval,
            })
        });
        json!({
            "kind": "ranking",
            "configuration": pairing.name,
            "walks": self.wishes.n_walks,
            "depth": self.wishes.depth,
            "rows": rows.collect::<Vec<Value>>(),
        })
    }
}

fn states(estimate: Option<Estimate>) -> String {
    let number = |n: f64| grouped(n.round() as u64);
    match estimate {
        Some(Estimate::AtLeast { states, low, high }) if low == high => number(states),
        Some(Estimate::AtLeast { states, low, high }) => {
            format!("{} ({} to {})", number(states), number(low), number(high))
        }
        Some(Estimate::More(n)) => format!("more than {}", grouped(n)),
        None => String::new(),
    }
}
