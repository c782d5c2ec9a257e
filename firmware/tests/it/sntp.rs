//! SNTP client against a real time server (chronyd) and a scripted one.

use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::pin::pin;
use std::process::{Child, Command, Stdio};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use firmware::clock::Clock;
use firmware::clock::sntp::{SntpError, TimeResponse, request_time};
use firmware::clock::sync::{SyncStatus, TimeSync};
use sntpc::NtpUdpSocket;
use tempfile::TempDir;

/// Blocking UDP socket. Its futures are always ready.
struct Socket(UdpSocket);

impl NtpUdpSocket for Socket {
    async fn send_to(&self, bytes: &[u8], to: SocketAddr) -> sntpc::Result<usize> {
        self.0.send_to(bytes, to).map_err(|_| sntpc::Error::Network)
    }

    async fn recv_from(&self, bytes: &mut [u8]) -> sntpc::Result<(usize, SocketAddr)> {
        self.0.recv_from(bytes).map_err(|_| sntpc::Error::Network)
    }
}

fn request(server: SocketAddr) -> Result<TimeResponse, SntpError> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let began = Instant::now();
    let socket = Socket(socket);
    let future = pin!(request_time(&socket, server, || began.elapsed().as_micros() as u64));
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => unreachable!("a blocking socket is never pending"),
    }
}

/// chronyd process that serves the system clock on a free port.
struct Chronyd {
    child: RefCell<Child>,
    port: u16,
    _folder: TempDir,
}

impl Chronyd {
    /// Starts chronyd. None if it is not installed.
    fn start(settings: &str) -> Option<Self> {
        let program = ["/usr/sbin/chronyd", "/usr/bin/chronyd"]
            .into_iter()
            .find(|path| std::fs::exists(path).unwrap_or(false))?;
        let folder = TempDir::new().unwrap();
        let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = folder.path().join("chrony.conf");
        let lines = format!(
            "port {port}\nbindaddress 127.0.0.1\nallow 127.0.0.1\ncmdport 0\nbindcmdaddress /\npidfile {}\n{settings}\n",
            folder.path().join("pid").display(),
        );
        std::fs::write(&config, lines).unwrap();
        let child = Command::new(program)
            // In the foreground, without root, and without setting the system clock.
            .args(["-d", "-x", "-U", "-f"])
            .arg(&config)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Some(Self { child: RefCell::new(child), port, _folder: folder })
    }

    fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// Sends a request once the port is open. Until then, the operating system refuses the connection.
    fn request(&self) -> Result<TimeResponse, SntpError> {
        for _ in 0..100 {
            let probe = UdpSocket::bind("127.0.0.1:0").unwrap();
            probe.connect(self.address()).unwrap();
            probe.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            probe.send(&[0]).unwrap();
            let refused = probe.recv(&mut [0; 48]).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
            if !refused {
                return request(self.address());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("chronyd did not start: {:?}", self.child.borrow_mut().try_wait());
    }
}

impl Drop for Chronyd {
    fn drop(&mut self) {
        let child = self.child.get_mut();
        let _gone = child.kill().and_then(|()| child.wait());
    }
}

/// Starts chronyd. Without it, the tests are skipped, but they fail in continuous integration.
fn chronyd(settings: &str) -> Option<Chronyd> {
    let chronyd = Chronyd::start(settings);
    let must = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(chronyd.is_some() || !must, "chronyd is missing: install chrony");
    if chronyd.is_none() {
        eprintln!("chronyd is missing, so the tests with a real time server are skipped: install chrony");
    }
    chronyd
}

#[test]
fn a_real_server_tells_the_time() {
    let Some(server) = chronyd("local stratum 1") else { return };
    let response = server.request().expect("a response");
    let mut clock = Clock::new();
    assert_eq!(TimeSync::new().on_response(response, &mut clock, None, 0).status, SyncStatus::Synchronized);
    let here = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    assert!(response.unix_ms.abs_diff(here) < 5000, "{response:?} at {here}");
}

#[test]
fn a_server_that_does_not_know_the_time_is_not_believed() {
    // Without `local` and without sources, it responds that it is not synchronized.
    let Some(server) = chronyd("") else { return };
    assert_eq!(server.request(), Err(SntpError::NoValidResponse));
}

#[test]
fn nobody_there_is_no_answer() {
    let unused = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(request(unused), Err(SntpError::NoValidResponse));
}

/// Requests the time from a scripted server. `change` edits its valid response.
fn response_with(change: impl Fn(&mut [u8; 48]) + Send + 'static) -> Result<TimeResponse, SntpError> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let mut request = [0; 48];
        let (_, from) = socket.recv_from(&mut request).unwrap();
        let mut response = [0; 48];
        response[..2].copy_from_slice(&[0b00_100_100, 1]);
        response[24..32].copy_from_slice(&request[40..48]);
        // 2026-11-27T14:00:05Z in NTP seconds.
        let seconds = (1_795_788_005_u32.wrapping_add(2_208_988_800)).to_be_bytes();
        for at in [16, 32, 40] {
            response[at..at + 4].copy_from_slice(&seconds);
        }
        change(&mut response);
        socket.send_to(&response, from).unwrap();
    });
    let response = request(address);
    server.join().unwrap();
    response
}

#[test]
fn lies_are_refused() {
    assert!(response_with(|_| ()).is_ok_and(|response| response.unix_ms / 1000 == 1_795_788_005));
    assert_eq!(
        response_with(|response| response[0] |= 0b1100_0000),
        Err(SntpError::NoValidResponse),
        "leap indicator 3: the clock is not set"
    );
    assert_eq!(
        response_with(|response| response[1] = 16),
        Err(SntpError::NoValidResponse),
        "stratum 16: not synchronized"
    );
    assert_eq!(
        response_with(|response| response[24] ^= 1),
        Err(SntpError::NoValidResponse),
        "a response to another request"
    );
    assert_eq!(
        response_with(|response| response[40..48].fill(0)),
        Err(SntpError::NoValidResponse),
        "no transmit timestamp"
    );
}

#[test]
fn a_kiss_of_death_is_understood() {
    let kissed = |code: &'static [u8; 4]| {
        response_with(move |response| {
            response[1] = 0;
            response[12..16].copy_from_slice(code);
        })
    };
    assert_eq!(kissed(b"DENY"), Err(SntpError::KissOfDeath));
    assert_eq!(kissed(b"RATE"), Err(SntpError::KissOfDeath));
    assert_eq!(kissed(b"INIT"), Err(SntpError::NoValidResponse));
}

#[test]
fn the_seconds_may_begin_anew_in_2036() {
    let response = response_with(|response| {
        for at in [16, 32, 40] {
            response[at..at + 4].copy_from_slice(&86_400_u32.to_be_bytes());
        }
    });
    assert_eq!(response.map(|response| response.unix_ms / 1000), Ok((1 << 32) - 2_208_988_800 + 86_400));
}
