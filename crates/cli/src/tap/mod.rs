//! `specline tap`: the messages that processes send each other, as lines of JSON; and taps as the input of a monitor.

pub mod args;
mod write;

use std::fs::File;
use std::io::{self, BufRead};
use std::sync::atomic::AtomicBool;

use diag::{Code, Diagnostic, SourceMap};
use setup::files::read_text;
use tap::capture::Capture;
use tap::event::TapEvent;
use tap::hub::Hub;
use tap::relay::Relays;
use tap::settings::{Options, Settings};
use tap::source::{Lines, Origin, Source};

use self::args::{TapArgs, TapCommand};
use self::write::Writer;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::signals;

impl TapArgs {
    /// Whether messages come from a tap.
    pub fn is_wanted(&self) -> bool {
        !self.relays.is_empty()
            || self.pcap.is_some()
            || self.settings.is_some()
            || !self.endpoints.is_empty()
    }

    /// Checks what was said, and refuses what cannot be.
    pub fn check(&self, node: Option<&str>, console: &Console) -> Result<(), Stop> {
        if !self.is_wanted() {
            return Ok(());
        }
        match self.settings(node) {
            Ok(_) => Ok(()),
            Err(told) => Err(console.refuse(&SourceMap::new(), &told)),
        }
    }

    fn settings(&self, node: Option<&str>) -> Result<Settings, Box<Diagnostic>> {
        let refuse = |why: String| Box::new(Diagnostic::without_place(Code::TapSettings, why));
        let mut sources = SourceMap::new();
        let text = match &self.settings {
            None => None,
            Some(path) => {
                let source = read_text(path, &mut sources)?;
                Some((path.as_path(), sources.file(source).text().as_ref()))
            }
        };
        let options = Options { file: text, relays: &self.relays, endpoints: &self.endpoints, node };
        let settings = tap::settings::read(&options).map_err(refuse)?;
        let has_relay = settings.endpoints.iter().any(|endpoint| endpoint.listen.is_some());
        let help = match (&self.pcap, has_relay, settings.endpoints.is_empty()) {
            (Some(_), _, true) => {
                "say which ports in the packets are of interest: `--endpoint TARGET,protocol=NAME`"
            }
            (None, false, _) => {
                "give `--relay LISTEN=TARGET,protocol=NAME`, or `--pcap FILE` with what was captured"
            }
            (Some(_), _, false) | (None, true, _) => return Ok(settings),
        };
        Err(Box::new(
            Diagnostic::without_place(Code::TapSettings, "there is nothing to listen to").help(help),
        ))
    }

    /// Starts the relays, or opens the capture.
    fn source<'a>(&self, node: Option<&str>, interrupted: &'a AtomicBool) -> io::Result<Source<'a>> {
        let settings = self.settings(node).map_err(|told| io::Error::other(told.headline.clone()))?;
        let origin = match &self.pcap {
            None => Origin::Relays(Relays::start(&settings)?),
            Some(path) if path.as_os_str() == "-" => Origin::Capture(Box::new(Capture::new(io::stdin())?)),
            Some(path) => {
                let named =
                    |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
                let file = File::open(path).map_err(named)?;
                Origin::Capture(Box::new(Capture::new(file).map_err(named)?))
            }
        };
        let hub = Hub::new(settings, node.map(str::to_owned));
        Ok(Source::new(hub, origin, interrupted))
    }

    /// Returns the events of a node as lines of JSON. Notes go to standard error.
    pub fn lines<'a>(
        &self,
        node: &str,
        interrupted: &'a AtomicBool,
        console: &'a Console,
    ) -> io::Result<Box<dyn BufRead + 'a>> {
        let source = self.source(Some(node), interrupted)?;
        announce(&source, console)?;
        // Whether somebody reads the notes does not matter to what is watched.
        let note = |why: &str| drop(console.line(Stream::Err, &note_line(why)));
        Ok(Box::new(Lines::new(source, note)))
    }
}

fn announce(source: &Source<'_>, console: &Console) -> io::Result<()> {
    for address in source.addresses() {
        console.line(Stream::Err, &format!("tap: listening on {address}"))?;
    }
    Ok(())
}

fn note_line(why: &str) -> String {
    format!("tap: {}", diag::render::printable(why))
}

pub fn run(command: &TapCommand, console: &Console) -> Result<Ending, Stop> {
    command.tap.check(command.node.as_deref(), console)?;
    if !command.tap.is_wanted() {
        let told = Diagnostic::without_place(Code::TapSettings, "there is nothing to listen to")
            .help("give `--relay LISTEN=TARGET,protocol=NAME`, or `--pcap FILE` with what was captured");
        return Err(console.refuse(&SourceMap::new(), &told));
    }
    if let Some(folder) = &command.into
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        let told = crate::check::cannot_write(folder, &error.to_string());
        console.draw(Stream::Err, &SourceMap::new(), &told)?;
        return Err(Ending::Unreadable.into());
    }
    let interrupted = signals::watch()?;
    let mut source = command.tap.source(command.node.as_deref(), &interrupted)?;
    announce(&source, console)?;
    let mut writer = Writer::new(command.into.as_deref(), console);
    while let Some(event) = source.next_event()? {
        match &event {
            TapEvent::Note { why } => console.line(Stream::Err, &note_line(why))?,
            TapEvent::In { .. } | TapEvent::Out { .. } | TapEvent::Restart { .. } | TapEvent::Gap { .. } => {
                writer.write(&event);
            }
        }
        if source.is_idle() {
            writer.flush();
        }
    }
    writer.finish().map_err(Stop::from)?;
    Ok(Ending::Ok)
}
