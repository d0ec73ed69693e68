//! `cargo xtask diff-tlc --random N`: runs both tools on generated expressions and specifications.
//!
//! `expr` makes expressions by the table in `rules`, `spec` whole specifications; `batch` and `judge` run both tools on
//! them. Case `i` of seed `S` is case 0 of seed `S + i`, so that each can be repeated by itself.

mod accepted;
mod batch;
pub mod engines;
mod expr;
mod expressions;
mod formula;
mod judge;
mod module;
mod rules;
mod shrink;
mod spec;
mod specs;
mod term;
mod tools;
mod ty;

use std::path::PathBuf;

use anyhow::{Context, Result};
use base::{Clock, SystemClock};
use proptest::strategy::ValueTree;

use self::module::complete;
use self::shrink::Shrinking;
use self::term::{Term, Text};
pub use self::tools::Tools;

/// The options of a run.
pub struct RandomOptions {
    pub n_cases: u64,
    pub seed: u64,
    /// The kind of cases; both if `None`.
    pub kind: Option<Kind>,
    /// The folder to which differences are written.
    pub out: Option<PathBuf>,
    /// Number of differences after which the run ends.
    pub n_differences_max: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    Expressions,
    Specs,
}

/// Runs the cases; returns whether the tools agree.
pub fn run(asked: &RandomOptions, mut tools: Tools) -> Result<bool> {
    let clock = SystemClock::start();
    let mut n_different = 0;
    if asked.kind != Some(Kind::Specs) {
        n_different += expressions::run(asked, &mut tools)?;
    }
    if asked.kind != Some(Kind::Expressions) {
        n_different += specs::run(asked, &mut tools)?;
    }
    println!("{:.1} minutes, {n_different} differences", clock.elapsed().as_secs_f64() / 60.0);
    Ok(n_different == 0)
}

/// The most smaller terms that are tried.
const N_TRIES_MAX: usize = 600;

/// Returns the smallest term found for which `still` holds.
fn shrink(term: &Term, mut still: impl FnMut(&Term) -> Result<bool>) -> Result<Term> {
    let mut tree = Shrinking::new(term.clone());
    let mut smallest = term.clone();
    let mut goes_on = tree.simplify();
    for _ in 0..N_TRIES_MAX {
        if !goes_on {
            break;
        }
        let smaller = tree.current();
        goes_on = if still(&smaller)? {
            smallest = smaller;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    Ok(smallest)
}

/// Prints a difference, and writes it to the folder that the user gave.
fn report(asked: &RandomOptions, name: &str, what: &str, body: &Text) -> Result<()> {
    let comment: String = what.lines().map(|line| format!("\\* {line}\n")).collect();
    let whole = complete(name, &comment, body);
    println!("== {name}\n{what}\n{}", body.module.trim_end());
    if !body.config.is_empty() {
        println!("-- {}", body.config.trim_end().replace('\n', "\n-- "));
    }
    if let Some(out) = &asked.out {
        std::fs::create_dir_all(out).with_context(|| format!("cannot make `{}`", out.display()))?;
        module::write(out, name, &whole)?;
    }
    Ok(())
}
