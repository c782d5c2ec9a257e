//! USB's Bulk-Only Transport: a command in a wrapper, its data, a status, in packets of up to 64 bytes.
//!
//! It does not know of USB itself: [`Transport::turn`] says whose turn it is, and packets go in and out. Where the
//! protocol has an endpoint stall, a short packet or taking what nobody wants serves as well, for every host there is.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::scsi::{Answer, Medium, Reply, Span, Unit};
use crate::disk::sectors::{Sector, Sectors};
use crate::disk::wrapper::{Command, Direction};

/// The longest packet.
pub const PACKET: usize = 64;

const STATUS_SIGNATURE: [u8; 4] = *b"USBS";
const STATUS_LENGTH: usize = 13;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The host sends a packet.
    Receive,
    /// The drive sends one.
    Send,
    /// Some of what waits is to be stored before it goes on.
    Store,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed = 0,
    Failed = 1,
    /// The host and the drive do not agree on what was to be transferred.
    PhaseError = 2,
}

#[derive(Clone, Copy)]
enum Phase {
    Command,
    SendBytes {
        answer: Answer,
        sent: usize,
    },
    SendSectors {
        next: u32,
        left: u32,
        at: usize,
    },
    /// An empty packet, so that the host sees the end.
    EndShort,
    TakeSectors {
        next: u32,
        left: u32,
        at: usize,
    },
    /// What the host sends and nobody wants.
    TakeRest {
        left: u32,
    },
    Status,
}

/// The drive's end of the transport.
pub struct Transport {
    unit: Unit,
    phase: Phase,
    sector: Sector,
    tag: [u8; 4],
    /// How many bytes the host expects to be transferred, less those that were.
    residue: u32,
    outcome: Outcome,
    must_store: bool,
    written: u32,
}

impl Transport {
    #[must_use]
    pub const fn new(unit: Unit) -> Self {
        Self {
            unit,
            phase: Phase::Command,
            sector: [0; 512],
            tag: [0; 4],
            residue: 0,
            outcome: Outcome::Passed,
            must_store: false,
            written: 0,
        }
    }

    /// How many sectors were written since the start: whoever sees it change knows that there was a write.
    #[must_use]
    pub const fn written(&self) -> u32 {
        self.written
    }

    /// Whether the host may have the drive in use.
    #[must_use]
    pub const fn medium(&self) -> Medium {
        self.unit.medium()
    }

    /// The host begins anew.
    pub fn reset(&mut self) {
        self.phase = Phase::Command;
        self.must_store = false;
    }

    /// The plug was put in anew.
    pub fn plugged_in(&mut self) {
        self.reset();
        self.unit.plugged_in();
    }

    /// Whose turn it is.
    pub fn turn<F: NorFlash>(&mut self, sectors: &Sectors<'_, F>) -> Turn {
        match self.phase {
            Phase::TakeSectors { next, .. } if !sectors.has_room_for(next) => Turn::Store,
            Phase::Command | Phase::TakeSectors { .. } | Phase::TakeRest { .. } => Turn::Receive,
            Phase::Status if self.must_store && !sectors.is_stored() => Turn::Store,
            Phase::SendBytes { .. } | Phase::SendSectors { .. } | Phase::EndShort | Phase::Status => Turn::Send,
        }
    }

    /// Takes a packet from the host.
    pub fn receive<F: NorFlash>(&mut self, packet: &[u8], sectors: &mut Sectors<'_, F>) {
        match self.phase {
            Phase::TakeSectors { next, left, at } => {
                self.take_sectors(packet, sectors, Span { first: next, count: left }, at)
            }
            Phase::TakeRest { left } => self.take_rest(packet, left),
            // What does not look like a command is none; the host resets the transport and tries again.
            _ => {
                if let Some(command) = Command::of(packet) {
                    self.begin(&command);
                }
            }
        }
    }

    /// Puts the next packet for the host into `packet` and gives its length.
    pub fn send<F: NorFlash>(&mut self, packet: &mut [u8; PACKET], sectors: &mut Sectors<'_, F>) -> usize {
        match self.phase {
            Phase::SendBytes { answer, sent } => self.send_bytes(packet, &answer, sent),
            Phase::SendSectors { next, left, at } => self.send_sectors(packet, sectors, next, left, at),
            Phase::EndShort => {
                self.phase = Phase::Status;
                0
            }
            Phase::Status => self.send_status(packet),
            Phase::Command | Phase::TakeSectors { .. } | Phase::TakeRest { .. } => 0,
        }
    }

    fn begin(&mut self, command: &Command) {
        self.tag = command.tag;
        self.residue = command.length;
        self.outcome = Outcome::Passed;
        self.must_store = false;
        let reply = self.unit.command(&command.block);
        match (reply, command.direction) {
            (Reply::Bytes(answer), Direction::In) => self.answer(answer),
            (Reply::Read(span), Direction::In) if span.count > 0 => self.read(span),
            (Reply::Write(span), Direction::Out) if span.count > 0 => self.write(span),
            (Reply::Store, direction) => {
                self.must_store = true;
                self.nothing_to_transfer(direction);
            }
            (Reply::Done, direction) => self.nothing_to_transfer(direction),
            (Reply::Read(span) | Reply::Write(span), direction) if span.count == 0 => {
                self.nothing_to_transfer(direction)
            }
            (Reply::Bytes(answer), direction) if answer.length == 0 => self.nothing_to_transfer(direction),
            (Reply::Refused, direction) => {
                self.outcome = Outcome::Failed;
                self.nothing_to_transfer(direction);
            }
            // The host means the other direction, or none.
            (Reply::Bytes(_) | Reply::Read(_) | Reply::Write(_), direction) => {
                self.outcome = Outcome::PhaseError;
                self.nothing_to_transfer(direction);
            }
        }
    }

    fn nothing_to_transfer(&mut self, direction: Direction) {
        self.phase = match (self.residue, direction) {
            (0, _) => Phase::Status,
            (_, Direction::In) => Phase::EndShort,
            (left, Direction::Out) => Phase::TakeRest { left },
        };
    }

    fn answer(&mut self, answer: Answer) {
        let allowed = usize::try_from(self.residue).unwrap_or(usize::MAX);
        let answer = Answer { length: answer.length.min(allowed), ..answer };
        if answer.length == 0 {
            return self.nothing_to_transfer(Direction::In);
        }
        self.phase = Phase::SendBytes { answer, sent: 0 };
    }

    /// Sectors to the host: as many whole ones as it wants.
    fn read(&mut self, span: Span) {
        let left = self.agreed(span.count);
        if left == 0 {
            return self.nothing_to_transfer(Direction::In);
        }
        self.phase = Phase::SendSectors { next: span.first, left, at: 0 };
    }

    fn write(&mut self, span: Span) {
        let left = self.agreed(span.count);
        if left == 0 {
            return self.nothing_to_transfer(Direction::Out);
        }
        self.phase = Phase::TakeSectors { next: span.first, left, at: 0 };
    }

    /// How many sectors are transferred when the command says `count` and the wrapper says how many bytes.
    fn agreed(&mut self, count: u32) -> u32 {
        let expected = self.residue / 512;
        if expected < count {
            self.outcome = Outcome::PhaseError;
        }
        expected.min(count)
    }

    fn send_bytes(&mut self, packet: &mut [u8; PACKET], answer: &Answer, sent: usize) -> usize {
        let rest = answer.bytes.get(sent..answer.length).unwrap_or_default();
        let length = rest.len().min(PACKET);
        packet.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.transferred(length);
        // An answer is shorter than a packet, so it ends by itself.
        self.phase = Phase::Status;
        length
    }

    fn send_sectors<F: NorFlash>(
        &mut self,
        packet: &mut [u8; PACKET],
        sectors: &mut Sectors<'_, F>,
        next: u32,
        left: u32,
        at: usize,
    ) -> usize {
        if at == 0 && sectors.read(next, &mut self.sector).is_err() {
            self.unit.read_failed();
            self.outcome = Outcome::Failed;
            self.phase = Phase::Status;
            return 0;
        }
        if let Some(part) = self.sector.get(at..).and_then(|rest| rest.first_chunk()) {
            *packet = *part;
        }
        self.transferred(PACKET);
        self.phase = match (at + PACKET, left) {
            (512, 1) if self.residue > 0 => Phase::EndShort,
            (512, 1) => Phase::Status,
            (512, _) => Phase::SendSectors { next: next + 1, left: left - 1, at: 0 },
            (at, _) => Phase::SendSectors { next, left, at },
        };
        PACKET
    }

    fn take_sectors<F: NorFlash>(&mut self, packet: &[u8], sectors: &mut Sectors<'_, F>, span: Span, at: usize) {
        let Span { first: next, count: left } = span;
        let room = self.sector.get_mut(at..).unwrap_or_default();
        let taken = room.len().min(packet.len());
        room.iter_mut().zip(packet).for_each(|(to, from)| *to = *from);
        self.transferred(packet.len());
        if at + taken < 512 {
            // A short packet ends what the host sends; half a sector is not written.
            self.phase =
                if packet.len() < PACKET { Phase::Status } else { Phase::TakeSectors { next, left, at: at + taken } };
            if packet.len() < PACKET {
                self.outcome = Outcome::PhaseError;
            }
            return;
        }
        self.written = self.written.wrapping_add(1);
        if sectors.write(next, &self.sector).is_err() {
            self.unit.write_failed();
            self.outcome = Outcome::Failed;
            return self.nothing_to_transfer(Direction::Out);
        }
        if left == 1 {
            return self.nothing_to_transfer(Direction::Out);
        }
        self.phase = Phase::TakeSectors { next: next + 1, left: left - 1, at: 0 };
    }

    fn take_rest(&mut self, packet: &[u8], left: u32) {
        let left = left.saturating_sub(u32::try_from(packet.len()).unwrap_or(left));
        let goes_on = left > 0 && packet.len() == PACKET;
        self.phase = if goes_on { Phase::TakeRest { left } } else { Phase::Status };
    }

    fn send_status(&mut self, packet: &mut [u8; PACKET]) -> usize {
        packet[..4].copy_from_slice(&STATUS_SIGNATURE);
        packet[4..8].copy_from_slice(&self.tag);
        packet[8..12].copy_from_slice(&self.residue.to_le_bytes());
        packet[12] = self.outcome as u8;
        self.phase = Phase::Command;
        self.must_store = false;
        STATUS_LENGTH
    }

    fn transferred(&mut self, bytes: usize) {
        self.residue = self.residue.saturating_sub(u32::try_from(bytes).unwrap_or(u32::MAX));
    }
}
