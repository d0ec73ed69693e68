//! A cluster of real members of etcd, with a tap in front of their ports, clients, and troubles.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer of a member may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// The ports of a member: where it listens for members and clients, the relays in front of both, and the link that members
/// connect to, which can be cut.
#[derive(Clone, Copy, Debug)]
struct Ports {
    peer: u16,
    client: u16,
    peer_relay: u16,
    client_relay: u16,
    link: u16,
}

/// Members of etcd on loopback. What one advertises to the others is its link, which leads to its relay and can be cut.
#[derive(Debug)]
pub struct EtcdCluster {
    program: PathBuf,
    folder: PathBuf,
    ports: Vec<Ports>,
    members: Vec<Option<Child>>,
    cuts: Vec<Arc<AtomicBool>>,
}

fn free_ports(n: usize) -> Vec<u16> {
    let listeners: Vec<TcpListener> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

impl EtcdCluster {
    /// Prepares members `n1`, `n2`, ..., with data in a folder, and opens their links.
    pub fn new(program: &Path, folder: &Path, n: usize) -> EtcdCluster {
        let ports: Vec<Ports> = free_ports(4 * n)
            .chunks(4)
            .map(|ports| {
                let &[peer, client, peer_relay, client_relay] = ports else { unreachable!("chunks of four") };
                Ports { peer, client, peer_relay, client_relay, link: 0 }
            })
            .collect();
        let mut cluster = EtcdCluster {
            program: program.to_owned(),
            folder: folder.to_owned(),
            ports,
            members: (0..n).map(|_| None).collect(),
            cuts: (0..n).map(|_| Arc::default()).collect(),
        };
        for at in 0..n {
            cluster.ports[at].link = open_link(cluster.ports[at].peer_relay, &cluster.cuts[at]).unwrap();
        }
        cluster
    }

    pub fn len(&self) -> usize {
        self.ports.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    pub fn name(at: usize) -> String {
        format!("n{}", at + 1)
    }

    /// Returns the options for `specline tap` that put relays in front of all members.
    pub fn relays(&self) -> Vec<String> {
        let mut options = Vec::new();
        for (at, ports) in self.ports.iter().enumerate() {
            for (listen, target, protocol) in [
                (ports.peer_relay, ports.peer, "etcd-peer"),
                (ports.client_relay, ports.client, "etcd-client"),
            ] {
                options.push("--relay".to_owned());
                let name = EtcdCluster::name(at);
                let link = ports.link;
                options.push(format!(
                    "127.0.0.1:{listen}=127.0.0.1:{target},node={name},advertised=127.0.0.1:{link},protocol={protocol}"
                ));
            }
        }
        options
    }

    pub fn start(&mut self, at: usize) {
        let url = |port: u16| format!("http://127.0.0.1:{port}");
        let name = EtcdCluster::name(at);
        let all: Vec<String> = self
            .ports
            .iter()
            .enumerate()
            .map(|(at, ports)| format!("{}={}", EtcdCluster::name(at), url(ports.link)))
            .collect();
        let log = File::options().create(true).append(true).open(self.folder.join(format!("{name}.log")));
        let ports = self.ports[at];
        let mut command = Command::new(&self.program);
        command.env_clear().args(["--name", &name, "--initial-cluster", &all.join(",")]);
        command.arg("--data-dir").arg(self.folder.join(&name));
        command.args(["--listen-peer-urls", &url(ports.peer)]);
        command.args(["--initial-advertise-peer-urls", &url(ports.link)]);
        command.args([
            "--listen-client-urls",
            &url(ports.client),
            "--advertise-client-urls",
            &url(ports.client),
        ]);
        command.args(["--heartbeat-interval", "200", "--election-timeout", "2000"]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.unwrap()).spawn();
        self.members[at] = Some(child.expect("etcd starts"));
    }

    /// Ends a member as a power failure does.
    pub fn kill(&mut self, at: usize) {
        if let Some(mut child) = self.members[at].take() {
            child.kill().and_then(|()| child.wait()).expect("it ends");
        }
    }

    /// Stops a member for a while, or lets it go on.
    pub fn pause(&self, at: usize, stops: bool) {
        if let Some(child) = &self.members[at] {
            let signal = if stops { "-STOP" } else { "-CONT" };
            let status = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
            assert!(status.unwrap().success(), "the process is there");
        }
    }

    /// Cuts what others send to a member, or repairs the link.
    pub fn cut(&self, at: usize, is_cut: bool) {
        self.cuts[at].store(is_cut, Ordering::Relaxed);
    }

    /// Asks a member as a client does, by JSON over HTTP/1.0 and through its relay.
    pub fn ask(&self, at: usize, path: &str, body: &Value) -> Option<Value> {
        ask(self.ports[at].client_relay, path, body).ok().flatten()
    }

    /// Writes and reads the same key at members in turn, from a number on; returns how many answers came.
    pub fn load(&self, first: usize, n: usize) -> usize {
        let (put, get) = (json!({ "key": "a2V5", "value": "eA==" }), json!({ "key": "a2V5" }));
        let is_answered = |number: &usize| {
            let at = number % self.len();
            let (path, body) =
                if number.is_multiple_of(3) { ("/v3/kv/range", &get) } else { ("/v3/kv/put", &put) };
            self.members[at].is_some() && self.ask(at, path, body).is_some()
        };
        (first..first + n).filter(is_answered).count()
    }

    /// Returns who leads, and the ids of the members that answer, asked past the relays.
    pub fn leader(&self) -> Option<(usize, Vec<String>)> {
        let status = |ports: &Ports| {
            let answer = ask(ports.client, "/v3/maintenance/status", &json!({}));
            answer.ok().flatten().unwrap_or(Value::Null)
        };
        let all: Vec<Value> = self.ports.iter().map(status).collect();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let leader = all.iter().find_map(|status| text(&status["leader"]).filter(|leader| leader != "0"))?;
        let ids: Vec<String> =
            all.iter().map(|status| text(&status["header"]["member_id"]).unwrap_or_default()).collect();
        Some((ids.iter().position(|id| *id == leader)?, ids))
    }

    /// Asks the leader to hand over to the member after it; returns whether it did.
    pub fn transfer(&self) -> bool {
        let Some((leader, ids)) = self.leader() else { return false };
        let next = (leader + 1) % self.len();
        let body = json!({ "targetID": ids[next] });
        ask(self.ports[leader].client, "/v3/maintenance/transfer-leadership", &body)
            .is_ok_and(|told| told.is_some())
    }
}

impl Drop for EtcdCluster {
    fn drop(&mut self) {
        for child in self.members.iter_mut().flatten() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn ask(port: u16, path: &str, body: &Value) -> io::Result<Option<Value>> {
    let mut connection = TcpStream::connect(("127.0.0.1", port))?;
    connection.set_read_timeout(Some(ANSWER_LIMIT))?;
    let body = body.to_string();
    let request = format!("POST {path} HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    connection.write_all(request.as_bytes())?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return Ok(None) };
    Ok(if head.contains(" 200 ") { serde_json::from_str(body).ok() } else { None })
}

/// Opens a port that passes bytes on to another one, and closes its connections while it is cut; returns the port. Its
/// threads end with the process.
fn open_link(target: u16, is_cut: &Arc<AtomicBool>) -> io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let is_cut = is_cut.clone();
    std::thread::spawn(move || {
        for dialer in listener.incoming().flatten() {
            if is_cut.load(Ordering::Relaxed) {
                continue;
            }
            let Ok(acceptor) = TcpStream::connect(("127.0.0.1", target)) else { continue };
            let copies = (dialer.try_clone(), acceptor.try_clone());
            let (Ok(dialer_copy), Ok(acceptor_copy)) = copies else { continue };
            let (there, back) = (is_cut.clone(), is_cut.clone());
            std::thread::spawn(move || pass(dialer, acceptor, &there));
            std::thread::spawn(move || pass(acceptor_copy, dialer_copy, &back));
        }
    });
    Ok(port)
}

fn pass(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        if is_cut.load(Ordering::Relaxed) || to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    // The other direction of a connection that was cut ends with it.
    let _ = to.shutdown(if is_cut.load(Ordering::Relaxed) { Shutdown::Both } else { Shutdown::Write });
    if is_cut.load(Ordering::Relaxed) {
        let _ = from.shutdown(Shutdown::Both);
    }
}
