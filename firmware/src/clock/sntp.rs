//! One question to one time server, and its answer.

use core::net::SocketAddr;

use sntpc::{Error, KissOfDeathCode, NtpContext, NtpTimestampGenerator, NtpUdpSocket};

use crate::clock::EARLIEST;

/// What a server says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The time when the answer came, in milliseconds since 1970.
    pub unix_ms: i64,
    /// The uptime when it came.
    pub uptime: u64,
    /// How long question and answer were on their way, in milliseconds: the time may be wrong by half of it.
    pub roundtrip: u64,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// None came, or not from whom it was asked, or the server does not know the time itself.
    Useless,
    /// The server does not want to be asked.
    GoAway,
}

/// Asks a server. Whoever calls gives up when it takes too long.
pub async fn ask<S: NtpUdpSocket>(
    socket: &S,
    server: SocketAddr,
    uptime_us: impl Fn() -> u64 + Copy,
) -> Result<Answer, NoAnswer> {
    let context = NtpContext::new(Stopwatch { uptime_us, stopped: 0 });
    let answer = sntpc::get_time(server, socket, context).await.map_err(|error| match error {
        Error::KissOfDeath(KissOfDeathCode::Deny | KissOfDeathCode::Rstr | KissOfDeathCode::Rate) => NoAnswer::GoAway,
        _ => NoAnswer::Useless,
    })?;
    let uptime = uptime_us() / 1000;
    let on_its_way = i64::try_from(answer.roundtrip() / 2000).map_err(|_| NoAnswer::Useless)?;
    let seconds = i64::try_from(answer.sec()).map_err(|_| NoAnswer::Useless)?;
    let ms = (i64::from(answer.sec_fraction()) * 1000) >> 32;
    let unix_ms = seconds.checked_mul(1000).and_then(|whole| whole.checked_add(ms + on_its_way));
    Ok(Answer { unix_ms: unix_ms.ok_or(NoAnswer::Useless)?, uptime, roundtrip: answer.roundtrip() / 1000 })
}

/// Tells the question and the answer apart by the uptime. It poses as a time near today's, from which the era that a
/// server's 32 bits of seconds belong to is told.
#[derive(Clone, Copy)]
struct Stopwatch<U> {
    uptime_us: U,
    stopped: u64,
}

impl<U: Fn() -> u64 + Copy> NtpTimestampGenerator for Stopwatch<U> {
    fn init(&mut self) {
        self.stopped = (self.uptime_us)();
    }

    fn timestamp_sec(&self) -> u64 {
        EARLIEST.unsigned_abs() / 1000 + self.stopped / 1_000_000
    }

    fn timestamp_subsec_micros(&self) -> u32 {
        u32::try_from(self.stopped % 1_000_000).unwrap_or_default()
    }
}
