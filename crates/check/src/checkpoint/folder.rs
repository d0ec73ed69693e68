//! The folder of a checkpoint: a small `manifest`, and the segments that it lists.
//!
//! A segment is written and flushed to the disk before a manifest names it, and never changed afterwards. A
//! manifest takes the place of the one before it in one step. So whatever happens at whatever moment, the manifest
//! that is there is complete, and so is everything that it names.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::bytes::{checksum, mix};

const MANIFEST: &str = "manifest";
const NEW_MANIFEST: &str = "manifest.new";
const LOCK: &str = "lock";
/// Records are gathered to frames of at least this size, each with a checksum.
const FRAME_BYTES: usize = 64 << 10;
/// Length and checksum.
const FRAME_HEAD_BYTES: usize = 12;

/// A folder that no other process writes to meanwhile.
pub(super) struct Folder {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: Option<File>,
}

/// Why a folder cannot be had.
#[derive(Debug)]
pub(super) enum NoFolder {
    InUse,
    Failed(io::Error),
}

impl Folder {
    /// Makes the folder if there is none.
    pub fn make(path: &Path) -> Result<Folder, NoFolder> {
        fs::create_dir_all(path).map_err(NoFolder::Failed)?;
        Folder::open(path)
    }

    pub fn open(path: &Path) -> Result<Folder, NoFolder> {
        let file =
            File::options().create(true).append(true).open(path.join(LOCK)).map_err(NoFolder::Failed)?;
        let lock = match file.try_lock() {
            Ok(()) => Some(file),
            Err(TryLockError::WouldBlock) => return Err(NoFolder::InUse),
            // A file system without locks: then users look after it themselves.
            Err(TryLockError::Error(_)) => None,
        };
        Ok(Folder { path: path.to_path_buf(), _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn has_manifest(&self) -> bool {
        self.path.join(MANIFEST).exists()
    }

    pub fn read_manifest(&self) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(MANIFEST))
    }

    /// Puts a manifest in the place of the last one.
    pub fn replace_manifest(&self, content: &[u8]) -> io::Result<()> {
        let new = self.path.join(NEW_MANIFEST);
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        });
        if let Err(error) = written {
            // What is not finished is of no use to anyone; that it may stay does no harm.
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        fs::rename(&new, self.path.join(MANIFEST))?;
        // The folder itself: without this the new name may be lost with the machine's power.
        File::open(&self.path)?.sync_all()
    }

    pub fn segment_path(&self, number: u32) -> PathBuf {
        self.path.join(format!("segment-{number:06}"))
    }
}

/// A finished segment, as a manifest lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub number: u32,
    pub n_bytes: u64,
    /// Over the checksums of all frames, in their order.
    pub checksum: u64,
    /// Number of the process that wrote it, from 0: keys of values are unique in what one process wrote.
    pub epoch: u32,
}

/// A segment that is being written. It is removed again unless it is finished.
pub(super) struct SegmentWriter {
    path: PathBuf,
    /// `None` once it is finished.
    file: Option<BufWriter<File>>,
    segment: Segment,
    frame: Vec<u8>,
}

impl SegmentWriter {
    /// Takes the place of a file that was left unfinished.
    pub fn create(folder: &Folder, number: u32, epoch: u32) -> io::Result<SegmentWriter> {
        let path = folder.segment_path(number);
        let file = BufWriter::with_capacity(2 * FRAME_BYTES, File::create(&path)?);
        let segment = Segment { number, n_bytes: 0, checksum: u64::from(number), epoch };
        Ok(SegmentWriter { path, file: Some(file), segment, frame: Vec::new() })
    }

    /// Where records are put. A record is never split between frames.
    pub fn frame(&mut self) -> &mut Vec<u8> {
        &mut self.frame
    }

    /// To be called after each record.
    pub fn end_record(&mut self) -> io::Result<()> {
        if self.frame.len() >= FRAME_BYTES { self.write_frame() } else { Ok(()) }
    }

    fn write_frame(&mut self) -> io::Result<()> {
        let len = u32::try_from(self.frame.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let sum = checksum(&self.frame);
        let file = self.file.as_mut().expect("a segment is written before it is finished");
        file.write_all(&len.to_le_bytes())?;
        file.write_all(&sum.to_le_bytes())?;
        file.write_all(&self.frame)?;
        self.segment.n_bytes += (FRAME_HEAD_BYTES + self.frame.len()) as u64;
        self.segment.checksum = mix(self.segment.checksum, sum);
        self.frame.clear();
        Ok(())
    }

    /// Flushes everything to the disk.
    pub fn finish(mut self) -> io::Result<Segment> {
        if !self.frame.is_empty() {
            self.write_frame()?;
        }
        let mut file = self.file.take().expect("a segment is finished once");
        let flushed = file.flush().and_then(|()| file.get_ref().sync_all());
        if flushed.is_err() {
            self.file = Some(file);
        }
        flushed.map(|()| self.segment)
    }
}

impl Drop for SegmentWriter {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // Without writing what is still buffered: nobody will read it.
            let (file, _unwritten) = file.into_parts();
            drop(file);
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Why a segment cannot be read.
#[derive(Debug)]
pub(super) enum BadSegment {
    Failed(io::Error),
    /// It is shorter or longer than it was.
    Length {
        expected: u64,
        found: u64,
    },
    /// Its content is not what was written.
    Content,
}

impl From<io::Error> for BadSegment {
    fn from(error: io::Error) -> Self {
        BadSegment::Failed(error)
    }
}

/// Reads the frames of a segment, each after its checksum was found right.
pub(super) struct SegmentReader {
    file: io::BufReader<File>,
    segment: Segment,
    n_left: u64,
    checksum: u64,
}

impl SegmentReader {
    pub fn open(folder: &Folder, segment: Segment) -> Result<SegmentReader, BadSegment> {
        let file = File::open(folder.segment_path(segment.number))?;
        let found = file.metadata()?.len();
        if found != segment.n_bytes {
            return Err(BadSegment::Length { expected: segment.n_bytes, found });
        }
        let file = io::BufReader::with_capacity(2 * FRAME_BYTES, file);
        Ok(SegmentReader { file, segment, n_left: found, checksum: u64::from(segment.number) })
    }

    /// Puts the next frame in the place of `frame`; `false` after the last.
    pub fn next(&mut self, frame: &mut Vec<u8>) -> Result<bool, BadSegment> {
        if self.n_left == 0 {
            let is_right = self.checksum == self.segment.checksum;
            return if is_right { Ok(false) } else { Err(BadSegment::Content) };
        }
        let (mut len, mut sum) = ([0; 4], [0; 8]);
        self.n_left = self.n_left.checked_sub(FRAME_HEAD_BYTES as u64).ok_or(BadSegment::Content)?;
        self.file.read_exact(&mut len)?;
        self.file.read_exact(&mut sum)?;
        let (len, sum) = (u32::from_le_bytes(len), u64::from_le_bytes(sum));
        self.n_left = self.n_left.checked_sub(u64::from(len)).ok_or(BadSegment::Content)?;
        frame.resize(len as usize, 0);
        self.file.read_exact(frame)?;
        if checksum(frame) != sum {
            return Err(BadSegment::Content);
        }
        self.checksum = mix(self.checksum, sum);
        Ok(true)
    }
}
