//! Time synchronization policy: server selection, polling interval, exponential backoff and plausibility checks.

use crate::clock::Clock;
use crate::clock::sntp::{SntpError, TimeResponse};

/// Public time servers. A custom server from the schedule comes before them.
pub const DEFAULT_SERVERS: [&str; 3] = ["pool.ntp.org", "time.cloudflare.com", "time.nist.gov"];
/// Number of servers with a custom one.
const MAX_SERVERS: u32 = 4;

/// Maximum round-trip time in milliseconds. The time may be wrong by half of it, so slower responses are rejected.
const MAX_ROUND_TRIP: u64 = 2000;
/// Polling interval of a synchronized clock: four hours, in which the crystal drifts by less than half a second.
const POLL_INTERVAL: u64 = 4 * 3_600_000;
/// Delay between two servers of a round.
const NEXT_SERVER_DELAY: u64 = 1000;
/// Backoff after the first round without a valid response. It doubles with each round.
const INITIAL_BACKOFF: u64 = 8000;
const MAX_BACKOFF: u64 = 30 * 60_000;
/// Step threshold: a larger correction of a synchronized clock needs confirmation by a second server.
const STEP_THRESHOLD: u64 = 60_000;
/// Maximum difference between two servers that confirm each other.
const CONFIRMATION_TOLERANCE: u64 = 2000;

/// Effect of a response on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncStatus {
    Synchronized,
    /// The response contradicts the clock and needs confirmation by the next server.
    Unconfirmed,
    Rejected,
}

/// Next poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPoll {
    /// Milliseconds until the poll.
    pub delay: u64,
    pub status: SyncStatus,
}

/// State of the synchronization.
#[derive(Clone, Debug, Default)]
pub struct TimeSync {
    /// Index of the next server. Index 0 is the custom server if there is one.
    server: u32,
    /// Failed servers in this round.
    failures: u32,
    /// Rounds without a valid response.
    failed_rounds: u32,
    /// Bit set of the servers that sent a kiss-of-death packet.
    excluded: u32,
    /// Offset of the clock according to an unconfirmed response.
    unconfirmed: Option<i64>,
}

impl TimeSync {
    #[must_use]
    pub const fn new() -> Self {
        Self { server: 0, failures: 0, failed_rounds: 0, excluded: 0, unconfirmed: None }
    }

    /// Server to poll. `custom` is the server from the schedule.
    #[must_use]
    pub fn server<'s>(&self, custom: Option<&'s str>) -> &'s str {
        let mut servers = custom.into_iter().chain(DEFAULT_SERVERS);
        servers.nth(self.server as usize).unwrap_or(DEFAULT_SERVERS[0])
    }

    /// Resets backoff and exclusions after a (re)connect: it may be another network.
    pub fn reset(&mut self) {
        *self = Self { unconfirmed: self.unconfirmed, ..Self::new() };
    }

    /// Handles a response. `random` is a fresh random number for the jitter.
    pub fn on_response(
        &mut self,
        response: TimeResponse,
        clock: &mut Clock,
        custom: Option<&str>,
        random: u32,
    ) -> NextPoll {
        if response.round_trip > MAX_ROUND_TRIP {
            return self.server_failed(custom, random);
        }
        if let Some(offset) = self.unconfirmed_offset(response, clock) {
            self.unconfirmed = Some(offset);
            self.server = self.next_server(custom);
            return NextPoll { delay: jitter(NEXT_SERVER_DELAY, random), status: SyncStatus::Unconfirmed };
        }
        if clock.set(response.unix_ms, response.uptime).is_err() {
            return self.server_failed(custom, random);
        }
        self.failures = 0;
        self.failed_rounds = 0;
        self.unconfirmed = None;
        NextPoll { delay: jitter(POLL_INTERVAL, random), status: SyncStatus::Synchronized }
    }

    /// Handles a failed poll.
    pub fn on_error(&mut self, error: SntpError, custom: Option<&str>, random: u32) -> NextPoll {
        if error == SntpError::KissOfDeath {
            self.excluded |= 1 << self.server;
        }
        self.server_failed(custom, random)
    }

    fn server_failed(&mut self, custom: Option<&str>, random: u32) -> NextPoll {
        self.server = self.next_server(custom);
        self.failures += 1;
        if self.failures < server_count(custom) {
            return NextPoll { delay: jitter(NEXT_SERVER_DELAY, random), status: SyncStatus::Rejected };
        }
        self.failures = 0;
        self.failed_rounds = (self.failed_rounds + 1).min(16);
        let backoff = (INITIAL_BACKOFF << (self.failed_rounds - 1)).min(MAX_BACKOFF);
        NextPoll { delay: jitter(backoff, random), status: SyncStatus::Rejected }
    }

    /// Offset of the clock according to a response, if it exceeds the step threshold and is unconfirmed.
    fn unconfirmed_offset(&self, response: TimeResponse, clock: &Clock) -> Option<i64> {
        let offset = response.unix_ms.saturating_sub(clock.unix_ms(response.uptime)?);
        // 200 ppm: several times the drift of a crystal in a cold room.
        let drift = clock.time_since_set(response.uptime).unwrap_or_default() / 5000;
        let is_confirmed =
            self.unconfirmed.is_some_and(|unconfirmed| unconfirmed.abs_diff(offset) <= CONFIRMATION_TOLERANCE);
        (offset.unsigned_abs() > STEP_THRESHOLD + drift && !is_confirmed).then_some(offset)
    }

    /// Next server in the rotation. It skips excluded servers unless all are excluded.
    fn next_server(&self, custom: Option<&str>) -> u32 {
        let count = server_count(custom);
        let mut others = (1..=count).map(|step| (self.server + step) % count);
        others.find(|server| self.excluded & (1 << server) == 0).unwrap_or((self.server + 1) % count)
    }
}

fn server_count(custom: Option<&str>) -> u32 {
    if custom.is_some() { MAX_SERVERS } else { MAX_SERVERS - 1 }
}

/// Jitter of ±25 %, so that lights that got power at the same time do not poll at the same time.
fn jitter(delay: u64, random: u32) -> u64 {
    delay - delay / 4 + delay / 2 * u64::from(random) / u64::from(u32::MAX)
}
