//! Files of blocks: written once from the beginning to the end, then read block by block, by anyone.
//!
//! Memory holds the position and the first entry of each block. On disk, a checksum follows each block.
//! There is no file for a few bytes: making one takes longer than writing them.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use super::folder::Folder;
use super::hash::checksum;

/// A block is finished once it has so many bytes.
const BLOCK_BYTES: usize = 64 << 10;
const CHECKSUM_BYTES: usize = size_of::<u64>();

#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The key of its first record.
    pub first: u128,
    offset: u64,
    len: u32,
}

#[derive(Debug)]
enum Store {
    Memory(Vec<u8>),
    File(File),
}

impl Store {
    fn read(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Store::Memory(bytes) => buffer.copy_from_slice(&bytes[offset as usize..][..buffer.len()]),
            Store::File(file) => file.read_exact_at(buffer, offset)?,
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct BlockFile {
    store: Store,
    blocks: Vec<Block>,
    n_bytes: u64,
}

impl BlockFile {
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    #[cfg(test)]
    pub fn file(&self) -> Option<&File> {
        match &self.store {
            Store::File(file) => Some(file),
            Store::Memory(_) => None,
        }
    }

    /// Reads a block in place of what is in `buffer`.
    pub fn read(&self, index: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let block = self.blocks[index];
        buffer.resize(block.len as usize + CHECKSUM_BYTES, 0);
        self.store.read(buffer, block.offset)?;
        let (bytes, sum) = buffer.split_at(block.len as usize);
        if checksum(bytes).to_le_bytes() != sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "what was written is not what is read"));
        }
        buffer.truncate(block.len as usize);
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct BlockWriter<'a> {
    folder: &'a Folder,
    store: Store,
    blocks: Vec<Block>,
    buffer: Vec<u8>,
    first: u128,
    n_bytes: u64,
}

impl<'a> BlockWriter<'a> {
    pub fn new(folder: &'a Folder) -> BlockWriter<'a> {
        let store = Store::Memory(Vec::new());
        BlockWriter { folder, store, blocks: Vec::new(), buffer: Vec::new(), first: 0, n_bytes: 0 }
    }

    /// Where the next record, sorted by `first`, is to be appended.
    pub fn record(&mut self, first: u128) -> io::Result<&mut Vec<u8>> {
        if self.buffer.len() >= BLOCK_BYTES {
            self.end_block()?;
        }
        if self.buffer.is_empty() {
            self.first = first;
        }
        Ok(&mut self.buffer)
    }

    /// The next record begins another block.
    pub fn end_block(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let len = u32::try_from(self.buffer.len()).map_err(|_| too_large())?;
        let sum = checksum(&self.buffer);
        self.buffer.extend(sum.to_le_bytes());
        self.write()?;
        self.blocks.push(Block { first: self.first, offset: self.n_bytes, len });
        self.n_bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        match &mut self.store {
            Store::File(file) => file.write_all(&self.buffer),
            Store::Memory(bytes) if bytes.len() + self.buffer.len() <= self.folder.memory_bytes_max() => {
                bytes.extend(&self.buffer);
                Ok(())
            }
            Store::Memory(bytes) => {
                let mut file = self.folder.file()?;
                file.write_all(bytes)?;
                file.write_all(&self.buffer)?;
                self.store = Store::File(file);
                Ok(())
            }
        }
    }

    pub fn finish(mut self) -> io::Result<BlockFile> {
        self.end_block()?;
        self.blocks.shrink_to_fit();
        if let Store::Memory(bytes) = &mut self.store {
            bytes.shrink_to_fit();
        }
        Ok(BlockFile { store: self.store, blocks: self.blocks, n_bytes: self.n_bytes })
    }
}

pub(super) fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "a state is too large")
}

pub(super) fn push_length(mut len: usize, out: &mut Vec<u8>) {
    while len >= 0x80 {
        out.push(len as u8 | 0x80);
        len >>= 7;
    }
    out.push(len as u8);
}

/// The length that was pushed at `at`, and where what follows it begins.
pub(super) fn length_at(bytes: &[u8], mut at: usize) -> (usize, usize) {
    let (mut len, mut shift) = (0, 0);
    loop {
        let byte = bytes[at];
        at += 1;
        len |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return (len, at);
        }
        shift += 7;
    }
}
