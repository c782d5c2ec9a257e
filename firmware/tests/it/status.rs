//! Content of `STATUS.TXT`.

use firmware::device::{Buffers, Device};
use firmware::report::{ClockStatus, DeviceStatus, PanicCode, StartReason, WifiStatus};
use firmware::version::version;
use wasm_core::schedule::{Instant, Schedule};
use wasm_core::status::Line;

use crate::support::{Flash, Image, device_status, fsck};

/// Starts a device and reads the report.
fn report(flash: &Flash, status: &DeviceStatus) -> String {
    let mut schedule = Schedule::EMPTY;
    let buffers = Box::leak(Box::new(Buffers::new()));
    assert!(Device::start(flash.clone(), buffers, status, &mut schedule).is_ok());
    assert_eq!(fsck(&flash.volume()), None);
    Image::of(&flash.volume()).file("STATUS.TXT")
}

fn with_schedule(text: &str) -> Flash {
    let flash = Flash::new();
    report(&flash, &device_status());
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", text.as_bytes());
    flash.put_volume(&image.bytes());
    flash
}

#[test]
fn it_says_where_each_mistake_is_and_what_was_meant() {
    let flash = with_schedule("timezone = UTC\nblik 09:00 for 30s\non 07:00-08:00\n");
    let status = report(&flash, &device_status());
    assert!(status.contains("SCHEDULE.TXT line 2, column 1: error: "), "{status}");
    assert!(status.contains("did you mean `blink`?"), "{status}");
    assert!(status.contains("1 rule, 1 error, 0 warnings. Lines with errors are skipped."), "{status}");
}

#[test]
fn more_mistakes_than_it_has_room_for_do_not_hide_the_rest() {
    let flash = with_schedule(&"mistake\n".repeat(900));
    let status = report(&flash, &device_status());
    assert!(status.contains("more\r\n") && status.contains("Start: plugged in"), "{status}");
    assert!(status.contains("900 errors and no valid rules. The last good schedule is still active."), "{status}");
}

#[test]
fn a_fault_leaves_its_code() {
    let code = PanicCode::new("/somewhere/board/src/usb.rs", 117);
    assert_eq!(PanicCode::from_word(code.to_word()), code);
    assert_eq!(code, PanicCode::new("usb.rs", 117));
    assert_ne!(code, PanicCode::new("lamp.rs", 117));
    let status = report(&Flash::new(), &DeviceStatus { start: StartReason::Panic(code), ..device_status() });
    let expected = format!("Start: restarted after a crash, code {:04X}-117\r\n", code.file);
    assert!(status.contains(&expected), "{status}");
}

#[test]
fn what_was_known_before_the_start_is_told_on() {
    let flash = with_schedule("timezone = America/Toronto\nwifi = Home\n");
    let clock = ClockStatus { now: Some(Instant::from_unix_seconds(1_795_788_005)), time_since_set: Some(300) };
    let first = report(&flash, &DeviceStatus { wifi: WifiStatus::JoinFailed, clock, ..device_status() });
    assert!(first.contains("Wi-Fi: can't connect to \"Home\": out of range or wrong password\r\n"), "{first}");
    assert!(first.contains("Time: 2026-11-27T09:00:05-05:00 in America/Toronto, set 5 minutes earlier\r\n"), "{first}");
    let second = report(&flash, &DeviceStatus { wifi: WifiStatus::Connecting, ..device_status() });
    assert!(second.contains("Wi-Fi: connecting to \"Home\"\r\n"), "{second}");
    assert!(second.contains("Time: not known yet, so the schedule is paused\r\n"), "{second}");
    assert!(second.contains("Before this start: Wi-Fi: can't connect to \"Home\""), "{second}");
    assert!(second.contains("Before this start: Time: 2026-11-27T09:00:05-05:00"), "{second}");
}

#[test]
fn the_password_is_nowhere_in_it() {
    let flash = with_schedule("wifi = Home\npassword = correct horse\npasword = correct horse\n");
    assert!(!report(&flash, &device_status()).contains("correct horse"));
}

#[test]
fn the_browser_reads_every_line_of_it() {
    let clock = ClockStatus { now: Some(Instant::from_unix_seconds(1_795_788_005)), time_since_set: Some(300) };
    let files =
        ["timezone = UTC\n", "wifi = My \"Home\"\nblik 09:00\n", &"mistake\n".repeat(900), "on 07:00-07:30 fast\n"];
    for (file, wifi) in files.iter().flat_map(|file| WifiStatus::all().map(|wifi| (file, wifi))) {
        let flash = with_schedule(file);
        for clock in [device_status().clock, clock] {
            let status = report(&flash, &DeviceStatus { wifi, clock, ..device_status() });
            for line in status.lines().filter(|line| !line.is_empty()) {
                assert!(Line::parse(line).is_some(), "{line}");
            }
            let first = status.lines().next().and_then(Line::parse);
            assert!(matches!(first, Some(Line::Device(device)) if device.version == version()), "{status}");
        }
    }
}
