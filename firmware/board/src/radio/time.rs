//! Time synchronization over the network.

use core::net::SocketAddr;

use embassy_futures::select::{Either, select};
use embassy_net::Stack;
use embassy_net::dns::DnsQueryType;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use embassy_rp::clocks::RoscRng;
use embassy_time::{Duration, Instant, Timer, with_timeout};
use firmware::clock::sntp::{SntpError, TimeResponse, request_time};
use firmware::clock::sync::TimeSync;
use firmware::report::WifiStatus;
use sntpc_net_embassy::UdpSocketWrapper;
use wasm_core::schedule::Network;

use crate::state;

/// NTP port.
const PORT: u16 = 123;
/// DHCP timeout.
const DHCP_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout of a time request, with its DNS query.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Reason for the end of the synchronization.
pub enum Disconnected {
    LinkDown,
    NoAddress,
}

/// Synchronizes the clock until the network is lost.
pub async fn sync_clock(stack: Stack<'static>, network: &Network) -> Disconnected {
    if with_timeout(DHCP_TIMEOUT, stack.wait_config_up()).await.is_err() {
        return Disconnected::NoAddress;
    }
    state::set_wifi(WifiStatus::Connected);
    let Either::First(never) = select(poll_servers(stack, network), stack.wait_link_down()).await else {
        return Disconnected::LinkDown;
    };
    match never {}
}

async fn poll_servers(stack: Stack<'static>, network: &Network) -> core::convert::Infallible {
    let custom = network.time_server();
    let mut sync = TimeSync::new();
    loop {
        let response = with_timeout(RESPONSE_TIMEOUT, query_server(stack, sync.server(custom))).await;
        let random = RoscRng.next_u32();
        let next = match response.unwrap_or(Err(SntpError::NoValidResponse)) {
            Ok(response) => state::update_clock(|clock| sync.on_response(response, clock, custom, random)),
            Err(error) => sync.on_error(error, custom, random),
        };
        Timer::after_millis(next.delay).await;
    }
}

async fn query_server(stack: Stack<'static>, server: &str) -> Result<TimeResponse, SntpError> {
    let addresses = stack.dns_query(server, DnsQueryType::A).await.map_err(|_| SntpError::NoValidResponse)?;
    let address = addresses.first().copied().ok_or(SntpError::NoValidResponse)?;
    let (mut receive_meta, mut send_meta) = ([PacketMetadata::EMPTY; 2], [PacketMetadata::EMPTY; 2]);
    let (mut receive_buffer, mut send_buffer) = ([0; 256], [0; 128]);
    let mut socket = UdpSocket::new(stack, &mut receive_meta, &mut receive_buffer, &mut send_meta, &mut send_buffer);
    // A random source port protects against spoofed responses.
    let port = 49_152 + (RoscRng.next_u32() & 0x3FFF) as u16;
    socket.bind(port).map_err(|_| SntpError::NoValidResponse)?;
    let socket = UdpSocketWrapper::new(socket);
    request_time(&socket, SocketAddr::new(address.into(), PORT), || Instant::now().as_micros()).await
}
