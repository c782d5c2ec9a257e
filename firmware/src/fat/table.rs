//! The file allocation table: for each cluster, which one follows it.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::Fault;
use crate::fat::geometry::{FIRST_CLUSTER, Geometry};

/// A table of 4084 clusters, two of its entries in three bytes, in whole sectors.
const LONGEST: usize = 12 * 512;
/// The cluster belongs to nobody.
pub const FREE: u16 = 0;
/// The cluster is the last of its file.
pub const LAST: u16 = 0xFFF;
/// From here on a value means the end of a file.
const FIRST_LAST: u16 = 0xFF8;
/// A cluster that a host found unusable.
const BAD: u16 = 0xFF7;

/// What follows a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Cluster(u16),
    End,
    /// Nothing that belongs in a file.
    Broken,
}

/// The table in memory.
pub struct Table {
    bytes: [u8; LONGEST],
    geometry: Geometry,
}

impl Table {
    /// Reads a copy of the table.
    pub fn load<F: NorFlash>(sectors: &mut Sectors<'_, F>, geometry: Geometry, copy: u32) -> Result<Self, Fault> {
        let mut table = Self { bytes: [0; LONGEST], geometry };
        let used = geometry.sectors_per_table as usize;
        for (sector, part) in (geometry.table(copy)..).zip(table.bytes.as_chunks_mut::<512>().0.iter_mut().take(used)) {
            sectors.read(sector, part)?;
        }
        Ok(table)
    }

    /// Writes all copies of the table; a sector that says so already is left alone.
    pub fn store<F: NorFlash>(&self, sectors: &mut Sectors<'_, F>) -> Result<(), Fault> {
        let mut before: Sector = [0; 512];
        for copy in 0..self.geometry.tables {
            let parts = self.bytes.as_chunks::<512>().0.iter().take(self.geometry.sectors_per_table as usize);
            for (sector, part) in (self.geometry.table(copy)..).zip(parts) {
                sectors.read(sector, &mut before)?;
                if before != *part {
                    sectors.write(sector, part)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the table begins as one must.
    pub fn begins_well(&self) -> bool {
        let [media, second, third, ..] = self.bytes;
        media >= 0xF0 && second == 0xFF && third == 0xFF
    }

    pub fn get(&self, cluster: u16) -> u16 {
        let (at, shift) = position(cluster);
        let pair = self.bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(BAD, |two| u16::from_le_bytes(*two));
        (pair >> shift) & 0xFFF
    }

    pub fn set(&mut self, cluster: u16, value: u16) {
        let (at, shift) = position(cluster);
        let Some(two) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<2>()) else { return };
        let pair = u16::from_le_bytes(*two) & !(0xFFF << shift) | (value & 0xFFF) << shift;
        *two = pair.to_le_bytes();
    }

    /// What follows a cluster that belongs to a file.
    pub fn next(&self, cluster: u16) -> Next {
        match self.get(cluster) {
            value if value >= FIRST_LAST => Next::End,
            value if self.geometry.sector_of(value).is_some() => Next::Cluster(value),
            _ => Next::Broken,
        }
    }

    /// Whether a cluster is marked as unusable.
    pub fn is_bad(&self, cluster: u16) -> bool {
        self.get(cluster) == BAD
    }

    /// The clusters from `first` on, as far as they are whole. A ring ends after as many as there are.
    pub fn chain(&self, first: u16) -> impl Iterator<Item = u16> {
        let begin = self.geometry.sector_of(first).map(|_| first);
        let follow = |cluster: &u16| match self.next(*cluster) {
            Next::Cluster(next) => Some(next),
            Next::End | Next::Broken => None,
        };
        core::iter::successors(begin, follow).take(usize::from(self.geometry.clusters))
    }

    /// Gives back the clusters from `first` on.
    pub fn free(&mut self, first: u16) {
        let mut cluster = first;
        for _ in 0..self.geometry.clusters {
            let next = self.next(cluster);
            if self.geometry.sector_of(cluster).is_none() {
                return;
            }
            self.set(cluster, FREE);
            match next {
                Next::Cluster(next) => cluster = next,
                Next::End | Next::Broken => return,
            }
        }
    }

    /// Takes as many free clusters as are wanted and chains them; gives the first. 0 stands for none wanted.
    pub fn allocate(&mut self, count: u32) -> Result<u16, Fault> {
        let mut first = 0;
        for _ in 0..count {
            // From the end to the beginning, so that each is the last when it is taken.
            let clusters = FIRST_CLUSTER..FIRST_CLUSTER + self.geometry.clusters;
            let cluster = clusters.rev().find(|cluster| self.get(*cluster) == FREE).ok_or(Fault::Full)?;
            self.set(cluster, if first == 0 { LAST } else { first });
            first = cluster;
        }
        Ok(first)
    }
}

/// Where a cluster's entry begins, and how many bits of the first byte belong to its neighbour.
fn position(cluster: u16) -> (usize, u32) {
    let index = usize::from(cluster);
    (index + index / 2, if index % 2 == 1 { 4 } else { 0 })
}
