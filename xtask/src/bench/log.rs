//! Measures the validation of long logs by mappings: `bench/logs`. The logs are written here, and are the same each
//! time.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::measure::{self, Usage};
use super::specline::Specline;
use super::table::group_digits;
use crate::run;

const ACCOUNTS: [&str; 4] = ["a", "b", "c", "d"];

/// Number of entries of the journal that are copied at a time.
const COPIED: u64 = 7;

#[derive(Serialize)]
pub struct LogFigures {
    n_events: u64,
    /// Figures for states of constant size.
    usage: Usage,
    /// Figures for states with sequences that grow with the log.
    growing: Usage,
    /// Figures for states with a set and a function that grow with the log.
    storing: Usage,
}

impl LogFigures {
    pub fn lines(&self) -> Vec<String> {
        let of = |what: &str, usage: &Usage| {
            let Usage { cpu_seconds, wall_seconds, peak_bytes } = *usage;
            let rate = group_digits((self.n_events as f64 / cpu_seconds) as u64);
            [
                format!(
                    "{} events, {what}: {cpu_seconds:.1} s of CPU time, {wall_seconds:.1} s",
                    group_digits(self.n_events)
                ),
                format!("{rate} events per CPU second, peak {} MB", peak_bytes >> 20),
            ]
        };
        let all = [
            of("states of one size", &self.usage),
            of("sequences that grow", &self.growing),
            of("a set and a function that grow", &self.storing),
        ];
        all.into_iter().flatten().collect()
    }
}

/// Writes logs of `n_events` events and validates them.
pub fn measure(specline: &Specline, n_events: u64) -> Result<LogFigures> {
    Ok(LogFigures {
        n_events,
        usage: usage(specline, ("Bank.tla", "bank-map.toml"), (n_events, write_bank))?,
        growing: usage(specline, ("Journal.tla", "journal-map.toml"), (n_events, write_journal))?,
        storing: usage(specline, ("Store.tla", "store-map.toml"), (n_events, write_store))?,
    })
}

type WriteLog = fn(&mut BufWriter<&File>, u64) -> std::io::Result<()>;

fn usage(
    specline: &Specline,
    (spec, map): (&str, &str),
    (n_events, write): (u64, WriteLog),
) -> Result<Usage> {
    let log = tempfile::NamedTempFile::new().context("cannot make a file")?;
    write(&mut BufWriter::new(log.as_file()), n_events).context("cannot write the log")?;
    let folder = run::root().join("bench/logs");
    let mut command = Command::new(&specline.program);
    command.arg("validate").arg(folder.join(spec));
    command.arg("--map").arg(folder.join(map)).arg("--log").arg(log.path());
    let ended = measure::run(&command, specline.seconds_max())?;
    if ended.exit != 0 || !ended.output.contains(&format!("explains {n_events} events")) {
        bail!("the log is not explained: {}{}", ended.output, ended.errors);
    }
    Ok(ended.usage)
}

fn write_journal(out: &mut BufWriter<&File>, n_events: u64) -> std::io::Result<()> {
    let (mut written, mut copied) = (0, 0);
    for number in 0..n_events {
        if number % COPIED == COPIED - 1 {
            // Sometimes an entry is copied again.
            let known = u64::saturating_sub(copied, number % 2);
            copied = written;
            writeln!(out, r#"{{"op":"follow","known":{known},"copied":{copied}}}"#)?;
            continue;
        }
        written += 1;
        let (account, amount) = (ACCOUNTS[(number % 4) as usize], number % 10);
        let entry = format!(r#"{{"account":"{account}","amount":{amount}}}"#);
        writeln!(out, r#"{{"op":"write","entry":{entry},"written":{written}}}"#)?;
    }
    out.flush()
}

/// Writes a log in which each key is put once, in no order; then the key is asked for, and the request is repeated.
fn write_store(out: &mut BufWriter<&File>, n_events: u64) -> std::io::Result<()> {
    for number in 0..n_events {
        let request = number / 3;
        // A permutation of the numbers below a prime.
        let key = request * 7919 % 999_983;
        let line = match number % 3 {
            0 => format!(r#"{{"op":"put","request":{request},"key":"k{key}","value":{number}}}"#),
            1 => format!(r#"{{"op":"get","key":"k{key}","value":{}}}"#, number - 1),
            _ => format!(r#"{{"op":"again","request":{request},"key":"k{key}"}}"#),
        };
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// A bank that behaves as the specification says.
struct Bank {
    balances: [u64; 4],
    queue: VecDeque<(usize, usize, u64)>,
    n_done: u64,
    random: u64,
}

impl Bank {
    /// Returns a number less than `end`, by xorshift, which is the same in every run.
    fn random(&mut self, end: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % end
    }

    fn request(&mut self) -> String {
        let rich: Vec<usize> = (0..4).filter(|&account| self.balances[account] > 0).collect();
        let from = rich[self.random(rich.len() as u64) as usize];
        let to = (from + 1 + self.random(3) as usize) % 4;
        let amount = 1 + self.random(self.balances[from]);
        self.queue.push_back((from, to, amount));
        let (from, to, queued) = (ACCOUNTS[from], ACCOUNTS[to], self.queue.len());
        format!(r#"{{"op":"request","from":"{from}","to":"{to}","amount":{amount},"queued":{queued}}}"#)
    }

    fn transfer(&mut self, (from, to, amount): (usize, usize, u64)) -> String {
        if amount <= self.balances[from] {
            self.balances[from] -= amount;
            self.balances[to] += amount;
        }
        self.n_done += 1;
        let (name, balance, done) = (ACCOUNTS[from], self.balances[from], self.n_done);
        format!(r#"{{"op":"transfer","from":"{name}","balance":{balance},"done":{done}}}"#)
    }
}

fn write_bank(out: &mut BufWriter<&File>, n_events: u64) -> std::io::Result<()> {
    let mut bank = Bank { balances: [100; 4], queue: VecDeque::new(), n_done: 0, random: 0x9e37_79b9 };
    for _ in 0..n_events {
        let is_full = bank.queue.len() > 5 || bank.random(2) == 0;
        let line = match bank.queue.front().copied().filter(|_| is_full) {
            Some(next) => {
                bank.queue.pop_front();
                bank.transfer(next)
            }
            None => bank.request(),
        };
        writeln!(out, "{line}")?;
    }
    out.flush()
}
