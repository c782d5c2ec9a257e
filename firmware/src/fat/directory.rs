//! What a directory holds.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::geometry::Geometry;
use crate::fat::name::{self, ShortName};
use crate::fat::table::Table;
use crate::fat::{Fault, geometry::ENTRIES_PER_SECTOR};

/// An entry's 32 bytes.
pub type Raw = [u8; 32];

/// The first byte of an entry that was deleted.
pub const DELETED: u8 = 0xE5;
/// Of an entry with nothing behind it.
const END: u8 = 0;
const DIRECTORY: u8 = 0x10;
const LABEL: u8 = 0x08;
/// All four of read-only, hidden, system and label: part of a long name.
const LONG: u8 = 0x0F;
/// The mark on the part of a long name that stands first and holds its end.
const LAST_PART: u8 = 0x40;

/// What stands in one place of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Free,
    /// Free, and so is everything behind it.
    End,
    LongName,
    Label,
    File,
    Directory,
}

/// What an entry is.
#[must_use]
pub fn kind(raw: &Raw) -> Entry {
    let attributes = raw[11];
    match raw[0] {
        END => Entry::End,
        DELETED => Entry::Free,
        _ if attributes & LONG == LONG => Entry::LongName,
        _ if attributes & LABEL != 0 => Entry::Label,
        _ if attributes & DIRECTORY != 0 => Entry::Directory,
        _ => Entry::File,
    }
}

/// Whether an entry is of no kind there is: programs disagree about what it might be.
#[must_use]
pub fn is_malformed(raw: &Raw) -> bool {
    const ARCHIVE: u8 = 0x20;
    let attributes = raw[11];
    match kind(raw) {
        Entry::Free | Entry::End => false,
        Entry::LongName => attributes != LONG,
        Entry::Label => attributes & !ARCHIVE != LABEL || first_cluster(raw) != 0 || length(raw) != 0,
        Entry::File | Entry::Directory => attributes & 0xC0 != 0 || !name::is_possible(&name_of(raw)),
    }
}

/// An entry's short name.
#[must_use]
pub fn name_of(raw: &Raw) -> ShortName {
    raw.first_chunk().copied().unwrap_or_default()
}

/// Where its content begins; 0 if it has none.
#[must_use]
pub fn first_cluster(raw: &Raw) -> u16 {
    u16::from_le_bytes([raw[26], raw[27]])
}

/// How long its content is.
#[must_use]
pub fn length(raw: &Raw) -> u32 {
    u32::from_le_bytes([raw[28], raw[29], raw[30], raw[31]])
}

/// A file's entry. The date is the same for all, because a device without a battery does not know it when it writes.
#[must_use]
pub fn file(name: &ShortName, first: u16, length: u32) -> Raw {
    entry(name, 0x20, first, length)
}

/// The drive's name.
#[must_use]
pub fn label(name: &ShortName) -> Raw {
    entry(name, LABEL, 0, 0)
}

fn entry(name: &ShortName, attributes: u8, first: u16, length: u32) -> Raw {
    /// The first of January 2026.
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

/// The letters of a long name that has one part.
pub fn letters(raw: &Raw) -> impl Iterator<Item = u16> {
    let bytes = raw[1..11].iter().chain(&raw[14..26]).chain(&raw[28..32]);
    let low = bytes.clone().step_by(2);
    low.zip(bytes.skip(1).step_by(2)).map(|(low, high)| u16::from_le_bytes([*low, *high]))
}

/// Whether a long name's part is the only one.
#[must_use]
pub fn is_whole_name(raw: &Raw) -> bool {
    raw[0] == LAST_PART | 1
}

/// The number of a long name's part, counted from the end of the name, and whether it stands first.
#[must_use]
pub fn part(raw: &Raw) -> (u8, Part) {
    (raw[0] & !LAST_PART, if raw[0] & LAST_PART == 0 { Part::Following } else { Part::First })
}

/// Where a part of a long name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    First,
    Following,
}

/// The checksum of the short name that a long name's part belongs to.
#[must_use]
pub fn part_checksum(raw: &Raw) -> u8 {
    raw[13]
}

/// One place in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub sector: u32,
    pub index: u32,
}

/// The places of a directory, in order: of the root, or of the clusters from `first` on.
pub fn places(geometry: &Geometry, table: &Table, first: Option<u16>) -> impl Iterator<Item = Place> {
    let root = if first.is_none() { geometry.root()..geometry.root() + geometry.root_sectors } else { 0..0 };
    let per_cluster = geometry.sectors_per_cluster;
    let geometry = *geometry;
    let clusters = first.into_iter().flat_map(|first| table.chain(first));
    let behind = clusters.filter_map(move |cluster| geometry.sector_of(cluster));
    let sectors = root.chain(behind.flat_map(move |first| first..first + per_cluster));
    sectors.flat_map(|sector| (0..ENTRIES_PER_SECTOR).map(move |index| Place { sector, index }))
}

/// Reads what stands at a place.
pub fn get<F: NorFlash>(sectors: &mut Sectors<'_, F>, place: Place) -> Result<Raw, Fault> {
    let mut sector: Sector = [0; 512];
    sectors.read(place.sector, &mut sector)?;
    sector.as_chunks().0.get(place.index as usize).copied().ok_or(Fault::Unreadable)
}

/// Changes what stands at a place.
pub fn put<F: NorFlash>(sectors: &mut Sectors<'_, F>, place: Place, raw: &Raw) -> Result<(), Fault> {
    let mut sector: Sector = [0; 512];
    sectors.read(place.sector, &mut sector)?;
    *sector.as_chunks_mut().0.get_mut(place.index as usize).ok_or(Fault::Unreadable)? = *raw;
    Ok(sectors.write(place.sector, &sector)?)
}

/// Where a file of the root directory stands, by its short name or its long one.
pub fn find<F: NorFlash>(
    sectors: &mut Sectors<'_, F>,
    geometry: &Geometry,
    table: &Table,
    wanted: &ShortName,
) -> Result<Option<(Place, Raw)>, Fault> {
    let mut long_matches: Option<u8> = None;
    for place in places(geometry, table, None) {
        let raw = get(sectors, place)?;
        match kind(&raw) {
            Entry::End => return Ok(None),
            Entry::LongName => {
                let matches = is_whole_name(&raw) && name::long_is(letters(&raw), wanted);
                long_matches = matches.then_some(part_checksum(&raw));
            }
            Entry::File => {
                let short = name_of(&raw);
                if name::is(&short, wanted) || long_matches == Some(name::checksum(&short)) {
                    return Ok(Some((place, raw)));
                }
                long_matches = None;
            }
            Entry::Free | Entry::Label | Entry::Directory => long_matches = None,
        }
    }
    Ok(None)
}
