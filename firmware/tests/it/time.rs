//! Whose time is believed.

use firmware::clock::policy::{Belief, Policy, SERVERS};
use firmware::clock::sntp::{Answer, NoAnswer};
use firmware::clock::{Clock, EARLIEST, LATEST};

/// 2026-11-27T14:00:05Z.
const NOW: i64 = 1_795_788_005_000;
const HOUR: u64 = 3_600_000;

fn answer(unix_ms: i64, uptime: u64) -> Answer {
    Answer { unix_ms, uptime, roundtrip: 20 }
}

#[test]
fn the_time_goes_on_without_the_network() {
    let mut clock = Clock::new();
    let mut policy = Policy::new();
    assert_eq!(clock.now(5), None);
    let next = policy.answered(answer(NOW, 5000), &mut clock, None, 0);
    assert_eq!(next.belief, Belief::Set);
    for _ in 0..100 {
        policy.unanswered(NoAnswer::Useless, None, 7);
    }
    assert_eq!(clock.unix_ms(5000 + 48 * HOUR), Some(NOW + 48 * HOUR as i64));
}

#[test]
fn impossible_times_are_refused() {
    for impossible in [0, EARLIEST - 1, LATEST, i64::MAX, i64::MIN] {
        let mut clock = Clock::new();
        assert_eq!(Policy::new().answered(answer(impossible, 0), &mut clock, None, 0).belief, Belief::Refused);
        assert_eq!(clock.now(0), None);
    }
}

#[test]
fn an_answer_that_was_long_on_its_way_is_none() {
    let mut clock = Clock::new();
    let slow = Answer { roundtrip: 2001, ..answer(NOW, 0) };
    assert_eq!(Policy::new().answered(slow, &mut clock, None, 0).belief, Belief::Refused);
    assert_eq!(clock.now(0), None);
}

#[test]
fn a_clock_that_is_set_is_moved_far_only_by_two_servers_that_agree() {
    let mut clock = Clock::new();
    let mut policy = Policy::new();
    policy.answered(answer(NOW, 0), &mut clock, None, 0);
    let day = 24 * HOUR as i64;
    let first = policy.server(None);
    let doubted = policy.answered(answer(NOW + day, HOUR), &mut clock, None, 0);
    assert_eq!(doubted.belief, Belief::Doubted);
    assert!(doubted.wait <= 1250, "the next one is asked at once");
    assert_ne!(policy.server(None), first);
    assert_eq!(clock.unix_ms(HOUR), Some(NOW + HOUR as i64));
    // The next one disagrees with both.
    assert_eq!(policy.answered(answer(NOW - day, HOUR), &mut clock, None, 0).belief, Belief::Doubted);
    assert_eq!(policy.answered(answer(NOW - day + 60_000, HOUR + 60_000), &mut clock, None, 0).belief, Belief::Set);
    assert_eq!(clock.unix_ms(HOUR + 60_000), Some(NOW - day + 60_000));
}

#[test]
fn a_small_difference_is_corrected_at_once() {
    let mut clock = Clock::new();
    let mut policy = Policy::new();
    policy.answered(answer(NOW, 0), &mut clock, None, 0);
    let later = NOW + 4 * HOUR as i64 - 700;
    assert_eq!(policy.answered(answer(later, 4 * HOUR), &mut clock, None, 0).belief, Belief::Set);
    assert_eq!(clock.unix_ms(4 * HOUR), Some(later));
}

#[test]
fn every_server_is_asked_in_turn_the_owners_first() {
    let mut policy = Policy::new();
    let mut asked = Vec::new();
    for _ in 0..5 {
        asked.push(policy.server(Some("time.home")));
        policy.unanswered(NoAnswer::Useless, Some("time.home"), 0);
    }
    assert_eq!(asked, ["time.home", SERVERS[0], SERVERS[1], SERVERS[2], "time.home"]);
}

#[test]
fn who_does_not_want_to_be_asked_is_not() {
    let mut policy = Policy::new();
    policy.unanswered(NoAnswer::GoAway, None, 0);
    let mut asked = Vec::new();
    for _ in 0..4 {
        asked.push(policy.server(None));
        policy.unanswered(NoAnswer::Useless, None, 0);
    }
    assert_eq!(asked, [SERVERS[1], SERVERS[2], SERVERS[1], SERVERS[2]]);
    for _ in 0..9 {
        policy.unanswered(NoAnswer::GoAway, None, 0);
    }
    assert!(SERVERS.contains(&policy.server(None)), "if none wants to, somebody has to");
}

#[test]
fn the_pauses_grow_to_half_an_hour_and_no_two_lights_keep_step() {
    let rounds = |chance: u32| {
        let mut policy = Policy::new();
        let mut waits = Vec::new();
        for attempt in 1..=60 {
            let wait = policy.unanswered(NoAnswer::Useless, None, chance).wait;
            if attempt % 3 == 0 {
                waits.push(wait);
            } else {
                assert!((750..=1250).contains(&wait));
            }
        }
        waits
    };
    let middle = rounds(u32::MAX / 2);
    assert!(middle.windows(2).all(|pair| pair[1] >= pair[0]));
    assert!(middle[0] < 8100 && middle[19] <= 30 * 60_000);
    assert_eq!((rounds(0)[0], rounds(u32::MAX)[0]), (6000, 10_000));
    assert_eq!(rounds(u32::MAX)[19], 30 * 60_000 * 5 / 4);
}

#[test]
fn a_new_network_is_asked_at_once() {
    let mut policy = Policy::new();
    for _ in 0..60 {
        policy.unanswered(NoAnswer::GoAway, None, 0);
    }
    policy.begin_anew();
    assert_eq!(policy.server(None), SERVERS[0]);
    assert!(policy.unanswered(NoAnswer::Useless, None, 0).wait < 1300);
}
