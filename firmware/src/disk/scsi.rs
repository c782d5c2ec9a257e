//! SCSI command set of the drive.

use crate::disk::layout::SECTORS;

/// Maximum length of a response other than sectors.
pub const MAX_RESPONSE: usize = 36;

/// Command descriptor block (CDB), padded to 16 bytes.
pub type CommandBlock = [u8; 16];

/// Response to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// Success without data.
    Done,
    /// Data, truncated to the allocation length.
    Data(ResponseData),
    /// The host reads these sectors.
    Read(SectorRange),
    /// The host writes these sectors.
    Write(SectorRange),
    /// Success after a flush of the write cache.
    Flush,
    /// Failure. The sense data has the reason.
    CheckCondition,
}

/// Range of consecutive sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorRange {
    pub first: u32,
    pub count: u32,
}

/// Response data in a buffer of fixed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseData {
    pub bytes: [u8; MAX_RESPONSE],
    pub length: usize,
}

/// Response with `content`, truncated to the allocation length.
fn data(content: &[u8], allocation_length: usize) -> Response {
    let mut bytes = [0; MAX_RESPONSE];
    bytes.iter_mut().zip(content).for_each(|(to, from)| *to = *from);
    Response::Data(ResponseData { bytes, length: content.len().min(MAX_RESPONSE).min(allocation_length) })
}

/// State of the removable medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    Present,
    /// Present, with a pending unit attention: the content may have changed.
    Changed,
    /// Ejected by the host until the next connect.
    Ejected,
}

/// Sense data: the reason for a check condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sense {
    pub key: u8,
    pub code: u8,
    pub qualifier: u8,
}

impl Sense {
    const NONE: Self = Self { key: 0, code: 0, qualifier: 0 };
    const MEDIUM_NOT_PRESENT: Self = Self { key: 2, code: 0x3A, qualifier: 0 };
    const READ_ERROR: Self = Self { key: 3, code: 0x11, qualifier: 0 };
    const WRITE_ERROR: Self = Self { key: 3, code: 0x0C, qualifier: 0 };
    const INVALID_COMMAND: Self = Self { key: 5, code: 0x20, qualifier: 0 };
    const LBA_OUT_OF_RANGE: Self = Self { key: 5, code: 0x21, qualifier: 0 };
    const INVALID_FIELD: Self = Self { key: 5, code: 0x24, qualifier: 0 };
    const MEDIUM_CHANGED: Self = Self { key: 6, code: 0x28, qualifier: 0 };
}

/// SCSI logical unit.
pub struct LogicalUnit {
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

impl LogicalUnit {
    #[must_use]
    pub const fn new(serial: [u8; 16]) -> Self {
        Self { medium: Medium::Present, sense: Sense::NONE, serial }
    }

    #[must_use]
    pub const fn medium(&self) -> Medium {
        self.medium
    }

    /// Handles a connect: an ejected medium is present again and may have changed.
    pub fn connected(&mut self) {
        if self.medium == Medium::Ejected {
            self.medium = Medium::Changed;
        }
    }

    /// Sets the sense data after a failed read of the flash.
    pub fn read_failed(&mut self) {
        self.sense = Sense::READ_ERROR;
    }

    /// Sets the sense data after a failed write to the flash.
    pub fn write_failed(&mut self) {
        self.sense = Sense::WRITE_ERROR;
    }

    /// Executes a command.
    pub fn execute(&mut self, block: &CommandBlock) -> Response {
        match block[0] {
            operation::INQUIRY => return self.inquiry(block),
            operation::REQUEST_SENSE => return self.request_sense(block),
            _ => {}
        }
        if self.medium == Medium::Changed {
            self.medium = Medium::Present;
            return self.check_condition(Sense::MEDIUM_CHANGED);
        }
        self.sense = Sense::NONE;
        match block[0] {
            operation::START_STOP_UNIT => self.start_stop(block),
            operation::PREVENT_ALLOW if block[4] & 1 == 0 => Response::Flush,
            operation::PREVENT_ALLOW => Response::Done,
            // Header without mode pages: nothing to configure, no write protection.
            operation::MODE_SENSE_6 => data(&[3, 0, 0, 0], usize::from(block[4])),
            operation::MODE_SENSE_10 => data(&[0, 6, 0, 0, 0, 0, 0, 0], u16_at(block, 7)),
            _ if self.medium == Medium::Ejected && needs_medium(block[0]) => {
                self.check_condition(Sense::MEDIUM_NOT_PRESENT)
            }
            _ => self.execute_on_medium(block),
        }
    }

    /// Executes a command that needs the medium.
    fn execute_on_medium(&mut self, block: &CommandBlock) -> Response {
        match block[0] {
            operation::TEST_UNIT_READY => Response::Done,
            operation::READ_FORMAT_CAPACITIES => {
                let [a, b, c, d] = SECTORS.to_be_bytes();
                // One descriptor: formatted medium, sectors of 512 bytes.
                data(&[0, 0, 0, 8, a, b, c, d, 2, 0, 2, 0], u16_at(block, 7))
            }
            operation::READ_CAPACITY => {
                let [a, b, c, d] = (SECTORS - 1).to_be_bytes();
                data(&[a, b, c, d, 0, 0, 2, 0], MAX_RESPONSE)
            }
            operation::READ_10 => self.sector_range(block).map_or(Response::CheckCondition, Response::Read),
            operation::WRITE_10 => self.sector_range(block).map_or(Response::CheckCondition, Response::Write),
            // Byte comparison (BYTCHK) is not supported: no operating system uses it.
            operation::VERIFY_10 if block[1] & 0b110 != 0 => self.check_condition(Sense::INVALID_FIELD),
            operation::VERIFY_10 => self.sector_range(block).map_or(Response::CheckCondition, |_| Response::Done),
            operation::SYNCHRONIZE_CACHE => Response::Flush,
            _ => self.check_condition(Sense::INVALID_COMMAND),
        }
    }

    fn check_condition(&mut self, sense: Sense) -> Response {
        self.sense = sense;
        Response::CheckCondition
    }

    fn inquiry(&mut self, block: &CommandBlock) -> Response {
        let allocation_length = u16_at(block, 3);
        let wants_vital_product_data = block[1] & 1 == 1;
        match (wants_vital_product_data, block[2]) {
            (false, 0) => data(&standard_inquiry(), allocation_length),
            (true, 0) => data(&[0, 0, 0, 2, 0x00, 0x80], allocation_length),
            (true, 0x80) => data(&self.serial_number_page(), allocation_length),
            _ => self.check_condition(Sense::INVALID_FIELD),
        }
    }

    fn serial_number_page(&self) -> [u8; 20] {
        let mut page = [0; 20];
        page[1] = 0x80;
        page[3] = 16;
        page[4..].copy_from_slice(&self.serial);
        page
    }

    fn request_sense(&mut self, block: &CommandBlock) -> Response {
        let sense = match (self.sense, self.medium) {
            (Sense::NONE, Medium::Changed) => {
                self.medium = Medium::Present;
                Sense::MEDIUM_CHANGED
            }
            (Sense::NONE, Medium::Ejected) => Sense::MEDIUM_NOT_PRESENT,
            (sense, _) => sense,
        };
        self.sense = Sense::NONE;
        let mut content = [0; 18];
        content[0] = 0x70;
        content[2] = sense.key;
        content[7] = 10;
        content[12] = sense.code;
        content[13] = sense.qualifier;
        data(&content, usize::from(block[4]))
    }

    fn start_stop(&mut self, block: &CommandBlock) -> Response {
        let start = block[4] & 0b01 != 0;
        let load_or_eject = block[4] & 0b10 != 0;
        match (load_or_eject, start) {
            (true, false) => self.medium = Medium::Ejected,
            (true, true) if self.medium == Medium::Ejected => self.medium = Medium::Changed,
            _ => {}
        }
        Response::Flush
    }

    /// Sector range of a command. Sets the sense data if it is out of range.
    fn sector_range(&mut self, block: &CommandBlock) -> Option<SectorRange> {
        let first = u32::from_be_bytes([block[2], block[3], block[4], block[5]]);
        let count = u32::from(u16::from_be_bytes([block[7], block[8]]));
        if first.checked_add(count).is_some_and(|end| end <= SECTORS) {
            return Some(SectorRange { first, count });
        }
        self.sense = Sense::LBA_OUT_OF_RANGE;
        None
    }
}

fn standard_inquiry() -> [u8; 36] {
    let mut inquiry = *b"\0\0\0\0\0\0\0\0Nudge   Nudgelight      1.00";
    // Removable: Windows accepts a drive this small only with a removable medium.
    inquiry[1] = 0x80;
    inquiry[2] = 4;
    inquiry[3] = 2;
    inquiry[4] = 31;
    inquiry
}

fn needs_medium(code: u8) -> bool {
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

/// Big-endian 16-bit length at an offset.
fn u16_at(block: &CommandBlock, offset: usize) -> usize {
    let bytes = block.get(offset..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    usize::from(u16::from_be_bytes(bytes))
}
