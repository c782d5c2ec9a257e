//! Geometry of the file system, from the BIOS parameter block.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::layout::SECTORS;
use crate::disk::sectors::{Sector, Sectors};
use crate::fat::FatError;

/// Number of the first data cluster.
pub const FIRST_CLUSTER: u16 = 2;
/// Maximum number of clusters in FAT12.
const MAX_CLUSTERS: u32 = 4084;
/// Directory entries per sector.
pub const ENTRIES_PER_SECTOR: u32 = 16;

/// Validated geometry of a FAT12 file system. All sectors are within the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub sectors_per_cluster: u32,
    pub reserved: u32,
    pub tables: u32,
    pub sectors_per_table: u32,
    pub root_sectors: u32,
    pub clusters: u16,
}

impl Geometry {
    /// Reads the geometry from the boot sector.
    pub fn read<F: NorFlash>(sectors: &mut Sectors<'_, F>) -> Result<Self, FatError> {
        let mut boot: Sector = [0; 512];
        sectors.read(0, &mut boot)?;
        Self::parse(&boot).ok_or(FatError::Unreadable)
    }

    /// Parses a boot sector. None if the format is unsupported.
    #[must_use]
    pub fn parse(boot: &Sector) -> Option<Self> {
        let short = |at: usize| Some(u32::from(u16::from_le_bytes(*boot.get(at..)?.first_chunk()?)));
        let byte = |at: usize| boot.get(at).copied().map(u32::from);
        let is_fat = short(510)? == 0xAA55 && short(11)? == 512;
        let long_total = u32::from_le_bytes(*boot.get(32..)?.first_chunk()?);
        let total = if short(19)? == 0 { long_total } else { short(19)? };
        let (sectors_per_cluster, reserved, tables) = (byte(13)?, short(14)?, byte(16)?);
        let (root_entries, sectors_per_table) = (short(17)?, short(22)?);
        let root_sectors = root_entries / ENTRIES_PER_SECTOR;
        let is_valid = sectors_per_cluster.is_power_of_two()
            && reserved > 0
            && (1..=2).contains(&tables)
            && sectors_per_table > 0
            && root_sectors > 0
            && root_entries % ENTRIES_PER_SECTOR == 0
            && total <= SECTORS;
        if !is_fat || !is_valid {
            return None;
        }
        let data_start = reserved + tables * sectors_per_table + root_sectors;
        let clusters = total.checked_sub(data_start)? / sectors_per_cluster;
        let entries_in_table = sectors_per_table * 512 * 2 / 3;
        let fits = (1..=MAX_CLUSTERS).contains(&clusters) && clusters + u32::from(FIRST_CLUSTER) <= entries_in_table;
        let clusters = u16::try_from(clusters).ok()?;
        fits.then_some(Self { sectors_per_cluster, reserved, tables, sectors_per_table, root_sectors, clusters })
    }

    /// First sector of a copy of the allocation table. Copies count from 0.
    #[must_use]
    pub fn table(&self, copy: u32) -> u32 {
        self.reserved + copy * self.sectors_per_table
    }

    /// First sector of the root directory.
    #[must_use]
    pub fn root(&self) -> u32 {
        self.table(self.tables)
    }

    /// First sector of a cluster. None if the number is out of range.
    #[must_use]
    pub fn sector_of(&self, cluster: u16) -> Option<u32> {
        let index = u32::from(cluster.checked_sub(FIRST_CLUSTER)?);
        (index < u32::from(self.clusters)).then(|| self.root() + self.root_sectors + index * self.sectors_per_cluster)
    }

    /// Size of a cluster in bytes.
    #[must_use]
    pub fn cluster_length(&self) -> u32 {
        self.sectors_per_cluster * 512
    }

    /// All data clusters.
    pub fn all_clusters(&self) -> impl Iterator<Item = u16> + use<> {
        FIRST_CLUSTER..FIRST_CLUSTER + self.clusters
    }
}

#[cfg(test)]
mod tests {
    use super::Geometry;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_cluster_of_any_geometry_lies_on_the_drive(bytes in any::<[u8; 23]>()) {
            let mut boot = [0; 512];
            boot[11..13].copy_from_slice(&512_u16.to_le_bytes());
            boot[13..36].copy_from_slice(&bytes);
            boot[510..].copy_from_slice(&[0x55, 0xAA]);
            if let Some(geometry) = Geometry::parse(&boot) {
                for cluster in geometry.all_clusters() {
                    let first = geometry.sector_of(cluster).expect("a cluster has a sector");
                    prop_assert!(first + geometry.sectors_per_cluster <= crate::disk::layout::SECTORS);
                }
            }
        }
    }
}
