//! A TCP proxy that delays: it stands for the distance to a server.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use xtask::process::Failure;

/// Listens on loopback until the program ends. Every chunk of bytes waits for half of the round trip.
pub fn proxy(server: String, round_trip: Duration) -> Result<SocketAddr, Failure> {
    let failed = |error: io::Error| Failure::new(format!("the delaying proxy: {error}"));
    let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    thread::spawn(move || {
        for near in listener.incoming().flatten() {
            // A connection that fails is closed, which its client sees.
            let _ = join(near, &server, round_trip / 2);
        }
    });
    Ok(address)
}

fn join(near: TcpStream, server: &str, delay: Duration) -> io::Result<()> {
    let far = TcpStream::connect(server)?;
    for stream in [&near, &far] {
        stream.set_nodelay(true)?;
    }
    let (near_in, far_in) = (near.try_clone()?, far.try_clone()?);
    thread::spawn(move || forward(near_in, far, delay));
    thread::spawn(move || forward(far_in, near, delay));
    Ok(())
}

fn forward(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        thread::sleep(delay);
        let Some(chunk) = buffer.get(..length) else { break };
        if to.write_all(chunk).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
