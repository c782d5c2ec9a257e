//! Debounce: the delays between a host's write, the flush and the reload.

use firmware::device::Task;
use firmware::report::ReloadResult;

use crate::support::{Bench, Flash, Image};

#[test]
fn every_write_puts_the_moment_off() {
    let flash = Flash::new();
    let mut host = Bench::start(&flash).unwrap();
    host.device.connected();
    for _ in 0..5 {
        host.write(2040, &[1; 512]);
        assert_eq!(host.pass(2499), None);
    }
    host.write(2040, &[2; 512]);
    assert!(host.pass(2500).is_some());
    assert_eq!(host.pass(60_000), None, "once");
}

#[test]
fn half_a_second_after_the_last_write_it_is_in_the_flash() {
    let flash = Flash::new();
    let mut host = Bench::start(&flash).unwrap();
    host.device.connected();
    host.write(2040, &[1; 512]);
    host.pass(499);
    assert_ne!(flash.volume()[2040 * 512], 1);
    host.pass(2);
    assert_eq!(flash.volume()[2040 * 512..2041 * 512], [1; 512]);
}

#[test]
fn while_a_host_has_the_drive_the_device_writes_nothing_to_it() {
    let flash = Flash::new();
    let mut host = Bench::start(&flash).unwrap();
    host.device.connected();
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", b"on 1:00-2:00\nnonsense\n");
    let after = image.bytes();
    for sector in 0..2048 {
        host.write(sector as u32, &after[sector * 512..][..512]);
    }
    host.device.status_changed();
    assert!(matches!(host.pass(3_600_000), Some(ReloadResult::Loaded { rules: 1, errors: 1, .. })));
    assert!(flash.volume() == after, "not a byte but the host's");
    assert!(matches!(host.device.next_task(host.uptime), Task::Idle { .. }));
    host.eject();
    host.pass(1000);
    let status = Image::of(&flash.volume()).file("STATUS.TXT");
    assert!(status.contains("SCHEDULE.TXT line 2, column 1: error:"), "{status}");
}

#[test]
fn on_a_charger_the_status_is_renewed_after_a_minute_and_then_once_an_hour() {
    let flash = Flash::new();
    let mut device = Bench::start(&flash).unwrap();
    let mut renewals = Vec::new();
    for second in 0..3 * 3600 {
        device.uptime = second * 1000;
        // Continuous changes.
        device.device.status_changed();
        if device.device.next_task(device.uptime) == Task::WriteStatus {
            renewals.push(second);
            device.pass(0);
        }
    }
    assert_eq!(renewals, [60, 3660, 7260]);
}

#[test]
fn a_host_that_resets_the_bus_may_still_have_the_drive() {
    let flash = Flash::new();
    let mut host = Bench::start(&flash).unwrap();
    host.pass(3_600_000);
    host.device.connected();
    host.device.status_changed();
    host.device.unplugged(host.uptime);
    let before = flash.operations();
    host.pass(2900);
    host.device.connected();
    host.pass(3_600_000);
    assert_eq!(flash.operations(), before);
    host.device.unplugged(host.uptime);
    host.pass(3000);
    assert_eq!(
        host.device.next_task(host.uptime),
        Task::Idle { until: None },
        "once it is gone, the status is renewed"
    );
}
