//! `STATUS.TXT`.

use firmware::device::{Buffers, Device};
use firmware::report::{Clock, Facts, FaultCode, Start, Wifi};
use wasm_core::schedule::{Instant, Schedule};

use crate::support::{Flash, Image, facts, fsck};

/// The status after a start with these facts.
fn status(flash: &Flash, facts: &Facts) -> String {
    let mut schedule = Schedule::EMPTY;
    let buffers = Box::leak(Box::new(Buffers::new()));
    assert!(Device::start(flash.clone(), buffers, facts, &mut schedule).is_ok());
    assert_eq!(fsck(&flash.volume()), None);
    Image::of(&flash.volume()).file("STATUS.TXT")
}

fn with_schedule(text: &str) -> Flash {
    let flash = Flash::new();
    status(&flash, &facts());
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", text.as_bytes());
    flash.put_volume(&image.bytes());
    flash
}

#[test]
fn it_says_where_each_mistake_is_and_what_was_meant() {
    let flash = with_schedule("timezone = UTC\nblik 09:00 for 30s\non 07:00-08:00\n");
    let status = status(&flash, &facts());
    assert!(status.contains("SCHEDULE.TXT line 2, column 1: error: "), "{status}");
    assert!(status.contains("did you mean `blink`?"), "{status}");
    assert!(status.contains("1 rules; errors: 1 (these lines are skipped), warnings: 0."), "{status}");
}

#[test]
fn more_mistakes_than_it_has_room_for_do_not_hide_the_rest() {
    let flash = with_schedule(&"mistake\n".repeat(900));
    let status = status(&flash, &facts());
    assert!(status.contains("more\r\n") && status.contains("Start: plugged in"), "{status}");
    assert!(status.contains("900 errors and no rule that can be used. The last good schedule goes on."), "{status}");
}

#[test]
fn a_fault_leaves_its_code() {
    let code = FaultCode::of("/somewhere/board/src/usb.rs", 117);
    assert_eq!(FaultCode::from_word(code.to_word()), code);
    assert_eq!(code, FaultCode::of("usb.rs", 117));
    assert_ne!(code, FaultCode::of("lamp.rs", 117));
    let status = status(&Flash::new(), &Facts { start: Start::Fault(code), ..facts() });
    let expected = format!("Start: restarted after a fault, code {:04X}-117\r\n", code.file);
    assert!(status.contains(&expected), "{status}");
}

#[test]
fn what_was_known_before_the_start_is_told_on() {
    let flash = with_schedule("timezone = America/Toronto\nwifi = Home\n");
    let clock = Clock { now: Some(Instant::from_unix_seconds(1_795_788_005)), set_ago: Some(300) };
    let first = status(&flash, &Facts { wifi: Wifi::Refused, clock, ..facts() });
    assert!(first.contains("Wi-Fi: cannot join \"Home\": not in reach, or another password\r\n"), "{first}");
    assert!(first.contains("Time: 2026-11-27T09:00:05-05:00 in America/Toronto, set 5 minutes before\r\n"), "{first}");
    let second = status(&flash, &Facts { wifi: Wifi::Connecting, ..facts() });
    assert!(second.contains("Wi-Fi: looking for \"Home\"\r\n"), "{second}");
    assert!(second.contains("Time: not known yet, so there are no alarms\r\n"), "{second}");
    assert!(second.contains("Before this start: Wi-Fi: cannot join \"Home\""), "{second}");
    assert!(second.contains("Before this start: Time: 2026-11-27T09:00:05-05:00"), "{second}");
}

#[test]
fn the_password_is_nowhere_in_it() {
    let flash = with_schedule("wifi = Home\npassword = correct horse\npasword = correct horse\n");
    assert!(!status(&flash, &facts()).contains("correct horse"));
}
