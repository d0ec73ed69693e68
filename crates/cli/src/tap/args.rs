//! The command line of `specline tap`, and the options of `specline monitor` for taps.

use std::path::PathBuf;

use clap::Args;

use crate::commands::Run;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

/// Where messages come from.
#[derive(Args, Clone, Debug, Default)]
pub struct TapArgs {
    /// Stand in front of a port, and read what passes; `TARGET` is where the process listens. Can be given several times
    #[arg(long = "relay", value_name = "LISTEN=TARGET[,node=NAME][,peer=NAME],protocol=NAME")]
    pub relays: Vec<String>,

    /// Read packets from a file of tcpdump, pcap or pcapng; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub pcap: Option<PathBuf>,

    /// A port in captured packets, and what is spoken there. Can be given several times
    #[arg(long = "endpoint", value_name = "TARGET[,node=NAME][,peer=NAME],protocol=NAME")]
    pub endpoints: Vec<String>,

    /// Settings of taps: ports, names of nodes, protocols of your own
    #[arg(long = "tap", value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct TapCommand {
    #[command(flatten)]
    pub tap: TapArgs,

    /// Show what this node receives and sends, and nothing of other nodes
    #[arg(long, value_name = "NODE")]
    pub node: Option<String>,

    /// Write the events of each node into a file `NODE.ndjson` in this folder, in place of standard output
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
}

impl Run for TapCommand {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&self, console)
    }
}
