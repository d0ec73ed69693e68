//! One level: its states read from disk in order, and expanded by the workers.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use eval::interp::Machine;
use model::{REGION_BYTES_MAX, STACK_BYTES};

use super::blocks::{BlockFile, BlockWriter, length_at, push_length};
use super::candidates::{Candidates, FoundRuns};
use super::filter::Filter;
use super::folder::Folder;
use super::sink::Sink;
use crate::bfs::is_over;
use crate::context::Context;
use crate::expand::{Company, Expander, Exploration, Finding};
use crate::generated;
use crate::periodic;
use crate::run::WorkerRun;

/// A block has no more states than this, so that several workers share a small level.
const BLOCK_STATES_MAX: u32 = 256;

/// The states of a level that are still to be expanded, in order.
pub(super) struct Frontier {
    /// States in blocks, each of which begins with the rank of its first state.
    states: BlockFile,
    /// Number of states of the level, including those that are expanded already.
    pub n_states: u32,
    /// The number of the first of them.
    pub first_number: u32,
}

pub(super) struct FrontierWriter<'a> {
    writer: BlockWriter<'a>,
    rank: u32,
    n_in_block: u32,
    first_number: u32,
}

impl<'a> FrontierWriter<'a> {
    /// The first state to come has this rank, in a level whose first state has this number.
    pub fn new(folder: &'a Folder, rank: u32, first_number: u32) -> FrontierWriter<'a> {
        FrontierWriter { writer: BlockWriter::new(folder), rank, n_in_block: 0, first_number }
    }

    pub fn push(&mut self, state: &[u8]) -> io::Result<()> {
        if self.n_in_block == BLOCK_STATES_MAX {
            self.writer.end_block()?;
        }
        let block = self.writer.record(self.rank.into())?;
        self.n_in_block = if block.is_empty() { 1 } else { self.n_in_block + 1 };
        push_length(state.len(), block);
        block.extend(state);
        self.rank += 1;
        Ok(())
    }

    pub fn finish(self) -> io::Result<Frontier> {
        let (n_states, first_number) = (self.rank, self.first_number);
        Ok(Frontier { states: self.writer.finish()?, n_states, first_number })
    }
}

/// How many states each state of a level generated.
pub(super) struct Generated(File);

const COUNT_BYTES: usize = size_of::<u32>();

impl Generated {
    pub fn new(folder: &Folder) -> io::Result<Generated> {
        Ok(Generated(folder.file()?))
    }

    /// Nothing is known of the next level.
    pub fn clear(&mut self) -> io::Result<()> {
        self.0.set_len(0)
    }

    pub fn write(&self, generated: &generated::Generated) -> io::Result<()> {
        for (first, counts) in generated.runs() {
            let bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
            self.0.write_all_at(&bytes, u64::from(first) * COUNT_BYTES as u64)?;
        }
        Ok(())
    }

    /// The sum over the ranks below `end`.
    pub fn sum(&self, end: u32) -> io::Result<u64> {
        let n_bytes = (u64::from(end) * COUNT_BYTES as u64).min(self.0.metadata()?.len());
        let (mut at, mut sum) = (0, 0);
        let mut buffer = vec![0; 64 << 10];
        while at < n_bytes {
            let part = &mut buffer[..(n_bytes - at).min(64 << 10) as usize];
            self.0.read_exact_at(part, at)?;
            let counts = part.chunks_exact(COUNT_BYTES);
            sum += counts
                .map(|count| u64::from(u32::from_le_bytes(count.try_into().expect("chunks of four"))))
                .sum::<u64>();
            at += part.len() as u64;
        }
        Ok(sum)
    }
}

/// Data that all workers of a level share.
pub(super) struct Level<'a> {
    pub context: &'a Context<'a>,
    pub folder: &'a Folder,
    pub filter: &'a Filter,
    pub frontier: &'a Frontier,
    pub found: &'a FoundRuns,
    pub generated: &'a Generated,
    pub depth: u32,
    /// Memory for what each worker finds.
    pub bytes_max: usize,
    next: AtomicUsize,
    /// Largest rank that is expanded: something was found that ends the search.
    last_rank: AtomicU32,
}

/// The files that a level reads and writes.
pub(super) struct Files<'a> {
    pub folder: &'a Folder,
    pub filter: &'a Filter,
    pub frontier: &'a Frontier,
    pub found: &'a FoundRuns,
    pub generated: &'a Generated,
}

impl<'a> Level<'a> {
    pub fn new(context: &'a Context<'a>, files: Files<'a>, depth: u32, bytes_max: usize) -> Level<'a> {
        let Files { folder, filter, frontier, found, generated } = files;
        let (next, last_rank) = (AtomicUsize::new(0), AtomicU32::new(u32::MAX));
        Level { context, folder, filter, frontier, found, generated, depth, bytes_max, next, last_rank }
    }

    /// Expands every state. What there is to report, in no order.
    pub fn expand(&self) -> io::Result<Vec<Finding>> {
        let n_blocks = self.frontier.states.blocks().len();
        let n_workers = self.context.board.options.n_workers.clamp(1, n_blocks.max(1));
        if n_workers == 1 {
            return self.work(0);
        }
        std::thread::scope(|scope| {
            let start = |worker| base::spawn_deep(scope, STACK_BYTES, move || self.work(worker));
            let workers: Vec<_> = (0..n_workers).map(start).collect();
            let mut findings = Vec::new();
            let mut failure = None;
            for worker in workers {
                match base::join(worker) {
                    Ok(found) => findings.extend(found),
                    Err(error) => failure = Some(error),
                }
            }
            failure.map_or(Ok(findings), Err)
        })
    }

    fn work(&self, worker: usize) -> io::Result<Vec<Finding>> {
        let run = WorkerRun::new(self.context, worker);
        let mut expander = Expander::new(self.context, &run, Company::Shared, Exploration::BreadthFirst);
        let candidates = Candidates::new(self.folder, self.found, self.bytes_max);
        expander.sink = Some(Box::new(Sink::new(
            self.filter,
            candidates,
            !self.context.invariants_have_effects(),
            &self.context.board.limits.disk_over,
        )));
        let worked = self.expand_blocks(&run, &mut expander);
        if worked.is_err() {
            self.context.board.limits.disk_over.store(true, Ordering::Relaxed);
        }
        self.generated.write(&expander.harvest.generated)?;
        worked?;
        expander.sink.take().map_or(Ok(()), |sink| sink.finish())?;
        Ok(expander.finish().findings)
    }

    fn expand_blocks<'w>(&'w self, run: &'w WorkerRun<'w>, expander: &mut Expander<'w>) -> io::Result<()> {
        let context = self.context;
        let mut region = context.board.region();
        let mut block = Block::default();
        loop {
            region.reset();
            let mut machine = Machine::new(context.program(), context.shared, &region, run);
            while !region.is_reset_due(REGION_BYTES_MAX) {
                if block.is_read() {
                    self.generated.write(&expander.harvest.generated)?;
                    expander.harvest.generated.clear();
                    context.board.tick(context.space);
                    periodic::look(context, run);
                    if !self.take(&mut block)? {
                        return Ok(());
                    }
                }
                if block.rank > self.last_rank.load(Ordering::Relaxed) || is_over(context) {
                    return Ok(());
                }
                self.expand_next(&mut block, &mut machine, run, expander)?;
            }
        }
    }

    fn expand_next<'w>(
        &'w self,
        block: &mut Block,
        machine: &mut Machine<'w, '_>,
        run: &'w WorkerRun<'w>,
        expander: &mut Expander<'w>,
    ) -> io::Result<()> {
        let (rank, state) = block.next();
        let sink = expander.sink.as_mut().expect("a worker that reads states has a sink");
        machine.set_state(sink.load(machine.region(), state)?);
        run.expand_read(self.depth, self.frontier.first_number + rank, state);
        let n_findings = expander.harvest.findings.len();
        expander.successors(machine, rank, self.depth);
        if expander.harvest.findings[n_findings..].iter().any(|finding| expander.is_end(finding)) {
            self.last_rank.fetch_min(rank, Ordering::Relaxed);
        }
        Ok(())
    }

    fn take(&self, block: &mut Block) -> io::Result<bool> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(place) = self.frontier.states.blocks().get(index) else { return Ok(false) };
        block.rank = place.first as u32;
        block.at = 0;
        self.frontier.states.read(index, &mut block.bytes)?;
        Ok(true)
    }
}

/// States that were read and not yet expanded.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    at: usize,
    /// The rank of the next one.
    rank: u32,
}

impl Block {
    fn is_read(&self) -> bool {
        self.at == self.bytes.len()
    }

    fn next(&mut self) -> (u32, &[u8]) {
        let (len, start) = length_at(&self.bytes, self.at);
        self.at = start + len;
        self.rank += 1;
        (self.rank - 1, &self.bytes[start..self.at])
    }
}
