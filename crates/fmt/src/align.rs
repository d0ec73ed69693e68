//! Columns that an author aligned on neighbouring lines.
//!
//! A token that stands below its like is aligned with it if spaces were put in for that. It then stays so: on each of
//! these lines it moves to the column of the one furthest to the right.

use std::ops::Range;

use base::FxHashMap;
use syntax::token::TokenKind;

use crate::kept::KeptLines;
use crate::layout::is_line_comment;
use crate::pieces::{Piece, Pieces};

/// Tokens in one column.
struct Alignment {
    /// Their indices, one a line, from top to bottom.
    pieces: Vec<usize>,
    /// The number of other alignments to the left of it.
    rank: usize,
}

pub struct Alignments {
    groups: Vec<Alignment>,
    /// Spaces before a token beyond the usual ones.
    pads: FxHashMap<usize, usize>,
    n_ranks: usize,
}

/// Number of alignments on a line that are looked at.
const N_RANKS_MAX: usize = 8;

impl Alignments {
    pub fn new(text: &str, pieces: &Pieces, kept: &KeptLines) -> Alignments {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // The groups that end on the line before, by spelling and column.
        let mut open: FxHashMap<(&str, usize), (usize, usize)> = FxHashMap::default();
        for (index, piece) in pieces.list.iter().enumerate() {
            if piece.is_first || kept.has(piece.line) || !can_align(piece) {
                continue;
            }
            let spelling = if is_line_comment(piece) { "\\*" } else { &text[piece.range.clone()] };
            let key = (spelling, piece.column);
            match open.get_mut(&key) {
                Some((group, line)) if *line + 1 == piece.line => {
                    groups[*group].push(index);
                    *line = piece.line;
                }
                _ => {
                    open.insert(key, (groups.len(), piece.line));
                    groups.push(vec![index]);
                }
            }
        }
        let is_meant = |group: &Vec<usize>| {
            let usual = |piece: &Piece| if is_line_comment(piece) { 2 } else { 1 };
            group.len() > 1 && group.iter().any(|&index| pieces.list[index].gap > usual(&pieces.list[index]))
        };
        groups.retain(is_meant);
        ranked(groups, pieces)
    }

    /// The rounds in which columns are settled. The last ones repeat the first, since lines may have moved meanwhile.
    pub fn rounds(&self) -> impl Iterator<Item = usize> + use<> {
        let ranks: Range<usize> = 0..self.n_ranks;
        ranks.clone().chain(ranks)
    }

    pub fn pad(&self, index: usize) -> usize {
        self.pads.get(&index).copied().unwrap_or(0)
    }

    /// Aligns the groups of a rank, given the columns of all pieces.
    pub fn settle(&mut self, rank: usize, columns: &[usize]) {
        for group in self.groups.iter().filter(|group| group.rank == rank) {
            let natural = |index: usize| columns[index] - self.pads.get(&index).copied().unwrap_or(0);
            let natural: Vec<usize> = group.pieces.iter().map(|&index| natural(index)).collect();
            let target = natural.iter().copied().max().unwrap_or(0);
            for (&index, natural) in group.pieces.iter().zip(natural) {
                self.pads.insert(index, target - natural);
            }
        }
    }
}

/// Finds for each group how many others are to the left of it.
fn ranked(groups: Vec<Vec<usize>>, pieces: &Pieces) -> Alignments {
    let mut on_line: FxHashMap<usize, usize> = FxHashMap::default();
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&group| pieces.list[groups[group][0]].column);
    let mut ranks = vec![0; groups.len()];
    for group in order {
        let lines = || groups[group].iter().map(|&index| pieces.list[index].line);
        let rank = lines().map(|line| on_line.get(&line).copied().unwrap_or(0)).max().unwrap_or(0);
        ranks[group] = rank;
        lines().for_each(|line| {
            on_line.insert(line, rank + 1);
        });
    }
    let n_ranks = ranks.iter().map(|rank| rank + 1).max().unwrap_or(0).min(N_RANKS_MAX);
    let groups = groups.into_iter().zip(ranks).filter(|(_, rank)| *rank < n_ranks);
    let groups = groups.map(|(pieces, rank)| Alignment { pieces, rank }).collect();
    Alignments { groups, pads: FxHashMap::default(), n_ranks }
}

/// Whether a piece can be aligned with others.
fn can_align(piece: &Piece) -> bool {
    use TokenKind::{Arrow, BackArrow, Colon, DefEq, Keyword, MapsTo, Op};
    match piece.token() {
        Some(kind) => matches!(kind, Op(_) | DefEq | MapsTo | Arrow | BackArrow | Colon | Keyword(_)),
        None => is_line_comment(piece),
    }
}
