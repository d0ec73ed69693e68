//! The budgets to rank: the command line and `specline.toml` together.

use std::path::PathBuf;

use diag::{Code, Diagnostic};
use simulate::{Criterion, Order};

use crate::project::{Expression, RankTable};
use crate::rank::args::RankArgs;

const N_WALKS: u64 = 100;
const DEPTH: u32 = 100;

pub struct Wishes {
    pub n_walks: u64,
    pub depth: u32,
    pub orders: Vec<Order>,
    pub pairings: Vec<Pairing>,
}

/// A configuration with the budgets that it is paired with.
pub struct Pairing {
    pub name: String,
    pub config: Option<PathBuf>,
    /// Definitions, in the form that `-D` takes.
    pub defines: Vec<String>,
    pub budgets: Vec<Budget>,
}

/// Values of constants that bound a model.
#[derive(Clone)]
pub struct Budget {
    pub name: String,
    pub defines: Vec<String>,
}

impl Wishes {
    pub fn new(args: &RankArgs, table: RankTable) -> Result<Wishes, Box<Diagnostic>> {
        let budgets = budgets(&table);
        if budgets.is_empty() {
            let headline = "there are no budgets to rank";
            let help = "give values to constants under `[rank.budgets]` in `specline.toml`";
            return Err(Box::new(Diagnostic::without_place(Code::ProjectFile, headline).help(help)));
        }
        let by = if args.by.is_empty() { &table.by } else { &args.by };
        let orders: Result<Vec<Order>, Box<Diagnostic>> = by.iter().map(|text| order(text)).collect();
        let orders = orders?;
        let mut pairings: Vec<Pairing> = table
            .configuration
            .iter()
            .map(|configuration| Pairing {
                name: configuration.name.clone(),
                config: configuration.config.clone(),
                defines: configuration.constants.iter().map(define).collect(),
                budgets: budgets.clone(),
            })
            .collect();
        if pairings.is_empty() {
            let name = "the configuration".to_owned();
            pairings.push(Pairing { name, config: None, defines: Vec::new(), budgets });
        }
        Ok(Wishes {
            n_walks: args.walks.or(table.walks).unwrap_or(N_WALKS),
            depth: args.depth.or(table.depth).unwrap_or(DEPTH),
            orders: if orders.is_empty() { Order::DEFAULT.to_vec() } else { orders },
            pairings,
        })
    }
}

/// Every combination of `[rank.budgets]`, and those of `[[rank.budget]]`.
fn budgets(table: &RankTable) -> Vec<Budget> {
    let mut combinations: Vec<Vec<(&String, &Expression)>> = vec![Vec::new()];
    for (name, values) in &table.budgets {
        let before = std::mem::take(&mut combinations);
        for combination in &before {
            for value in values {
                combinations.push(combination.iter().copied().chain([(name, value)]).collect());
            }
        }
    }
    if table.budgets.is_empty() {
        combinations.clear();
    }
    combinations.extend(table.budget.iter().map(|budget| budget.iter().collect()));
    combinations.into_iter().map(|constants| budget(&constants)).collect()
}

fn budget(constants: &[(&String, &Expression)]) -> Budget {
    let words: Vec<String> = constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    Budget { name: words.join(", "), defines: constants.iter().copied().map(define).collect() }
}

/// Returns a constant with its value as `-D` takes it: `MaxTerm=2`.
fn define((name, value): (&String, &Expression)) -> String {
    format!("{name}={value}")
}

/// Reads the name of an order: `depth`, or `-depth` for the reverse.
fn order(text: &str) -> Result<Order, Box<Diagnostic>> {
    let (name, is_turned) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text, false),
    };
    let criterion = match name {
        "coverage" => Criterion::Coverage,
        "diversity" => Criterion::Diversity,
        "depth" => Criterion::Depth,
        "states" => Criterion::States,
        _ => {
            let headline = format!("bounds cannot be ordered by `{text}`");
            let help =
                "there are `coverage`, `diversity`, `depth` and `states`, each perhaps with `-` before it";
            return Err(Box::new(Diagnostic::without_place(Code::ProjectFile, headline).help(help)));
        }
    };
    let order = Order::of(criterion);
    Ok(Order { is_descending: order.is_descending != is_turned, ..order })
}
