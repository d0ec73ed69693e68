//! `explorers two-phase --rms 9`, `explorers raft --servers 3 ...`: explores, and prints the counts as JSON.
#![expect(clippy::print_stdout, reason = "a program, and this is its output")]

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use explorers::raft::{Bounds, Raft};
use explorers::two_phase::TwoPhase;
use explorers::{Counts, Records, Words, explore};

#[derive(Parser)]
#[command(about = "Explores models of the bench by hand-written code")]
struct Args {
    #[command(subcommand)]
    model: Which,
}

#[derive(Subcommand)]
enum Which {
    /// bench/models/TwoPhaseCommit.tla
    TwoPhase {
        #[arg(long, value_name = "N", default_value_t = 9)]
        rms: u32,
    },
    /// suite/protocols/RaftLog.tla
    Raft {
        #[arg(long, value_name = "N", default_value_t = 3)]
        servers: usize,
        #[arg(long, value_name = "N", default_value_t = 1)]
        values: u64,
        #[arg(long, value_name = "N", default_value_t = 1)]
        max_term: u64,
        #[arg(long, value_name = "N", default_value_t = 2)]
        max_log: u64,
        #[arg(long, value_name = "N", default_value_t = 1)]
        max_queue: u32,
    },
}

fn main() -> Result<()> {
    let counts = run(&Args::parse().model)?;
    println!("{}", serde_json::to_string(&counts).context("cannot write the counts")?);
    Ok(())
}

fn run(model: &Which) -> Result<Counts> {
    let too_large = "the state does not fit into its words";
    let counts = match *model {
        Which::TwoPhase { rms } => explore(&TwoPhase::new(rms).context(too_large)?, &mut Words::default()),
        Which::Raft { servers, values, max_term, max_log, max_queue } => {
            let bounds = Bounds {
                n_servers: servers,
                n_values: values,
                term_max: max_term,
                log_len_max: max_log,
                queue_len_max: max_queue,
            };
            explore(&Raft::new(bounds).context(too_large)?, &mut Records::default())
        }
    };
    counts.context("an invariant does not hold")
}
