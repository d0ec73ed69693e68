//! The stream of one direction of a connection of TCP, put together from segments.
//!
//! Segments come in any order, several times, overlapping. What comes first counts for a byte that comes twice. A hole is waited for until the receiver says that it has the bytes (then the capture
//! has lost them), or until too much waits behind it.

use std::collections::BTreeMap;

/// The most bytes that wait behind a hole.
const WAITING_BYTES_MAX: usize = 16 << 20;
/// How many more segments are waited for after the receiver has said that it has what is missing: a capture may have packets in another order.
const PATIENCE: u32 = 64;

/// A piece of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Bytes(Vec<u8>),
    /// So many bytes are missing.
    Lost(u64),
    End,
}

/// One direction of a connection.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The number of the next byte, counted from the beginning of the capture; `None` before the first segment.
    next: Option<u64>,
    /// Bytes that came too early, by the number of its first byte.
    waiting: BTreeMap<u64, Vec<u8>>,
    waiting_bytes: usize,
    /// Up to where the receiver has everything.
    acknowledged: u64,
    /// Segments since it was known that a hole is a loss.
    n_since: u32,
    end: Option<u64>,
    has_ended: bool,
}

/// Numbers start here, so that some lie before the first one.
const ORIGIN: u64 = 1 << 40;

impl Stream {
    /// Whether anything was seen of it.
    pub fn has_begun(&self) -> bool {
        self.next.is_some()
    }

    /// Returns the full number for one of 32 bits: the nearest to the next one.
    fn number(&self, sequence: u32) -> u64 {
        let near = self.next.unwrap_or(ORIGIN);
        let distance = sequence.wrapping_sub(near as u32) as i32;
        near.wrapping_add_signed(i64::from(distance))
    }

    /// The stream begins with the byte of this number.
    pub fn begin(&mut self, sequence: u32) {
        if self.next.is_none() {
            // The low bits are those on the wire, so that a number is only lengthened.
            self.next = Some(ORIGIN + u64::from(sequence));
        }
    }

    /// Takes a segment. `is_last` says that the stream ends after it.
    pub fn take(&mut self, sequence: u32, data: &[u8], is_last: bool, pieces: &mut Vec<Piece>) {
        self.begin(sequence);
        let start = self.number(sequence);
        let end = start + data.len() as u64;
        if is_last {
            self.end.get_or_insert(end);
        }
        self.insert(start, data);
        self.deliver(pieces);
        self.settle(pieces);
    }

    /// The receiver has everything before this number.
    pub fn acknowledge(&mut self, sequence: u32, pieces: &mut Vec<Piece>) {
        if self.has_begun() {
            self.acknowledged = self.acknowledged.max(self.number(sequence));
            self.settle(pieces);
        }
    }

    /// Keeps what of a segment is neither known nor delivered.
    fn insert(&mut self, start: u64, data: &[u8]) {
        let Some(next) = self.next else { return };
        let end = start + data.len() as u64;
        let mut at = start.max(next);
        while at < end {
            // The gap between pieces that are there, in which the byte lies.
            let before = self.waiting.range(..=at).next_back();
            let covered = before.map_or(0, |(from, bytes)| from + bytes.len() as u64);
            if covered > at {
                at = covered;
                continue;
            }
            let until = self.waiting.range(at..).next().map_or(end, |(from, _)| (*from).min(end));
            let bytes = &data[(at - start) as usize..(until - start) as usize];
            self.waiting.insert(at, bytes.to_vec());
            self.waiting_bytes += bytes.len();
            at = until;
        }
    }

    /// Delivers what follows without a hole.
    fn deliver(&mut self, pieces: &mut Vec<Piece>) {
        let Some(mut next) = self.next else { return };
        while let Some(first) = self.waiting.first_entry()
            && *first.key() == next
        {
            let bytes = first.remove();
            next += bytes.len() as u64;
            self.waiting_bytes -= bytes.len();
            self.n_since = 0;
            pieces.push(Piece::Bytes(bytes));
        }
        self.next = Some(next);
        if self.end.is_some_and(|end| end <= next) && !self.has_ended {
            self.has_ended = true;
            pieces.push(Piece::End);
        }
    }

    /// Gives up a hole that will not be filled.
    fn settle(&mut self, pieces: &mut Vec<Piece>) {
        let Some(next) = self.next else { return };
        // The end itself has a number.
        let end = self.end.unwrap_or(u64::MAX);
        if self.acknowledged.min(end) <= next && self.waiting_bytes <= WAITING_BYTES_MAX {
            return;
        }
        self.n_since += 1;
        if self.n_since > PATIENCE || self.waiting_bytes > WAITING_BYTES_MAX {
            self.skip(pieces);
        }
    }

    /// Goes on behind the first hole.
    fn skip(&mut self, pieces: &mut Vec<Piece>) {
        let Some(next) = self.next else { return };
        let waiting = self.waiting.keys().next().copied();
        let to = match waiting {
            Some(to) => to,
            None => self.acknowledged.min(self.end.unwrap_or(u64::MAX)),
        };
        self.n_since = 0;
        if to > next {
            pieces.push(Piece::Lost(to - next));
            self.next = Some(to);
        }
        self.deliver(pieces);
    }

    /// Nothing more comes: holes stay.
    pub fn finish(&mut self, pieces: &mut Vec<Piece>) {
        while self.next.is_some_and(|next| {
            !self.waiting.is_empty() || self.acknowledged.min(self.end.unwrap_or(u64::MAX)) > next
        }) {
            self.skip(pieces);
        }
        if !self.has_ended {
            self.has_ended = true;
            pieces.push(Piece::End);
        }
    }
}

#[cfg(test)]
mod tests {
    use test_kit::Rng;

    use super::{Piece, Stream};

    /// Joins pieces; `_` stands for a lost byte, `.` for the end.
    fn text(pieces: &[Piece]) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
            Piece::Lost(n) => "_".repeat(*n as usize),
            Piece::End => ".".to_owned(),
        };
        pieces.iter().map(text).collect()
    }

    #[test]
    fn any_order_repetition_and_overlap_give_the_same_stream() {
        let all = b"the quick brown fox jumps over the lazy dog";
        for seed in 0..500 {
            let mut rng = Rng::new(seed);
            // The numbers overflow in some of the runs.
            let first = u32::MAX - rng.below(60) as u32;
            let (mut stream, mut pieces) = (Stream::default(), Vec::new());
            stream.begin(first);
            let mut segments: Vec<(usize, usize)> = Vec::new();
            let mut at = 0;
            while at < all.len() {
                let n = 1 + rng.below(9);
                segments.push((at, (at + n).min(all.len())));
                at += n;
            }
            for _ in 0..10 {
                let start = rng.below(all.len());
                segments.push((start, (start + rng.below(20)).min(all.len())));
            }
            for i in (1..segments.len()).rev() {
                segments.swap(i, rng.below(i + 1));
            }
            for (start, end) in segments {
                let is_last = end == all.len();
                stream.take(first.wrapping_add(start as u32), &all[start..end], is_last, &mut pieces);
            }
            assert_eq!(text(&pieces), "the quick brown fox jumps over the lazy dog.", "seed {seed}");
        }
    }

    #[test]
    fn a_hole_that_the_receiver_has_is_a_loss() {
        let (mut stream, mut pieces) = (Stream::default(), Vec::new());
        stream.begin(10);
        stream.take(10, b"ab", false, &mut pieces);
        stream.take(15, b"fg", false, &mut pieces);
        assert_eq!(text(&pieces), "ab");
        for _ in 0..100 {
            stream.acknowledge(17, &mut pieces);
        }
        assert_eq!(text(&pieces), "ab___fg");
        // One that comes late after all is too late.
        stream.take(12, b"cde", false, &mut pieces);
        stream.take(17, b"h", true, &mut pieces);
        assert_eq!(text(&pieces), "ab___fgh.");
    }

    #[test]
    fn a_hole_that_is_filled_in_time_is_none() {
        let (mut stream, mut pieces) = (Stream::default(), Vec::new());
        stream.take(10, b"a", false, &mut pieces);
        stream.acknowledge(13, &mut pieces);
        stream.take(12, b"c", false, &mut pieces);
        stream.take(11, b"b", false, &mut pieces);
        assert_eq!(text(&pieces), "abc");
    }

    #[test]
    fn what_is_missing_at_the_end_is_lost() {
        let (mut stream, mut pieces) = (Stream::default(), Vec::new());
        stream.take(10, b"a", false, &mut pieces);
        stream.take(13, b"d", false, &mut pieces);
        stream.acknowledge(20, &mut pieces);
        stream.finish(&mut pieces);
        assert_eq!(text(&pieces), "a__d______.");
    }

    #[test]
    fn too_much_behind_a_hole_is_not_kept() {
        let (mut stream, mut pieces) = (Stream::default(), Vec::new());
        stream.take(0, b"a", false, &mut pieces);
        let block = vec![b'x'; 1 << 20];
        for i in 0..20 {
            stream.take(2 + (i << 20), &block, false, &mut pieces);
        }
        assert!(pieces.contains(&Piece::Lost(1)), "{}", pieces.len());
        assert!(stream.waiting_bytes <= super::WAITING_BYTES_MAX);
    }

    #[test]
    fn hostile_numbers_do_no_harm() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let (mut stream, mut pieces) = (Stream::default(), Vec::new());
            for _ in 0..300 {
                let n = rng.below(50);
                stream.take(rng.next_u64() as u32, &vec![0; n], rng.below(100) == 0, &mut pieces);
                stream.acknowledge(rng.next_u64() as u32, &mut pieces);
            }
            stream.finish(&mut pieces);
            assert!(pieces.contains(&Piece::End));
        }
    }
}
