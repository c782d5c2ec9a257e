//! USB drive of the device: its tasks and their timing.
//!
//! Only one side writes to the file system at a time. While a host may have the drive mounted, the device only reads.
//! The device writes at startup, after the host ejects the drive, and while no host is connected.

mod workspace;

use embedded_storage::nor_flash::NorFlash;
use wasm_core::schedule::Schedule;
use wasm_core::status::RELOAD_DELAY_MS;

use self::workspace::Workspace;
use crate::default_files;
use crate::disk::bulk_only::{Action, PACKET_SIZE, Transport};
use crate::disk::page_cache::PageBuffers;
use crate::disk::scsi::{LogicalUnit, Medium};
use crate::disk::sectors::{Progress, Sectors};
use crate::disk::{FlashError, last_good};
use crate::fat::{self, name};
use crate::report::{DeviceStatus, PreviousStatus, ReloadResult};

/// Flush delay in milliseconds after the last write. It is short because power can go at any time.
const FLUSH_DELAY: u64 = 500;

/// Disconnects shorter than this (milliseconds) are bus resets: the host may still have the drive mounted.
const DISCONNECT_TIMEOUT: u64 = 3000;
/// Delay of the first status update without a host. Wi-Fi and the clock usually settle within a minute.
const FIRST_STATUS_DELAY: u64 = 60_000;
/// Minimum interval between status updates without a host. It limits flash wear on an unstable network.
const STATUS_INTERVAL: u64 = 3_600_000;

/// Statically allocated buffers, too large for a stack.
pub struct Buffers {
    pages: PageBuffers,
    workspace: Workspace,
}

impl Buffers {
    #[must_use]
    pub const fn new() -> Self {
        Self { pages: PageBuffers::new(), workspace: Workspace::new() }
    }
}

impl Default for Buffers {
    fn default() -> Self {
        Self::new()
    }
}

/// Next task of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Sleep until this uptime or the next event.
    Idle { until: Option<u64> },
    /// Call [`Device::flush_step`].
    Flush,
    /// Call [`Device::reload_schedule`].
    ReloadSchedule,
    /// Call [`Device::write_status`].
    WriteStatus,
}

/// Side that may write to the file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Host,
    /// No host is connected since this uptime.
    Disconnected {
        since: u64,
    },
    /// The host ejected the drive.
    Device,
}

/// USB drive of the device.
pub struct Device<'m, F> {
    sectors: Sectors<'m, F>,
    transport: Transport,
    workspace: &'m mut Workspace,
    previous_status: PreviousStatus,
    owner: Owner,
    /// Uptime of the host's last write. None after the reload.
    last_write: Option<u64>,
    status_is_stale: bool,
    /// Earliest uptime of the next status update without a host.
    next_status: u64,
}

impl<'m, F: NorFlash> Device<'m, F> {
    /// Opens the drive, repairs its file system, restores missing files and loads the schedule.
    pub fn start(
        flash: F,
        buffers: &'m mut Buffers,
        status: &DeviceStatus,
        schedule: &mut Schedule,
    ) -> Result<(Self, ReloadResult), FlashError> {
        let Buffers { pages, workspace } = buffers;
        let mut device = Self {
            sectors: Sectors::open(flash, pages)?,
            transport: Transport::new(LogicalUnit::new(status.serial)),
            workspace,
            previous_status: PreviousStatus::default(),
            owner: Owner::Disconnected { since: 0 },
            last_write: None,
            status_is_stale: false,
            next_status: FIRST_STATUS_DELAY,
        };
        let volume_serial = status.serial.iter().fold(0_u32, |id, byte| id.rotate_left(4) ^ u32::from(*byte));
        device.repair_or_format(volume_serial)?;
        device.load_previous_status();
        device.restore_schedule()?;
        device.restore_readme();
        device.sectors.flush()?;
        let result = device.write_status(status, schedule, 0)?;
        device.next_status = FIRST_STATUS_DELAY;
        Ok((device, result))
    }

    /// Next action on the bus.
    pub fn next_action(&mut self) -> Action {
        self.transport.next_action(&self.sectors)
    }

    /// Handles a packet from the host.
    pub fn receive(&mut self, packet: &[u8], uptime: u64) {
        let (writes, medium) = (self.transport.write_count(), self.transport.medium());
        self.transport.receive(packet, &mut self.sectors);
        if self.transport.write_count() != writes {
            self.last_write = Some(uptime);
        }
        match (medium, self.transport.medium()) {
            (Medium::Present | Medium::Changed, Medium::Ejected) => {
                self.owner = Owner::Device;
                self.status_is_stale = true;
                self.next_status = uptime;
            }
            (Medium::Ejected, Medium::Present | Medium::Changed) => self.owner = Owner::Host,
            _ => {}
        }
    }

    /// Fills the next packet for the host and returns its length.
    pub fn send(&mut self, packet: &mut [u8; PACKET_SIZE]) -> usize {
        self.transport.send(packet, &mut self.sectors)
    }

    /// Handles a Bulk-Only Mass Storage Reset.
    pub fn reset_transport(&mut self) {
        self.transport.reset();
    }

    /// Handles the configuration of the device by a host.
    pub fn connected(&mut self) {
        self.transport.connected();
        self.owner = Owner::Host;
    }

    /// Handles a disconnect or a bus reset.
    pub fn unplugged(&mut self, uptime: u64) {
        self.transport.reset();
        if self.owner == Owner::Host {
            self.owner = Owner::Disconnected { since: uptime };
        }
    }

    /// Marks the status report as stale.
    pub fn status_changed(&mut self) {
        self.status_is_stale = true;
    }

    /// Next task at an uptime in milliseconds.
    #[must_use]
    pub fn next_task(&self, uptime: u64) -> Task {
        let elapsed = self.last_write.map(|at| uptime.saturating_sub(at));
        let may_flush = elapsed.is_none_or(|elapsed| elapsed >= FLUSH_DELAY);
        if may_flush && !self.sectors.is_clean() {
            return Task::Flush;
        }
        if elapsed.is_some_and(|elapsed| elapsed >= RELOAD_DELAY_MS) {
            return Task::ReloadSchedule;
        }
        let status_at = self.status_at();
        if status_at.is_some_and(|at| uptime >= at) {
            return Task::WriteStatus;
        }
        let delay = if self.sectors.is_clean() { RELOAD_DELAY_MS } else { FLUSH_DELAY };
        Task::Idle { until: self.last_write.map(|at| at + delay).or(status_at) }
    }

    /// Uptime of the next status update. None while a host may have the drive mounted.
    fn status_at(&self) -> Option<u64> {
        if !self.status_is_stale || self.last_write.is_some() {
            return None;
        }
        match self.owner {
            Owner::Host => None,
            Owner::Disconnected { since } => Some(self.next_status.max(since + DISCONNECT_TIMEOUT)),
            Owner::Device => Some(self.next_status),
        }
    }

    /// Runs one step of flushing the write cache.
    pub fn flush_step(&mut self) -> Result<Progress, FlashError> {
        self.sectors.flush_step()
    }

    /// Reloads the saved schedule. A rejected file leaves the last good schedule active.
    pub fn reload_schedule(&mut self, schedule: &mut Schedule) -> Result<ReloadResult, FlashError> {
        self.last_write = None;
        self.workspace.reload_schedule(&mut self.sectors, schedule, &mut |_, _| ())
    }

    /// Reloads the schedule and writes `STATUS.TXT`.
    pub fn write_status(
        &mut self,
        status: &DeviceStatus,
        schedule: &mut Schedule,
        uptime: u64,
    ) -> Result<ReloadResult, FlashError> {
        self.status_is_stale = false;
        self.next_status = self.next_status.max(uptime + STATUS_INTERVAL);
        self.workspace.report.begin(status);
        let result = self.workspace.reload_schedule(&mut self.sectors, schedule, &mut |report, diagnostic| {
            report.diagnostic(diagnostic);
        })?;
        self.workspace.report.end(status, result, schedule, self.previous_status);
        // A full drive has no status: the device never deletes the owner's files.
        let _full = fat::write(&mut self.sectors, &name::STATUS, self.workspace.report.bytes());
        self.sectors.flush()?;
        Ok(result)
    }

    /// Repairs the file system, or formats the drive if it has none.
    fn repair_or_format(&mut self, volume_serial: u32) -> Result<(), FlashError> {
        // Two attempts: an unstable supply voltage can corrupt a read of intact flash.
        let is_repaired = (0..2).any(|_| fat::fsck::repair(&mut self.sectors).is_ok());
        if is_repaired {
            return Ok(());
        }
        fat::format(&mut self.sectors, volume_serial).map_err(|_| FlashError)
    }

    fn load_previous_status(&mut self) {
        let read = fat::read(&mut self.sectors, &name::STATUS, &mut self.workspace.text);
        let length = read.ok().flatten().unwrap_or_default();
        self.previous_status = PreviousStatus::parse(self.workspace.text.get(..length).unwrap_or_default());
    }

    /// Restores a missing schedule from the last good one, or from the example.
    fn restore_schedule(&mut self) -> Result<(), FlashError> {
        if fat::file::exists(&mut self.sectors, &name::SCHEDULE) != Ok(false) {
            return Ok(());
        }
        let text = match last_good::load(self.sectors.flash(), &mut self.workspace.text)? {
            Some(length) => self.workspace.text.get(..length).unwrap_or_default(),
            None => default_files::SCHEDULE.as_bytes(),
        };
        let _full = fat::write(&mut self.sectors, &name::SCHEDULE, text);
        Ok(())
    }

    /// Restores a missing, changed or outdated `README.TXT`.
    fn restore_readme(&mut self) {
        let readme = default_files::README.as_bytes();
        let read = fat::read(&mut self.sectors, &name::README, &mut self.workspace.text);
        let length = read.ok().flatten().unwrap_or_default();
        if self.workspace.text.get(..length) != Some(readme) {
            let _full = fat::write(&mut self.sectors, &name::README, readme);
        }
    }
}
