//! The manifest: which segments a checkpoint consists of, what it is about, and where the search stood.

use value::Atoms;

use super::barrier::Barrier;
use super::bytes::{Read, RecordReader, checksum, put_number, put_text};
use super::folder::Segment;
use super::identity::Identity;

/// How every manifest begins, of whatever format.
const MAGIC: &[u8] = b"specline checkpoint\n";
/// Grows when the format changes, and when successors are found in another order: traces are made from their
/// places in it.
pub(super) const FORMAT: u32 = 4;
/// The program's own version.
pub(super) const TOOL: &str = env!("CARGO_PKG_VERSION");

#[derive(Clone, Debug)]
pub(super) struct Manifest {
    pub identity: Identity,
    pub segments: Vec<Segment>,
    pub n_states: u32,
    /// Duration of the search, all its parts together.
    pub elapsed_ms: u64,
    pub barrier: Barrier,
    /// For each `_POSSIBLE`, whether something satisfied it.
    pub witnessed: Vec<bool>,
    /// EXCEPTs without effect, by their numbers in the program.
    pub lost_updates: Vec<u32>,
}

/// Why a manifest cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadManifest {
    /// It never was one.
    NotOne,
    Format(u32),
    Tool(String),
    Damaged,
}

impl Manifest {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        put_text(&mut body, TOOL);
        self.identity.put(&mut body);
        put_number(&mut body, self.segments.len() as u64);
        for segment in &self.segments {
            put_number(&mut body, u64::from(segment.number));
            put_number(&mut body, segment.n_bytes);
            put_number(&mut body, segment.checksum);
            put_number(&mut body, u64::from(segment.epoch));
        }
        put_number(&mut body, u64::from(self.n_states));
        put_number(&mut body, self.elapsed_ms);
        put_number(&mut body, self.witnessed.len() as u64);
        body.extend(self.witnessed.iter().map(|&is_witnessed| u8::from(is_witnessed)));
        put_number(&mut body, self.lost_updates.len() as u64);
        self.lost_updates.iter().for_each(|&id| put_number(&mut body, u64::from(id)));
        self.barrier.put(&mut body);
        [MAGIC, &FORMAT.to_le_bytes(), &checksum(&body).to_le_bytes(), &body].concat()
    }

    pub fn of_bytes(bytes: &[u8], atoms: &'static Atoms) -> Result<Manifest, BadManifest> {
        let mut reader = RecordReader::new(bytes.strip_prefix(MAGIC).ok_or(BadManifest::NotOne)?);
        let format = read_fixed(&mut reader).map(u32::from_le_bytes).map_err(|_| BadManifest::Damaged)?;
        if format != FORMAT {
            return Err(BadManifest::Format(format));
        }
        let sum = read_fixed(&mut reader).map(u64::from_le_bytes).map_err(|_| BadManifest::Damaged)?;
        let body = bytes.get(MAGIC.len() + 12..).unwrap_or_default();
        if checksum(body) != sum {
            return Err(BadManifest::Damaged);
        }
        let tool = reader.text().map_err(|_| BadManifest::Damaged)?;
        if tool != TOOL {
            return Err(BadManifest::Tool(tool.to_owned()));
        }
        Manifest::read(&mut reader, atoms).map_err(|_| BadManifest::Damaged)
    }

    fn read(reader: &mut RecordReader<'_>, atoms: &'static Atoms) -> Read<Manifest> {
        let identity = Identity::read(reader)?;
        let mut segments = Vec::new();
        for _ in 0..reader.len()? {
            segments.push(Segment {
                number: reader.number_32()?,
                n_bytes: reader.number()?,
                checksum: reader.number()?,
                epoch: reader.number_32()?,
            });
        }
        let (n_states, elapsed_ms) = (reader.number_32()?, reader.number()?);
        let n_witnessed = reader.len()?;
        let witnessed = (0..n_witnessed).map(|_| reader.bool()).collect::<Read<Vec<bool>>>()?;
        let n_lost = reader.len()?;
        let lost_updates = (0..n_lost).map(|_| reader.number_32()).collect::<Read<Vec<u32>>>()?;
        let barrier = Barrier::read(reader, atoms)?;
        Ok(Manifest { identity, segments, n_states, elapsed_ms, barrier, witnessed, lost_updates })
    }
}

fn read_fixed<const N: usize>(reader: &mut RecordReader<'_>) -> Read<[u8; N]> {
    reader.exactly(N).map(|bytes| bytes.try_into().expect("so many were taken"))
}
