//! Files in the root directory.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::FatError;
use crate::fat::directory::{self, EntryKind, Slot};
use crate::fat::geometry::Geometry;
use crate::fat::name::ShortName;
use crate::fat::table::Table;

/// Reads a file into `buffer`, truncated to its size, and returns the length. None if the file does not exist.
pub fn read<F: NorFlash>(
    sectors: &mut Sectors<'_, F>,
    wanted: &ShortName,
    buffer: &mut [u8],
) -> Result<Option<usize>, FatError> {
    let geometry = Geometry::read(sectors)?;
    let table = Table::load(sectors, geometry, 0)?;
    let Some((_, raw)) = directory::find(sectors, &geometry, &table, wanted)? else { return Ok(None) };
    let length = buffer.len().min(directory::length(&raw) as usize);
    let content = buffer.get_mut(..length).unwrap_or_default();
    let mut chunks = content.chunks_mut(512);
    let mut sector: Sector = [0; 512];
    for cluster in table.chain(directory::first_cluster(&raw)) {
        let first = geometry.sector_of(cluster).ok_or(FatError::Unreadable)?;
        for (number, chunk) in (first..first + geometry.sectors_per_cluster).zip(chunks.by_ref()) {
            sectors.read(number, &mut sector)?;
            chunk.copy_from_slice(sector.get(..chunk.len()).ok_or(FatError::Unreadable)?);
        }
    }
    // A chain that is shorter than its file: the host's save is incomplete.
    if chunks.next().is_some() { Err(FatError::Unreadable) } else { Ok(Some(length)) }
}

/// Writes a file and replaces an existing one.
pub fn write<F: NorFlash>(sectors: &mut Sectors<'_, F>, name: &ShortName, content: &[u8]) -> Result<(), FatError> {
    let geometry = Geometry::read(sectors)?;
    let mut table = Table::load(sectors, geometry, 0)?;
    let length = u32::try_from(content.len()).map_err(|_| FatError::TooLong)?;
    let existing = directory::find(sectors, &geometry, &table, name)?;
    if let Some((_, raw)) = existing {
        table.free(directory::first_cluster(&raw));
    }
    let first = table.allocate(length.div_ceil(geometry.cluster_length()))?;
    let (slot, entry) = match existing {
        Some((slot, raw)) => (slot, directory::file(&directory::name_of(&raw), first, length)),
        None => (free_slot(sectors, &geometry, &table)?, directory::file(name, first, length)),
    };
    fill(sectors, &geometry, &table, first, content)?;
    table.store(sectors)?;
    directory::write_entry(sectors, slot, &entry)
}

/// First free slot in the root directory.
fn free_slot<F: NorFlash>(sectors: &mut Sectors<'_, F>, geometry: &Geometry, table: &Table) -> Result<Slot, FatError> {
    for slot in directory::slots(geometry, table, None) {
        if matches!(directory::kind(&directory::read_entry(sectors, slot)?), EntryKind::Free | EntryKind::End) {
            return Ok(slot);
        }
    }
    Err(FatError::Full)
}

/// Writes the content into the cluster chain at `first`, padded with zeros.
fn fill<F: NorFlash>(
    sectors: &mut Sectors<'_, F>,
    geometry: &Geometry,
    table: &Table,
    first: u16,
    content: &[u8],
) -> Result<(), FatError> {
    let mut chunks = content.chunks(512);
    for cluster in table.chain(first) {
        let start = geometry.sector_of(cluster).ok_or(FatError::Unreadable)?;
        for number in start..start + geometry.sectors_per_cluster {
            let mut sector: Sector = [0; 512];
            sector.iter_mut().zip(chunks.next().unwrap_or_default()).for_each(|(to, from)| *to = *from);
            sectors.write(number, &sector)?;
        }
    }
    Ok(())
}

/// True if the root directory has a file with this name.
pub fn exists<F: NorFlash>(sectors: &mut Sectors<'_, F>, wanted: &ShortName) -> Result<bool, FatError> {
    let geometry = Geometry::read(sectors)?;
    let table = Table::load(sectors, geometry, 0)?;
    Ok(directory::find(sectors, &geometry, &table, wanted)?.is_some())
}
