//! The last good schedule, kept outside the drive where no host can reach it.
//!
//! Two slots take turns: the newer one is never touched while the other is written, so a loss of power at any moment
//! leaves one of them whole.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::FlashFault;
use crate::disk::checksum::Checksum;
use crate::disk::layout::{KEPT, KEPT_SLOT, LONGEST_TEXT, PAGE_LENGTH};

/// Begins a slot: "NLK1".
const MAGIC: [u8; 4] = *b"NLK1";

/// What a slot says of its text.
#[derive(Clone, Copy)]
struct Header {
    turn: u32,
    length: u32,
    sum: u32,
}

/// Reads the newest whole text into `buffer` and gives its length; none if there never was one.
pub fn load<F: NorFlash>(flash: &mut F, buffer: &mut [u8; LONGEST_TEXT]) -> Result<Option<usize>, FlashFault> {
    let Some((slot, header)) = newest(flash)? else { return Ok(None) };
    let text = buffer.get_mut(..header.length as usize).ok_or(FlashFault)?;
    flash.read(text_of(slot), text).map_err(|_| FlashFault)?;
    Ok(Some(text.len()))
}

/// Keeps `text` from now on. A text that is kept already wears nothing.
pub fn keep<F: NorFlash>(flash: &mut F, text: &[u8]) -> Result<(), FlashFault> {
    let newest = newest(flash)?;
    if newest.is_some_and(|(_, header)| header.sum == sum_of(header.turn, text)) {
        return Ok(());
    }
    let (slot, turn) = newest.map_or((0, 1), |(slot, header)| (1 - slot, header.turn.wrapping_add(1)));
    let length = u32::try_from(text.len()).ok().filter(|_| text.len() <= LONGEST_TEXT).ok_or(FlashFault)?;
    let begin = KEPT + slot * KEPT_SLOT;
    flash.erase(begin, begin + PAGE_LENGTH + length.next_multiple_of(PAGE_LENGTH)).map_err(|_| FlashFault)?;
    flash.write(text_of(slot), text).map_err(|_| FlashFault)?;
    flash.write(begin, &Header { turn, length, sum: sum_of(turn, text) }.bytes()).map_err(|_| FlashFault)
}

impl Header {
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&self.turn.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    /// None unless the slot is whole: its header was written, and the text is the one it was written for.
    fn read<F: NorFlash>(flash: &mut F, slot: u32) -> Result<Option<Self>, FlashFault> {
        let mut bytes = [0; 16];
        flash.read(KEPT + slot * KEPT_SLOT, &mut bytes).map_err(|_| FlashFault)?;
        let [m0, m1, m2, m3, t0, t1, t2, t3, l0, l1, l2, l3, s0, s1, s2, s3] = bytes;
        let word = |bytes| u32::from_le_bytes(bytes);
        let header = Self { turn: word([t0, t1, t2, t3]), length: word([l0, l1, l2, l3]), sum: word([s0, s1, s2, s3]) };
        if [m0, m1, m2, m3] != MAGIC || header.length as usize > LONGEST_TEXT {
            return Ok(None);
        }
        let mut sum = Checksum::new().with(&header.turn.to_le_bytes());
        let mut part = [0; 256];
        let (mut address, mut left) = (text_of(slot), header.length as usize);
        while left > 0 {
            let take = left.min(part.len());
            let bytes = part.get_mut(..take).ok_or(FlashFault)?;
            flash.read(address, bytes).map_err(|_| FlashFault)?;
            sum = sum.with(bytes);
            left -= take;
            address += 256;
        }
        Ok((sum.value() == header.sum).then_some(header))
    }
}

fn newest<F: NorFlash>(flash: &mut F) -> Result<Option<(u32, Header)>, FlashFault> {
    Ok(match (Header::read(flash, 0)?, Header::read(flash, 1)?) {
        // The turns go round after four thousand million saves; the one just ahead is the newer.
        (Some(first), Some(second)) if second.turn.wrapping_sub(first.turn) == 1 => Some((1, second)),
        (Some(first), _) => Some((0, first)),
        (None, second) => second.map(|header| (1, header)),
    })
}

fn text_of(slot: u32) -> u32 {
    KEPT + slot * KEPT_SLOT + PAGE_LENGTH
}

/// Over the turn as well: a header whose turn was half programmed is not believed.
fn sum_of(turn: u32, text: &[u8]) -> u32 {
    Checksum::new().with(&turn.to_le_bytes()).with(text).value()
}
