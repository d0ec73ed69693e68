//! Exercises the standard library of Rust: channels, parking, mutexes, sleeping, sockets with time-outs.
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

fn waits(what: &str, millis: u64, wait: impl FnOnce()) {
    let before = Instant::now();
    wait();
    println!("{what} {}", before.elapsed() >= Duration::from_millis(millis));
}

fn main() -> std::io::Result<()> {
    waits("sleep", 50, || thread::sleep(Duration::from_millis(50)));
    waits("park", 30, || {
        let until = Instant::now() + Duration::from_millis(30);
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            thread::park_timeout(left);
        }
    });
    let (sender, receiver) = channel::<u32>();
    waits("channel", 20, || println!("{:?}", receiver.recv_timeout(Duration::from_millis(20))));
    let worker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(10));
        sender.send(7)
    });
    println!("{:?} {:?}", receiver.recv(), worker.join().is_ok());
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let guard = pair.0.lock().unwrap();
    let (_guard, result) = pair.1.wait_timeout(guard, Duration::from_millis(40)).unwrap();
    println!("condition {}", result.timed_out());

    let listener = TcpListener::bind("127.0.0.1:17331")?;
    println!("{}", listener.local_addr()?);
    let server = thread::spawn(move || -> std::io::Result<()> {
        let (mut socket, _) = listener.accept()?;
        let mut buffer = [0; 64];
        let n = socket.read(&mut buffer)?;
        socket.write_all(&buffer[..n])
    });
    let mut socket = TcpStream::connect_timeout(&"127.0.0.1:17331".parse().unwrap(), Duration::from_secs(5))?;
    socket.write_all(b"over and back")?;
    let mut text = String::new();
    socket.read_to_string(&mut text)?;
    println!("{text} {}", server.join().unwrap().is_ok());
    let one = UdpSocket::bind("127.0.0.1:17332")?;
    one.set_read_timeout(Some(Duration::from_millis(20)))?;
    println!("{:?}", one.recv(&mut [0; 8]).map_err(|error| error.kind()));
    let dead = TcpStream::connect_timeout(&"127.0.0.1:17339".parse().unwrap(), Duration::from_secs(5));
    println!("{:?}", dead.map(|_| ()).map_err(|error| error.kind()));
    Ok(())
}
