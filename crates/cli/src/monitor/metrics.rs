//! The counts of a monitor for Prometheus, over HTTP on a loopback port.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use monitor::Stats;

/// How long a client may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most bytes of a request that are read.
const REQUEST_BYTES_MAX: usize = 8 << 10;

/// Counts that are shown to whoever asks.
#[derive(Clone, Default)]
pub struct Metrics(Arc<Mutex<Stats>>);

impl Metrics {
    pub fn set(&self, stats: Stats) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stats;
    }

    /// Answers at an address of this machine alone; returns the address, whose port the system may have chosen.
    pub fn serve(&self, address: SocketAddr, node: &str) -> io::Result<SocketAddr> {
        if !address.ip().is_loopback() {
            let told = format!("{address} is no loopback address: use 127.0.0.1:{}", address.port());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
        }
        let listener = TcpListener::bind(address)
            .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
        let bound = listener.local_addr()?;
        let (metrics, node) = (self.clone(), node.to_owned());
        // It ends with the program.
        std::thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away is no trouble of ours.
                let _ = metrics.answer(stream, &node);
            }
        })?;
        Ok(bound)
    }

    fn answer(&self, mut stream: TcpStream, node: &str) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut request = Vec::new();
        let mut part = [0; 1024];
        while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < REQUEST_BYTES_MAX {
            match stream.read(&mut part)? {
                0 => break,
                n => request.extend_from_slice(&part[..n]),
            }
        }
        let (status, body) = match request.starts_with(b"GET /metrics ") {
            true => {
                let stats = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
                ("200 OK", text(&stats, node))
            }
            false => ("404 Not Found", "there is /metrics\n".to_owned()),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: \
             close\r\n\r\n{body}",
            body.len()
        )
    }
}

/// Returns the counts as Prometheus reads them.
fn text(stats: &Stats, node: &str) -> String {
    let counters = [
        ("messages_in", "messages that the process received", stats.n_in),
        ("messages_out", "messages that the process sent", stats.n_out),
        ("messages_skipped", "messages that are none of the protocol", stats.n_skipped),
        ("messages_explained", "outgoing messages that were explained", stats.n_explained),
        ("messages_unjudged", "outgoing messages that could not be judged", stats.n_unjudged),
        (
            "messages_at_once",
            "received messages that were handled as they arrived, or were of no use",
            stats.n_at_once,
        ),
        ("alarms", "messages that the specification does not allow", stats.n_alarms),
        ("undecided", "events after which something could not be judged", stats.n_undecided),
        ("states_explored", "states that searches looked at", stats.n_explored),
    ];
    let gauges = [
        ("states", "states that the process may be in", stats.n_states),
        ("pending", "received messages that may not have been handled", stats.n_pending),
    ];
    let node: String = node.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let mut text = String::new();
    let mut add = |name: &str, help: &str, kind: &str, value: u64| {
        text.push_str(&format!(
            "# HELP specline_{name} {help}\n# TYPE specline_{name} {kind}\nspecline_{name}{{node=\"{node}\"}} {value}\n"
        ));
    };
    for (name, help, value) in counters {
        add(&format!("{name}_total"), help, "counter", value);
    }
    for (name, help, value) in gauges {
        add(name, help, "gauge", value as u64);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{Metrics, Stats};

    #[test]
    fn counts_are_told_to_who_asks_on_this_machine() {
        let metrics = Metrics::default();
        metrics.set(Stats { n_in: 7, ..Stats::default() });
        let address = metrics.serve("127.0.0.1:0".parse().unwrap(), "n\"1").unwrap();
        let ask = |path: &str| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        assert!(ask("/metrics").contains("specline_messages_in_total{node=\"n\\\"1\"} 7\n"));
        assert!(ask("/").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn other_addresses_are_refused() {
        let told = Metrics::default().serve("0.0.0.0:0".parse().unwrap(), "a").unwrap_err();
        assert!(told.to_string().contains("no loopback address"), "{told}");
    }
}
