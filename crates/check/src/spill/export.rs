//! From memory to disk: everything that was visited, how it was reached, and what is still to be expanded.

use std::fs::File;
use std::io;

use value::{Encoder, Ground, Interner, ValueId};

use super::blocks::{BlockFile, BlockWriter};
use super::candidates::{Candidates, FoundRuns, Origin};
use super::hash::hash;
use super::level::{FrontierWriter, Generated};
use super::past::{Past, Step, StepWriter};
use super::runs::{Buffer, Record};
use super::visited::Visited;
use super::{Budget, Disk, Folder, Spilled};
use crate::context::Context;
use crate::expand::{Finding, Harvest};
use crate::space::{Handle, Space, StateSlot};

/// A level of which the first `n_expanded` states were expanded in memory.
pub(crate) struct Begun<'l> {
    pub level: &'l [Handle],
    pub depth: u32,
    pub n_expanded: usize,
    pub harvests: Vec<Harvest>,
}

/// Writes out everything that the search needs to go on without its tables.
pub(crate) fn export(context: &Context<'_>, folder: Folder, begun: Begun<'_>) -> io::Result<Spilled> {
    let options = context.board.options;
    let budget = Budget::new(options.memory_bytes_max, options.n_workers);
    let mut exporter = Exporter {
        space: context.space,
        folder: &folder,
        budget,
        encoder: Encoder::new(),
        ids: Vec::new(),
        bytes: Vec::new(),
    };
    let n_states = context.board.counts().distinct;
    let visited = Visited::new(n_states * 2, budget.filter_bytes_max);
    exporter.write_visited(&visited)?;
    let file = folder.file()?;
    let (known, first_number) = exporter.write_known(&file)?;
    let mut steps = StepWriter::new(&file, first_number);
    let rank = begun.n_expanded as u32;
    let mut frontier = FrontierWriter::new(&folder, rank, first_number);
    for (rank, &handle) in begun.level.iter().enumerate() {
        steps.push(Step::Same { number: handle.0 })?;
        if rank >= begun.n_expanded {
            frontier.push(exporter.state(handle))?;
        }
    }
    steps.flush()?;
    let found = FoundRuns::default();
    exporter.write_found(&begun.harvests, &found)?;
    let generated = Generated::new(&folder)?;
    begun.harvests.iter().try_for_each(|harvest| generated.write(&harvest.generated))?;
    let findings = begun.harvests.into_iter().flat_map(|harvest| harvest.findings);
    let findings = findings.filter_map(|finding| final_form(context.space, finding)).collect();
    let frontier = frontier.finish()?;
    let depth = begun.depth;
    let disk = Disk { budget, visited, frontier, found, generated, findings, depth, folder };
    Ok(Spilled { disk, past: Past::new(file, known) })
}

/// A finding with the key that counts; `None` if another state with the same key is the one that was found.
fn final_form(space: &Space, finding: Finding) -> Option<Finding> {
    let Some(slot) = finding.slot else { return Some(finding) };
    let key = space.key(slot);
    if key == finding.key {
        return Some(finding);
    }
    (!space.has_identities()).then(|| Finding { key, n_generated: key.ordinal + 1, ..finding })
}

struct Exporter<'a> {
    space: &'a Space,
    folder: &'a Folder,
    budget: Budget,
    encoder: Encoder,
    ids: Vec<ValueId>,
    bytes: Vec<u8>,
}

impl Exporter<'_> {
    /// Writes the keys of the states of finished levels.
    fn write_visited(&mut self, visited: &Visited) -> io::Result<()> {
        let mut buffer = Buffer::default();
        for slot in (0..self.space.level_start().0).map(StateSlot) {
            if !self.space.has(slot) {
                continue;
            }
            self.read_key(slot);
            let number = hash(&self.bytes);
            visited.filter.add(number);
            buffer.push(Record { number, key: &self.bytes, extra: &[] });
            if buffer.n_bytes() >= self.budget.export_bytes_max {
                visited.add(&mut buffer, self.folder)?;
            }
        }
        visited.add(&mut buffer, self.folder)
    }

    /// Every state and its parent, by handle; and the first number that no handle has.
    fn write_known(&mut self, steps: &File) -> io::Result<(BlockFile, u32)> {
        let mut steps = StepWriter::new(steps, 0);
        let mut states = BlockWriter::new(self.folder);
        let end = self.space.handles_end();
        for handle in (0..end).map(Handle) {
            let has = self.space.has_handle(handle);
            let parent = has.then(|| self.space.parent(handle)).flatten();
            steps.push(Step::Known { parent: parent.map(|parent| parent.0) })?;
            if has {
                let number = handle.0.into();
                Record { number, key: self.state(handle), extra: &[] }.push_to(states.record(number)?);
            }
        }
        steps.flush()?;
        Ok((states.finish()?, end))
    }

    /// The new states of the level that was begun, as if they had been found on disk.
    fn write_found(&mut self, harvests: &[Harvest], found: &FoundRuns) -> io::Result<()> {
        let mut candidates = Candidates::new(self.folder, found, self.budget.export_bytes_max);
        let n_variables = self.space.n_variables();
        for harvest in harvests {
            for (index, &slot) in harvest.found.iter().enumerate() {
                let least = self.space.key(slot);
                if harvest.keys.get(index).is_some_and(|&key| key != least) {
                    continue;
                }
                let mut extra = Vec::new();
                Origin { key: least, is_surely_new: true, is_checked: true }.push_to(&mut extra);
                if self.space.has_identities() {
                    self.ids.clear();
                    self.ids.extend(&harvest.concrete[index * n_variables..(index + 1) * n_variables]);
                    self.encode();
                    extra.extend(&self.bytes);
                }
                self.read_key(slot);
                let record = Record { number: hash(&self.bytes), key: &self.bytes, extra: &extra };
                candidates.insert(record)?;
            }
        }
        candidates.flush()
    }

    fn state(&mut self, handle: Handle) -> &[u8] {
        self.ids.resize(self.space.n_variables(), ValueId::from_bits(0));
        self.space.state(handle, &mut self.ids);
        self.encode();
        &self.bytes
    }

    fn read_key(&mut self, slot: StateSlot) {
        self.ids.resize(self.space.n_identity_values(), ValueId::from_bits(0));
        self.space.read_identity(slot, &mut self.ids);
        self.encode();
    }

    fn encode(&mut self) {
        self.bytes.clear();
        for &id in &self.ids {
            let value = Ground::opt(Interner::shared().value(id)).expect("interned values are explicit");
            self.encoder.encode(value, &mut self.bytes);
        }
    }
}
