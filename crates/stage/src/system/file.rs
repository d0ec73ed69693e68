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
    pub point: Vec<PointTable>,
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
    /// Whether one thread runs at a time; without it, whether the program is a Java virtual machine.
    pub take_turns: Option<bool>,
    #[serde(default)]
    pub runtime_threads: Vec<String>,
    /// The door; without it, that which fits the program.
    pub door: Option<Spanned<DoorName>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DoorName {
    Library,
    Syscalls,
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
    Records,
    Http,
}

/// A preamble, as users write it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum PreambleTable {
    Bytes(usize),
    Fields(Vec<FieldTable>),
}

/// A field of a record: the name of its kind, or the fields of what it has any number of.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum FieldTable {
    Kind(String),
    Vector(Vec<FieldTable>),
}

/// Bytes after a message that its length does not count.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyTable {
    /// The number before the length of messages that have it.
    pub kind: u64,
    /// Where the first number is that says how many bytes follow.
    pub at: i64,
    #[serde(default)]
    pub every: usize,
    pub width: usize,
}

/// Bytes without a length that follow some records.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunTable {
    pub after: u64,
    pub end: String,
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
    /// The bytes that follow messages of some kinds.
    #[serde(default)]
    pub body: Vec<Spanned<BodyTable>>,
    /// The bytes before the first message.
    pub preamble: Option<Spanned<PreambleTable>>,
    pub reply_preamble: Option<Spanned<PreambleTable>>,
    /// The fields of a record.
    pub fields: Option<Spanned<Vec<FieldTable>>>,
    pub run: Option<Spanned<RunTable>>,
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
    /// A command that is given what was seen, and writes what it says.
    pub read: Option<Vec<Spanned<String>>>,
    /// Whether `command` or `read` stays beside the stage and answers line by line.
    #[serde(default)]
    pub stays: bool,
    /// A path to a value of a Java program, and where it begins.
    pub java: Option<Spanned<String>>,
    pub point: Option<String>,
    pub thread: Option<String>,
    pub class: Option<String>,
}

/// A place at which threads are held.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointTable {
    pub name: Spanned<String>,
    /// The threads that count.
    pub thread: Option<String>,
    pub call: Option<CallName>,
    /// The end of the path of the file that the call is about.
    pub file: Option<String>,
    #[serde(default)]
    pub after: bool,
    pub class: Option<String>,
    pub method: Option<String>,
    pub arguments: Option<Vec<String>>,
    pub at: Option<Spanned<AtTable>>,
    /// Values that must be seen there, by their paths.
    #[serde(default)]
    pub when: BTreeMap<String, Spanned<WantedTable>>,
    /// A function of a native program.
    pub symbol: Option<Spanned<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CallName {
    Write,
    Fsync,
    Rename,
}

/// A place in a method: a word, or the number of a line.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum AtTable {
    Line(u32),
    Word(String),
}

/// A value that must be seen, or several of which one must be.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum WantedTable {
    One(TextTable),
    Any(Vec<TextTable>),
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum TextTable {
    Truth(bool),
    Number(i64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClientTable {
    pub call: Spanned<String>,
    pub port: Option<u16>,
    pub answers: Option<Spanned<AnswerTable>>,
}

/// The answer that a client waits for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerTable {
    pub rule: RuleName,
    pub count: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProvisionTable {
    #[serde(default)]
    pub python: Vec<String>,
    #[serde(default)]
    pub debian: Vec<String>,
    /// Packages of PyPI that are fetched for some of their files, and not installed.
    #[serde(default)]
    pub archives: Vec<String>,
    /// Which files of the archives are wanted.
    #[serde(default)]
    pub pick: Vec<String>,
    /// Commands that are run when everything else is there, to build a program.
    #[serde(default)]
    pub build: Vec<Vec<Spanned<String>>>,
}
