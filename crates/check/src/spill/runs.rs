//! Sorted runs: records in a file, in the order of a 128-bit number (a hash, or a place in the search) and then of
//! their bytes.
//!
//! ```text
//! number (16 bytes)  length of key  length of extra  key  extra
//! ```

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::io;
use std::ops::{Range, RangeInclusive};

use super::blocks::{BlockFile, BlockWriter, length_at, push_length};
use super::folder::Folder;

/// A record to sort: by number, then key. Of equals, the one with the least extra is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'b> {
    pub number: u128,
    pub key: &'b [u8],
    pub extra: &'b [u8],
}

const NUMBER_BYTES: usize = size_of::<u128>();

impl<'b> Record<'b> {
    pub fn push_to(self, out: &mut Vec<u8>) {
        out.extend(self.number.to_le_bytes());
        push_length(self.key.len(), out);
        push_length(self.extra.len(), out);
        out.extend(self.key);
        out.extend(self.extra);
    }

    pub fn at(bytes: &'b [u8], start: usize) -> Record<'b> {
        let parts = Parts::at(bytes, start);
        Record { number: parts.number, key: &bytes[parts.key.clone()], extra: &bytes[parts.extra()] }
    }

    fn order(self) -> (u128, &'b [u8]) {
        (self.number, self.key)
    }
}

/// Where the parts of a record are.
#[derive(Clone, Debug)]
struct Parts {
    number: u128,
    key: Range<usize>,
    end: usize,
}

impl Parts {
    #[inline]
    fn at(bytes: &[u8], start: usize) -> Parts {
        let number = bytes[start..start + NUMBER_BYTES].try_into().expect("a number has this length");
        let (key_len, at) = length_at(bytes, start + NUMBER_BYTES);
        let (extra_len, at) = length_at(bytes, at);
        let key = at..at + key_len;
        Parts { number: u128::from_le_bytes(number), end: key.end + extra_len, key }
    }

    fn extra(&self) -> Range<usize> {
        self.key.end..self.end
    }
}

/// Records that wait in memory to be sorted.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The upper half of each record's number, and where it is.
    places: Vec<(u64, u32)>,
}

impl Buffer {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes of records and of what is needed to sort them.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len() + self.places.len() * size_of::<(u64, u32)>()
    }

    /// Where it was put.
    pub fn push(&mut self, record: Record<'_>) -> u32 {
        let place = self.bytes.len() as u32;
        record.push_to(&mut self.bytes);
        self.places.push(((record.number >> 64) as u64, place));
        place
    }

    pub fn at(&self, place: u32) -> Record<'_> {
        Record::at(&self.bytes, place as usize)
    }

    /// Writes everything out in order, and is empty then.
    pub fn write(&mut self, folder: &Folder) -> io::Result<BlockFile> {
        let mut writer = BlockWriter::new(folder);
        self.sort();
        self.write_part(&mut writer, 0..=u64::MAX)?;
        self.clear();
        writer.finish()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.places.clear();
    }

    pub fn sort(&mut self) {
        let bytes = &self.bytes;
        self.places.sort_unstable_by(|left, right| {
            left.0.cmp(&right.0).then_with(|| {
                let (left, right) = (Record::at(bytes, left.1 as usize), Record::at(bytes, right.1 as usize));
                left.order().cmp(&right.order())
            })
        });
    }

    /// Appends those of the sorted records whose number has its upper half in the range.
    pub fn write_part(&self, writer: &mut BlockWriter, range: RangeInclusive<u64>) -> io::Result<()> {
        let start = self.places.partition_point(|(high, _)| high < range.start());
        for &(_, place) in self.places[start..].iter().take_while(|(high, _)| high <= range.end()) {
            let parts = Parts::at(&self.bytes, place as usize);
            writer.record(parts.number)?.extend(&self.bytes[place as usize..parts.end]);
        }
        Ok(())
    }
}

/// Reads a run in order.
#[derive(Debug)]
pub(super) struct Cursor<'f> {
    file: &'f BlockFile,
    /// The block after the one that is in memory.
    next_block: usize,
    block: Vec<u8>,
    /// The current record.
    parts: Option<Parts>,
    /// Largest number of a record.
    last: u128,
}

impl<'f> Cursor<'f> {
    /// At the first record whose number is in the range.
    pub fn new(file: &'f BlockFile, range: (u128, u128)) -> io::Result<Cursor<'f>> {
        let mut cursor = Cursor { file, next_block: 0, block: Vec::new(), parts: None, last: range.1 };
        cursor.jump(range.0);
        cursor.read_block()?;
        cursor.seek(range.0, &[])?;
        Ok(cursor)
    }

    pub fn record(&self) -> Option<Record<'_>> {
        let parts = self.parts.as_ref()?;
        let (key, extra) = (&self.block[parts.key.clone()], &self.block[parts.extra()]);
        Some(Record { number: parts.number, key, extra })
    }

    pub fn number(&self) -> Option<u128> {
        self.parts.as_ref().map(|parts| parts.number)
    }

    pub fn advance(&mut self) -> io::Result<()> {
        let Some(parts) = &self.parts else { return Ok(()) };
        let end = parts.end;
        if end == self.block.len() {
            return self.read_block();
        }
        self.stand_at(end);
        Ok(())
    }

    /// To the first record that is not before this one.
    pub fn seek(&mut self, number: u128, key: &[u8]) -> io::Result<()> {
        let blocks = self.file.blocks();
        if self.number().is_some_and(|at| at < number)
            && blocks.get(self.next_block).is_some_and(|block| block.first < number)
        {
            self.jump(number);
            self.read_block()?;
        }
        while self.record().is_some_and(|record| record.order() < (number, key)) {
            self.advance()?;
        }
        Ok(())
    }

    /// Makes the last block that begins before `number` the next one.
    fn jump(&mut self, number: u128) {
        let rest = &self.file.blocks()[self.next_block..];
        self.next_block += rest.partition_point(|block| block.first < number).saturating_sub(1);
    }

    fn read_block(&mut self) -> io::Result<()> {
        self.parts = None;
        match self.file.blocks().get(self.next_block) {
            Some(block) if block.first <= self.last => {
                self.file.read(self.next_block, &mut self.block)?;
                self.next_block += 1;
                self.stand_at(0);
            }
            Some(_) | None => {}
        }
        Ok(())
    }

    fn stand_at(&mut self, start: usize) {
        let parts = Parts::at(&self.block, start);
        self.parts = (parts.number <= self.last).then_some(parts);
    }
}

/// Several runs read as one. Of records with one number and one key the one with the least extra remains.
#[derive(Debug)]
pub(super) struct Merged<'f> {
    cursors: Vec<Cursor<'f>>,
    /// The cursors that have a record, by its number.
    waiting: BinaryHeap<Reverse<(u128, usize)>>,
    /// The cursors at the number that is least.
    at_least: Vec<usize>,
    key: Vec<u8>,
    extra: Vec<u8>,
}

impl<'f> Merged<'f> {
    pub fn new(
        files: impl IntoIterator<Item = &'f BlockFile>,
        range: (u128, u128),
    ) -> io::Result<Merged<'f>> {
        let cursors: Vec<Cursor<'f>> =
            files.into_iter().map(|file| Cursor::new(file, range)).collect::<io::Result<_>>()?;
        let numbers = cursors.iter().enumerate();
        let waiting =
            numbers.filter_map(|(index, cursor)| Some(Reverse((cursor.number()?, index)))).collect();
        Ok(Merged { cursors, waiting, at_least: Vec::new(), key: Vec::new(), extra: Vec::new() })
    }

    pub fn next(&mut self) -> io::Result<Option<Record<'_>>> {
        if self.at_least.is_empty() {
            let Some(Reverse((number, index))) = self.waiting.pop() else { return Ok(None) };
            self.at_least.push(index);
            while let Some(&Reverse((other, index))) = self.waiting.peek()
                && other == number
            {
                self.waiting.pop();
                self.at_least.push(index);
            }
        }
        let number = self.take_least()?;
        Ok(Some(Record { number, key: &self.key, extra: &self.extra }))
    }

    /// Takes the least of the records at the least number, and all that equal it.
    fn take_least(&mut self) -> io::Result<u128> {
        let record = |index: &usize| self.cursors[*index].record().expect("a cursor that waits has a record");
        let least = self.at_least.iter().min_by(|left, right| {
            let (left, right) = (record(left), record(right));
            left.key.cmp(right.key).then_with(|| left.extra.cmp(right.extra))
        });
        let least = record(least.expect("some cursor is at the least number"));
        let number = least.number;
        self.key.clear();
        self.key.extend(least.key);
        self.extra.clear();
        self.extra.extend(least.extra);
        let mut kept = 0;
        for place in 0..self.at_least.len() {
            let index = self.at_least[place];
            let cursor = &mut self.cursors[index];
            while cursor.record().is_some_and(|record| record.order() == (number, self.key.as_slice())) {
                cursor.advance()?;
            }
            match cursor.number() {
                Some(next) if next == number => {
                    self.at_least[kept] = index;
                    kept += 1;
                }
                Some(next) => self.waiting.push(Reverse((next, index))),
                None => {}
            }
        }
        self.at_least.truncate(kept);
        Ok(number)
    }
}

/// All numbers.
pub(super) const EVERYTHING: (u128, u128) = (0, u128::MAX);

/// Makes one run of several.
pub(super) fn merge_all(files: &[BlockFile], range: (u128, u128), folder: &Folder) -> io::Result<BlockFile> {
    let mut writer = BlockWriter::new(folder);
    let mut merged = Merged::new(files, range)?;
    while let Some(record) = merged.next()? {
        record.push_to(writer.record(record.number)?);
    }
    writer.finish()
}

impl PartialEq for Record<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.order().cmp(&other.order()) == Ordering::Equal && self.extra == other.extra
    }
}
