//! Asking for the time, as long as the network lasts.

use core::net::SocketAddr;

use embassy_futures::select::{Either, select};
use embassy_net::Stack;
use embassy_net::dns::DnsQueryType;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use embassy_rp::clocks::RoscRng;
use embassy_time::{Duration, Instant, Timer, with_timeout};
use firmware::clock::policy::Policy;
use firmware::clock::sntp::{Answer, NoAnswer, ask};
use firmware::report::Wifi;
use sntpc_net_embassy::UdpSocketWrapper;
use wasm_core::schedule::Network;

use crate::shared;

/// The port of time servers.
const PORT: u16 = 123;
/// A network that gives no address in this time is none.
const FOR_AN_ADDRESS: Duration = Duration::from_secs(30);
/// A server that does not answer in this time does not.
const FOR_AN_ANSWER: Duration = Duration::from_secs(5);

/// Why it ended.
pub enum Lost {
    Link,
    NoAddress,
}

/// Sets the clock again and again.
pub async fn keep(stack: Stack<'static>, network: &Network) -> Lost {
    if with_timeout(FOR_AN_ADDRESS, stack.wait_config_up()).await.is_err() {
        return Lost::NoAddress;
    }
    shared::set_wifi(Wifi::Connected);
    let Either::First(never) = select(ask_on_and_on(stack, network), stack.wait_link_down()).await else {
        return Lost::Link;
    };
    match never {}
}

async fn ask_on_and_on(stack: Stack<'static>, network: &Network) -> core::convert::Infallible {
    let own = network.time_server();
    let mut policy = Policy::new();
    loop {
        let answer = with_timeout(FOR_AN_ANSWER, ask_one(stack, policy.server(own))).await;
        let chance = RoscRng.next_u32();
        let next = match answer.unwrap_or(Err(NoAnswer::Useless)) {
            Ok(answer) => shared::set_clock(|clock| policy.answered(answer, clock, own, chance)),
            Err(reason) => policy.unanswered(reason, own, chance),
        };
        Timer::after_millis(next.wait).await;
    }
}

async fn ask_one(stack: Stack<'static>, server: &str) -> Result<Answer, NoAnswer> {
    let addresses = stack.dns_query(server, DnsQueryType::A).await.map_err(|_| NoAnswer::Useless)?;
    let address = addresses.first().copied().ok_or(NoAnswer::Useless)?;
    let (mut heard, mut said) = ([PacketMetadata::EMPTY; 2], [PacketMetadata::EMPTY; 2]);
    let (mut incoming, mut outgoing) = ([0; 256], [0; 128]);
    let mut socket = UdpSocket::new(stack, &mut heard, &mut incoming, &mut said, &mut outgoing);
    // Any port will do; one that cannot be foreseen keeps strangers from answering.
    let port = 49_152 + (RoscRng.next_u32() & 0x3FFF) as u16;
    socket.bind(port).map_err(|_| NoAnswer::Useless)?;
    let socket = UdpSocketWrapper::new(socket);
    ask(&socket, SocketAddr::new(address.into(), PORT), || Instant::now().as_micros()).await
}
