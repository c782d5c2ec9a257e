//! Whom to ask for the time, when, and what to believe.

use crate::clock::Clock;
use crate::clock::sntp::{Answer, NoAnswer};

/// Who is asked when the owner's own server does not answer, or there is none.
pub const SERVERS: [&str; 3] = ["pool.ntp.org", "time.cloudflare.com", "time.nist.gov"];
/// The owner's server and these.
const MOST: u32 = 4;

/// An answer that took longer is no answer: the time could be wrong by half of it.
pub const LONGEST_ROUNDTRIP: u64 = 2000;
/// Asked again after four hours: the crystal loses or gains less than half a second in that time.
const WHEN_SET: u64 = 4 * 3_600_000;
/// Between two servers of a round.
const NEXT_SERVER: u64 = 1000;
/// After the first round without an answer; doubled with each one.
const FIRST_PAUSE: u64 = 8000;
const LONGEST_PAUSE: u64 = 30 * 60_000;
/// By how much a clock that is set may be wrong before somebody else is asked whether it is.
const TOLERANCE: u64 = 60_000;
/// Two servers that agree do so to that.
const AGREEMENT: u64 = 2000;

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    Set,
    /// It contradicts the clock, and is believed only if the next one says the same.
    Doubted,
    Refused,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// In so many milliseconds.
    pub wait: u64,
    pub belief: Belief,
}

/// The state of asking.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Which server is asked next, 0 being the owner's if there is one.
    server: u32,
    /// How many servers have not answered in this round.
    silent: u32,
    /// How many rounds were without an answer.
    rounds: u32,
    /// A bit for each server that does not want to be asked.
    unwanted: u32,
    /// How far off a doubted answer says the clock is.
    doubted: Option<i64>,
}

impl Policy {
    #[must_use]
    pub const fn new() -> Self {
        Self { server: 0, silent: 0, rounds: 0, unwanted: 0, doubted: None }
    }

    /// The server to ask. `own` is the one that the schedule names.
    #[must_use]
    pub fn server<'s>(&self, own: Option<&'s str>) -> &'s str {
        let mut all = own.into_iter().chain(SERVERS);
        all.nth(self.server as usize).unwrap_or(SERVERS[0])
    }

    /// The network is there, perhaps another one: everybody may be asked, at once.
    pub fn begin_anew(&mut self) {
        *self = Self { doubted: self.doubted, ..Self::new() };
    }

    /// What to make of an answer. `chance` is any number, another one each time.
    pub fn answered(&mut self, answer: Answer, clock: &mut Clock, own: Option<&str>, chance: u32) -> Next {
        if answer.roundtrip > LONGEST_ROUNDTRIP {
            return self.silent(own, chance);
        }
        let Some(off) = self.doubtful(answer, clock) else {
            if clock.set(answer.unix_ms, answer.uptime).is_err() {
                return self.silent(own, chance);
            }
            self.silent = 0;
            self.rounds = 0;
            self.doubted = None;
            return Next { wait: jittered(WHEN_SET, chance), belief: Belief::Set };
        };
        self.doubted = Some(off);
        self.server = self.following(own);
        Next { wait: jittered(NEXT_SERVER, chance), belief: Belief::Doubted }
    }

    /// What to do without an answer.
    pub fn unanswered(&mut self, reason: NoAnswer, own: Option<&str>, chance: u32) -> Next {
        if reason == NoAnswer::GoAway {
            self.unwanted |= 1 << self.server;
        }
        self.silent(own, chance)
    }

    fn silent(&mut self, own: Option<&str>, chance: u32) -> Next {
        self.server = self.following(own);
        self.silent += 1;
        if self.silent < count(own) {
            return Next { wait: jittered(NEXT_SERVER, chance), belief: Belief::Refused };
        }
        self.silent = 0;
        self.rounds = (self.rounds + 1).min(16);
        let pause = (FIRST_PAUSE << (self.rounds - 1)).min(LONGEST_PAUSE);
        Next { wait: jittered(pause, chance), belief: Belief::Refused }
    }

    /// How far off an answer says the clock is, if that is too far to be believed at once.
    fn doubtful(&self, answer: Answer, clock: &Clock) -> Option<i64> {
        let off = answer.unix_ms.saturating_sub(clock.unix_ms(answer.uptime)?);
        // 200 parts in a million: several times what a crystal is off in a cold room.
        let drift = clock.set_ago(answer.uptime).unwrap_or_default() / 5000;
        let agrees = self.doubted.is_some_and(|before| before.abs_diff(off) <= AGREEMENT);
        (off.unsigned_abs() > TOLERANCE + drift && !agrees).then_some(off)
    }

    /// The server behind this one, without those that do not want to be asked unless none does.
    fn following(&self, own: Option<&str>) -> u32 {
        let count = count(own);
        let mut others = (1..=count).map(|step| (self.server + step) % count);
        others.find(|server| self.unwanted & (1 << server) == 0).unwrap_or((self.server + 1) % count)
    }
}

/// How many servers there are.
fn count(own: Option<&str>) -> u32 {
    if own.is_some() { MOST } else { MOST - 1 }
}

/// A quarter more or less, so that a thousand lights that got power together do not ask together.
fn jittered(wait: u64, chance: u32) -> u64 {
    wait - wait / 4 + wait / 2 * u64::from(chance) / u64::from(u32::MAX)
}
