//! A computer at the other end of the cable.

use firmware::device::{Buffers, Device, Duty};
use firmware::disk::bulk_only::{PACKET, Turn};
use firmware::report::{Clock, Facts, Start, Verdict, Wifi};
use wasm_core::schedule::Schedule;

use super::Flash;

pub fn facts() -> Facts {
    Facts {
        serial: *b"E6614103E7452D2F",
        start: Start::PluggedIn,
        wifi: Wifi::NotSet,
        clock: Clock { now: None, set_ago: None },
    }
}

/// What a command came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Completion {
    pub data: Vec<u8>,
    pub status: u8,
    pub residue: u32,
}

/// A device and the computer it is plugged into. Time passes only when told to.
pub struct Bench<'m> {
    pub device: Device<'m, Flash>,
    pub schedule: Schedule,
    pub verdict: Verdict,
    pub uptime: u64,
    tag: u32,
}

impl<'m> Bench<'m> {
    /// Gives the device power. Its buffers live as long as the test: a device has them in a `static`.
    pub fn start(flash: &Flash) -> Option<Self> {
        let buffers = Box::leak(Box::new(Buffers::new()));
        let mut schedule = Schedule::EMPTY;
        let (device, verdict) = Device::start(flash.clone(), buffers, &facts(), &mut schedule).ok()?;
        Some(Self { device, schedule, verdict, uptime: 0, tag: 0 })
    }

    /// Lets time pass, with everything the device does in it; gives its verdict if it took a file up.
    pub fn pass(&mut self, ms: u64) -> Option<Verdict> {
        let end = self.uptime + ms;
        let mut taken = None;
        loop {
            match self.device.duty(self.uptime) {
                Duty::Store => drop(self.device.store_step().ok()?),
                Duty::TakeUp => taken = Some(self.device.take_up(&mut self.schedule).ok()?),
                Duty::RenewStatus => drop(self.device.renew_status(&facts(), &mut self.schedule, self.uptime).ok()?),
                Duty::Rest { until: Some(until) } if until <= end => self.uptime = until,
                Duty::Rest { .. } => break,
            }
        }
        self.uptime = end;
        taken
    }

    /// Sends a command that gets data, or that transfers none (`length` 0).
    pub fn get(&mut self, block: &[u8], length: u32) -> Completion {
        self.command(block, length, 0x80, &[])
    }

    /// Sends a command with data.
    pub fn put(&mut self, block: &[u8], data: &[u8]) -> Completion {
        self.command(block, data.len() as u32, 0x00, data)
    }

    pub fn command(&mut self, block: &[u8], length: u32, direction: u8, data: &[u8]) -> Completion {
        self.tag += 1;
        let mut wrapper = Vec::from(*b"USBC");
        wrapper.extend(self.tag.to_le_bytes());
        wrapper.extend(length.to_le_bytes());
        wrapper.extend([direction, 0, block.len() as u8]);
        wrapper.extend(block);
        wrapper.resize(31, 0);
        assert_eq!(self.turn(), Turn::Receive, "the device waits for a command");
        self.device.receive(&wrapper, self.uptime);
        let mut packets = data.chunks(PACKET);
        let mut received = Vec::new();
        loop {
            match self.turn() {
                Turn::Receive => {
                    self.device.receive(packets.next().expect("the device takes no more than was sent"), self.uptime)
                }
                Turn::Send => {
                    let mut packet = [0; PACKET];
                    let length = self.device.send(&mut packet);
                    let is_status = length == 13 && packet.starts_with(b"USBS");
                    if is_status {
                        assert_eq!(packet[4..8], self.tag.to_le_bytes(), "the status is this command's");
                        let residue = u32::from_le_bytes(packet[8..12].try_into().unwrap());
                        assert!(packets.next().is_none(), "the device took everything");
                        return Completion { data: received, status: packet[12], residue };
                    }
                    received.extend(&packet[..length]);
                }
                Turn::Store => unreachable!("stored by turn"),
            }
        }
    }

    /// Whose turn it is, after what had to be stored first.
    fn turn(&mut self) -> Turn {
        loop {
            match self.device.turn() {
                Turn::Store => {
                    if self.device.store_step().is_err() {
                        // The power is gone; a real host would see the device vanish.
                        std::panic::panic_any(PowerLost);
                    }
                }
                turn => return turn,
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

    /// The key, code and qualifier of the last refusal.
    pub fn sense(&mut self) -> [u8; 3] {
        let data = self.get(&[0x03, 0, 0, 0, 18, 0], 18).data;
        [data[2], data[12], data[13]]
    }

    /// As a file manager ejects.
    pub fn eject(&mut self) {
        assert_eq!(self.get(&[0x1E, 0, 0, 0, 0, 0], 0).status, 0);
        assert_eq!(self.get(&[0x1B, 0, 0, 0, 2, 0], 0).status, 0);
    }
}

/// Thrown by a test's host when the device is without power in the middle of a command.
pub struct PowerLost;

/// A command of ten bytes for some sectors.
pub fn block10(operation: u8, sector: u32, count: u16) -> Vec<u8> {
    let mut block = vec![operation, 0];
    block.extend(sector.to_be_bytes());
    block.push(0);
    block.extend(count.to_be_bytes());
    block.push(0);
    block
}
