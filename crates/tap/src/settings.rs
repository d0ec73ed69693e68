//! Which addresses are whose, and what is spoken there: options of a command line, and a file.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::decode::Decoder;
use crate::names::Names;
use crate::own::OwnDecoder;
use crate::own::body::Body;
use crate::own::framing::{Framing, Length};
use crate::{etcd, zookeeper};

/// A protocol that is spoken on a port.
#[derive(Clone, Debug)]
pub enum Protocol {
    EtcdPeer,
    EtcdClient,
    ZookeeperQuorum,
    ZookeeperElection,
    ZookeeperClient,
    Own(Framing, Body),
}

/// The protocols that need no description.
pub const PROTOCOLS: [&str; 8] = [
    "etcd-peer",
    "etcd-client",
    "zookeeper-quorum",
    "zookeeper-election",
    "zookeeper-client",
    "json-lines",
    "json-length",
    "msgpack-length",
];

impl Protocol {
    fn named(name: &str) -> Option<Protocol> {
        let length = Framing::Length(Length { bytes: 4, is_little: false, counts_itself: false });
        Some(match name {
            "etcd-peer" => Protocol::EtcdPeer,
            "etcd-client" => Protocol::EtcdClient,
            "zookeeper-quorum" => Protocol::ZookeeperQuorum,
            "zookeeper-election" => Protocol::ZookeeperElection,
            "zookeeper-client" => Protocol::ZookeeperClient,
            "json-lines" => Protocol::Own(Framing::Lines, Body::Json),
            "json-length" => Protocol::Own(length, Body::Json),
            "msgpack-length" => Protocol::Own(length, Body::MessagePack),
            _ => return None,
        })
    }

    /// Makes a decoder of a connection. `is_whole` says that the connection is seen from its beginning.
    pub fn decoder(&self, is_whole: bool) -> Box<dyn Decoder> {
        match self {
            Protocol::EtcdPeer => Box::new(etcd::peer::PeerDecoder::new(is_whole)),
            Protocol::EtcdClient => Box::new(etcd::client::ClientDecoder::default()),
            Protocol::ZookeeperQuorum => Box::new(zookeeper::quorum::QuorumDecoder::new(is_whole)),
            Protocol::ZookeeperElection => Box::new(zookeeper::election::ElectionDecoder::new(is_whole)),
            Protocol::ZookeeperClient => Box::new(zookeeper::client::ClientDecoder::new(is_whole)),
            Protocol::Own(framing, body) => Box::new(OwnDecoder::new(*framing, body.clone(), is_whole)),
        }
    }

    /// Whether those who connect are no nodes.
    pub fn is_for_clients(&self) -> bool {
        match self {
            Protocol::EtcdClient | Protocol::ZookeeperClient => true,
            Protocol::EtcdPeer
            | Protocol::ZookeeperQuorum
            | Protocol::ZookeeperElection
            | Protocol::Own(..) => false,
        }
    }

    /// Whether a node listens on such a port as long as it runs, so that one that refuses connections does not run.
    fn is_always_open(&self) -> bool {
        match self {
            Protocol::EtcdPeer | Protocol::ZookeeperElection => true,
            Protocol::EtcdClient
            | Protocol::ZookeeperQuorum
            | Protocol::ZookeeperClient
            | Protocol::Own(..) => false,
        }
    }
}

/// A port of a node.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Where a relay listens in front of it.
    pub listen: Option<SocketAddr>,
    /// Where the node listens.
    pub target: SocketAddr,
    pub node: String,
    /// Who connects, if it is always the same.
    pub peer: Option<String>,
    pub protocol: Protocol,
    /// Whether the process of the node does not run when it refuses connections here.
    pub tells_restarts: bool,
}

/// All that a tap has to know.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub endpoints: Vec<Endpoint>,
    pub names: Names,
}

/// The file of settings, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SettingsFile {
    names: BTreeMap<String, String>,
    endpoint: Vec<EndpointForm>,
    protocol: Vec<ProtocolForm>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct EndpointForm {
    listen: Option<String>,
    target: String,
    node: Option<String>,
    peer: Option<String>,
    /// Where others are told that they reach the node, if that is another address.
    advertised: Option<String>,
    protocol: Option<String>,
    restarts: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProtocolForm {
    name: String,
    framing: String,
    length_bytes: Option<u8>,
    little_endian: bool,
    counts_itself: bool,
    body: String,
    descriptor: Option<PathBuf>,
    message: Option<String>,
    command: Option<Vec<String>>,
}

/// Options of a command line about taps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// A file of settings: its path and its text.
    pub file: Option<(&'a Path, &'a str)>,
    /// `LISTEN=TARGET,...`
    pub relays: &'a [String],
    /// `TARGET,...`
    pub endpoints: &'a [String],
    /// The node that is meant where none is named.
    pub node: Option<&'a str>,
}

/// Reads what was said of taps. The error names what is wrong, and what to write.
pub fn read(options: &Options<'_>) -> Result<Settings, String> {
    let mut forms = Vec::new();
    let mut own = Vec::new();
    let mut settings = Settings::default();
    if let Some((path, text)) = options.file {
        let in_file = |why: String| format!("{}: {why}", path.display());
        let file: SettingsFile = toml::from_str(text).map_err(|error| in_file(error.to_string()))?;
        for (id, name) in &file.names {
            settings.names.learn(id, name);
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        for form in &file.protocol {
            own.push((form.name.clone(), form.protocol(folder).map_err(in_file)?));
        }
        forms.extend(file.endpoint.into_iter().map(|form| (path.display().to_string(), form)));
    }
    for text in options.relays {
        forms.push((format!("`--relay {text}`"), EndpointForm::of_option(text, true)?));
    }
    for text in options.endpoints {
        forms.push((format!("`--endpoint {text}`"), EndpointForm::of_option(text, false)?));
    }
    for (place, form) in &forms {
        let endpoint = form.endpoint(&own, options.node).map_err(|why| format!("{place}: {why}"))?;
        settings.names.learn_address(&endpoint.target.to_string(), &endpoint.node);
        if let Some(listen) = endpoint.listen {
            settings.names.learn_address(&listen.to_string(), &endpoint.node);
        }
        if let Some(advertised) = &form.advertised {
            settings.names.learn_address(advertised, &endpoint.node);
        }
        settings.endpoints.push(endpoint);
    }
    Ok(settings)
}

impl EndpointForm {
    /// Reads `[LISTEN=]TARGET[,key=value]...`.
    fn of_option(text: &str, is_relay: bool) -> Result<EndpointForm, String> {
        let option = if is_relay { "relay LISTEN=TARGET" } else { "endpoint TARGET" };
        let usage = |what: &str| {
            format!(
                "{what} in `{text}`; write `--{option},protocol=NAME`, and `node=NAME` or `peer=NAME` if needed"
            )
        };
        let mut parts = text.split(',');
        let addresses = parts.next().unwrap_or_default();
        let mut form = EndpointForm::default();
        match (addresses.split_once('='), is_relay) {
            (Some((listen, target)), true) => {
                form.listen = Some(listen.to_owned());
                form.target = target.to_owned();
            }
            (None, false) => form.target = addresses.to_owned(),
            (Some(_), false) => return Err(usage("there are two addresses")),
            (None, true) => return Err(usage("there is one address")),
        }
        for part in parts {
            let Some((key, value)) = part.split_once('=') else {
                return Err(usage(&format!("`{part}` has no value")));
            };
            let value = Some(value.to_owned());
            match key {
                "node" => form.node = value,
                "peer" => form.peer = value,
                "advertised" => form.advertised = value,
                "protocol" => form.protocol = value,
                other => return Err(usage(&format!("there is an unknown key `{other}`"))),
            }
        }
        Ok(form)
    }

    fn endpoint(&self, own: &[(String, Protocol)], node: Option<&str>) -> Result<Endpoint, String> {
        let address = |text: &str| {
            let no_address = "is no address; write an IP address and a port, as `127.0.0.1:2380`";
            text.parse::<SocketAddr>().map_err(|_| format!("`{text}` {no_address}"))
        };
        let target = address(&self.target)?;
        let listen = self.listen.as_deref().map(address).transpose()?;
        if let Some(listen) = listen.filter(|listen| !listen.ip().is_loopback()) {
            return Err(format!("a relay listens on loopback alone, and `{listen}` is another address"));
        }
        let names = || own.iter().map(|(name, _)| name.as_str()).chain(PROTOCOLS).collect::<Vec<_>>();
        let protocol = match &self.protocol {
            None => return Err(format!("no protocol is named; there are {}", names().join(", "))),
            Some(name) => {
                let found = own.iter().find(|(own, _)| own == name).map(|(_, protocol)| protocol.clone());
                found.or_else(|| Protocol::named(name)).ok_or_else(|| {
                    format!("there is no protocol `{name}`; there are {}", names().join(", "))
                })?
            }
        };
        let node = self.node.as_deref().or(node).map_or_else(|| target.to_string(), str::to_owned);
        let tells_restarts = self.restarts.unwrap_or(protocol.is_always_open());
        Ok(Endpoint { listen, target, node, peer: self.peer.clone(), protocol, tells_restarts })
    }
}

impl ProtocolForm {
    fn protocol(&self, folder: &Path) -> Result<Protocol, String> {
        let of = |why: String| format!("protocol `{}`: {why}", self.name);
        if self.name.is_empty() {
            return Err("a protocol has no `name`".to_owned());
        }
        let framing = match (self.framing.as_str(), self.length_bytes.unwrap_or(4)) {
            ("lines", _) => Framing::Lines,
            ("length", bytes @ (1 | 2 | 4 | 8)) => Framing::Length(Length {
                bytes,
                is_little: self.little_endian,
                counts_itself: self.counts_itself,
            }),
            ("length", bytes) => {
                return Err(of(format!("`length_bytes` is 1, 2, 4 or 8, and not {bytes}")));
            }
            (other, _) => {
                return Err(of(format!("`framing` is \"length\" or \"lines\", and not \"{other}\"")));
            }
        };
        let body = match self.body.as_str() {
            "json" => Body::Json,
            "msgpack" => Body::MessagePack,
            "protobuf" => match (&self.descriptor, &self.message) {
                (Some(path), Some(message)) => Body::protobuf(&folder.join(path), message).map_err(of)?,
                _ => return Err(of("protobuf needs `descriptor`, a file, and `message`, a type".to_owned())),
            },
            "command" => match self.command.as_deref() {
                Some(words @ [_, ..]) => Body::command(words.to_vec()),
                Some([]) | None => return Err(of("`command` names a program and its arguments".to_owned())),
            },
            other => {
                let all = "\"json\", \"msgpack\", \"protobuf\" or \"command\"";
                return Err(of(format!("`body` is {all}, and not \"{other}\"")));
            }
        };
        Ok(Protocol::Own(framing, body))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Options, Protocol, read};

    fn relay(text: &str) -> Result<super::Settings, String> {
        read(&Options { relays: &[text.to_owned()], node: Some("n1"), ..Options::default() })
    }

    #[test]
    fn an_option_is_read() {
        let settings = relay("127.0.0.1:1=[::1]:2,peer=n2,protocol=etcd-peer").unwrap();
        let endpoint = &settings.endpoints[0];
        assert_eq!((endpoint.node.as_str(), endpoint.peer.as_deref()), ("n1", Some("n2")));
        assert!(matches!(endpoint.protocol, Protocol::EtcdPeer) && endpoint.tells_restarts);
        assert_eq!(settings.names.of_address("[::1]:2"), Some("n1"));
        let behind = ["127.0.0.1:1=127.0.0.1:2,node=n2,advertised=a.example:3,protocol=etcd-peer".to_owned()];
        let settings = read(&Options { relays: &behind, ..Options::default() }).unwrap();
        assert_eq!(settings.names.of_address("a.example:3"), Some("n2"));
    }

    #[test]
    fn mistakes_are_told_with_what_to_write() {
        for (text, told) in [
            ("127.0.0.1:1", "there is one address"),
            ("127.0.0.1:1=x,protocol=etcd-peer", "`x` is no address"),
            ("127.0.0.1:1=127.0.0.1:2", "no protocol is named; there are etcd-peer"),
            ("127.0.0.1:1=127.0.0.1:2,protocol=raft", "there is no protocol `raft`"),
            ("127.0.0.1:1=127.0.0.1:2,protocols=raft", "an unknown key `protocols`"),
            ("127.0.0.1:1=127.0.0.1:2,etcd-peer", "`etcd-peer` has no value"),
            ("0.0.0.0:1=127.0.0.1:2,protocol=etcd-peer", "on loopback alone"),
        ] {
            let why = relay(text).unwrap_err();
            assert!(why.contains(told), "{why}");
        }
    }

    #[test]
    fn a_file_describes_protocols_of_ones_own() {
        let file =
            |text: &str| read(&Options { file: Some((Path::new("tap.toml"), text)), ..Options::default() });
        let protocol = "[[protocol]]\nname = \"mine\"\nframing = \"length\"\nbody = \"msgpack\"\n";
        let endpoint =
            "[[endpoint]]\ntarget = \"127.0.0.1:7000\"\nprotocol = \"mine\"\n[names]\n\"1\" = \"n1\"\n";
        let settings = file(&format!("{protocol}{endpoint}")).unwrap();
        assert_eq!(settings.endpoints[0].node, "127.0.0.1:7000");
        assert_eq!(settings.names.of("1"), "n1");
        for (text, told) in [
            ("[[protocol]]\nname = \"a\"\n", "`framing` is"),
            ("[[protocol]]\nname = \"a\"\nframing = \"lines\"\nbody = \"protobuf\"\n", "needs `descriptor`"),
            ("[[protocols]]\n", "protocols"),
        ] {
            let why = file(text).unwrap_err();
            assert!(why.starts_with("tap.toml: ") && why.contains(told), "{why}");
        }
    }
}
