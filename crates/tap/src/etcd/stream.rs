//! The two kinds of streams between members of etcd: frames with messages.

use crate::buffer::{Buffer, Cursor, Ends};

use super::raftpb::{APP, Entry, Message, NoMessage};

/// The longest frame. etcd itself sends no longer ones but in snapshots.
const FRAME_BYTES_MAX: u64 = 64 << 20;
/// The most entries of a frame.
const ENTRIES_MAX: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// Each frame is a message with its length before it.
    Message,
    /// Entries for the log. Most frames have only what does not follow from the frame before.
    MsgApp,
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    Message(Message),
    /// It only keeps the connection open.
    KeepAlive,
    /// It continues a frame that was not seen.
    Unknown,
}

/// The facts in the last whole message that frames after it rely on: where the log of the receiver ends, who sends, and to whom.
#[derive(Clone, Copy, Debug)]
struct Place {
    term: u64,
    index: u64,
    from: u64,
    to: u64,
}

/// Reads frames.
#[derive(Debug)]
pub struct FrameReader {
    kind: StreamKind,
    buffer: Buffer,
    place: Option<Place>,
}

/// Why there is no frame.
enum Not {
    Yet,
    AtAll(NoMessage),
}

impl From<Ends> for Not {
    fn from(_: Ends) -> Not {
        Not::Yet
    }
}

impl From<NoMessage> for Not {
    fn from(why: NoMessage) -> Not {
        Not::AtAll(why)
    }
}

fn refuse<T>(why: &str) -> Result<T, Not> {
    Err(Not::AtAll(NoMessage(why.to_owned())))
}

impl FrameReader {
    pub fn new(kind: StreamKind) -> FrameReader {
        FrameReader { kind, buffer: Buffer::default(), place: None }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.push(bytes);
    }

    /// Whether what was read so far are whole frames.
    pub fn is_between(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Returns the next frame, if it is there.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, NoMessage> {
        let mut cursor = Cursor::new(self.buffer.rest());
        let n = self.buffer.len();
        let place = self.place;
        let read = match self.kind {
            StreamKind::Message => message(&mut cursor).map(|message| (of(message), None)),
            StreamKind::MsgApp => append(&mut cursor, place),
        };
        match read {
            Ok((frame, place)) => {
                let left = cursor.rest().len();
                self.buffer.consume(n - left);
                self.place = place.or(self.place);
                Ok(Some(frame))
            }
            Err(Not::Yet) => Ok(None),
            Err(Not::AtAll(why)) => Err(why),
        }
    }
}

fn of(message: Message) -> Frame {
    if message.is_keep_alive() { Frame::KeepAlive } else { Frame::Message(message) }
}

/// Reads bytes with their length before them.
fn sized<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], Not> {
    let n = cursor.u64()?;
    if n > FRAME_BYTES_MAX {
        return refuse("a frame is too long");
    }
    Ok(cursor.bytes(n as usize)?)
}

fn message(cursor: &mut Cursor<'_>) -> Result<Message, Not> {
    Ok(Message::read(sized(cursor)?)?)
}

fn append(cursor: &mut Cursor<'_>, place: Option<Place>) -> Result<(Frame, Option<Place>), Not> {
    match cursor.u8()? {
        0 => Ok((Frame::KeepAlive, None)),
        1 => {
            let n = cursor.u64()?;
            if n > ENTRIES_MAX {
                return refuse("a frame has too many entries");
            }
            let mut entries = Vec::new();
            for _ in 0..n {
                entries.push(Entry::read(sized(cursor)?)?);
            }
            let commit = cursor.u64()?;
            let Some(place) = place else { return Ok((Frame::Unknown, None)) };
            let Place { term, index, from, to } = place;
            let known = Message { kind: APP, from, to, term, log_term: term, index, ..Message::default() };
            let next = Place { index: index.saturating_add(n), ..place };
            Ok((Frame::Message(Message { entries, commit, ..known }), Some(next)))
        }
        2 => {
            let message = message(cursor)?;
            let index = message.entries.last().map_or(message.index, |entry| entry.index);
            let place = Place { term: message.term, index, from: message.from, to: message.to };
            Ok((of(message), Some(place)))
        }
        _ => refuse("a frame has a type that does not exist"),
    }
}
