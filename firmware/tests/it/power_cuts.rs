//! Power cuts at each flash operation.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wasm_core::schedule::parse;

use crate::support::{Bench, Flash, Image, PowerCut, PowerLost, fsck};

const OLD: &str = "timezone = UTC\non 01:00-02:00\n";

/// Schedule longer than a page, so that a save writes several pages.
fn new() -> String {
    format!("timezone = UTC\non 03:00-04:00\n# {}\n", "new ".repeat(1200))
}

/// Flash with the old schedule.
fn settled() -> Flash {
    let flash = Flash::new();
    Bench::start(&flash).unwrap();
    let image = Image::of(&flash.volume());
    image.put("SCHEDULE.TXT", OLD.as_bytes());
    flash.put_volume(&image.bytes());
    Bench::start(&flash).unwrap();
    flash
}

/// A change of the drive by a program.
type Change<'c> = &'c dyn Fn(&Image);

/// Sectors that a host writes, in order.
struct Save(Vec<(u32, Vec<u8>)>);

impl Save {
    fn of(flash: &Flash, change: impl Fn(&Image)) -> Self {
        let before = flash.volume();
        let image = Image::of(&before);
        change(&image);
        let after = image.bytes();
        let changed = (0..2048).filter(|at| before[at * 512..][..512] != after[at * 512..][..512]);
        Self(changed.map(|at| (at as u32, after[at * 512..][..512].to_vec())).collect())
    }

    /// Reverses the order: operating systems write the directory before or after the data.
    fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Writes the sectors to a device until it loses power.
    fn run(&self, flash: &Flash) {
        run_steps(flash, std::slice::from_ref(self), 0);
    }

    /// The sectors of several changes, one after the other.
    fn steps(flash: &Flash, changes: &[Change<'_>]) -> Vec<Self> {
        let flash = flash.copy();
        let step = |change: &Change<'_>| {
            let step = Self::of(&flash, change);
            let mut volume = flash.volume();
            for (sector, data) in &step.0 {
                volume[*sector as usize * 512..][..512].copy_from_slice(data);
            }
            flash.put_volume(&volume);
            step
        };
        changes.iter().map(step).collect()
    }
}

/// Writes the sectors of each step to a device until it loses power, with a pause in milliseconds behind each.
fn run_steps(flash: &Flash, steps: &[Save], pause: u64) {
    let Some(mut host) = Bench::start(flash) else { return };
    host.device.connected();
    let done = catch_unwind(AssertUnwindSafe(|| {
        for step in steps {
            step.0.iter().for_each(|(sector, data)| host.write(*sector, data));
            let _reloaded = host.pass(pause);
        }
    }));
    match done {
        Ok(()) => drop(host.pass(5000)),
        Err(reason) if reason.is::<PowerLost>() || flash.lost_power() => {}
        Err(reason) => std::panic::resume_unwind(reason),
    }
}

/// Cuts the power at each flash operation of `action`, restarts the device and runs `check`. Returns the number of
/// operations.
fn at_every_operation(start: &Flash, action: impl Fn(&Flash), check: impl Fn(&Flash, &Bench<'_>, &str)) -> usize {
    std::panic::set_hook(Box::new(|info| {
        if !info.payload().is::<PowerLost>() {
            eprintln!("{info}");
        }
    }));
    let whole = start.copy();
    action(&whole);
    let operations = whole.operations();
    for operation in 0..operations {
        for cut in [PowerCut::Nothing, PowerCut::Half, PowerCut::All] {
            let flash = start.copy_with_power_for(operation, cut);
            action(&flash);
            assert!(flash.lost_power(), "operation {operation} of {operations}");
            let again = flash.copy();
            let device = Bench::start(&again).expect("it starts");
            let moment = format!("operation {operation} of {operations}, {cut:?} of it done");
            assert_eq!(fsck(&again.volume()), None, "{moment}");
            check(&again, &device, &moment);
        }
    }
    operations
}

/// The active schedule is the old or the new one.
fn old_or_new(_: &Flash, device: &Bench<'_>, moment: &str) {
    let in_force = device.schedule.to_string();
    let is = |text: &str| in_force == parse(text, &mut |_| ()).to_string();
    assert!(is(OLD) || is(&new()), "{moment}: {in_force}");
}

/// The file has the old or the new schedule, and it is active.
fn old_or_new_as_in_the_file(flash: &Flash, device: &Bench<'_>, moment: &str) {
    let file = Image::of(&flash.volume()).file("SCHEDULE.TXT");
    assert!(file == OLD || file == new(), "{moment}: {file:.200}");
    assert_eq!(device.schedule.to_string(), parse(&file, &mut |_| ()).to_string(), "{moment}");
}

#[test]
fn a_save_leaves_the_old_schedule_or_the_new_one() {
    let start = settled();
    for reverse in [false, true] {
        let save = Save::of(&start, |image| image.put("SCHEDULE.TXT", new().as_bytes()));
        let save = if reverse { save.reversed() } else { save };
        let operations = at_every_operation(&start, |flash| save.run(flash), old_or_new_as_in_the_file);
        assert!(operations > 15, "the journal, the pages and the last good copy: {operations}");
    }
}

#[test]
fn a_save_by_renaming_leaves_one_of_the_two() {
    let start = settled();
    let save = Save::of(&start, |image| {
        image.put("schedule.tmp", new().as_bytes());
        image.tool("mdel", &["::SCHEDULE.TXT"]);
        image.tool("mren", &["::schedule.tmp", "::schedule.txt"]);
    });
    at_every_operation(&start, |flash| save.run(flash), old_or_new_as_in_the_file);
}

// Chromium writes a temporary file beside the old one and renames it. Linux replaces the old entry at once, other systems
// delete it first. The sectors are stored together, or after each step.
#[test]
fn a_save_by_the_browser_leaves_the_old_schedule_or_the_new_one() {
    let start = settled();
    let create = |image: &Image| image.put("SCHEDULE.TXT.crswap", b"");
    let fill = |image: &Image| image.put("SCHEDULE.TXT.crswap", new().as_bytes());
    let delete = |image: &Image| drop(image.tool("mdel", &["::SCHEDULE.TXT"]));
    let rename = |image: &Image| drop(image.tool("mren", &["::SCHEDULE.TXT.crswap", "::SCHEDULE.TXT"]));
    let replace = |image: &Image| {
        delete(image);
        rename(image);
    };
    let orders: [&[Change<'_>]; 2] = [&[&create, &fill, &replace], &[&create, &fill, &delete, &rename]];
    for (changes, pause) in orders.into_iter().flat_map(|changes| [(changes, 0), (changes, 700), (changes, 3000)]) {
        let steps = Save::steps(&start, changes);
        let whole = start.copy();
        run_steps(&whole, &steps, pause);
        assert_eq!(Image::of(&whole.volume()).file("SCHEDULE.TXT"), new(), "without a power cut");
        at_every_operation(&start, |flash| run_steps(flash, &steps, pause), old_or_new_as_in_the_file);
    }
}

#[test]
fn files_that_a_system_or_a_browser_adds_are_ignored_and_left_alone() {
    let start = settled();
    let added = ["SCHEDULE.TXT.crswap", "._SCHEDULE.TXT", ".DS_Store"];
    let image = Image::of(&start.volume());
    added.iter().for_each(|name| image.put(name, b"timezone = UTC\non 05:00-06:00\n"));
    start.put_volume(&image.bytes());
    let device = Bench::start(&start).unwrap();
    assert_eq!(device.schedule.to_string(), parse(OLD, &mut |_| ()).to_string());
    let names = Image::of(&start.volume()).names();
    assert!(added.iter().all(|name| names.iter().any(|there| there == name)), "{names:?}");
}

#[test]
fn copying_more_than_fits_the_memory_never_costs_the_schedule() {
    let start = settled();
    for reverse in [false, true] {
        let save = Save::of(&start, |image| {
            image.put("holiday pictures of last year.bin", &[0x42; 60_000]);
            image.put("SCHEDULE.TXT", new().as_bytes());
        });
        let save = if reverse { save.reversed() } else { save };
        at_every_operation(&start, |flash| save.run(flash), old_or_new);
    }
}

#[test]
fn the_first_start_can_be_interrupted_anywhere() {
    at_every_operation(
        &Flash::new(),
        |flash| drop(Bench::start(flash)),
        |flash, device, moment| {
            assert!(device.schedule.rules().is_empty(), "{moment}");
            assert!(Image::of(&flash.volume()).file("SCHEDULE.TXT").starts_with("# Nudgelight"), "{moment}");
        },
    );
}

#[test]
fn finishing_what_was_interrupted_can_be_interrupted_too() {
    let start = settled();
    let save = Save::of(&start, |image| image.put("SCHEDULE.TXT", new().as_bytes()));
    let whole = start.copy();
    save.run(&whole);
    for operation in (0..whole.operations()).step_by(3) {
        let interrupted = start.copy_with_power_for(operation, PowerCut::Half);
        save.run(&interrupted);
        let interrupted = interrupted.copy();
        at_every_operation(&interrupted, |flash| drop(Bench::start(flash)), old_or_new_as_in_the_file);
    }
}
