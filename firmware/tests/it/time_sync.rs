//! Time synchronization.

use firmware::clock::sntp::{SntpError, TimeResponse};
use firmware::clock::sync::{DEFAULT_SERVERS, SyncStatus, TimeSync};
use firmware::clock::{Clock, EARLIEST, LATEST};

/// 2026-11-27T14:00:05Z.
const NOW: i64 = 1_795_788_005_000;
const HOUR: u64 = 3_600_000;

fn response(unix_ms: i64, uptime: u64) -> TimeResponse {
    TimeResponse { unix_ms, uptime, round_trip: 20 }
}

#[test]
fn the_time_goes_on_without_the_network() {
    let mut clock = Clock::new();
    let mut sync = TimeSync::new();
    assert_eq!(clock.now(5), None);
    let next = sync.on_response(response(NOW, 5000), &mut clock, None, 0);
    assert_eq!(next.status, SyncStatus::Synchronized);
    for _ in 0..100 {
        sync.on_error(SntpError::NoValidResponse, None, 7);
    }
    assert_eq!(clock.unix_ms(5000 + 48 * HOUR), Some(NOW + 48 * HOUR as i64));
}

#[test]
fn impossible_times_are_refused() {
    for impossible in [0, EARLIEST - 1, LATEST, i64::MAX, i64::MIN] {
        let mut clock = Clock::new();
        assert_eq!(
            TimeSync::new().on_response(response(impossible, 0), &mut clock, None, 0).status,
            SyncStatus::Rejected
        );
        assert_eq!(clock.now(0), None);
    }
}

#[test]
fn an_answer_that_was_long_on_its_way_is_none() {
    let mut clock = Clock::new();
    let slow = TimeResponse { round_trip: 2001, ..response(NOW, 0) };
    assert_eq!(TimeSync::new().on_response(slow, &mut clock, None, 0).status, SyncStatus::Rejected);
    assert_eq!(clock.now(0), None);
}

#[test]
fn a_clock_that_is_set_is_moved_far_only_by_two_servers_that_agree() {
    let mut clock = Clock::new();
    let mut sync = TimeSync::new();
    sync.on_response(response(NOW, 0), &mut clock, None, 0);
    let day = 24 * HOUR as i64;
    let first = sync.server(None);
    let unconfirmed = sync.on_response(response(NOW + day, HOUR), &mut clock, None, 0);
    assert_eq!(unconfirmed.status, SyncStatus::Unconfirmed);
    assert!(unconfirmed.delay <= 1250, "the next server is polled at once");
    assert_ne!(sync.server(None), first);
    assert_eq!(clock.unix_ms(HOUR), Some(NOW + HOUR as i64));
    // The next server disagrees with both.
    assert_eq!(sync.on_response(response(NOW - day, HOUR), &mut clock, None, 0).status, SyncStatus::Unconfirmed);
    assert_eq!(
        sync.on_response(response(NOW - day + 60_000, HOUR + 60_000), &mut clock, None, 0).status,
        SyncStatus::Synchronized
    );
    assert_eq!(clock.unix_ms(HOUR + 60_000), Some(NOW - day + 60_000));
}

#[test]
fn a_small_difference_is_corrected_at_once() {
    let mut clock = Clock::new();
    let mut sync = TimeSync::new();
    sync.on_response(response(NOW, 0), &mut clock, None, 0);
    let later = NOW + 4 * HOUR as i64 - 700;
    assert_eq!(sync.on_response(response(later, 4 * HOUR), &mut clock, None, 0).status, SyncStatus::Synchronized);
    assert_eq!(clock.unix_ms(4 * HOUR), Some(later));
}

#[test]
fn every_server_is_asked_in_turn_the_owners_first() {
    let mut sync = TimeSync::new();
    let mut asked = Vec::new();
    for _ in 0..5 {
        asked.push(sync.server(Some("time.home")));
        sync.on_error(SntpError::NoValidResponse, Some("time.home"), 0);
    }
    assert_eq!(asked, ["time.home", DEFAULT_SERVERS[0], DEFAULT_SERVERS[1], DEFAULT_SERVERS[2], "time.home"]);
}

#[test]
fn who_does_not_want_to_be_asked_is_not() {
    let mut sync = TimeSync::new();
    sync.on_error(SntpError::KissOfDeath, None, 0);
    let mut asked = Vec::new();
    for _ in 0..4 {
        asked.push(sync.server(None));
        sync.on_error(SntpError::NoValidResponse, None, 0);
    }
    assert_eq!(asked, [DEFAULT_SERVERS[1], DEFAULT_SERVERS[2], DEFAULT_SERVERS[1], DEFAULT_SERVERS[2]]);
    for _ in 0..9 {
        sync.on_error(SntpError::KissOfDeath, None, 0);
    }
    assert!(DEFAULT_SERVERS.contains(&sync.server(None)), "if all are excluded, one of them still gets the request");
}

#[test]
fn the_pauses_grow_to_half_an_hour_and_no_two_lights_keep_step() {
    let rounds = |random: u32| {
        let mut sync = TimeSync::new();
        let mut delays = Vec::new();
        for attempt in 1..=60 {
            let delay = sync.on_error(SntpError::NoValidResponse, None, random).delay;
            if attempt % 3 == 0 {
                delays.push(delay);
            } else {
                assert!((750..=1250).contains(&delay));
            }
        }
        delays
    };
    let middle = rounds(u32::MAX / 2);
    assert!(middle.windows(2).all(|pair| pair[1] >= pair[0]));
    assert!(middle[0] < 8100 && middle[19] <= 30 * 60_000);
    assert_eq!((rounds(0)[0], rounds(u32::MAX)[0]), (6000, 10_000));
    assert_eq!(rounds(u32::MAX)[19], 30 * 60_000 * 5 / 4);
}

#[test]
fn a_new_network_is_asked_at_once() {
    let mut sync = TimeSync::new();
    for _ in 0..60 {
        sync.on_error(SntpError::KissOfDeath, None, 0);
    }
    sync.reset();
    assert_eq!(sync.server(None), DEFAULT_SERVERS[0]);
    assert!(sync.on_error(SntpError::NoValidResponse, None, 0).delay < 1300);
}
