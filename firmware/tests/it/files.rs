//! Files on the drive, checked with external tools.

use firmware::report::{ErrorCount, ReloadError, ReloadResult};

use crate::support::{Bench, Flash, Image, fsck};

/// Flash after the first start.
fn fresh() -> Flash {
    let flash = Flash::new();
    Bench::start(&flash).unwrap();
    flash
}

/// Writes the changed sectors of an image. `order` reorders them.
fn write_changes(host: &mut Bench<'_>, before: &[u8], after: &[u8], order: fn(&mut Vec<usize>)) {
    let mut changed: Vec<usize> =
        (0..2048).filter(|at| before[at * 512..][..512] != after[at * 512..][..512]).collect();
    order(&mut changed);
    for sector in changed {
        host.write(sector as u32, &after[sector * 512..][..512]);
    }
}

#[test]
fn the_first_start_makes_a_sound_drive_with_three_files() {
    let flash = fresh();
    assert_eq!(fsck(&flash.volume()), None);
    let image = Image::of(&flash.volume());
    let mut names = image.names();
    names.sort();
    assert_eq!(names, ["README.TXT", "SCHEDULE.TXT", "STATUS.TXT"]);
    assert!(String::from_utf8(image.tool("mlabel", &["-s", "::"]).stdout).unwrap().contains("NUDGELIGHT"));
    assert!(image.file("SCHEDULE.TXT").contains("# Rules: what, when, on which days, how."));
    assert!(image.file("STATUS.TXT").contains("Schedule active: 0 rules, no errors."));
}

#[test]
fn a_second_start_changes_only_the_status() {
    let flash = fresh();
    let erases = flash.erases();
    Bench::start(&flash).unwrap();
    Bench::start(&flash).unwrap();
    let once = flash.erases() - erases;
    Bench::start(&flash).unwrap();
    assert_eq!(flash.erases() - erases, once, "the same status is not written again");
}

#[test]
fn what_mcopy_writes_is_taken_up_in_whatever_order_its_sectors_come() {
    let orders: [fn(&mut Vec<usize>); 3] = [
        |_| (),
        |changed| changed.reverse(),
        |changed| {
            let half = changed.len() / 2;
            changed.rotate_left(half);
        },
    ];
    for order in orders {
        let flash = fresh();
        let image = Image::of(&flash.volume());
        image.put("SCHEDULE.TXT", b"timezone = UTC\r\non 18:00-23:00\r\n");
        let mut host = Bench::start(&flash).unwrap();
        host.device.connected();
        write_changes(&mut host, &flash.volume(), &image.bytes(), order);
        assert_eq!(host.pass(2400), None);
        assert_eq!(host.pass(200), Some(ReloadResult::Loaded { rules: 1, errors: 0, warnings: 0 }));
        assert_eq!(fsck(&flash.volume()), None);
        assert_eq!(Image::of(&flash.volume()).file("SCHEDULE.TXT"), "timezone = UTC\r\non 18:00-23:00\r\n");
    }
}

#[test]
fn an_editor_that_saves_by_renaming_is_understood() {
    let flash = fresh();
    let image = Image::of(&flash.volume());
    // A long name with an unrelated short name, as some systems create it while the old file still exists.
    image.put(".schedule.txt.swp", b"blink 09:00 for 30s\n");
    image.tool("mdel", &["::SCHEDULE.TXT"]);
    image.tool("mren", &["::.schedule.txt.swp", "::Schedule.txt"]);
    image.put("schedule.txt~", b"on 00:00-24:00\n");
    image.put("._SCHEDULE.TXT", &[0; 300]);
    flash.put_volume(&image.bytes());
    let device = Bench::start(&flash).unwrap();
    assert_eq!(device.schedule.rules().len(), 1);
    assert!(device.schedule.to_string().contains("blink"));
    assert_eq!(fsck(&flash.volume()), None);
}

#[test]
fn a_schedule_in_pieces_all_over_the_drive_is_read_whole() {
    let flash = fresh();
    let image = Image::of(&flash.volume());
    for number in 0..40 {
        image.put(&format!("piece{number}.bin"), &[number; 5000]);
    }
    for number in (0..40).step_by(2) {
        image.tool("mdel", &[&format!("::piece{number}.bin")]);
    }
    let long: String = (0..64).map(|minute| format!("on 12:{:02}-13:00 # {}\n", minute % 60, "x".repeat(90))).collect();
    assert!(long.len() > 4096 && long.len() < 8192);
    image.put("SCHEDULE.TXT", long.as_bytes());
    flash.put_volume(&image.bytes());
    let device = Bench::start(&flash).unwrap();
    assert_eq!(device.result, ReloadResult::Loaded { rules: 64, errors: 0, warnings: 1 });
}

#[test]
fn a_schedule_that_is_too_long_is_used_as_far_as_it_is_read() {
    let flash = fresh();
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", "on 12:00-13:00 # and a comment\n".repeat(2000).as_bytes());
    flash.put_volume(&image.bytes());
    let device = Bench::start(&flash).unwrap();
    let ReloadResult::Loaded { rules: 64, errors, .. } = device.result else { panic!("{:?}", device.result) };
    assert_eq!(errors, 2, "too many rules, and too many bytes");
}

#[test]
fn what_is_no_schedule_leaves_the_last_good_one_in_force() {
    let good = b"timezone = UTC\non 18:00-23:00\n";
    let utf16: Vec<u8> = "\u{feff}on 07:00-08:00\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let half_written = [b"on 18:00-23:00\n".repeat(40), vec![0xFF; 900]].concat();
    let bad: [(&[u8], ReloadError); 5] = [
        (&half_written, ReloadError::PartiallyWritten),
        (b"", ReloadError::Empty),
        (&utf16, ReloadError::NoValidRules(ErrorCount(1))),
        (&[0; 4096], ReloadError::PartiallyWritten),
        (b"lorem ipsum\n", ReloadError::NoValidRules(ErrorCount(1))),
    ];
    for (content, error) in bad {
        let flash = fresh();
        let image = Image::of(&flash.volume());
        image.put("SCHEDULE.TXT", good);
        flash.put_volume(&image.bytes());
        Bench::start(&flash).unwrap();
        let image = Image::of(&flash.volume());
        image.put("SCHEDULE.TXT", content);
        flash.put_volume(&image.bytes());
        let device = Bench::start(&flash).unwrap();
        assert_eq!(device.result, ReloadResult::Rejected(error));
        assert_eq!(device.schedule.rules().len(), 1, "the last good one");
        assert_eq!(Image::of(&flash.volume()).content("SCHEDULE.TXT"), content, "the owner's file stays");
    }
}

#[test]
fn a_deleted_schedule_comes_back_at_the_next_start() {
    let flash = fresh();
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", b"timezone = UTC\non 18:00-23:00\n");
    flash.put_volume(&image.bytes());
    Bench::start(&flash).unwrap();
    let image = Image::of(&flash.volume());
    image.tool("mdel", &["::SCHEDULE.TXT", "::README.TXT", "::STATUS.TXT"]);
    flash.put_volume(&image.bytes());
    let device = Bench::start(&flash).unwrap();
    assert_eq!(device.schedule.rules().len(), 1);
    let image = Image::of(&flash.volume());
    assert_eq!(image.file("SCHEDULE.TXT"), "timezone = UTC\non 18:00-23:00\n");
    assert!(image.file("README.TXT").starts_with("NUDGELIGHT"));
}

#[test]
fn a_kept_schedule_that_lost_a_bit_gives_way_to_the_one_before_it() {
    let flash = fresh();
    let (older, newer) = ("timezone = UTC\non 18:00-23:00\n", "timezone = UTC\non 07:00-08:00 70%\n");
    for text in [older, newer] {
        let image = Image::of(&flash.volume());
        image.put("SCHEDULE.TXT", text.as_bytes());
        flash.put_volume(&image.bytes());
        Bench::start(&flash).unwrap();
    }
    let image = Image::of(&flash.volume());
    image.tool("mdel", &["::SCHEDULE.TXT"]);
    flash.put_volume(&image.bytes());
    let restored = |flash: Flash| {
        Bench::start(&flash).unwrap();
        Image::of(&flash.volume()).file("SCHEDULE.TXT")
    };
    assert_eq!(restored(flash.copy()), newer);
    flash.lose_a_bit_of(newer.as_bytes());
    assert_eq!(restored(flash), older);
}

#[test]
fn a_drive_that_was_formatted_otherwise_is_made_anew_with_the_last_good_schedule() {
    let flash = fresh();
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", b"timezone = UTC\non 18:00-23:00\n");
    flash.put_volume(&image.bytes());
    Bench::start(&flash).unwrap();
    flash.put_volume(&vec![0x5A; 2048 * 512]);
    let device = Bench::start(&flash).unwrap();
    assert_eq!(device.schedule.rules().len(), 1);
    assert_eq!(fsck(&flash.volume()), None);
    assert_eq!(Image::of(&flash.volume()).file("SCHEDULE.TXT"), "timezone = UTC\non 18:00-23:00\n");
}

#[test]
fn a_drive_that_its_owner_formatted_as_fat_is_used_as_it_is() {
    let flash = fresh();
    let image = Image::of(&vec![0; 2048 * 512]);
    image.tool("mformat", &["-v", "MINE", "-c", "1", "-T", "2048", "-h", "2", "-s", "32", "::"]);
    image.put("schedule.txt", b"timezone = UTC\non 18:00-23:00\n");
    flash.put_volume(&image.bytes());
    let device = Bench::start(&flash).unwrap();
    assert_eq!(device.result, ReloadResult::Loaded { rules: 1, errors: 0, warnings: 0 });
    assert_eq!(fsck(&flash.volume()), None);
    let image = Image::of(&flash.volume());
    assert!(String::from_utf8(image.tool("mlabel", &["-s", "::"]).stdout).unwrap().contains("MINE"));
    assert!(image.file("STATUS.TXT").contains("1 rule, no errors"));
}
