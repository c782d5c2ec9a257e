//! The question to a time server, asked of a real one.

use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::pin::pin;
use std::process::{Child, Command, Stdio};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use firmware::clock::Clock;
use firmware::clock::policy::{Belief, Policy};
use firmware::clock::sntp::{Answer, NoAnswer, ask};
use sntpc::NtpUdpSocket;
use tempfile::TempDir;

/// A socket of the operating system. It blocks, so its futures are ready when they return.
struct Socket(UdpSocket);

impl NtpUdpSocket for Socket {
    async fn send_to(&self, bytes: &[u8], to: SocketAddr) -> sntpc::Result<usize> {
        self.0.send_to(bytes, to).map_err(|_| sntpc::Error::Network)
    }

    async fn recv_from(&self, bytes: &mut [u8]) -> sntpc::Result<(usize, SocketAddr)> {
        self.0.recv_from(bytes).map_err(|_| sntpc::Error::Network)
    }
}

fn question(server: SocketAddr) -> Result<Answer, NoAnswer> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let began = Instant::now();
    let socket = Socket(socket);
    let question = pin!(ask(&socket, server, || began.elapsed().as_micros() as u64));
    match question.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => unreachable!("a socket that blocks is never pending"),
    }
}

/// chronyd, which serves this machine's clock on a port of its own and touches nothing.
struct Chronyd {
    child: RefCell<Child>,
    port: u16,
    _folder: TempDir,
}

impl Chronyd {
    /// None if it is not installed.
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
            // In the foreground, without root, and without setting this machine's clock.
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

    /// Asks until somebody listens: a refusal comes from the operating system as long as nobody does.
    fn ask(&self) -> Result<Answer, NoAnswer> {
        for _ in 0..100 {
            let probe = UdpSocket::bind("127.0.0.1:0").unwrap();
            probe.connect(self.address()).unwrap();
            probe.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            probe.send(&[0]).unwrap();
            let refused = probe.recv(&mut [0; 48]).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
            if !refused {
                return question(self.address());
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

/// Continuous integration has it; a machine without it is told what it misses.
fn chronyd(settings: &str) -> Option<Chronyd> {
    let chronyd = Chronyd::start(settings);
    let must = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(chronyd.is_some() || !must, "chronyd is missing: install chrony");
    if chronyd.is_none() {
        eprintln!("chronyd is missing, so no real time server was asked: install chrony");
    }
    chronyd
}

#[test]
fn a_real_server_tells_the_time() {
    let Some(server) = chronyd("local stratum 1") else { return };
    let answer = server.ask().expect("an answer");
    let mut clock = Clock::new();
    assert_eq!(Policy::new().answered(answer, &mut clock, None, 0).belief, Belief::Set);
    let here = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    assert!(answer.unix_ms.abs_diff(here) < 5000, "{answer:?} at {here}");
}

#[test]
fn a_server_that_does_not_know_the_time_is_not_believed() {
    // Without `local` and without sources it answers that it is not synchronized.
    let Some(server) = chronyd("") else { return };
    assert_eq!(server.ask(), Err(NoAnswer::Useless));
}

#[test]
fn nobody_there_is_no_answer() {
    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(question(nobody), Err(NoAnswer::Useless));
}

/// A server that answers what a test wants, for what no honest server says.
fn answered_with(change: impl Fn(&mut [u8; 48]) + Send + 'static) -> Result<Answer, NoAnswer> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let mut asked = [0; 48];
        let (_, from) = socket.recv_from(&mut asked).unwrap();
        let mut answer = [0; 48];
        answer[..2].copy_from_slice(&[0b00_100_100, 1]);
        answer[24..32].copy_from_slice(&asked[40..48]);
        // 2026-11-27T14:00:05Z in the seconds of NTP.
        let seconds = (1_795_788_005_u32.wrapping_add(2_208_988_800)).to_be_bytes();
        for at in [16, 32, 40] {
            answer[at..at + 4].copy_from_slice(&seconds);
        }
        change(&mut answer);
        socket.send_to(&answer, from).unwrap();
    });
    let answer = question(address);
    server.join().unwrap();
    answer
}

#[test]
fn lies_are_refused() {
    assert!(answered_with(|_| ()).is_ok_and(|answer| answer.unix_ms / 1000 == 1_795_788_005));
    assert_eq!(answered_with(|answer| answer[0] |= 0b1100_0000), Err(NoAnswer::Useless), "its clock is not set");
    assert_eq!(answered_with(|answer| answer[1] = 16), Err(NoAnswer::Useless), "it knows nobody who knows");
    assert_eq!(answered_with(|answer| answer[24] ^= 1), Err(NoAnswer::Useless), "an answer to somebody else");
    assert_eq!(answered_with(|answer| answer[40..48].fill(0)), Err(NoAnswer::Useless), "no time at all");
}

#[test]
fn a_kiss_of_death_is_understood() {
    let kissed = |code: &'static [u8; 4]| {
        answered_with(move |answer| {
            answer[1] = 0;
            answer[12..16].copy_from_slice(code);
        })
    };
    assert_eq!(kissed(b"DENY"), Err(NoAnswer::GoAway));
    assert_eq!(kissed(b"RATE"), Err(NoAnswer::GoAway));
    assert_eq!(kissed(b"INIT"), Err(NoAnswer::Useless));
}

#[test]
fn the_seconds_may_begin_anew_in_2036() {
    let answer = answered_with(|answer| {
        for at in [16, 32, 40] {
            answer[at..at + 4].copy_from_slice(&86_400_u32.to_be_bytes());
        }
    });
    assert_eq!(answer.map(|answer| answer.unix_ms / 1000), Ok((1 << 32) - 2_208_988_800 + 86_400));
}
