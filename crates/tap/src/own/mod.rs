//! Protocols that a user describes: how messages are told apart, and what is in each.

pub mod body;
pub mod command;
pub mod framing;

use crate::decode::{Decoder, Side, Sink};

use body::Body;
use framing::{Framing, Splitter};

/// Decodes a connection of such a protocol. Both sides speak alike.
pub struct OwnDecoder {
    splitters: [Splitter; 2],
    is_dead: [bool; 2],
    body: Body,
}

impl OwnDecoder {
    /// `is_whole` says that the connection is seen from its beginning.
    pub fn new(framing: Framing, body: Body, is_whole: bool) -> OwnDecoder {
        // Lines can be told apart from anywhere, lengths cannot.
        let is_dead = !is_whole && framing != Framing::Lines;
        let splitter = || Splitter::new(framing, is_whole);
        OwnDecoder { splitters: [splitter(), splitter()], is_dead: [is_dead; 2], body }
    }
}

impl Decoder for OwnDecoder {
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        let at = from.index();
        if self.is_dead[at] {
            return;
        }
        self.splitters[at].push(bytes);
        loop {
            match self.splitters[at].next_message() {
                Ok(None) => return,
                Ok(Some(message)) => match self.body.read(&message) {
                    Ok(body) => sink.message(from, body),
                    Err(why) => sink.gap(from, format!("a message cannot be read: {why}")),
                },
                Err(why) => {
                    self.is_dead[at] = true;
                    return sink.gap(from, why);
                }
            }
        }
    }

    fn lose(&mut self, from: Side, _: &mut Sink<'_>) {
        let at = from.index();
        self.is_dead[at] = !self.splitters[at].lose();
    }

    fn end(&mut self, from: Side, sink: &mut Sink<'_>) {
        if !self.is_dead[from.index()] && !self.splitters[from.index()].is_between() {
            sink.note("the last message of a connection was cut off");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::OwnDecoder;
    use super::body::Body;
    use super::framing::{Framing, Length};
    use crate::decode::{Decoder, Item, Side, Sink};
    use crate::names::Names;

    fn items(decoder: &mut OwnDecoder, pieces: &[&[u8]]) -> Vec<Item> {
        let (mut names, mut items) = (Names::default(), Vec::new());
        let mut sink = Sink { names: &mut names, items: &mut items, known: [None, None], number: 1 };
        for piece in pieces {
            decoder.take(Side::Dialer, piece, &mut sink);
        }
        decoder.end(Side::Dialer, &mut sink);
        items
    }

    #[test]
    fn json_behind_its_length_is_read_in_pieces() {
        let length = Length { bytes: 2, is_little: false, counts_itself: false };
        let mut decoder = OwnDecoder::new(Framing::Length(length), Body::Json, true);
        let all = items(&mut decoder, &[b"\0", b"\x07{\"a\":", b"1}\0\x011\0"]);
        let message = |body| Item::Message { from: Side::Dialer, body };
        let cut = Item::Note("the last message of a connection was cut off".to_owned());
        assert_eq!(all, [message(json!({ "a": 1 })), message(json!(1)), cut]);
    }

    #[test]
    fn lines_go_on_after_one_that_is_none() {
        let mut decoder = OwnDecoder::new(Framing::Lines, Body::Json, false);
        let all = items(&mut decoder, &[b"lf of a line}\n1\nx\n\n2\n"]);
        let message = |body| Item::Message { from: Side::Dialer, body };
        assert_eq!(all.len(), 3, "{all:?}");
        assert_eq!((&all[0], &all[2]), (&message(json!(1)), &message(json!(2))));
        assert!(matches!(&all[1], Item::Gap { .. }));
    }

    #[test]
    fn messagepack_is_read() {
        let mut decoder = OwnDecoder::new(Framing::Lines, Body::MessagePack, true);
        let all = items(&mut decoder, &[b"\x81\xa1a\x92\x01\xc2\n"]);
        assert_eq!(all, [Item::Message { from: Side::Dialer, body: json!({ "a": [1, false] }) }]);
    }
}
