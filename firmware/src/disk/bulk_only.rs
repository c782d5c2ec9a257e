//! USB Mass Storage Bulk-Only Transport (BBB): command, data and status phase in packets of up to 64 bytes.
//!
//! The state machine does not depend on a USB stack: [`Transport::next_action`] returns the next action, and packets
//! go in and out. Instead of an endpoint stall it sends a short packet or discards data, which all hosts accept.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::cbw::{CommandBlockWrapper, Direction};
use crate::disk::scsi::{LogicalUnit, Medium, Response, ResponseData, SectorRange};
use crate::disk::sectors::{Sector, Sectors};

/// Maximum packet size of a full-speed bulk endpoint.
pub const PACKET_SIZE: usize = 64;

/// Command Status Wrapper (CSW).
const CSW_SIGNATURE: [u8; 4] = *b"USBS";
const CSW_LENGTH: usize = 13;

/// Next action on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Wait for a packet from the host.
    Receive,
    /// Send a packet to the host.
    Send,
    /// Flush a part of the write cache before the transfer continues.
    Flush,
}

/// Status of a command in the CSW.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandStatus {
    Passed = 0,
    Failed = 1,
    /// Host and drive disagree about the data transfer.
    PhaseError = 2,
}

#[derive(Clone, Copy)]
enum Phase {
    Command,
    SendData {
        data: ResponseData,
    },
    SendSectors {
        next: u32,
        left: u32,
        offset: usize,
    },
    /// Zero-length packet that ends the data phase.
    SendZeroLength,
    ReceiveSectors {
        next: u32,
        left: u32,
        offset: usize,
    },
    /// Excess data from the host.
    Discard {
        left: u32,
    },
    Status,
}

/// Device side of the transport.
pub struct Transport {
    unit: LogicalUnit,
    phase: Phase,
    sector: Sector,
    tag: [u8; 4],
    /// Bytes that the host expects, minus the bytes transferred.
    residue: u32,
    status: CommandStatus,
    must_flush: bool,
    write_count: u32,
}

impl Transport {
    #[must_use]
    pub const fn new(unit: LogicalUnit) -> Self {
        Self {
            unit,
            phase: Phase::Command,
            sector: [0; 512],
            tag: [0; 4],
            residue: 0,
            status: CommandStatus::Passed,
            must_flush: false,
            write_count: 0,
        }
    }

    /// Number of sectors written since the start. A change means that the host wrote.
    #[must_use]
    pub const fn write_count(&self) -> u32 {
        self.write_count
    }

    /// State of the medium.
    #[must_use]
    pub const fn medium(&self) -> Medium {
        self.unit.medium()
    }

    /// Handles a reset by the host.
    pub fn reset(&mut self) {
        self.phase = Phase::Command;
        self.must_flush = false;
    }

    /// Handles a connect.
    pub fn connected(&mut self) {
        self.reset();
        self.unit.connected();
    }

    /// Next action on the bus.
    pub fn next_action<F: NorFlash>(&mut self, sectors: &Sectors<'_, F>) -> Action {
        match self.phase {
            Phase::ReceiveSectors { next, .. } if !sectors.has_room_for(next) => Action::Flush,
            Phase::Command | Phase::ReceiveSectors { .. } | Phase::Discard { .. } => Action::Receive,
            Phase::Status if self.must_flush && !sectors.is_clean() => Action::Flush,
            Phase::SendData { .. } | Phase::SendSectors { .. } | Phase::SendZeroLength | Phase::Status => Action::Send,
        }
    }

    /// Handles a packet from the host.
    pub fn receive<F: NorFlash>(&mut self, packet: &[u8], sectors: &mut Sectors<'_, F>) {
        match self.phase {
            Phase::ReceiveSectors { next, left, offset } => {
                self.receive_sectors(packet, sectors, SectorRange { first: next, count: left }, offset)
            }
            Phase::Discard { left } => self.discard(packet, left),
            // An invalid wrapper is ignored: the host resets the transport and retries.
            _ => {
                if let Some(command) = CommandBlockWrapper::parse(packet) {
                    self.begin(&command);
                }
            }
        }
    }

    /// Fills the next packet for the host and returns its length.
    pub fn send<F: NorFlash>(&mut self, packet: &mut [u8; PACKET_SIZE], sectors: &mut Sectors<'_, F>) -> usize {
        match self.phase {
            Phase::SendData { data } => self.send_data(packet, &data),
            Phase::SendSectors { next, left, offset } => self.send_sectors(packet, sectors, next, left, offset),
            Phase::SendZeroLength => {
                self.phase = Phase::Status;
                0
            }
            Phase::Status => self.send_csw(packet),
            Phase::Command | Phase::ReceiveSectors { .. } | Phase::Discard { .. } => 0,
        }
    }

    fn begin(&mut self, command: &CommandBlockWrapper) {
        self.tag = command.tag;
        self.residue = command.length;
        self.status = CommandStatus::Passed;
        let response = self.unit.execute(&command.block);
        self.must_flush = response == Response::Flush;
        match (response, command.direction) {
            (Response::Data(data), Direction::In) => self.begin_data(data),
            (Response::Read(range), Direction::In) => self.begin_read(range),
            (Response::Write(range), Direction::Out) => self.begin_write(range),
            (response, direction) => {
                self.status = status_without_data(response);
                self.end_data_phase(direction);
            }
        }
    }

    /// Ends the data phase: the host still expects `residue` bytes.
    fn end_data_phase(&mut self, direction: Direction) {
        self.phase = match (self.residue, direction) {
            (0, _) => Phase::Status,
            (_, Direction::In) => Phase::SendZeroLength,
            (left, Direction::Out) => Phase::Discard { left },
        };
    }

    fn begin_data(&mut self, data: ResponseData) {
        let expected = usize::try_from(self.residue).unwrap_or(usize::MAX);
        let data = ResponseData { length: data.length.min(expected), ..data };
        if data.length == 0 {
            return self.end_data_phase(Direction::In);
        }
        self.phase = Phase::SendData { data };
    }

    fn begin_read(&mut self, range: SectorRange) {
        let left = self.transfer_count(range.count);
        if left == 0 {
            return self.end_data_phase(Direction::In);
        }
        self.phase = Phase::SendSectors { next: range.first, left, offset: 0 };
    }

    fn begin_write(&mut self, range: SectorRange) {
        let left = self.transfer_count(range.count);
        if left == 0 {
            return self.end_data_phase(Direction::Out);
        }
        self.phase = Phase::ReceiveSectors { next: range.first, left, offset: 0 };
    }

    /// Number of sectors to transfer: the smaller one of the counts in the command and in its wrapper.
    fn transfer_count(&mut self, count: u32) -> u32 {
        let expected = self.residue / 512;
        if expected < count {
            self.status = CommandStatus::PhaseError;
        }
        expected.min(count)
    }

    /// Sends a response in one packet: [`ResponseData`] is shorter than a packet.
    fn send_data(&mut self, packet: &mut [u8; PACKET_SIZE], data: &ResponseData) -> usize {
        let bytes = data.bytes.get(..data.length).unwrap_or_default();
        packet.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        self.count_transferred(bytes.len());
        self.phase = Phase::Status;
        bytes.len()
    }

    fn send_sectors<F: NorFlash>(
        &mut self,
        packet: &mut [u8; PACKET_SIZE],
        sectors: &mut Sectors<'_, F>,
        next: u32,
        left: u32,
        offset: usize,
    ) -> usize {
        if offset == 0 && sectors.read(next, &mut self.sector).is_err() {
            self.unit.read_failed();
            self.status = CommandStatus::Failed;
            self.phase = Phase::Status;
            return 0;
        }
        if let Some(chunk) = self.sector.get(offset..).and_then(|rest| rest.first_chunk()) {
            *packet = *chunk;
        }
        self.count_transferred(PACKET_SIZE);
        self.phase = match (offset + PACKET_SIZE, left) {
            (512, 1) if self.residue > 0 => Phase::SendZeroLength,
            (512, 1) => Phase::Status,
            (512, _) => Phase::SendSectors { next: next + 1, left: left - 1, offset: 0 },
            (offset, _) => Phase::SendSectors { next, left, offset },
        };
        PACKET_SIZE
    }

    fn receive_sectors<F: NorFlash>(
        &mut self,
        packet: &[u8],
        sectors: &mut Sectors<'_, F>,
        range: SectorRange,
        offset: usize,
    ) {
        let SectorRange { first: next, count: left } = range;
        let room = self.sector.get_mut(offset..).unwrap_or_default();
        let received = room.len().min(packet.len());
        room.iter_mut().zip(packet).for_each(|(to, from)| *to = *from);
        self.count_transferred(packet.len());
        if offset + received == 512 {
            return self.write_sector(sectors, range);
        }
        if packet.len() == PACKET_SIZE {
            self.phase = Phase::ReceiveSectors { next, left, offset: offset + received };
            return;
        }
        // A short packet ends the transfer. The incomplete sector is not written.
        self.status = CommandStatus::PhaseError;
        self.phase = Phase::Status;
    }

    /// Writes the received sector and continues with the rest of the range.
    fn write_sector<F: NorFlash>(&mut self, sectors: &mut Sectors<'_, F>, range: SectorRange) {
        let SectorRange { first: next, count: left } = range;
        self.write_count = self.write_count.wrapping_add(1);
        if sectors.write(next, &self.sector).is_err() {
            self.unit.write_failed();
            self.status = CommandStatus::Failed;
            return self.end_data_phase(Direction::Out);
        }
        if left == 1 {
            return self.end_data_phase(Direction::Out);
        }
        self.phase = Phase::ReceiveSectors { next: next + 1, left: left - 1, offset: 0 };
    }

    fn discard(&mut self, packet: &[u8], left: u32) {
        let left = left.saturating_sub(u32::try_from(packet.len()).unwrap_or(left));
        let continues = left > 0 && packet.len() == PACKET_SIZE;
        self.phase = if continues { Phase::Discard { left } } else { Phase::Status };
    }

    fn send_csw(&mut self, packet: &mut [u8; PACKET_SIZE]) -> usize {
        packet[..4].copy_from_slice(&CSW_SIGNATURE);
        packet[4..8].copy_from_slice(&self.tag);
        packet[8..12].copy_from_slice(&self.residue.to_le_bytes());
        packet[12] = self.status as u8;
        self.phase = Phase::Command;
        self.must_flush = false;
        CSW_LENGTH
    }

    fn count_transferred(&mut self, bytes: usize) {
        self.residue = self.residue.saturating_sub(u32::try_from(bytes).unwrap_or(u32::MAX));
    }
}

/// Status of a command without a data phase. Data in a direction that the host does not expect is a phase error.
fn status_without_data(response: Response) -> CommandStatus {
    match response {
        Response::Done | Response::Flush => CommandStatus::Passed,
        Response::CheckCondition => CommandStatus::Failed,
        Response::Data(data) if data.length == 0 => CommandStatus::Passed,
        Response::Read(range) | Response::Write(range) if range.count == 0 => CommandStatus::Passed,
        Response::Data(_) | Response::Read(_) | Response::Write(_) => CommandStatus::PhaseError,
    }
}
