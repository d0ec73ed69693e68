//! `system.toml`: how the nodes of a system start, what is observed of them, and which requests clients send.
//!
//! Everything is checked here, before anything starts. Errors have their place in the text.

mod file;
mod points;
mod records;
mod template;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::FxIndexMap;
use regex::Regex;

use crate::net::{Answer, Framing, Length, Rule};
use crate::node::{DoorKind, NodeSpec, Stream};
use crate::points::{Path as ValuePath, Place, Point, View};
use file::{
    DoorName, FramingTable, NodeTable, ObserveTable, ProvisionTable, RuleName, StartTable, SystemTable,
};
pub use template::{Template, Values};

/// The reason why a text does not describe a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemError {
    pub message: String,
    /// The range of bytes in the text that it is about.
    pub place: Option<Range<usize>>,
}

/// A described system.
// Over 20 fields: one for each key of a description.
#[derive(Clone)]
pub struct System {
    pub nodes: Vec<Member>,
    command: Vec<Template>,
    /// Words that were added to every node's command.
    added: Vec<Template>,
    environment: Vec<(String, Template)>,
    files: Vec<(Template, Template)>,
    runtime_threads: Vec<String>,
    tracks_files: bool,
    takes_turns: bool,
    door: Option<DoorKind>,
    /// Places at which threads are held.
    pub points: Vec<Point>,
    pub framing: Vec<(u16, Framing)>,
    pub observations: FxIndexMap<String, Observation>,
    /// Commands that read what was seen, by observation.
    pub readers: FxIndexMap<String, Vec<Template>>,
    /// Observations whose command stays beside the stage and answers line by line.
    pub staying: Vec<String>,
    pub clients: FxIndexMap<String, Request>,
    /// Python packages that it needs, for an environment of its own.
    pub python_packages: Vec<String>,
    /// Debian packages that it needs, unpacked into the same folder.
    pub debian_packages: Vec<String>,
    /// Packages of PyPI that are fetched for some of their files.
    pub archives: Vec<String>,
    /// Patterns for the files of the archives that it needs.
    pub picks: Vec<String>,
    /// Commands that build a program from all this.
    build: Vec<Vec<Template>>,
    pub seed: Option<u64>,
    pub idle_limit: Option<Duration>,
    /// Whether messages on connections may be lost, come twice and overtake each other.
    pub unsafe_stream: bool,
    /// The folder of the description.
    folder: PathBuf,
}

/// A node as it is described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    pub name: String,
    pub host: String,
    pub port: u16,
    /// Additional words for its command, and variables.
    arguments: Vec<Template>,
    environment: Vec<(String, Template)>,
}

/// Something that can be seen of a node.
#[derive(Clone)]
pub enum Observation {
    /// The answer to a request on one of its ports.
    Call(Request),
    /// The body of its answer to a request by HTTP.
    Http { path: String, port: Option<u16> },
    /// The last match in what it has written to one of its streams.
    Log { regex: Regex, stream: Stream },
    /// A file of its folder.
    File(String),
    /// The output of a command that runs in its folder, outside the stage.
    Command(Vec<Template>),
    /// A value of a Java program.
    Java { view: View, path: ValuePath },
}

/// Bytes that are sent to a port of a node.
#[derive(Clone, Debug)]
pub struct Request {
    pub text: Template,
    pub port: Option<u16>,
    /// The answer that a client waits for.
    pub answer: Answer,
}

/// The folders of a run.
pub struct Layout<'l> {
    /// The folder in which the nodes' own folders are made.
    pub nodes: &'l Path,
    /// The folder with what was provisioned: the system's Python environment, and its Debian packages.
    pub python: &'l Path,
}

impl System {
    /// Reads a description; relative paths in it start at `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<System, SystemError> {
        System::parse_with(text, folder, &[])
    }

    /// Reads a description, with values for some of its parameters; relative paths in it start at `folder`.
    pub fn parse_with(text: &str, folder: &Path, values: &[(String, String)]) -> Result<System, SystemError> {
        let mut table: SystemTable = toml::from_str(text)
            .map_err(|error| SystemError { message: error.message().to_owned(), place: error.span() })?;
        for (name, value) in values {
            let Some(known) = table.parameters.get_mut(name) else {
                let message = format!("the system has no parameter `{name}`");
                return Err(SystemError { message, place: None });
            };
            known.clone_from(value);
        }
        System::check(table, folder)
    }

    fn check(table: SystemTable, folder: &Path) -> Result<System, SystemError> {
        let nodes = check_nodes(&table)?;
        let framing =
            table.framing.iter().map(|rule| check_framing(rule, &nodes)).collect::<Result<Vec<_>, _>>()?;
        let templates = |words: &[toml::Spanned<String>]| -> Result<Vec<Template>, SystemError> {
            words.iter().map(|word| template(word, &[])).collect()
        };
        let points = points::check_all(&table)?;
        let (mut observations, mut readers) = (FxIndexMap::default(), FxIndexMap::default());
        let mut staying = Vec::new();
        for (name, table) in &table.observe {
            observations.insert(name.clone(), check_observation(table, &points)?);
            if let Some(reader) = check_reader(table)? {
                readers.insert(name.clone(), reader);
            }
            if check_staying(table)? {
                staying.push(name.clone());
            }
        }
        let mut clients = FxIndexMap::default();
        for (name, table) in &table.client {
            let text = template(&table.call, ARGUMENTS)?;
            let answer = records::check_answer(table.answers.as_ref())?;
            clients.insert(name.clone(), Request { text, port: table.port, answer });
        }
        let start = &table.start;
        let environment =
            start.environment.iter().map(|(name, value)| Ok((name.clone(), template(value, &[])?)));
        let files = start.files.iter().map(|(path, text)| {
            Ok((Template::parse(path, &[]).map_err(|message| error_at(text, message))?, template(text, &[])?))
        });
        let command = templates(&start.command)?;
        if command.is_empty() {
            return Err(SystemError { message: "`command` names no program".to_owned(), place: None });
        }
        Ok(System {
            nodes,
            command,
            added: Vec::new(),
            environment: environment.collect::<Result<_, SystemError>>()?,
            files: files.collect::<Result<_, SystemError>>()?,
            runtime_threads: start.runtime_threads.clone(),
            tracks_files: start.track_files,
            takes_turns: start.take_turns.unwrap_or_else(|| is_java(&start.command)),
            door: check_door(start)?,
            points,
            framing: framing.into_iter().flatten().collect(),
            observations,
            readers,
            staying,
            clients,
            python_packages: packages(&table, |provision| &provision.python),
            debian_packages: packages(&table, |provision| &provision.debian),
            archives: packages(&table, |provision| &provision.archives),
            picks: packages(&table, |provision| &provision.pick),
            build: check_build(&table)?,
            seed: table.seed,
            idle_limit: table.idle_limit_ms.map(Duration::from_millis),
            unsafe_stream: table.unsafe_stream,
            folder: folder.to_owned(),
        })
    }

    /// Returns the names of everything that is provisioned.
    pub fn provisions(&self) -> impl Iterator<Item = &str> {
        self.python_packages.iter().chain(&self.debian_packages).chain(&self.archives).map(String::as_str)
    }

    /// Returns the commands that build a program, where `python` is the folder with what was provisioned.
    pub fn build(&self, python: &Path) -> Vec<Vec<String>> {
        let values = Values { single: self.places(python), others: Vec::new(), arguments: Vec::new() };
        self.build.iter().map(|words| words.iter().map(|word| word.fill(&values)).collect()).collect()
    }

    /// Returns the values of the placeholders that are the same for all nodes.
    fn places(&self, python: &Path) -> Vec<(&'static str, String)> {
        vec![
            ("system", self.folder.display().to_string()),
            ("python", python.join("bin/python").display().to_string()),
            ("packages", python.join(PACKAGES).display().to_string()),
        ]
    }

    /// Returns the folder of the description.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Leaves out all nodes but these.
    pub fn keep_nodes(&mut self, names: &[String]) {
        self.nodes.retain(|node| names.contains(&node.name));
    }

    /// Adds words to every node's command.
    pub fn add_arguments(&mut self, words: &[String]) {
        self.added.extend(words.iter().map(|word| Template::plain(word)));
    }

    /// Returns the words of a node's command: its own come before those that were added for a run.
    fn words<'s>(&'s self, own: &'s Member) -> impl Iterator<Item = &'s Template> {
        self.command.iter().chain(&own.arguments).chain(&self.added)
    }

    /// Returns the settings with which each node is started. Makes the nodes' folders, and the described files in them.
    pub fn specs(&self, layout: &Layout<'_>) -> std::io::Result<Vec<NodeSpec>> {
        (0..self.nodes.len()).map(|index| self.spec(index, layout)).collect()
    }

    /// Whether something in the description needs the debugger's interface of a Java machine.
    fn has_agent(&self) -> bool {
        self.points.iter().any(|point| matches!(point.place, Place::Code(_)))
            || self.observations.values().any(|seen| matches!(seen, Observation::Java { .. }))
    }

    fn spec(&self, index: usize, layout: &Layout<'_>) -> std::io::Result<NodeSpec> {
        let folder = layout.nodes.join(&self.nodes[index].name);
        std::fs::create_dir_all(&folder)?;
        let values = self.values(index, &folder, layout);
        let own = &self.nodes[index];
        for (path, text) in &self.files {
            let path = folder.join(path.fill(&values));
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, text.fill(&values))?;
        }
        Ok(NodeSpec {
            name: own.name.clone(),
            command: self.words(own).flat_map(|word| word.fill_words(&values)).collect(),
            environment: self
                .environment
                .iter()
                .chain(&own.environment)
                .map(|(name, value)| (name.clone(), value.fill(&values)))
                .collect(),
            folder,
            tracks_files: self.tracks_files,
            runtime_threads: self.runtime_threads.clone(),
            takes_turns: self.takes_turns,
            has_agent: self.has_agent(),
            door: self.door,
        })
    }

    /// Returns the values of the placeholders for a node.
    pub fn values(&self, index: usize, folder: &Path, layout: &Layout<'_>) -> Values {
        let address = |member: &Member| format!("{}:{}", member.host, member.port);
        let own = &self.nodes[index];
        let others = self.nodes.iter().filter(|other| other.name != own.name).map(address).collect();
        let mut single = self.places(layout.python);
        single.extend([
            ("name", own.name.clone()),
            ("index", (index + 1).to_string()),
            ("host", own.host.clone()),
            ("port", own.port.to_string()),
            ("address", address(own)),
            ("folder", folder.display().to_string()),
            ("log", log_of(layout.nodes, &own.name).display().to_string()),
        ]);
        Values { single, others, arguments: Vec::new() }
    }
}

/// The folder among what was provisioned into which Debian packages are unpacked.
pub const PACKAGES: &str = "packages";

/// The folder among the Debian packages into which files of archives are picked.
pub const PICKED: &str = "picked";

/// Returns the packages to install, with the parameters filled in. One of which nothing is left is none.
fn packages(table: &SystemTable, list: impl Fn(&ProvisionTable) -> &Vec<String>) -> Vec<String> {
    let named = table.provision.iter().flat_map(list);
    let fill = |text: &String| {
        table
            .parameters
            .iter()
            .fold(text.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    };
    named.map(fill).filter(|package| !package.is_empty()).collect()
}

/// Reads the commands that build a program: they run before there are nodes.
fn check_build(table: &SystemTable) -> Result<Vec<Vec<Template>>, SystemError> {
    let word = |text: &toml::Spanned<String>| {
        let word = template(text, &[])?;
        if let Some(name) = word.names().find(|name| !["system", "python", "packages"].contains(name)) {
            return Err(error_at(text, format!("`{{{name}}}` stands for nothing before nodes start")));
        }
        Ok(word)
    };
    let commands = table.provision.iter().flat_map(|provision| &provision.build);
    commands.map(|words| words.iter().map(word).collect()).collect()
}

/// Returns the path of a node's log, if the node writes one. It is beside the node's folder, so that a loss of files
/// does not affect it.
pub(crate) fn log_of(nodes: &Path, name: &str) -> PathBuf {
    nodes.join(format!("{name}.log"))
}

/// The placeholders for the arguments of a client's request.
const ARGUMENTS: &[&str] = &["1", "2", "3", "4"];

fn error_at<T>(at: &toml::Spanned<T>, message: impl Into<String>) -> SystemError {
    SystemError { message: message.into(), place: Some(at.span()) }
}

fn template(text: &toml::Spanned<String>, arguments: &[&str]) -> Result<Template, SystemError> {
    Template::parse(text.get_ref(), arguments).map_err(|message| error_at(text, message))
}

fn check_nodes(table: &SystemTable) -> Result<Vec<Member>, SystemError> {
    let mut nodes: Vec<Member> = Vec::new();
    for node in &table.node {
        let name = node.name.get_ref();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_word) {
            return Err(error_at(&node.name, "a node's name is made of letters, digits, `_` and `-`"));
        }
        if nodes.iter().any(|other| other.name == *name) {
            return Err(error_at(&node.name, format!("there are two nodes named `{name}`")));
        }
        let address = node.address.get_ref();
        let split = address.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
        let Some((host, port)) = split else {
            return Err(error_at(&node.address, "an address is a host, a colon and a port"));
        };
        let (arguments, environment) = (check_arguments(node)?, check_environment(node)?);
        nodes.push(Member { name: name.clone(), host: host.to_owned(), port, arguments, environment });
    }
    if nodes.is_empty() {
        return Err(SystemError { message: "there is no `[[node]]`".to_owned(), place: None });
    }
    Ok(nodes)
}

/// Reads the words that only this node has in its command.
fn check_arguments(node: &NodeTable) -> Result<Vec<Template>, SystemError> {
    node.arguments.iter().map(|word| template(word, &[])).collect()
}

/// Reads the variables that only this node has.
fn check_environment(node: &NodeTable) -> Result<Vec<(String, Template)>, SystemError> {
    node.environment.iter().map(|(name, value)| Ok((name.clone(), template(value, &[])?))).collect()
}

/// Returns the ports that a rule applies to: the one that it names, or those of all nodes.
fn check_framing(table: &FramingTable, nodes: &[Member]) -> Result<Vec<(u16, Framing)>, SystemError> {
    let has_length =
        table.width.is_some() || table.offset.is_some() || table.extra.is_some() || table.little_endian;
    let rule = match table.rule.get_ref() {
        RuleName::None => Rule::None,
        RuleName::Line => Rule::Line,
        RuleName::Varint => Rule::Varint,
        RuleName::Http => Rule::Http(has_length.then(|| check_length(table)).transpose()?),
        RuleName::Jute => Rule::Length(Length::default()),
        RuleName::Length => Rule::Length(check_length(table)?),
        RuleName::Records => Rule::Records(records::check(table)?),
    };
    if has_length && !matches!(table.rule.get_ref(), RuleName::Length | RuleName::Http) {
        let message =
            "`width`, `offset`, `extra` and `little_endian` go with `rule = \"length\"` or `rule = \"http\"`";
        return Err(error_at(&table.rule, message));
    }
    if !table.body.is_empty() && *table.rule.get_ref() != RuleName::Length {
        let message = "`body` goes with `rule = \"length\"`";
        return Err(error_at(&table.rule, message));
    }
    if (table.fields.is_some() || table.run.is_some()) && *table.rule.get_ref() != RuleName::Records {
        return Err(error_at(&table.rule, "`fields` and `run` go with `rule = \"records\"`"));
    }
    let preamble = records::check_preamble(table.preamble.as_ref())?;
    let reply_preamble = records::check_preamble(table.reply_preamble.as_ref())?;
    let framing = Framing { rule, preamble, reply_preamble };
    let ports = match table.port {
        Some(port) => vec![port],
        None => nodes.iter().map(|node| node.port).collect(),
    };
    Ok(ports.into_iter().map(|port| (port, framing.clone())).collect())
}

/// The most bytes before a length, and the most that may be added to it.
const OFFSET_MAX: usize = 1 << 16;

fn check_length(table: &FramingTable) -> Result<Length, SystemError> {
    let width = table.width.as_ref().map_or(4, |width| *width.get_ref());
    if !(1..=8).contains(&width) {
        let place = table.width.as_ref().map(toml::Spanned::span);
        return Err(SystemError { message: "a length has 1 to 8 bytes".to_owned(), place });
    }
    let offset = table.offset.as_ref().map_or(0, |offset| *offset.get_ref());
    if let (Some(given), true) = (&table.offset, offset > OFFSET_MAX) {
        return Err(error_at(given, format!("at most {OFFSET_MAX} bytes come before a length")));
    }
    let extra = table.extra.as_ref().map_or(0, |extra| *extra.get_ref());
    if let (Some(given), true) = (&table.extra, extra.unsigned_abs() > OFFSET_MAX as u64) {
        return Err(error_at(
            given,
            format!("a length is at most {OFFSET_MAX} more or less than what follows it"),
        ));
    }
    let bodies = table.body.iter().map(|body| records::check_body(body, offset)).collect::<Result<_, _>>()?;
    Ok(Length { offset, width, is_big_endian: !table.little_endian, extra, bodies })
}

fn check_observation(
    table: &toml::Spanned<ObserveTable>,
    points: &[Point],
) -> Result<Observation, SystemError> {
    let ObserveTable {
        call,
        http,
        log,
        errors,
        file,
        command,
        port,
        read: _,
        stays: _,
        java,
        point,
        thread,
        class,
    } = table.get_ref();
    let patterns = [(log, Stream::Output), (errors, Stream::Errors)];
    let given = [call.is_some(), http.is_some(), file.is_some(), command.is_some(), java.is_some()];
    let given = given.into_iter().chain(patterns.map(|(pattern, _)| pattern.is_some()));
    if given.filter(|given| *given).count() != 1 {
        let kinds = "`call`, `http`, `log`, `errors`, `file`, `command` and `java`";
        return Err(error_at(table, format!("an observation is one of {kinds}")));
    }
    if let Some(path) = java {
        return points::check_view(table, path, points);
    }
    if point.is_some() || thread.is_some() || class.is_some() {
        return Err(error_at(table, "`point`, `thread` and `class` go with `java`"));
    }
    if let Some(text) = call {
        return Ok(Observation::Call(Request {
            text: template(text, &[])?,
            port: *port,
            answer: Answer::default(),
        }));
    }
    if let Some(path) = http {
        return Ok(Observation::Http { path: path.clone(), port: *port });
    }
    for (pattern, stream) in patterns {
        if let Some(pattern) = pattern {
            let regex =
                Regex::new(pattern.get_ref()).map_err(|error| error_at(pattern, error.to_string()))?;
            return Ok(Observation::Log { regex, stream });
        }
    }
    if let Some(words) = command {
        let words = words.iter().map(|word| template(word, &[])).collect::<Result<_, _>>()?;
        return Ok(Observation::Command(words));
    }
    Ok(Observation::File(file.clone().unwrap_or_default()))
}

/// Returns the words of the command that reads what is seen, if there is one.
fn check_reader(table: &toml::Spanned<ObserveTable>) -> Result<Option<Vec<Template>>, SystemError> {
    let Some(words) = &table.get_ref().read else { return Ok(None) };
    if words.is_empty() {
        return Err(error_at(table, "`read` names no program"));
    }
    words.iter().map(|word| template(word, &[])).collect::<Result<_, _>>().map(Some)
}

/// Returns the door that the description asks for. Threads that are entered by their system calls always take turns.
fn check_door(start: &StartTable) -> Result<Option<DoorKind>, SystemError> {
    let Some(name) = &start.door else { return Ok(None) };
    match name.get_ref() {
        DoorName::Library => Ok(Some(DoorKind::Library)),
        DoorName::Syscalls if start.take_turns == Some(false) => {
            Err(error_at(name, "threads behind the door `syscalls` always take turns".to_owned()))
        }
        DoorName::Syscalls => Ok(Some(DoorKind::Syscalls)),
    }
}

/// Whether the command of an observation stays beside the stage.
fn check_staying(table: &toml::Spanned<ObserveTable>) -> Result<bool, SystemError> {
    let ObserveTable { stays, command, read, .. } = table.get_ref();
    if *stays && command.is_none() && read.is_none() {
        return Err(error_at(table, "`stays` goes with `command` or `read`"));
    }
    if *stays && command.is_some() && read.is_some() {
        return Err(error_at(table, "`stays` goes with one of `command` and `read`"));
    }
    Ok(*stays)
}

/// Whether a command starts a Java virtual machine.
fn is_java(command: &[toml::Spanned<String>]) -> bool {
    let program = command.first().map(|word| Path::new(word.get_ref()));
    program.and_then(Path::file_name).is_some_and(|name| name == "java")
}

#[cfg(test)]
mod tests {
    use super::{Layout, Observation, Stream, System};
    use crate::net::{Answer, Body, Field, Framing, Length, Preamble, Records, Rule, Run};
    use std::path::Path;

    const START: &str =
        "[start]\ncommand = [\"{python}\", \"{system}/node.py\", \"{address}\", \"{others}\"]\n";
    const NODES: &str = "[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:7001\"\n\
        [[node]]\nname = \"n2\"\naddress = \"127.0.0.1:7002\"\n";

    fn parse(text: &str) -> Result<System, String> {
        System::parse(text, Path::new("systems/x")).map_err(|error| {
            let at = error.place.map(|place| text[place].to_owned());
            format!("{} at {at:?}", error.message)
        })
    }

    #[track_caller]
    fn refuse(rest: &str, expected: &str) {
        let text = format!("{rest}\n{START}{NODES}");
        let error = parse(&text).err().expect("it is refused");
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_system_is_read_and_its_commands_are_filled_in() {
        let system = parse(&format!(
            "seed = 7\n{START}{NODES}[[framing]]\nrule = \"length\"\nlittle_endian = true\n\
            [observe.role]\nlog = \"role (.*)\"\n[client.put]\ncall = \"put {{1}} {{2}}\\n\"\n"
        ))
        .expect("it is right");
        assert_eq!(system.seed, Some(7));
        let little = Length { is_big_endian: false, ..Length::default() };
        let little = Framing { rule: Rule::Length(little), ..Framing::default() };
        assert_eq!(system.framing, [(7001, little.clone()), (7002, little)]);
        assert!(matches!(system.observations["role"], Observation::Log { stream: Stream::Output, .. }));
        let base = std::env::temp_dir().join(format!("specline-system-{}", std::process::id()));
        let specs = system.specs(&Layout { nodes: &base, python: Path::new("venv") }).unwrap();
        let expected = ["venv/bin/python", "systems/x/node.py", "127.0.0.1:7001", "127.0.0.1:7002"];
        assert_eq!(specs[0].command, expected);
        std::fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn a_node_has_words_and_variables_of_its_own() {
        let own = "[[node]]\nname = \"n3\"\naddress = \"127.0.0.1:7003\"\narguments = [\"--me\", \"{name}\"]\n\
                   environment = { ROLE = \"first of {index}\" }\n";
        let text = format!("{START}environment = {{ ROLE = \"none\" }}\n{NODES}{own}");
        let mut system = parse(&text).expect("it is right");
        system.add_arguments(&["--last".to_owned()]);
        let base = std::env::temp_dir().join(format!("specline-system-own-{}", std::process::id()));
        let specs = system.specs(&Layout { nodes: &base, python: Path::new("venv") }).unwrap();
        assert_eq!(specs[0].command.last().map(String::as_str), Some("--last"));
        assert!(!specs[0].command.contains(&"--me".to_owned()));
        assert_eq!(specs[2].command[specs[2].command.len() - 3..], ["--me", "n3", "--last"]);
        let roles = |index: usize| specs[index].environment.last().map(|(_, value)| value.as_str());
        assert_eq!((roles(0), roles(2)), (Some("none"), Some("first of 3")));
        std::fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn framing_is_read_in_all_its_forms() {
        let framed = |rest: &str| {
            let text = format!("{START}{NODES}[[framing]]\nport = 1\n{rest}\n");
            parse(&text).expect("it is right").framing.swap_remove(0).1
        };
        let length = |length: Length| Framing { rule: Rule::Length(length), ..Framing::default() };
        assert_eq!(framed("rule = \"jute\""), length(Length::default()));
        let all = "rule = \"length\"\noffset = 1\nwidth = 3\nextra = -4\nlittle_endian = true";
        assert_eq!(
            framed(all),
            length(Length { offset: 1, width: 3, is_big_endian: false, extra: -4, ..Length::default() })
        );
        let begun = framed("rule = \"line\"\npreamble = 8\nreply_preamble = 2");
        let (preamble, reply_preamble) = (Preamble::Bytes(8), Preamble::Bytes(2));
        assert_eq!(begun, Framing { rule: Rule::Line, preamble, reply_preamble });
        refuse("[[framing]]\nrule = \"line\"\nwidth = 2\n", "go with `rule = \"length\"`");
        refuse("[[framing]]\nrule = \"length\"\noffset = 99999999\n", "at most 65536 bytes");
        refuse("[[framing]]\nrule = \"length\"\nextra = -99999999\n", "at most 65536 more or less");
        let bodies = framed(
            "rule = \"length\"\noffset = 8\nbody = [{ kind = 1, at = 68, every = 16, width = 4 }, \
             { kind = 5, at = -8, width = 8 }]",
        );
        let entries = Body { kind: 1, at: 68, every: 16, width: 4 };
        let bodies_read = vec![entries, Body { kind: 5, at: -8, every: 0, width: 8 }];
        assert_eq!(bodies, length(Length { offset: 8, bodies: bodies_read, ..Length::default() }));
        let body = |body: &str| format!("[[framing]]\nrule = \"length\"\n{body}\n");
        refuse(&body("body = [{ kind = 1, at = 0, width = 1 }]"), "1 to 8 bytes before its length");
        refuse(&body("offset = 1\nbody = [{ kind = 1, at = 0, width = 9 }]"), "a number has 1 to 8 bytes");
        refuse(&body("offset = 1\nbody = [{ kind = 1, at = 0, every = 1, width = 2 }]"), "do not overlap");
        refuse(
            "[provision]\nbuild = [[\"cc\", \"{port}\"]]\n",
            "`{port}` stands for nothing before nodes start",
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        refuse("sed = 7", "unknown field `sed`");
        refuse("seed = \"x\"", "at Some(\"\\\"x\\\"\")");
        refuse("[observe.x]\n", "one of `call`, `http`");
        refuse("[observe.x]\nlog = \"(\"\n", "unclosed group");
        refuse("[observe.x]\nlog = \"x\"\nstays = true\n", "goes with `command` or `read`");
        refuse("[observe.x]\ncommand = [\"x\"]\nread = [\"x\"]\nstays = true\n", "goes with one of");
        refuse("[client.x]\ncall = \"{nobody}\"\n", "`{nobody}` stands for nothing");
        refuse("[[framing]]\nrule = \"length\"\nwidth = 9\n", "1 to 8 bytes at Some(\"9\")");
        refuse("[[framing]]\nrule = \"lines\"\n", "unknown variant `lines`");
        refuse("[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:1\"\n", "two nodes named `n1`");
        refuse("[[node]]\nname = \"n 3\"\naddress = \"127.0.0.1:1\"\n", "made of letters");
        refuse("[[node]]\nname = \"n3\"\naddress = \"127.0.0.1\"\n", "a host, a colon and a port");
        let error = parse("[start]\ncommand = [\"x\"]\n").err().expect("it is refused");
        assert_eq!(error, "missing field `node` at Some(\"\")");
    }

    #[test]
    fn records_preambles_and_answers_are_described_as_data() {
        let rules = "[[framing]]\nport = 9\nrule = \"records\"\nfields = [\"int\", \"long\", \"buffer\", [\"byte\"]]\n\
            run = { after = 15, end = \"END\" }\npreamble = [\"short\", \"buffer\"]\n";
        let client = "[client.get]\ncall = \"x\"\nanswers = { rule = \"jute\", count = 2 }\n";
        let system = parse(&format!("{START}{NODES}{rules}{client}")).expect("it is right");
        let fields =
            vec![Field::Fixed(4), Field::Fixed(8), Field::Counted, Field::Vector(vec![Field::Fixed(1)])];
        let run = Some(Run { after: 15, end: b"END".to_vec() });
        let preamble = Preamble::Record(vec![Field::Fixed(2), Field::Counted]);
        let rule = Rule::Records(Records { fields, run });
        assert_eq!(system.framing, [(9, Framing { rule, preamble, reply_preamble: Preamble::None })]);
        let answer = Answer { rule: Rule::Length(Length::default()), n_messages: 2 };
        assert_eq!(system.clients["get"].answer, answer);
    }

    #[test]
    fn records_that_cannot_be_told_apart_are_refused() {
        let framing = |more: &str| format!("[[framing]]\nrule = \"records\"\n{more}\n");
        refuse(&framing(""), "needs `fields`");
        refuse(&framing("fields = []"), "at least one field");
        refuse(&framing("fields = [\"int\", []]"), "at least one field");
        refuse(&framing("fields = [\"word\"]"), "`word` is no kind of field");
        refuse(&framing("fields = [[[[[[[[[[\"int\"]]]]]]]]]]"), "at most 8 deep");
        refuse(&framing("fields = [\"buffer\"]\nrun = { after = 1, end = \"x\" }"), "begin with a number");
        refuse(&framing("fields = [\"int\"]\nrun = { after = 1, end = \"\" }"), "at least one byte");
        refuse("[[framing]]\nrule = \"line\"\nfields = [\"int\"]\n", "go with `rule = \"records\"`");
        refuse("[client.a]\ncall = \"\"\nanswers = { rule = \"records\", count = 1 }\n", "are counted by");
        refuse("[client.a]\ncall = \"\"\nanswers = { rule = \"line\", count = 0 }\n", "at least one message");
    }

    #[test]
    fn threads_of_a_java_machine_take_turns_unless_told_otherwise() {
        let takes =
            |start: &str| parse(&format!("[start]\n{start}\n{NODES}")).expect("it is right").takes_turns;
        assert!(takes("command = [\"java\", \"-version\"]"));
        assert!(takes("command = [\"/usr/bin/java\"]"));
        assert!(!takes("command = [\"java\"]\ntake_turns = false"));
        assert!(!takes("command = [\"python3\", \"java\"]"));
        assert!(takes("command = [\"python3\"]\ntake_turns = true"));
    }
}
