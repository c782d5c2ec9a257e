//! The SCSI commands that computers send to a USB drive, and what the drive answers.

use crate::disk::layout::SECTORS;

/// The longest answer that is not sectors.
pub const LONGEST: usize = 36;

/// A command's block, as it comes in the wrapper.
pub type Block = [u8; 16];

/// What a command asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done, and there is nothing to say.
    Done,
    /// These bytes, as many as the host allowed.
    Bytes(Answer),
    /// The content of these sectors.
    Read(Span),
    /// These sectors are to be written.
    Write(Span),
    /// It is done once everything is stored.
    Store,
    /// It was refused; the sense says why.
    Refused,
}

/// Neighbouring sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub first: u32,
    pub count: u32,
}

/// A short answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub bytes: [u8; LONGEST],
    pub length: usize,
}

/// Some bytes, of which the host takes at most `allowed`.
fn bytes(content: &[u8], allowed: usize) -> Reply {
    let mut bytes = [0; LONGEST];
    bytes.iter_mut().zip(content).for_each(|(to, from)| *to = *from);
    Reply::Bytes(Answer { bytes, length: content.len().min(LONGEST).min(allowed) })
}

/// Whether the drive is there for the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    Present,
    /// It is, and the host has to be told that it may have changed.
    Changed,
    /// The host let it go, until the plug is drawn.
    Ejected,
}

/// Why the last command was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sense {
    pub key: u8,
    pub code: u8,
    pub qualifier: u8,
}

impl Sense {
    const NONE: Self = Self { key: 0, code: 0, qualifier: 0 };
    const NO_MEDIUM: Self = Self { key: 2, code: 0x3A, qualifier: 0 };
    const READ_FAULT: Self = Self { key: 3, code: 0x11, qualifier: 0 };
    const WRITE_FAULT: Self = Self { key: 3, code: 0x0C, qualifier: 0 };
    const UNKNOWN_COMMAND: Self = Self { key: 5, code: 0x20, qualifier: 0 };
    const BEYOND_END: Self = Self { key: 5, code: 0x21, qualifier: 0 };
    const UNKNOWN_FIELD: Self = Self { key: 5, code: 0x24, qualifier: 0 };
    const MEDIUM_CHANGED: Self = Self { key: 6, code: 0x28, qualifier: 0 };
}

/// The drive, as commands see it.
pub struct Unit {
    medium: Medium,
    sense: Sense,
    serial: [u8; 16],
}

mod operation {
    pub const TEST_UNIT_READY: u8 = 0x00;
    pub const REQUEST_SENSE: u8 = 0x03;
    pub const INQUIRY: u8 = 0x12;
    pub const MODE_SENSE_6: u8 = 0x1A;
    pub const START_STOP_UNIT: u8 = 0x1B;
    pub const PREVENT_ALLOW: u8 = 0x1E;
    pub const READ_FORMAT_CAPACITIES: u8 = 0x23;
    pub const READ_CAPACITY: u8 = 0x25;
    pub const READ_10: u8 = 0x28;
    pub const WRITE_10: u8 = 0x2A;
    pub const VERIFY_10: u8 = 0x2F;
    pub const SYNCHRONIZE_CACHE: u8 = 0x35;
    pub const MODE_SENSE_10: u8 = 0x5A;
}

impl Unit {
    /// A drive with a serial number of 16 characters.
    #[must_use]
    pub const fn new(serial: [u8; 16]) -> Self {
        Self { medium: Medium::Present, sense: Sense::NONE, serial }
    }

    /// Whether the host may have the drive in use.
    #[must_use]
    pub const fn medium(&self) -> Medium {
        self.medium
    }

    /// The plug was put in anew: what was ejected is back, and may have changed.
    pub fn plugged_in(&mut self) {
        if self.medium == Medium::Ejected {
            self.medium = Medium::Changed;
        }
    }

    /// Sectors could not be read.
    pub fn read_failed(&mut self) {
        self.sense = Sense::READ_FAULT;
    }

    /// Sectors could not be written.
    pub fn write_failed(&mut self) {
        self.sense = Sense::WRITE_FAULT;
    }

    /// What to do for a command.
    pub fn command(&mut self, block: &Block) -> Reply {
        match block[0] {
            operation::INQUIRY => return self.inquiry(block),
            operation::REQUEST_SENSE => return self.request_sense(block),
            _ => {}
        }
        if self.medium == Medium::Changed {
            self.medium = Medium::Present;
            return self.refuse(Sense::MEDIUM_CHANGED);
        }
        self.sense = Sense::NONE;
        match block[0] {
            operation::START_STOP_UNIT => self.start_stop(block),
            operation::PREVENT_ALLOW if block[4] & 1 == 0 => Reply::Store,
            operation::PREVENT_ALLOW => Reply::Done,
            // Three bytes of header and no page: the drive has nothing to set, and is not protected.
            operation::MODE_SENSE_6 => bytes(&[3, 0, 0, 0], usize::from(block[4])),
            operation::MODE_SENSE_10 => bytes(&[0, 6, 0, 0, 0, 0, 0, 0], pair(block[7], block[8])),
            _ if self.medium == Medium::Ejected && is_about_the_medium(block[0]) => self.refuse(Sense::NO_MEDIUM),
            operation::TEST_UNIT_READY => Reply::Done,
            operation::READ_FORMAT_CAPACITIES => {
                let [a, b, c, d] = SECTORS.to_be_bytes();
                // One descriptor: formatted, sectors of 512 bytes.
                bytes(&[0, 0, 0, 8, a, b, c, d, 2, 0, 2, 0], pair(block[7], block[8]))
            }
            operation::READ_CAPACITY => {
                let [a, b, c, d] = (SECTORS - 1).to_be_bytes();
                bytes(&[a, b, c, d, 0, 0, 2, 0], LONGEST)
            }
            operation::READ_10 => self.span(block).map_or(Reply::Refused, Reply::Read),
            operation::WRITE_10 => self.span(block).map_or(Reply::Refused, Reply::Write),
            // Whoever wants the bytes compared sends them along, which nobody does.
            operation::VERIFY_10 if block[1] & 0b110 != 0 => self.refuse(Sense::UNKNOWN_FIELD),
            operation::VERIFY_10 => self.span(block).map_or(Reply::Refused, |_| Reply::Done),
            operation::SYNCHRONIZE_CACHE => Reply::Store,
            _ => self.refuse(Sense::UNKNOWN_COMMAND),
        }
    }

    fn refuse(&mut self, sense: Sense) -> Reply {
        self.sense = sense;
        Reply::Refused
    }

    fn inquiry(&mut self, block: &Block) -> Reply {
        let allowed = pair(block[3], block[4]);
        let is_vital = block[1] & 1 == 1;
        match (is_vital, block[2]) {
            (false, 0) => {
                let mut answer = *b"\0\0\0\0\0\0\0\0Nudge   Nudgelight      1.00";
                // A removable medium: Windows takes a drive this small for nothing else.
                answer[1] = 0x80;
                answer[2] = 4;
                answer[3] = 2;
                answer[4] = 31;
                bytes(&answer, allowed)
            }
            (true, 0) => bytes(&[0, 0, 0, 2, 0x00, 0x80], allowed),
            (true, 0x80) => {
                let mut answer = [0; 20];
                answer[1] = 0x80;
                answer[3] = 16;
                answer[4..].copy_from_slice(&self.serial);
                bytes(&answer, allowed)
            }
            _ => self.refuse(Sense::UNKNOWN_FIELD),
        }
    }

    fn request_sense(&mut self, block: &Block) -> Reply {
        let sense = match (self.sense, self.medium) {
            (Sense::NONE, Medium::Changed) => {
                self.medium = Medium::Present;
                Sense::MEDIUM_CHANGED
            }
            (Sense::NONE, Medium::Ejected) => Sense::NO_MEDIUM,
            (sense, _) => sense,
        };
        self.sense = Sense::NONE;
        let mut answer = [0; 18];
        answer[0] = 0x70;
        answer[2] = sense.key;
        answer[7] = 10;
        answer[12] = sense.code;
        answer[13] = sense.qualifier;
        bytes(&answer, usize::from(block[4]))
    }

    fn start_stop(&mut self, block: &Block) -> Reply {
        let starts = block[4] & 0b01 != 0;
        let loads_or_ejects = block[4] & 0b10 != 0;
        match (loads_or_ejects, starts) {
            (true, false) => self.medium = Medium::Ejected,
            (true, true) if self.medium == Medium::Ejected => self.medium = Medium::Changed,
            _ => {}
        }
        Reply::Store
    }

    /// The sectors that a command names, if the drive has them.
    fn span(&mut self, block: &Block) -> Option<Span> {
        let first = u32::from_be_bytes([block[2], block[3], block[4], block[5]]);
        let count = u32::from(u16::from_be_bytes([block[7], block[8]]));
        if first.checked_add(count).is_some_and(|end| end <= SECTORS) {
            return Some(Span { first, count });
        }
        self.sense = Sense::BEYOND_END;
        None
    }
}

fn is_about_the_medium(code: u8) -> bool {
    matches!(
        code,
        operation::TEST_UNIT_READY
            | operation::READ_FORMAT_CAPACITIES
            | operation::READ_CAPACITY
            | operation::READ_10
            | operation::WRITE_10
            | operation::VERIFY_10
            | operation::SYNCHRONIZE_CACHE
    )
}

/// A length of two bytes.
fn pair(high: u8, low: u8) -> usize {
    usize::from(u16::from_be_bytes([high, low]))
}
