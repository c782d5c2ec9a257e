//! Directory entries.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::FatError;
use crate::fat::geometry::{ENTRIES_PER_SECTOR, Geometry};
use crate::fat::name::{self, ShortName};
use crate::fat::table::Table;

/// Directory entry of 32 bytes.
pub type RawEntry = [u8; 32];

/// First byte of a deleted entry.
pub const DELETED: u8 = 0xE5;
/// First byte of the end marker.
const END: u8 = 0;
const DIRECTORY: u8 = 0x10;
const LABEL: u8 = 0x08;
/// Attributes of a long name entry: read-only, hidden, system and label together.
const LONG_NAME: u8 = 0x0F;
/// Flag of the first entry of a long name. It holds the end of the name.
const LAST_PART: u8 = 0x40;

/// Kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Free,
    /// End marker: this entry and all following ones are free.
    End,
    LongName,
    Label,
    File,
    Directory,
}

/// Kind of an entry.
#[must_use]
pub fn kind(raw: &RawEntry) -> EntryKind {
    let attributes = raw[11];
    match raw[0] {
        END => EntryKind::End,
        DELETED => EntryKind::Free,
        _ if attributes & LONG_NAME == LONG_NAME => EntryKind::LongName,
        _ if attributes & LABEL != 0 => EntryKind::Label,
        _ if attributes & DIRECTORY != 0 => EntryKind::Directory,
        _ => EntryKind::File,
    }
}

/// True for an entry with invalid attributes or an invalid name. Hosts disagree about its meaning.
#[must_use]
pub fn is_malformed(raw: &RawEntry) -> bool {
    const ARCHIVE: u8 = 0x20;
    let attributes = raw[11];
    match kind(raw) {
        EntryKind::Free | EntryKind::End => false,
        EntryKind::LongName => attributes != LONG_NAME,
        EntryKind::Label => attributes & !ARCHIVE != LABEL || first_cluster(raw) != 0 || length(raw) != 0,
        EntryKind::File | EntryKind::Directory => attributes & 0xC0 != 0 || !name::is_valid(&name_of(raw)),
    }
}

/// Short name of an entry.
#[must_use]
pub fn name_of(raw: &RawEntry) -> ShortName {
    raw.first_chunk().copied().unwrap_or_default()
}

/// First cluster of the content. 0 if the file is empty.
#[must_use]
pub fn first_cluster(raw: &RawEntry) -> u16 {
    u16::from_le_bytes([raw[26], raw[27]])
}

/// Length of the content in bytes.
#[must_use]
pub fn length(raw: &RawEntry) -> u32 {
    u32::from_le_bytes([raw[28], raw[29], raw[30], raw[31]])
}

/// Entry of a file. The date is fixed: the device has no battery-backed clock.
#[must_use]
pub fn file(name: &ShortName, first: u16, length: u32) -> RawEntry {
    entry(name, 0x20, first, length)
}

/// Entry with the volume label.
#[must_use]
pub fn label(name: &ShortName) -> RawEntry {
    entry(name, LABEL, 0, 0)
}

fn entry(name: &ShortName, attributes: u8, first: u16, length: u32) -> RawEntry {
    /// January 1, 2026.
    const DATE: [u8; 2] = (((2026_u16 - 1980) << 9) | (1 << 5) | 1).to_le_bytes();
    let mut raw = [0; 32];
    raw[..11].copy_from_slice(name);
    raw[11] = attributes;
    raw[16..18].copy_from_slice(&DATE);
    raw[18..20].copy_from_slice(&DATE);
    raw[24..26].copy_from_slice(&DATE);
    raw[26..28].copy_from_slice(&first.to_le_bytes());
    raw[28..].copy_from_slice(&length.to_le_bytes());
    raw
}

/// UTF-16 code units of a long name entry.
pub fn utf16_units(raw: &RawEntry) -> impl Iterator<Item = u16> {
    let bytes = raw[1..11].iter().chain(&raw[14..26]).chain(&raw[28..32]);
    let low = bytes.clone().step_by(2);
    low.zip(bytes.skip(1).step_by(2)).map(|(low, high)| u16::from_le_bytes([*low, *high]))
}

/// True if a long name has only this entry.
#[must_use]
pub fn is_single_entry_name(raw: &RawEntry) -> bool {
    raw[0] == LAST_PART | 1
}

/// Number of a long name entry, counted from the end of the name, and its position.
#[must_use]
pub fn long_name_position(raw: &RawEntry) -> (u8, LongNamePosition) {
    (raw[0] & !LAST_PART, if raw[0] & LAST_PART == 0 { LongNamePosition::Following } else { LongNamePosition::First })
}

/// Position of a long name entry on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongNamePosition {
    First,
    Following,
}

/// Checksum of the short name that a long name entry belongs to.
#[must_use]
pub fn long_name_checksum(raw: &RawEntry) -> u8 {
    raw[13]
}

/// Location of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub sector: u32,
    pub index: u32,
}

/// Slots of a directory in order: of the root directory, or of the cluster chain at `first`.
pub fn slots(geometry: &Geometry, table: &Table, first: Option<u16>) -> impl Iterator<Item = Slot> {
    let root = if first.is_none() { geometry.root()..geometry.root() + geometry.root_sectors } else { 0..0 };
    let per_cluster = geometry.sectors_per_cluster;
    let geometry = *geometry;
    let clusters = first.into_iter().flat_map(|first| table.chain(first));
    let starts = clusters.filter_map(move |cluster| geometry.sector_of(cluster));
    let sectors = root.chain(starts.flat_map(move |first| first..first + per_cluster));
    sectors.flat_map(|sector| (0..ENTRIES_PER_SECTOR).map(move |index| Slot { sector, index }))
}

/// Reads an entry.
pub fn read_entry<F: NorFlash>(sectors: &mut Sectors<'_, F>, slot: Slot) -> Result<RawEntry, FatError> {
    let mut sector: Sector = [0; 512];
    sectors.read(slot.sector, &mut sector)?;
    sector.as_chunks().0.get(slot.index as usize).copied().ok_or(FatError::Unreadable)
}

/// Writes an entry.
pub fn write_entry<F: NorFlash>(sectors: &mut Sectors<'_, F>, slot: Slot, raw: &RawEntry) -> Result<(), FatError> {
    let mut sector: Sector = [0; 512];
    sectors.read(slot.sector, &mut sector)?;
    *sector.as_chunks_mut().0.get_mut(slot.index as usize).ok_or(FatError::Unreadable)? = *raw;
    Ok(sectors.write(slot.sector, &sector)?)
}

/// Finds a file in the root directory by its short or long name.
pub fn find<F: NorFlash>(
    sectors: &mut Sectors<'_, F>,
    geometry: &Geometry,
    table: &Table,
    wanted: &ShortName,
) -> Result<Option<(Slot, RawEntry)>, FatError> {
    let mut long_name_match: Option<u8> = None;
    for slot in slots(geometry, table, None) {
        let raw = read_entry(sectors, slot)?;
        match kind(&raw) {
            EntryKind::End => return Ok(None),
            EntryKind::LongName => {
                let matches = is_single_entry_name(&raw) && name::long_name_matches(utf16_units(&raw), wanted);
                long_name_match = matches.then_some(long_name_checksum(&raw));
            }
            EntryKind::File => {
                let short = name_of(&raw);
                if name::matches(&short, wanted) || long_name_match == Some(name::checksum(&short)) {
                    return Ok(Some((slot, raw)));
                }
                long_name_match = None;
            }
            EntryKind::Free | EntryKind::Label | EntryKind::Directory => long_name_match = None,
        }
    }
    Ok(None)
}
