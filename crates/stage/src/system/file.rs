//! The tables of a `system.toml`, as users write them.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SystemTable {
    pub seed: Option<u64>,
    pub idle_limit_ms: Option<u64>,
    #[serde(default)]
    pub unsafe_stream: bool,
    /// The parameters that `--set` can change, with their default values.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    pub start: StartTable,
    pub node: Vec<NodeTable>,
    #[serde(default)]
    pub framing: Vec<FramingTable>,
    #[serde(default)]
    pub observe: BTreeMap<String, Spanned<ObserveTable>>,
    #[serde(default)]
    pub client: BTreeMap<String, ClientTable>,
    pub provision: Option<ProvisionTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartTable {
    pub command: Vec<Spanned<String>>,
    #[serde(default)]
    pub environment: BTreeMap<String, Spanned<String>>,
    /// The content of files, by their paths in the node's folder.
    #[serde(default)]
    pub files: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub track_files: bool,
    #[serde(default)]
    pub runtime_threads: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeTable {
    pub name: Spanned<String>,
    pub address: Spanned<String>,
    /// More words for its command.
    #[serde(default)]
    pub arguments: Vec<Spanned<String>>,
    #[serde(default)]
    pub environment: BTreeMap<String, Spanned<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RuleName {
    None,
    Line,
    Length,
    Jute,
    Varint,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FramingTable {
    pub rule: Spanned<RuleName>,
    pub port: Option<u16>,
    pub width: Option<Spanned<usize>>,
    #[serde(default)]
    pub little_endian: bool,
    /// Number of bytes of a message before its length.
    pub offset: Option<Spanned<usize>>,
    /// The number that is added to the length.
    pub extra: Option<Spanned<i64>>,
    /// Number of bytes before the first message.
    pub preamble: Option<usize>,
    pub reply_preamble: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObserveTable {
    pub call: Option<Spanned<String>>,
    pub http: Option<String>,
    pub log: Option<Spanned<String>>,
    pub errors: Option<Spanned<String>>,
    pub file: Option<String>,
    pub command: Option<Vec<Spanned<String>>>,
    pub port: Option<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClientTable {
    pub call: Spanned<String>,
    pub port: Option<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProvisionTable {
    #[serde(default)]
    pub python: Vec<String>,
}
