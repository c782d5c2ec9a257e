//! File allocation table (FAT): the successor of each cluster.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::FatError;
use crate::fat::geometry::{FIRST_CLUSTER, Geometry};

/// Maximum length of a FAT12 table in whole sectors: 4084 clusters, 12 bits each.
const MAX_LENGTH: usize = 12 * 512;
/// Free cluster.
pub const FREE: u16 = 0;
/// End-of-chain marker, as the device writes it.
pub const END_OF_CHAIN: u16 = 0xFFF;
/// Smallest value that marks the end of a chain.
const MIN_END_OF_CHAIN: u16 = 0xFF8;
/// Bad cluster, marked by a host.
const BAD: u16 = 0xFF7;

/// Successor of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Cluster(u16),
    End,
    /// Invalid value for a cluster of a file.
    Broken,
}

/// Allocation table in memory.
pub struct Table {
    bytes: [u8; MAX_LENGTH],
    geometry: Geometry,
}

impl Table {
    /// Loads a copy of the table.
    pub fn load<F: NorFlash>(sectors: &mut Sectors<'_, F>, geometry: Geometry, copy: u32) -> Result<Self, FatError> {
        let mut table = Self { bytes: [0; MAX_LENGTH], geometry };
        let used = geometry.sectors_per_table as usize;
        for (sector, chunk) in (geometry.table(copy)..).zip(table.bytes.as_chunks_mut::<512>().0.iter_mut().take(used))
        {
            sectors.read(sector, chunk)?;
        }
        Ok(table)
    }

    /// Writes all copies of the table. Unchanged sectors are skipped.
    pub fn store<F: NorFlash>(&self, sectors: &mut Sectors<'_, F>) -> Result<(), FatError> {
        let mut stored: Sector = [0; 512];
        for copy in 0..self.geometry.tables {
            let chunks = self.bytes.as_chunks::<512>().0.iter().take(self.geometry.sectors_per_table as usize);
            for (sector, chunk) in (self.geometry.table(copy)..).zip(chunks) {
                sectors.read(sector, &mut stored)?;
                if stored != *chunk {
                    sectors.write(sector, chunk)?;
                }
            }
        }
        Ok(())
    }

    /// Checks the two reserved entries.
    pub fn has_valid_start(&self) -> bool {
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

    /// Successor of a cluster of a file.
    pub fn next(&self, cluster: u16) -> Next {
        match self.get(cluster) {
            value if value >= MIN_END_OF_CHAIN => Next::End,
            value if self.geometry.sector_of(value).is_some() => Next::Cluster(value),
            _ => Next::Broken,
        }
    }

    /// True if a cluster is marked as bad.
    pub fn is_bad(&self, cluster: u16) -> bool {
        self.get(cluster) == BAD
    }

    /// Cluster chain at `first`, up to the first invalid value. A cycle ends after the number of clusters.
    pub fn chain(&self, first: u16) -> impl Iterator<Item = u16> {
        let start = self.geometry.sector_of(first).map(|_| first);
        let successor = |cluster: &u16| match self.next(*cluster) {
            Next::Cluster(next) => Some(next),
            Next::End | Next::Broken => None,
        };
        core::iter::successors(start, successor).take(usize::from(self.geometry.clusters))
    }

    /// Frees the cluster chain at `first`.
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

    /// Allocates a chain of `count` clusters and returns the first one. 0 if `count` is 0.
    pub fn allocate(&mut self, count: u32) -> Result<u16, FatError> {
        let mut first = 0;
        for _ in 0..count {
            // Backward, so that each new cluster points to the previous one.
            let clusters = FIRST_CLUSTER..FIRST_CLUSTER + self.geometry.clusters;
            let cluster = clusters.rev().find(|cluster| self.get(*cluster) == FREE).ok_or(FatError::Full)?;
            self.set(cluster, if first == 0 { END_OF_CHAIN } else { first });
            first = cluster;
        }
        Ok(first)
    }
}

/// Byte offset of a cluster's entry, and its bit offset in the first byte.
fn position(cluster: u16) -> (usize, u32) {
    let index = usize::from(cluster);
    (index + index / 2, if index % 2 == 1 { 4 } else { 0 })
}
