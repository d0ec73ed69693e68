//! Packets that tcpdump or another program has captured: files, or what a pipe brings while it captures.
//!
//! Packets are not captured here, since that takes a capability, which a monitor should not have: `tcpdump -i lo -U -s 0 -w - tcp | specline monitor ... --pcap -`.

mod flow;
mod packet;
mod reassembly;

use std::io::Read;

use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};

use crate::hub::Hub;
use flow::Flows;

/// How much of a capture is looked at together: the longest packet has to fit in.
const BUFFER_BYTES: usize = 1 << 20;
const BUFFER_BYTES_MAX: usize = 64 << 20;

/// A capture that is being read.
pub struct Capture {
    reader: Box<dyn PcapReaderIterator + Send>,
    /// The kinds of links, of each interface in a section.
    links: Vec<Linktype>,
    flows: Flows,
    buffer_bytes: usize,
    /// The end, without which a file was cut off.
    is_over: bool,
    n_packets: u64,
}

/// The outcome of reading a block.
enum Step {
    Consumed(usize),
    NeedsMore,
    Over,
    Bad(String),
}

fn bad(why: impl Into<String>) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, why.into())
}

impl Capture {
    /// Reads what a capture begins with: that it is one.
    pub fn new(input: impl Read + Send + 'static) -> std::io::Result<Capture> {
        let reader = create_reader(BUFFER_BYTES, input).map_err(|error| match error {
            PcapError::Eof => bad("the capture is empty"),
            PcapError::ReadError => bad("the capture cannot be read"),
            PcapError::HeaderNotRecognized
            | PcapError::BufferTooSmall
            | PcapError::UnexpectedEof
            | PcapError::Incomplete(_)
            | PcapError::NomError(..)
            | PcapError::OwnedNomError(..) => bad("this is no capture: neither pcap nor pcapng"),
        })?;
        Ok(Capture {
            reader,
            links: Vec::new(),
            flows: Flows::default(),
            buffer_bytes: BUFFER_BYTES,
            is_over: false,
            n_packets: 0,
        })
    }

    /// Reads one packet, and tells the hub what it brings. Returns false at the end.
    pub fn read(&mut self, hub: &mut Hub) -> std::io::Result<bool> {
        if self.is_over {
            return Ok(false);
        }
        match self.step(hub) {
            Step::Consumed(n) => self.reader.consume(n),
            Step::NeedsMore => self.refill(hub)?,
            Step::Over => self.finish(hub),
            Step::Bad(why) => {
                hub.note(format!("the capture cannot be read after packet {}: {why}", self.n_packets));
                self.flows.lose_all(hub, "the capture cannot be read from here on");
                self.finish(hub);
            }
        }
        Ok(!self.is_over)
    }

    fn finish(&mut self, hub: &mut Hub) {
        self.flows.finish(hub);
        self.is_over = true;
    }

    fn step(&mut self, hub: &mut Hub) -> Step {
        match self.reader.next() {
            Ok((n, block)) => {
                let (links, flows) = (&mut self.links, &mut self.flows);
                let packet = match block {
                    PcapBlockOwned::LegacyHeader(header) => {
                        *links = vec![header.network];
                        None
                    }
                    PcapBlockOwned::Legacy(block) => {
                        links.first().map(|link| (*link, block.data, block.origlen))
                    }
                    PcapBlockOwned::NG(block) => match of_block(links, &block) {
                        Ok(packet) => packet,
                        Err(why) => return Step::Bad(why),
                    },
                };
                if let Some((link, data, full_len)) = packet {
                    self.n_packets += 1;
                    flows.packet(hub, link, data, full_len);
                }
                Step::Consumed(n)
            }
            Err(PcapError::Eof) => Step::Over,
            Err(PcapError::Incomplete(_) | PcapError::UnexpectedEof) => Step::NeedsMore,
            Err(PcapError::BufferTooSmall) => Step::NeedsMore,
            Err(PcapError::ReadError) => Step::Bad("reading failed".to_owned()),
            Err(PcapError::HeaderNotRecognized) => Step::Bad("this is no capture".to_owned()),
            Err(PcapError::NomError(_, kind)) => Step::Bad(format!("a block is damaged ({kind:?})")),
            Err(PcapError::OwnedNomError(_, kind)) => Step::Bad(format!("a block is damaged ({kind:?})")),
        }
    }

    fn refill(&mut self, hub: &mut Hub) -> std::io::Result<()> {
        if self.reader.reader_exhausted() {
            hub.note(format!("the capture ends within a packet, after packet {}", self.n_packets));
            self.finish(hub);
            return Ok(());
        }
        let before = self.reader.data().len();
        let refilled = self.reader.refill().is_ok();
        if self.reader.data().len() == before && !self.reader.reader_exhausted() {
            // There is no room for a whole packet.
            self.buffer_bytes *= 2;
            if !refilled || self.buffer_bytes > BUFFER_BYTES_MAX || !self.reader.grow(self.buffer_bytes) {
                return Err(bad(format!("packet {} of the capture cannot be read", self.n_packets + 1)));
            }
        }
        Ok(())
    }
}

type LinkPacket<'a> = (Linktype, &'a [u8], u32);

/// Returns the packet in a block of pcapng, if it has one.
fn of_block<'a>(links: &mut Vec<Linktype>, block: &Block<'a>) -> Result<Option<LinkPacket<'a>>, String> {
    match block {
        Block::SectionHeader(_) => {
            links.clear();
            Ok(None)
        }
        Block::InterfaceDescription(interface) => {
            links.push(interface.linktype);
            Ok(None)
        }
        Block::EnhancedPacket(packet) => {
            let link = usize::try_from(packet.if_id).ok().and_then(|at| links.get(at));
            let link = link.ok_or("a packet is from an interface that does not exist")?;
            // Its data have padding at the end.
            let n = (packet.caplen as usize).min(packet.data.len());
            Ok(Some((*link, &packet.data[..n], packet.origlen)))
        }
        Block::SimplePacket(packet) => {
            let link = links.first().ok_or("a packet is from an interface that does not exist")?;
            let n = (packet.origlen as usize).min(packet.data.len());
            Ok(Some((*link, &packet.data[..n], packet.origlen)))
        }
        Block::NameResolution(_)
        | Block::InterfaceStatistics(_)
        | Block::SystemdJournalExport(_)
        | Block::DecryptionSecrets(_)
        | Block::ProcessInformation(_)
        | Block::Custom(_)
        | Block::Unknown(_) => Ok(None),
    }
}
