//! SNTP client: one request to one time server.

use core::net::SocketAddr;

use sntpc::{Error, KissOfDeathCode, NtpContext, NtpResult, NtpTimestampGenerator, NtpUdpSocket};

use crate::clock::EARLIEST;

/// Response of a time server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeResponse {
    /// Time at the arrival of the response, in milliseconds since 1970.
    pub unix_ms: i64,
    /// Uptime at the arrival, in milliseconds.
    pub uptime: u64,
    /// Round-trip time in milliseconds. The time may be wrong by half of it.
    pub round_trip: u64,
}

/// Reason for a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SntpError {
    /// No response, a response from another sender, or a server without a synchronized clock.
    NoValidResponse,
    /// The server rejects further requests.
    KissOfDeath,
}

/// Requests the time from a server. The caller sets the timeout.
pub async fn request_time<S: NtpUdpSocket>(
    socket: &S,
    server: SocketAddr,
    uptime_us: impl Fn() -> u64 + Copy,
) -> Result<TimeResponse, SntpError> {
    let context = NtpContext::new(UptimeTimestamps { uptime_us, timestamp_us: 0 });
    let result = sntpc::get_time(server, socket, context).await.map_err(|error| match error {
        Error::KissOfDeath(KissOfDeathCode::Deny | KissOfDeathCode::Rstr | KissOfDeathCode::Rate) => {
            SntpError::KissOfDeath
        }
        _ => SntpError::NoValidResponse,
    })?;
    let uptime = uptime_us() / 1000;
    let unix_ms = unix_ms(&result).ok_or(SntpError::NoValidResponse)?;
    Ok(TimeResponse { unix_ms, uptime, round_trip: result.roundtrip() / 1000 })
}

/// Server time plus the estimated one-way delay. None on overflow.
fn unix_ms(result: &NtpResult) -> Option<i64> {
    let one_way_delay = i64::try_from(result.roundtrip() / 2000).ok()?;
    let ms = (i64::from(result.sec_fraction()) * 1000) >> 32;
    i64::try_from(result.sec()).ok()?.checked_mul(1000)?.checked_add(ms + one_way_delay)
}

/// Originate timestamps from the uptime. They start near the present, which resolves the NTP era of the server's
/// 32-bit seconds.
#[derive(Clone, Copy)]
struct UptimeTimestamps<U> {
    uptime_us: U,
    timestamp_us: u64,
}

impl<U: Fn() -> u64 + Copy> NtpTimestampGenerator for UptimeTimestamps<U> {
    fn init(&mut self) {
        self.timestamp_us = (self.uptime_us)();
    }

    fn timestamp_sec(&self) -> u64 {
        EARLIEST.unsigned_abs() / 1000 + self.timestamp_us / 1_000_000
    }

    fn timestamp_subsec_micros(&self) -> u32 {
        u32::try_from(self.timestamp_us % 1_000_000).unwrap_or_default()
    }
}
