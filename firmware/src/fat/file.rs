//! Whole files of the root directory: the device knows no others.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::directory::{self, Entry, Place};
use crate::fat::geometry::Geometry;
use crate::fat::name::ShortName;
use crate::fat::table::Table;
use crate::fat::{Fault, name};

/// Reads a file into `buffer`, as much of it as fits, and gives how much that is; none if there is no such file.
pub fn read<F: NorFlash>(
    sectors: &mut Sectors<'_, F>,
    wanted: &ShortName,
    buffer: &mut [u8],
) -> Result<Option<usize>, Fault> {
    let geometry = Geometry::read(sectors)?;
    let table = Table::load(sectors, geometry, 0)?;
    let Some((_, raw)) = directory::find(sectors, &geometry, &table, wanted)? else { return Ok(None) };
    let length = buffer.len().min(directory::length(&raw) as usize);
    let content = buffer.get_mut(..length).unwrap_or_default();
    let mut parts = content.chunks_mut(512);
    let mut sector: Sector = [0; 512];
    for cluster in table.chain(directory::first_cluster(&raw)) {
        let first = geometry.sector_of(cluster).ok_or(Fault::Unreadable)?;
        for (number, part) in (first..first + geometry.sectors_per_cluster).zip(parts.by_ref()) {
            sectors.read(number, &mut sector)?;
            part.copy_from_slice(sector.get(..part.len()).ok_or(Fault::Unreadable)?);
        }
    }
    // A chain that ends before its file does: half of a save.
    if parts.next().is_some() { Err(Fault::Unreadable) } else { Ok(Some(length)) }
}

/// Writes a file, in place of one with that name.
pub fn write<F: NorFlash>(sectors: &mut Sectors<'_, F>, name: &ShortName, content: &[u8]) -> Result<(), Fault> {
    let geometry = Geometry::read(sectors)?;
    let mut table = Table::load(sectors, geometry, 0)?;
    let length = u32::try_from(content.len()).map_err(|_| Fault::TooLong)?;
    let before = directory::find(sectors, &geometry, &table, name)?;
    if let Some((_, raw)) = before {
        table.free(directory::first_cluster(&raw));
    }
    let first = table.allocate(length.div_ceil(geometry.cluster_length()))?;
    let (place, entry) = match before {
        Some((place, raw)) => (place, directory::file(&directory::name_of(&raw), first, length)),
        None => (free_place(sectors, &geometry, &table)?, directory::file(name, first, length)),
    };
    fill(sectors, &geometry, &table, first, content)?;
    table.store(sectors)?;
    directory::put(sectors, place, &entry)
}

/// A place in the root directory where nothing stands.
fn free_place<F: NorFlash>(sectors: &mut Sectors<'_, F>, geometry: &Geometry, table: &Table) -> Result<Place, Fault> {
    for place in directory::places(geometry, table, None) {
        if matches!(directory::kind(&directory::get(sectors, place)?), Entry::Free | Entry::End) {
            return Ok(place);
        }
    }
    Err(Fault::Full)
}

/// Writes the content into the clusters from `first` on, and zeros behind it.
fn fill<F: NorFlash>(
    sectors: &mut Sectors<'_, F>,
    geometry: &Geometry,
    table: &Table,
    first: u16,
    content: &[u8],
) -> Result<(), Fault> {
    let mut parts = content.chunks(512);
    for cluster in table.chain(first) {
        let begin = geometry.sector_of(cluster).ok_or(Fault::Unreadable)?;
        for number in begin..begin + geometry.sectors_per_cluster {
            let mut sector: Sector = [0; 512];
            sector.iter_mut().zip(parts.next().unwrap_or_default()).for_each(|(to, from)| *to = *from);
            sectors.write(number, &sector)?;
        }
    }
    Ok(())
}

/// Whether the root directory has a file of that name.
pub fn exists<F: NorFlash>(sectors: &mut Sectors<'_, F>, wanted: &name::ShortName) -> Result<bool, Fault> {
    let geometry = Geometry::read(sectors)?;
    let table = Table::load(sectors, geometry, 0)?;
    Ok(directory::find(sectors, &geometry, &table, wanted)?.is_some())
}
