//! Last good schedule, stored outside the drive where the host cannot reach it.
//!
//! Two slots alternate. A save writes only the older slot, so a power loss at any moment leaves one valid slot.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::FlashError;
use crate::disk::crc32::Crc32;
use crate::disk::layout::{LAST_GOOD, LAST_GOOD_SLOT, MAX_TEXT, PAGE_LENGTH};

/// First bytes of a slot.
const MAGIC: [u8; 4] = *b"NLK1";

/// Header of a slot.
#[derive(Clone, Copy)]
struct Header {
    sequence: u32,
    length: u32,
    crc: u32,
}

/// Reads the newest valid text into `buffer` and returns its length. None if no slot is valid.
pub fn load<F: NorFlash>(flash: &mut F, buffer: &mut [u8; MAX_TEXT]) -> Result<Option<usize>, FlashError> {
    let Some((slot, header)) = newest(flash)? else { return Ok(None) };
    let text = buffer.get_mut(..header.length as usize).ok_or(FlashError)?;
    flash.read(text_address(slot), text).map_err(|_| FlashError)?;
    Ok(Some(text.len()))
}

/// Saves `text` as the last good schedule. An unchanged text causes no flash wear.
pub fn save<F: NorFlash>(flash: &mut F, text: &[u8]) -> Result<(), FlashError> {
    let newest = newest(flash)?;
    if newest.is_some_and(|(_, header)| header.crc == crc(header.sequence, text)) {
        return Ok(());
    }
    let (slot, sequence) = newest.map_or((0, 1), |(slot, header)| (1 - slot, header.sequence.wrapping_add(1)));
    let length = u32::try_from(text.len()).ok().filter(|_| text.len() <= MAX_TEXT).ok_or(FlashError)?;
    let start = slot_address(slot);
    flash.erase(start, start + PAGE_LENGTH + length.next_multiple_of(PAGE_LENGTH)).map_err(|_| FlashError)?;
    flash.write(text_address(slot), text).map_err(|_| FlashError)?;
    flash.write(start, &Header { sequence, length, crc: crc(sequence, text) }.to_bytes()).map_err(|_| FlashError)
}

impl Header {
    fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.crc.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        let [m0, m1, m2, m3, q0, q1, q2, q3, l0, l1, l2, l3, c0, c1, c2, c3] = bytes;
        let [sequence, length, crc] = [[q0, q1, q2, q3], [l0, l1, l2, l3], [c0, c1, c2, c3]].map(u32::from_le_bytes);
        let is_header = [m0, m1, m2, m3] == MAGIC && length as usize <= MAX_TEXT;
        is_header.then_some(Self { sequence, length, crc })
    }

    /// Reads and validates a slot. None if the header is missing or does not match the text.
    fn read<F: NorFlash>(flash: &mut F, slot: u32) -> Result<Option<Self>, FlashError> {
        let mut bytes = [0; 16];
        flash.read(slot_address(slot), &mut bytes).map_err(|_| FlashError)?;
        let Some(header) = Self::from_bytes(bytes) else { return Ok(None) };
        Ok((header.stored_crc(flash, slot)? == header.crc).then_some(header))
    }

    /// Checksum of the text in flash.
    fn stored_crc<F: NorFlash>(self, flash: &mut F, slot: u32) -> Result<u32, FlashError> {
        let mut crc = Crc32::new().with(&self.sequence.to_le_bytes());
        let mut chunk = [0; 256];
        let (mut address, mut left) = (text_address(slot), self.length as usize);
        while left > 0 {
            let bytes = chunk.get_mut(..left.min(256)).ok_or(FlashError)?;
            flash.read(address, bytes).map_err(|_| FlashError)?;
            crc = crc.with(bytes);
            left -= bytes.len();
            address += 256;
        }
        Ok(crc.value())
    }
}

fn newest<F: NorFlash>(flash: &mut F) -> Result<Option<(u32, Header)>, FlashError> {
    Ok(match (Header::read(flash, 0)?, Header::read(flash, 1)?) {
        // Sequence numbers wrap around: the one that is ahead by one is newer.
        (Some(first), Some(second)) if second.sequence.wrapping_sub(first.sequence) == 1 => Some((1, second)),
        (Some(first), _) => Some((0, first)),
        (None, second) => second.map(|header| (1, header)),
    })
}

fn slot_address(slot: u32) -> u32 {
    LAST_GOOD + slot * LAST_GOOD_SLOT
}

fn text_address(slot: u32) -> u32 {
    slot_address(slot) + PAGE_LENGTH
}

/// Checksum of sequence number and text. It detects a partially programmed sequence number.
fn crc(sequence: u32, text: &[u8]) -> u32 {
    Crc32::new().with(&sequence.to_le_bytes()).with(text).value()
}
