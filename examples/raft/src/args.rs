//! The command line.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};

use crate::message::NodeId;
use crate::raft::NOBODY;

/// One node of a small Raft cluster that keeps keys and values.
#[derive(Debug, Parser)]
#[command(name = "raft-node")]
pub struct Args {
    /// The name of this node, one of those in `--cluster`
    #[arg(long)]
    pub node: NodeId,
    /// Where all nodes are, this one included, for clients and for each other: NAME=HOST:PORT,...
    #[arg(long, value_delimiter = ',', required = true, value_parser = parse_member)]
    pub cluster: Vec<Member>,
    /// The address to listen at, if it is another than the one in `--cluster`
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: Option<String>,
    /// The folder with what must survive a crash; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// The file to which events are added, a JSON object a line
    #[arg(long, value_name = "FILE")]
    pub log: PathBuf,
    /// The shortest time without a leader before an election; the longest is twice as long
    #[arg(long, value_name = "MS", default_value_t = 300)]
    pub election_ms: u64,
    /// How often a leader shows that it is there
    #[arg(long, value_name = "MS", default_value_t = 60)]
    pub heartbeat_ms: u64,
    /// How many entries one message carries at most
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub batch: usize,
    /// A mistake to make on purpose
    #[arg(long, value_enum)]
    pub bug: Option<Bug>,
}

/// A node and its address.
#[derive(Debug, Clone)]
pub struct Member {
    pub id: NodeId,
    pub address: String,
}

/// Mistakes to make on purpose; README.md says how each of them shows. The names are those of the
/// constant `Bug` of `Raft.tla`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bug {
    /// A refused append counts as an acknowledged one
    CommitOnNack,
    /// Entries of older terms are committed by counting copies
    CommitOldTerm,
    /// Every append cuts off what follows it, whether or not it disagrees
    TruncateEarly,
    /// An append is acknowledged up to the end of the log, not up to its own end
    InaccurateAck,
    /// A candidate counts refusals as votes
    WrongQuorum,
    /// A vote is given before the logs are compared
    VoteEarly,
    /// A vote is given to whoever asks, however often in a term
    VoteTwice,
    /// Term and vote are not written to disk
    ForgetVote,
    /// A follower commits what the leader has committed, whether or not its entries are the leader's
    CommitBeyond,
}

impl Args {
    /// Checks what one argument alone does not show.
    pub fn check(&self) -> Result<()> {
        if self.cluster.iter().all(|member| member.id != self.node) {
            bail!("`--node {}` is none of those in `--cluster`", self.node);
        }
        if self.node == NOBODY {
            bail!("a node cannot have the name `{NOBODY}`: the log of events says that for nobody");
        }
        if self.election_ms == 0 || self.heartbeat_ms == 0 || self.batch == 0 {
            bail!("`--election-ms`, `--heartbeat-ms` and `--batch` are at least 1");
        }
        Ok(())
    }

    pub fn peers(&self) -> impl Iterator<Item = &Member> {
        self.cluster.iter().filter(|member| member.id != self.node)
    }

    pub fn address_of(&self, id: &str) -> Option<&str> {
        self.cluster.iter().find(|member| member.id == id).map(|member| member.address.as_str())
    }

    pub fn listen_address(&self) -> &str {
        let own = self.listen.as_deref().or_else(|| self.address_of(&self.node));
        own.expect("`check` has found this node in the cluster")
    }
}

fn parse_member(text: &str) -> Result<Member, String> {
    match text.split_once('=') {
        Some((id, address)) if !id.is_empty() && address.contains(':') => {
            Ok(Member { id: id.to_owned(), address: address.to_owned() })
        }
        Some(_) | None => Err("a member is NAME=HOST:PORT".to_owned()),
    }
}
