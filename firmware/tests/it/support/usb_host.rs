//! Simulated USB host.

use firmware::device::{Buffers, Device, Task};
use firmware::disk::bulk_only::{Action, PACKET_SIZE};
use firmware::report::{ClockStatus, DeviceStatus, ReloadResult, StartReason, WifiStatus};
use wasm_core::schedule::Schedule;

use super::Flash;

/// Status of a device without Wi-Fi and time.
pub fn device_status() -> DeviceStatus {
    DeviceStatus {
        serial: *b"E6614103E7452D2F",
        start: StartReason::PowerOn,
        wifi: WifiStatus::NotConfigured,
        clock: ClockStatus { now: None, time_since_set: None },
    }
}

/// Completed command.
#[derive(Debug, PartialEq, Eq)]
pub struct Completion {
    pub data: Vec<u8>,
    pub status: u8,
    pub residue: u32,
}

/// Device with the host it is plugged into, on a simulated clock.
pub struct Bench<'m> {
    pub device: Device<'m, Flash>,
    pub schedule: Schedule,
    pub result: ReloadResult,
    pub uptime: u64,
    tag: u32,
}

impl<'m> Bench<'m> {
    /// Powers the device on. The buffers are leaked: on the board they are `static`.
    pub fn start(flash: &Flash) -> Option<Self> {
        let buffers = Box::leak(Box::new(Buffers::new()));
        let mut schedule = Schedule::EMPTY;
        let (device, result) = Device::start(flash.clone(), buffers, &device_status(), &mut schedule).ok()?;
        Some(Self { device, schedule, result, uptime: 0, tag: 0 })
    }

    /// Advances the clock and runs the due tasks. Returns the result of the last reload.
    pub fn pass(&mut self, ms: u64) -> Option<ReloadResult> {
        let end = self.uptime + ms;
        let mut reloaded = None;
        loop {
            match self.device.next_task(self.uptime) {
                Task::Flush => drop(self.device.flush_step().ok()?),
                Task::ReloadSchedule => reloaded = Some(self.device.reload_schedule(&mut self.schedule).ok()?),
                Task::WriteStatus => {
                    self.device.write_status(&device_status(), &mut self.schedule, self.uptime).ok()?;
                }
                Task::Idle { until: Some(until) } if until <= end => self.uptime = until,
                Task::Idle { .. } => break,
            }
        }
        self.uptime = end;
        reloaded
    }

    /// Sends a command that reads `length` bytes. 0 for a command without data.
    pub fn get(&mut self, block: &[u8], length: u32) -> Completion {
        self.command(block, length, 0x80, &[])
    }

    /// Sends a command that writes data.
    pub fn put(&mut self, block: &[u8], data: &[u8]) -> Completion {
        self.command(block, data.len() as u32, 0x00, data)
    }

    pub fn command(&mut self, block: &[u8], length: u32, direction: u8, data: &[u8]) -> Completion {
        self.tag += 1;
        let mut cbw = Vec::from(*b"USBC");
        cbw.extend(self.tag.to_le_bytes());
        cbw.extend(length.to_le_bytes());
        cbw.extend([direction, 0, block.len() as u8]);
        cbw.extend(block);
        cbw.resize(31, 0);
        assert_eq!(self.next_action(), Action::Receive, "the device waits for a command");
        self.device.receive(&cbw, self.uptime);
        let mut packets = data.chunks(PACKET_SIZE);
        let mut received = Vec::new();
        loop {
            match self.next_action() {
                Action::Receive => self
                    .device
                    .receive(packets.next().expect("the device receives no more data than was sent"), self.uptime),
                Action::Send => {
                    let mut packet = [0; PACKET_SIZE];
                    let length = self.device.send(&mut packet);
                    let is_csw = length == 13 && packet.starts_with(b"USBS");
                    if is_csw {
                        assert_eq!(packet[4..8], self.tag.to_le_bytes(), "the tag of the command");
                        let residue = u32::from_le_bytes(packet[8..12].try_into().unwrap());
                        assert!(packets.next().is_none(), "the device received all data");
                        return Completion { data: received, status: packet[12], residue };
                    }
                    received.extend(&packet[..length]);
                }
                Action::Flush => unreachable!("next_action flushes"),
            }
        }
    }

    /// Next action other than a flush, which it runs first.
    fn next_action(&mut self) -> Action {
        loop {
            match self.device.next_action() {
                Action::Flush => {
                    if self.device.flush_step().is_err() {
                        // Power failure: a real host would lose the device.
                        std::panic::panic_any(PowerLost);
                    }
                }
                action => return action,
            }
        }
    }

    pub fn read(&mut self, sector: u32, count: u16) -> Vec<u8> {
        let done = self.get(&block10(0x28, sector, count), u32::from(count) * 512);
        assert_eq!((done.status, done.residue), (0, 0), "READ(10) of {count} sectors at {sector}");
        done.data
    }

    pub fn write(&mut self, sector: u32, data: &[u8]) {
        let count = (data.len() / 512) as u16;
        let done = self.put(&block10(0x2A, sector, count), data);
        assert_eq!((done.status, done.residue), (0, 0), "WRITE(10) of {count} sectors at {sector}");
    }

    /// Sense key, code and qualifier of the last check condition.
    pub fn sense(&mut self) -> [u8; 3] {
        let data = self.get(&[0x03, 0, 0, 0, 18, 0], 18).data;
        [data[2], data[12], data[13]]
    }

    /// Ejects the drive like a file manager.
    pub fn eject(&mut self) {
        assert_eq!(self.get(&[0x1E, 0, 0, 0, 0, 0], 0).status, 0);
        assert_eq!(self.get(&[0x1B, 0, 0, 0, 2, 0], 0).status, 0);
    }
}

/// Panic payload: the device lost power in the middle of a command.
pub struct PowerLost;

/// Command block of ten bytes for a sector range.
pub fn block10(operation: u8, sector: u32, count: u16) -> Vec<u8> {
    let mut block = vec![operation, 0];
    block.extend(sector.to_be_bytes());
    block.push(0);
    block.extend(count.to_be_bytes());
    block.push(0);
    block
}
