//! The drive as a whole: what happens to it, and when.
//!
//! Only one of two writes to the file system. While a host has the drive, that is the host, and the device only reads;
//! at the start, after the host has ejected it, and on a charger, it is the device.

mod desk;

use embedded_storage::nor_flash::NorFlash;
use wasm_core::schedule::Schedule;

use self::desk::Desk;
use crate::disk::bulk_only::{PACKET, Transport, Turn};
use crate::disk::scsi::{Medium, Unit};
use crate::disk::sectors::{Memory, Progress, Sectors};
use crate::disk::{FlashFault, kept};
use crate::fat::{self, name};
use crate::report::{Before, Facts, Verdict};
use crate::texts;

/// After so many milliseconds without a write, what waits is stored: a plug may be drawn at any time.
pub const STORE_AFTER: u64 = 500;
/// After so many milliseconds without a write, the file counts as saved. Editors write more than once, and computers
/// in any order.
pub const TAKE_UP_AFTER: u64 = 2500;

/// A host that was gone for less than this only reset the bus, and may still have the drive mounted.
pub const GONE_AFTER: u64 = 3000;
/// On a charger, what changed is written down after a minute, when most of it has settled ...
const FIRST_STATUS: u64 = 60_000;
/// ... and no more often than this: a network that comes and goes must not wear the flash out.
const STATUS_EVERY: u64 = 3_600_000;

/// Memory that the device works with; too large for a stack.
pub struct Buffers {
    pages: Memory,
    desk: Desk,
}

impl Buffers {
    #[must_use]
    pub const fn new() -> Self {
        Self { pages: Memory::new(), desk: Desk::new() }
    }
}

impl Default for Buffers {
    fn default() -> Self {
        Self::new()
    }
}

/// What is to be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Nothing, and nothing will be before that uptime unless something happens.
    Rest { until: Option<u64> },
    /// [`Device::store_step`].
    Store,
    /// [`Device::take_up`].
    TakeUp,
    /// [`Device::renew_status`].
    RenewStatus,
}

/// Who may write to the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Host,
    /// There is no host since an uptime.
    Nobody {
        since: u64,
    },
    /// The host gave it up.
    Device,
}

/// The drive.
pub struct Device<'m, F> {
    sectors: Sectors<'m, F>,
    transport: Transport,
    desk: &'m mut Desk,
    before: Before,
    owner: Owner,
    /// When the host last wrote, until what it wrote was taken up.
    wrote_at: Option<u64>,
    status_is_old: bool,
    /// Before that uptime a status without being asked for it would be too soon.
    next_status: u64,
}

impl<'m, F: NorFlash> Device<'m, F> {
    /// Takes the drive as it was left, puts it right, fills in what is missing, and reads the schedule.
    pub fn start(
        flash: F,
        buffers: &'m mut Buffers,
        facts: &Facts,
        schedule: &mut Schedule,
    ) -> Result<(Self, Verdict), FlashFault> {
        let Buffers { pages, desk } = buffers;
        let mut device = Self {
            sectors: Sectors::open(flash, pages)?,
            transport: Transport::new(Unit::new(facts.serial)),
            desk,
            before: Before::default(),
            owner: Owner::Nobody { since: 0 },
            wrote_at: None,
            status_is_old: false,
            next_status: FIRST_STATUS,
        };
        let drive_serial = facts.serial.iter().fold(0_u32, |sum, byte| sum.rotate_left(4) ^ u32::from(*byte));
        device.make_usable(drive_serial)?;
        let verdict = device.renew_status(facts, schedule, 0)?;
        device.next_status = FIRST_STATUS;
        Ok((device, verdict))
    }

    /// Whose turn it is on the bus.
    pub fn turn(&mut self) -> Turn {
        self.transport.turn(&self.sectors)
    }

    /// Takes a packet from the host.
    pub fn receive(&mut self, packet: &[u8], uptime: u64) {
        let (written, medium) = (self.transport.written(), self.transport.medium());
        self.transport.receive(packet, &mut self.sectors);
        if self.transport.written() != written {
            self.wrote_at = Some(uptime);
        }
        match (medium, self.transport.medium()) {
            (Medium::Present | Medium::Changed, Medium::Ejected) => {
                self.owner = Owner::Device;
                self.status_is_old = true;
                self.next_status = uptime;
            }
            (Medium::Ejected, Medium::Present | Medium::Changed) => self.owner = Owner::Host,
            _ => {}
        }
    }

    /// Makes the next packet for the host.
    pub fn send(&mut self, packet: &mut [u8; PACKET]) -> usize {
        self.transport.send(packet, &mut self.sectors)
    }

    /// The host resets the transport.
    pub fn reset_transport(&mut self) {
        self.transport.reset();
    }

    /// A host has found the drive.
    pub fn plugged_in(&mut self) {
        self.transport.plugged_in();
        self.owner = Owner::Host;
    }

    /// The host is gone, or it only begins anew.
    pub fn unplugged(&mut self, uptime: u64) {
        self.transport.reset();
        if self.owner == Owner::Host {
            self.owner = Owner::Nobody { since: uptime };
        }
    }

    /// Something that the status tells of has changed.
    pub fn status_changed(&mut self) {
        self.status_is_old = true;
    }

    /// What is to be done at an uptime in milliseconds.
    #[must_use]
    pub fn duty(&self, uptime: u64) -> Duty {
        let since = self.wrote_at.map(|at| uptime.saturating_sub(at));
        let settled = since.is_none_or(|since| since >= STORE_AFTER);
        if settled && !self.sectors.is_stored() {
            return Duty::Store;
        }
        if since.is_some_and(|since| since >= TAKE_UP_AFTER) {
            return Duty::TakeUp;
        }
        let status_at = self.status_at();
        if status_at.is_some_and(|at| uptime >= at) {
            return Duty::RenewStatus;
        }
        let after = if self.sectors.is_stored() { TAKE_UP_AFTER } else { STORE_AFTER };
        Duty::Rest { until: self.wrote_at.map(|at| at + after).or(status_at) }
    }

    /// When the status is to be written, if it is: never while a host may have the drive.
    fn status_at(&self) -> Option<u64> {
        if !self.status_is_old || self.wrote_at.is_some() {
            return None;
        }
        match self.owner {
            Owner::Host => None,
            Owner::Nobody { since } => Some(self.next_status.max(since + GONE_AFTER)),
            Owner::Device => Some(self.next_status),
        }
    }

    /// Stores a part of what waits.
    pub fn store_step(&mut self) -> Result<Progress, FlashFault> {
        self.sectors.store_step()
    }

    /// Reads the schedule that was saved. What cannot be used leaves the last good one in force.
    pub fn take_up(&mut self, schedule: &mut Schedule) -> Result<Verdict, FlashFault> {
        self.wrote_at = None;
        self.desk.take_up(&mut self.sectors, schedule, &mut |_, _| ())
    }

    /// Reads the schedule and writes down what is to be said of it and of everything else.
    pub fn renew_status(&mut self, facts: &Facts, schedule: &mut Schedule, uptime: u64) -> Result<Verdict, FlashFault> {
        self.status_is_old = false;
        self.next_status = self.next_status.max(uptime + STATUS_EVERY);
        self.desk.report.begin(facts);
        let verdict = self.desk.take_up(&mut self.sectors, schedule, &mut |report, problem| report.problem(problem))?;
        self.desk.report.end(facts, verdict, schedule, self.before);
        // A full drive has no status: its owner knows best what may go.
        let _full = fat::write(&mut self.sectors, &name::STATUS, self.desk.report.bytes());
        self.sectors.store()?;
        Ok(verdict)
    }

    /// Makes a file system of whatever is there, with the files that belong on it.
    fn make_usable(&mut self, drive_serial: u32) -> Result<(), FlashFault> {
        if fat::check::repair(&mut self.sectors).is_err() {
            // Looked at twice: an unsteady supply can make a good flash look bad.
            if fat::check::repair(&mut self.sectors).is_err() {
                fat::format(&mut self.sectors, drive_serial).map_err(|_| FlashFault)?;
            }
        }
        let read = fat::read(&mut self.sectors, &name::STATUS, &mut self.desk.text);
        let length = read.ok().flatten().unwrap_or_default();
        self.before = Before::of(self.desk.text.get(..length).unwrap_or_default());
        self.restore_schedule()?;
        let readme = texts::README.as_bytes();
        let read = fat::read(&mut self.sectors, &name::README, &mut self.desk.text);
        let is_there =
            read.is_ok_and(|length| length.is_some_and(|length| self.desk.text.get(..length) == Some(readme)));
        if !is_there {
            let _full = fat::write(&mut self.sectors, &name::README, readme);
        }
        self.sectors.store()
    }

    /// A drive without a schedule gets the last good one, or the example.
    fn restore_schedule(&mut self) -> Result<(), FlashFault> {
        if fat::file::exists(&mut self.sectors, &name::SCHEDULE) != Ok(false) {
            return Ok(());
        }
        let text = match kept::load(self.sectors.flash(), &mut self.desk.text)? {
            Some(length) => self.desk.text.get(..length).unwrap_or_default(),
            None => texts::EXAMPLE.as_bytes(),
        };
        let _full = fat::write(&mut self.sectors, &name::SCHEDULE, text);
        Ok(())
    }

    /// Gives the flash back, for who wants to look at it.
    pub fn into_flash(self) -> F {
        self.sectors.into_flash()
    }
}
