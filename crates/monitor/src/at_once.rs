//! Shows that a message may be handled as it arrives: that the process then can do all that it can do if it handles the
//! message later, or never. That is a game on the states of a node ([`NodeGraph`]): one side has handled the message, the
//! other has it still; whatever the other does, the first must be able to do as well, so that nobody sees a difference.
//! The first side wins where it can answer for ever.

use std::sync::atomic::{AtomicBool, Ordering};

use base::{FxHashSet, FxIndexMap};

use crate::engine::closure::{Move, MoveKind, NodeGraph};

/// The most positions that are looked at.
const POSITIONS_LEN_MAX: usize = 1_500_000;
/// In place of a message: nothing is left to be handled.
const NO_TOKEN: u32 = u32::MAX;

/// A position: the state of the side that handled the message, the state of the other one, and the message that this one
/// has still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    early: u32,
    late: u32,
    token: u32,
}

/// The game on the states of one node.
pub(crate) struct Game<'g> {
    graph: &'g NodeGraph,
    /// Set when the user wants it to end.
    interrupted: &'g AtomicBool,
    /// Whether messages of a connection are handled in order, and those that no action can handle are ignored.
    is_ordered: bool,
    /// Positions, and whether they may still be won.
    positions: FxIndexMap<Position, bool>,
}

/// Why a game has no result.
#[derive(Debug)]
pub(crate) enum Unfinished {
    /// There are more positions than the limit.
    TooManyPositions,
    Interrupted,
}

impl Unfinished {
    pub fn reason(&self) -> String {
        match self {
            Unfinished::TooManyPositions => {
                "there are too many pairs of states that would have to be compared".to_owned()
            }
            Unfinished::Interrupted => "it was interrupted".to_owned(),
        }
    }
}

impl<'g> Game<'g> {
    pub fn new(graph: &'g NodeGraph, is_ordered: bool, interrupted: &'g AtomicBool) -> Game<'g> {
        Game { graph, interrupted, is_ordered, positions: FxIndexMap::default() }
    }

    /// Returns the state after a message was handled, if that is the one way to handle it and it sends nothing.
    pub fn state_after(&self, state: u32, message: u32) -> Option<u32> {
        let kind = MoveKind::Message(message);
        let mut moves = self.moves(state).iter().filter(|step| step.kind == kind);
        let only = moves.next().filter(|step| step.is_silent() && step.is_consumed)?;
        moves.next().is_none().then_some(only.next)
    }

    /// Returns the pairs of a state and a message for which handling it at once is wrong, among those that are asked about.
    pub fn wrong(&mut self, asked: &[(u32, u32)]) -> Result<FxHashSet<(u32, u32)>, Unfinished> {
        let position = |game: &Self, (state, message): (u32, u32)| {
            Some(Position { early: game.state_after(state, message)?, late: state, token: message })
        };
        for &pair in asked {
            if let Some(position) = position(self, pair) {
                self.positions.entry(position).or_insert(true);
            }
        }
        self.play()?;
        let is_wrong = |pair: &&(u32, u32)| {
            position(self, **pair).is_some_and(|position| self.positions.get(&position) == Some(&false))
        };
        Ok(asked.iter().filter(is_wrong).copied().collect())
    }

    /// Looks at positions until those that are left are all won.
    fn play(&mut self) -> Result<(), Unfinished> {
        loop {
            let mut is_stable = true;
            let mut at = 0;
            while at < self.positions.len() {
                if self.positions.len() > POSITIONS_LEN_MAX {
                    return Err(Unfinished::TooManyPositions);
                }
                if self.interrupted.load(Ordering::Relaxed) {
                    return Err(Unfinished::Interrupted);
                }
                let (&position, &may_be_won) = self.positions.get_index(at).expect("it is below the length");
                if may_be_won && !self.can_answer(position) {
                    self.positions[at] = false;
                    is_stable = false;
                }
                at += 1;
            }
            if is_stable {
                return Ok(());
            }
        }
    }

    fn moves(&self, state: u32) -> &'g [Move] {
        &self.graph.moves[state as usize]
    }

    /// Whether a position may be won: it is kept for later, if it is new.
    fn may_win(&mut self, position: Position) -> bool {
        (position.early == position.late && position.token == NO_TOKEN)
            || *self.positions.entry(position).or_insert(true)
    }

    /// Whether everything that the late side can do has an answer.
    fn can_answer(&mut self, position: Position) -> bool {
        let Position { late, token, .. } = position;
        let has_answers = self.moves(late).iter().all(|step| {
            let is_token = step.kind == MoveKind::Message(token) && token != NO_TOKEN;
            match is_token {
                // It may be the message that the other side has handled, or another one like it.
                true => {
                    self.answers_token(position, step) && (!step.is_consumed || self.answers(position, step))
                }
                false => self.answers(position, step),
            }
        });
        has_answers && self.answers_ignored(position)
    }

    /// Where messages are handled in order: a message that no action can handle is passed over.
    fn answers_ignored(&mut self, position: Position) -> bool {
        if !self.is_ordered {
            return true;
        }
        let Position { early, late, token } = position;
        let n_messages = self.graph.inbox.len() as u32;
        let is_ignored = |game: &Self, state: u32, message: u32| {
            !game.moves(state).iter().any(|step| step.kind == MoveKind::Message(message))
        };
        if token != NO_TOKEN && is_ignored(self, late, token) {
            let rest = Position { early, late, token: NO_TOKEN };
            if !self.may_win(rest) {
                return false;
            }
        }
        for message in 0..n_messages {
            if !is_ignored(self, late, message) || is_ignored(self, early, message) {
                continue;
            }
            let step = Move { kind: MoveKind::Message(message), sends: 0, next: late, is_consumed: true };
            if !self.answers(position, &step) {
                return false;
            }
        }
        true
    }

    /// The late side handles the message itself: the early side has done so.
    fn answers_token(&mut self, position: Position, step: &Move) -> bool {
        let token = if step.is_consumed { NO_TOKEN } else { position.token };
        if !step.is_silent() {
            return false;
        }
        self.may_win(Position { late: step.next, token, ..position })
    }

    /// The early side does the same, or nothing if nobody sees that.
    fn answers(&mut self, position: Position, step: &Move) -> bool {
        // What was not handled before a restart is lost with it.
        let token = if step.kind == MoveKind::Restart { NO_TOKEN } else { position.token };
        let late = step.next;
        let may_stay = step.is_silent()
            && match step.kind {
                MoveKind::Own => true,
                // It is left where it is: in any order, it may be handled later.
                MoveKind::Message(message) => {
                    let can_ignore =
                        !self.moves(position.early).iter().any(|own| own.kind == MoveKind::Message(message));
                    !self.is_ordered || !step.is_consumed || can_ignore
                }
                MoveKind::Restart => false,
            };
        if may_stay && self.may_win(Position { early: position.early, late, token }) {
            return true;
        }
        let is_like = |own: &&Move| {
            own.kind == step.kind && own.sends == step.sends && own.is_consumed == step.is_consumed
        };
        self.moves(position.early)
            .iter()
            .filter(is_like)
            .any(|own| self.may_win(Position { early: own.next, late, token }))
    }
}
