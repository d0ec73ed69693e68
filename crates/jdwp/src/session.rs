//! The state of a talk with one machine: the sizes of its names, bytes that have come, events that nobody has taken.

use std::collections::VecDeque;

use crate::commands::Vm;
use crate::error::{Error, ErrorCode};
use crate::event::EventSet;
use crate::link::Link;
use crate::packet::{Packet, Parts, Sizes, Splitter, command};

const HANDSHAKE: &[u8] = b"JDWP-Handshake";

/// The set and the number of the one command that the machine sends: events.
const COMPOSITE: (u8, u8) = (64, 100);

/// A debugger's talk with one machine.
#[derive(Debug)]
pub struct Session {
    splitter: Splitter,
    pub(crate) sizes: Sizes,
    n_commands: u32,
    /// Events as they came; they are read when they are taken, because the sizes of names are not known before.
    events: VecDeque<Vec<u8>>,
}

impl Session {
    /// Begins the talk: greets the machine and asks for the sizes of its names. An error if the other side is no
    /// machine.
    pub fn open(link: &mut dyn Link) -> Result<Session, Error> {
        link.send(HANDSHAKE)?;
        let mut seen = Vec::new();
        while seen.len() < HANDSHAKE.len() {
            let bytes = link.receive()?;
            if bytes.is_empty() {
                return Err(Error::NoHandshake);
            }
            seen.extend(bytes);
            if !seen.starts_with(&HANDSHAKE[..seen.len().min(HANDSHAKE.len())]) {
                return Err(Error::NoHandshake);
            }
        }
        let mut session = Session {
            splitter: Splitter::default(),
            sizes: Sizes::default(),
            n_commands: 0,
            events: VecDeque::new(),
        };
        session.splitter.push(&seen[HANDSHAKE.len()..]);
        let content = session.ask(link, "VirtualMachine.IDSizes", (1, 7), &[])?;
        session.sizes = Sizes::read(&content)?;
        Ok(session)
    }

    /// Takes bytes that came without a question. Events among them wait to be taken.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.splitter.push(bytes);
        while let Some(packet) = self.splitter.next()? {
            if let Some((id, ..)) = self.sort(packet)?
                && id > self.n_commands
            {
                return Err(Error::NotAsked { id });
            }
        }
        Ok(())
    }

    /// Takes the next events that the machine has told.
    pub fn next_events(&mut self) -> Result<Option<EventSet>, Error> {
        let Some(bytes) = self.events.pop_front() else { return Ok(None) };
        EventSet::read(Parts::new(&bytes, self.sizes)).map(Some)
    }

    /// Whether events wait to be taken.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns the commands, carried out over `link`.
    pub fn talk<'s>(&'s mut self, link: &'s mut dyn Link) -> Vm<'s> {
        Vm { session: self, link }
    }

    /// Keeps an event, and returns an answer.
    fn sort(&mut self, packet: Packet) -> Result<Option<(u32, ErrorCode, Vec<u8>)>, Error> {
        match packet {
            Packet::Answer { id, error, content } => Ok(Some((id, error, content))),
            Packet::Command { set, command, content } if (set, command) == COMPOSITE => {
                self.events.push_back(content);
                Ok(None)
            }
            Packet::Command { set, command, .. } => {
                let number = u64::from(set) << 8 | u64::from(command);
                Err(Error::Unknown { what: "command", number })
            }
        }
    }

    /// Asks, waits for the answer, and returns its content. Events that come meanwhile are kept.
    pub(crate) fn ask(
        &mut self,
        link: &mut dyn Link,
        name: &'static str,
        number: (u8, u8),
        content: &[u8],
    ) -> Result<Vec<u8>, Error> {
        self.n_commands = self.n_commands.wrapping_add(1);
        let asked = self.n_commands;
        link.send(&command(asked, number, content))?;
        let mut answer = None;
        loop {
            // Also what came behind the answer: nobody looks at it again before more bytes come.
            while let Some(packet) = self.splitter.next()? {
                match self.sort(packet)? {
                    None => {}
                    // The late answer to a question that was given up.
                    Some((id, ..)) if id < asked => {}
                    Some((id, ..)) if id != asked || answer.is_some() => return Err(Error::NotAsked { id }),
                    Some((_, code, content)) => answer = Some((code, content)),
                }
            }
            match answer {
                Some((ErrorCode(0), content)) => return Ok(content),
                Some((code, _)) => return Err(Error::Refused { command: name, code }),
                None => {}
            }
            let bytes = link.receive()?;
            if bytes.is_empty() {
                return Err(Error::Closed);
            }
            self.splitter.push(&bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::{HANDSHAKE, Session};
    use crate::error::Error;
    use crate::event::{Event, Suspend};
    use crate::ids::{ObjectId, ThreadId};
    use crate::link::Link;
    use crate::packet::command;

    /// A machine that says what it was told to say, whatever it is asked.
    struct Parrot {
        says: VecDeque<Vec<u8>>,
        heard: Vec<u8>,
    }

    impl Parrot {
        fn new(says: &[&[u8]]) -> Parrot {
            Parrot { says: says.iter().map(|said| said.to_vec()).collect(), heard: Vec::new() }
        }
    }

    impl Link for Parrot {
        fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.heard.extend_from_slice(bytes);
            Ok(())
        }

        fn receive(&mut self) -> io::Result<Vec<u8>> {
            Ok(self.says.pop_front().unwrap_or_default())
        }
    }

    fn answer(id: u32, error: u16, content: &[u8]) -> Vec<u8> {
        let [high, low] = error.to_be_bytes();
        let mut bytes = command(id, (high, low), content);
        bytes[8] = 0x80;
        bytes
    }

    fn sizes() -> Vec<u8> {
        answer(1, 0, &[8_u32; 5].iter().flat_map(|n| n.to_be_bytes()).collect::<Vec<u8>>())
    }

    fn vm_start() -> Vec<u8> {
        let mut content = vec![2, 0, 0, 0, 1, 90, 0, 0, 0, 0];
        content.extend(5_u64.to_be_bytes());
        command(1, (64, 100), &content)
    }

    #[test]
    fn a_talk_begins_with_the_greeting_and_events_wait_for_the_sizes_of_names() {
        let said = [HANDSHAKE, &vm_start(), &sizes()].concat();
        // In pieces of one byte and in one piece.
        let pieces: Vec<&[u8]> = said.chunks(1).collect();
        for says in [pieces.as_slice(), &[said.as_slice()]] {
            let mut link = Parrot::new(says);
            let mut session = Session::open(&mut link).unwrap();
            assert!(link.heard.starts_with(HANDSHAKE));
            let set = session.next_events().unwrap().unwrap();
            assert_eq!(set.suspend, Suspend::All);
            assert_eq!(set.events, [Event::VmStart { thread: ThreadId(ObjectId(5)) }]);
            assert!(session.next_events().unwrap().is_none());
        }
    }

    #[test]
    fn others_than_machines_are_told_apart() {
        for said in [&b"HTTP/1.0 400"[..], b"JDWP-Handshak", b"", b"JDWP-handshake"] {
            let opened = Session::open(&mut Parrot::new(&[said]));
            assert!(matches!(opened, Err(Error::NoHandshake)), "{said:?}");
        }
    }

    #[test]
    fn refusals_closed_connections_and_strange_answers_are_errors() {
        let open = || {
            let mut link = Parrot::new(&[HANDSHAKE, &sizes()]);
            Session::open(&mut link).unwrap()
        };
        let ask = |said: &[u8]| open().talk(&mut Parrot::new(&[said])).resume_all();
        assert!(matches!(ask(&answer(2, 112, b"")), Err(Error::Refused { code, .. }) if code.0 == 112));
        assert!(matches!(ask(b""), Err(Error::Closed)));
        assert!(matches!(ask(&answer(9, 0, b"")), Err(Error::NotAsked { id: 9 })));
        assert!(matches!(ask(&command(1, (1, 1), b"")), Err(Error::Unknown { number: 257, .. })));
        assert!(matches!(ask(&[0, 0, 0, 3]), Err(Error::Truncated)));
        assert!(matches!(open().feed(&answer(3, 0, b"")), Err(Error::NotAsked { id: 3 })));
    }

    #[test]
    fn late_answers_to_questions_that_were_given_up_are_passed_over() {
        let mut session = Session::open(&mut Parrot::new(&[HANDSHAKE, &sizes()])).unwrap();
        assert!(session.talk(&mut Parrot::new(&[])).resume_all().is_err());
        let said = [answer(2, 0, b""), answer(3, 0, b"")].concat();
        session.talk(&mut Parrot::new(&[&said])).resume_all().unwrap();
        session.feed(&answer(3, 0, b"")).unwrap();
    }

    #[test]
    fn an_event_right_behind_an_answer_is_kept() {
        let said = [HANDSHAKE, &sizes(), &vm_start()].concat();
        let mut session = Session::open(&mut Parrot::new(&[&said])).unwrap();
        assert!(session.has_events());
        let said = [answer(2, 112, b""), vm_start()].concat();
        assert!(session.talk(&mut Parrot::new(&[&said])).resume_all().is_err());
        let n_events = std::iter::from_fn(|| session.next_events().unwrap()).count();
        assert_eq!(n_events, 2);
    }

    #[test]
    fn every_truncation_of_an_event_is_an_error_and_no_panic() {
        let whole = vm_start();
        for cut in 11..whole.len() {
            let mut session = Session::open(&mut Parrot::new(&[HANDSHAKE, &sizes()])).unwrap();
            let mut bytes = whole[..cut].to_vec();
            bytes[..4].copy_from_slice(&(cut as u32).to_be_bytes());
            session.feed(&bytes).unwrap();
            assert!(session.next_events().is_err(), "{cut} bytes");
        }
    }

    #[test]
    fn bytes_at_random_never_panic() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..5_000 {
            let mut content = Vec::new();
            for _ in 0..40 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                // Small numbers get further.
                content.push((random % 11) as u8);
            }
            let mut session = Session::open(&mut Parrot::new(&[HANDSHAKE, &sizes()])).unwrap();
            session.feed(&command(1, (64, 100), &content)).unwrap();
            let _ = session.next_events();
            let mut link = Parrot::new(&[&answer(2, 0, &content)]);
            let _ = session.talk(&mut link).classes_by_signature("LX;");
        }
    }
}
