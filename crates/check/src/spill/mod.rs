//! Past memory, disk: breadth-first search with delayed duplicate detection (Stern and Dill, "Using Magnetic Disk
//! Instead of Main Memory in the Murphi Verifier").
//!
//! A search begins in memory. When that is full, [`export`] writes out what was visited and what is still to be
//! expanded, and the tables are given up. From then on states are bytes ([`value::Encoder`]):
//!
//! - the states of a level are read in order and expanded by the workers ([`level`]); what they find is written in
//!   sorted runs ([`candidates`]), by a hash of 128 bits and then by content;
//! - at the end of the level one pass ([`merge`]) takes out what was visited before, and whatever is found more than
//!   once, so that the least by (rank, ordinal) remains; a [`filter`] in memory says of most new states that they
//!   are new, and the pass does not look for those;
//! - what remains is put in order again, is the next level, and is counted and reported ([`close`]) as the search in
//!   memory does it.
//!
//! Parents and ordinals are on disk by number ([`past`]); a trace is made again from its first state.
//!
//! Not here: what is done with one state and its successors ([`crate::expand`]), and what becomes of findings
//! ([`crate::search`]). Nothing is mapped into memory.

mod blocks;
mod candidates;
mod close;
mod export;
mod filter;
mod folder;
mod hash;
mod level;
mod merge;
mod past;
mod runs;
mod search;
mod sink;
#[cfg(test)]
mod tests;
mod visited;

use std::io::ErrorKind;
use std::path::Path;

use diag::{Code, Diagnostic};
use model::NoVerdict;

use crate::expand::Finding;
use crate::options::Spill;
use candidates::FoundRuns;
use level::{Frontier, Generated};
use visited::Visited;

pub(crate) use export::{Begun, export};
pub(crate) use folder::Folder;
use folder::Refusal;
pub(crate) use past::Past;
pub(crate) use sink::{FoundState, Reading, Sink};

/// Everything that a search has on disk, but for how states were reached.
pub(crate) struct Disk {
    budget: Budget,
    visited: Visited,
    /// The level that is to be expanded, or the rest of it.
    frontier: Frontier,
    /// The states found of the next level so far, the number of states expanded for that, and the findings to report.
    found: FoundRuns,
    generated: Generated,
    findings: Vec<Finding>,
    depth: u32,
    /// Last: the folder is given back when all files are closed.
    folder: Folder,
}

pub(crate) struct Spilled {
    pub disk: Disk,
    pub past: Past,
}

/// The memory for each purpose, out of the limit that the user gave. The rest is for values that are being computed,
/// for values that were interned before, and for blocks that are read.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// Memory for the states that one worker finds.
    found_bytes_max: usize,
    /// The new states that one worker has to sort.
    new_bytes_max: usize,
    export_bytes_max: usize,
    filter_bytes_max: u64,
}

/// Places in buffers have 32 bits.
const BUFFER_BYTES_MAX: usize = 1 << 30;
const BUFFER_BYTES_MIN: usize = 64 << 10;

impl Budget {
    fn new(memory_bytes_max: usize, n_workers: usize) -> Budget {
        let buffer = |bytes: usize| bytes.clamp(BUFFER_BYTES_MIN, BUFFER_BYTES_MAX);
        Budget {
            found_bytes_max: buffer(memory_bytes_max / 8 / n_workers.max(1)),
            new_bytes_max: buffer(memory_bytes_max / 16 / n_workers.max(1)),
            export_bytes_max: buffer(memory_bytes_max / 16),
            filter_bytes_max: (memory_bytes_max / 4) as u64,
        }
    }
}

/// The largest size of a run that needs no file.
const MEMORY_BYTES_MAX: usize = 64 << 10;
/// The largest size of a run that needs no file, in tests: small, so that both sides are tested.
const MEMORY_BYTES_MAX_TESTED: usize = 1 << 10;

/// Takes the folder that states are to be spilled to.
pub(crate) fn open(spill: &Spill) -> Result<Folder, NoVerdict> {
    let memory_bytes_max = match spill.after_states {
        Some(_) => MEMORY_BYTES_MAX_TESTED,
        None => MEMORY_BYTES_MAX,
    };
    Folder::open(&spill.folder, memory_bytes_max).map_err(|refusal| refuse(&spill.folder, &refusal))
}

/// Makes the outcome of a search whose file could not be written or read.
pub(crate) fn failed(error: &std::io::Error) -> NoVerdict {
    let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    let headline = match is_full {
        true => "the disk that states are spilled to is full".to_owned(),
        false => format!("states cannot be spilled to disk: {error}"),
    };
    let error = Diagnostic::without_place(Code::SpillFailed, headline)
        .note("the search is not complete: nothing follows from what it found so far");
    NoVerdict::Disk(Box::new(error.help("give a folder with more room to `--spill`, or more memory")))
}

fn refuse(path: &Path, refusal: &Refusal) -> NoVerdict {
    let path = path.display();
    let (headline, help) = match refusal {
        Refusal::InUse => (
            format!("another run spills to `{path}`"),
            "give each run a folder of its own, or wait until the other has ended",
        ),
        Refusal::NotEmpty => {
            (format!("the folder `{path}` is not empty"), "give an empty folder, or one that does not exist")
        }
        Refusal::Io(error) => {
            (format!("cannot use the folder `{path}`: {error}"), "give a folder that can be written")
        }
    };
    NoVerdict::Disk(Box::new(Diagnostic::without_place(Code::SpillFolder, headline).help(help)))
}
