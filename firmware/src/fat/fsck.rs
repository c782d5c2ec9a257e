//! File system check and repair (fsck).
//!
//! The rules are those of `fsck.fat`: both tables agree, each cluster has one owner, a cluster chain matches its
//! file's length, and a long name precedes its short name. Entries that break a rule are removed. A removed schedule is
//! restored from the last good one.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::directory::{self, DELETED, EntryKind, LongNamePosition, RawEntry, Slot};
use crate::fat::geometry::Geometry;
use crate::fat::table::{FREE, Next, Table};
use crate::fat::{FatError, name};

/// Offset of the dirty flag in the boot sector. Hosts set it while the drive is mounted.
const DIRTY_FLAG: usize = 37;
/// Words of a bit set with one bit for each FAT12 cluster.
const WORDS: usize = 4096 / 32;

/// Bit set of clusters.
struct ClusterSet([u32; WORDS]);

impl ClusterSet {
    const fn empty() -> Self {
        Self([0; WORDS])
    }

    fn bit(cluster: u16) -> (usize, u32) {
        (usize::from(cluster / 32), 1 << (cluster % 32))
    }

    fn contains(&self, cluster: u16) -> bool {
        let (word, bit) = Self::bit(cluster);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn insert(&mut self, cluster: u16) {
        let (word, bit) = Self::bit(cluster);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// Removes and returns the first cluster.
    fn pop(&mut self) -> Option<u16> {
        let (index, word) = (0..).zip(self.0.iter_mut()).find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        Some(index * 32 + u16::try_from(bit).ok()?)
    }
}

/// Walk over all reachable directories.
struct Walk {
    geometry: Geometry,
    table: Table,
}

/// Clusters found by the walk.
struct Seen {
    owned: ClusterSet,
    /// First clusters of directories that are not checked yet.
    pending: ClusterSet,
}

/// Repairs the file system. Fails if it is not FAT12 or no copy of the table is usable.
pub fn repair<F: NorFlash>(sectors: &mut Sectors<'_, F>) -> Result<(), FatError> {
    let geometry = Geometry::read(sectors)?;
    let mut walk = Walk { geometry, table: load_valid_table(sectors, geometry)? };
    let mut seen = Seen { owned: ClusterSet::empty(), pending: ClusterSet::empty() };
    walk.check_directory(sectors, &mut seen, None)?;
    while let Some(directory) = seen.pending.pop() {
        walk.check_directory(sectors, &mut seen, Some(directory))?;
    }
    for cluster in geometry.all_clusters() {
        if !seen.owned.contains(cluster) && !walk.table.is_bad(cluster) {
            walk.table.set(cluster, FREE);
        }
    }
    walk.table.store(sectors)?;
    clear_dirty_flag(sectors)
}

/// First copy of the table with valid reserved entries.
fn load_valid_table<F: NorFlash>(sectors: &mut Sectors<'_, F>, geometry: Geometry) -> Result<Table, FatError> {
    for copy in 0..geometry.tables {
        let table = Table::load(sectors, geometry, copy)?;
        if table.has_valid_start() {
            return Ok(table);
        }
    }
    Err(FatError::Unreadable)
}

fn clear_dirty_flag<F: NorFlash>(sectors: &mut Sectors<'_, F>) -> Result<(), FatError> {
    let mut boot: Sector = [0; 512];
    sectors.read(0, &mut boot)?;
    if boot[DIRTY_FLAG] & 1 == 0 {
        return Ok(());
    }
    boot[DIRTY_FLAG] &= !1;
    Ok(sectors.write(0, &boot)?)
}

impl Walk {
    /// Checks each entry of a directory and removes invalid ones.
    fn check_directory<F: NorFlash>(
        &self,
        sectors: &mut Sectors<'_, F>,
        seen: &mut Seen,
        first: Option<u16>,
    ) -> Result<(), FatError> {
        let mut name = LongName::default();
        // A subdirectory starts with the entries `.` and `..`.
        let dot_entries = if first.is_some() { 2 } else { 0 };
        let mut is_after_end = false;
        for slot in directory::slots(&self.geometry, &self.table, first).skip(dot_entries) {
            let raw = directory::read_entry(sectors, slot)?;
            match directory::kind(&raw) {
                // Some hosts read past the end marker.
                _ if is_after_end => clear(sectors, slot, &raw)?,
                EntryKind::End => is_after_end = true,
                _ if directory::is_malformed(&raw) => {
                    name.remove_orphan(sectors)?;
                    remove(sectors, slot)?;
                }
                EntryKind::LongName => name.add(sectors, slot, &raw)?,
                EntryKind::Free | EntryKind::Label => name.remove_orphan(sectors)?,
                EntryKind::File | EntryKind::Directory if self.claim_clusters(sectors, seen, &raw)? => {
                    name.finish(sectors, &raw)?;
                }
                EntryKind::File | EntryKind::Directory => {
                    name.remove_orphan(sectors)?;
                    remove(sectors, slot)?;
                }
            }
        }
        name.remove_orphan(sectors)
    }

    /// Checks the cluster chain of a file or directory. If it is valid, marks its clusters as owned and returns true.
    fn claim_clusters<F: NorFlash>(
        &self,
        sectors: &mut Sectors<'_, F>,
        seen: &mut Seen,
        raw: &RawEntry,
    ) -> Result<bool, FatError> {
        let (first, length) = (directory::first_cluster(raw), directory::length(raw));
        let clusters = self.chain_length(seen, first);
        let is_directory = directory::kind(raw) == EntryKind::Directory;
        let is_valid = if is_directory {
            length == 0 && clusters.is_some() && self.starts_with_dots(sectors, first)?
        } else if first == 0 {
            length == 0
        } else {
            length > 0 && clusters == Some(length.div_ceil(self.geometry.cluster_length()))
        };
        if !is_valid {
            return Ok(false);
        }
        self.table.chain(first).for_each(|cluster| seen.owned.insert(cluster));
        if is_directory {
            seen.pending.insert(first);
        }
        Ok(true)
    }

    /// True if a directory was initialized, and not only allocated.
    fn starts_with_dots<F: NorFlash>(&self, sectors: &mut Sectors<'_, F>, first: u16) -> Result<bool, FatError> {
        let Some(sector) = self.geometry.sector_of(first) else { return Ok(false) };
        let dot = directory::read_entry(sectors, Slot { sector, index: 0 })?;
        let dot_dot = directory::read_entry(sectors, Slot { sector, index: 1 })?;
        Ok(dot.starts_with(b".          ") && dot_dot.starts_with(b"..         "))
    }

    /// Length of a cluster chain. None if it is broken or cross-linked.
    fn chain_length(&self, seen: &Seen, first: u16) -> Option<u32> {
        let mut cluster = first;
        for count in 1..=u32::from(self.geometry.clusters) {
            self.geometry.sector_of(cluster)?;
            if seen.owned.contains(cluster) {
                return None;
            }
            match self.table.next(cluster) {
                Next::End => return Some(count),
                Next::Cluster(next) => cluster = next,
                Next::Broken => return None,
            }
        }
        None
    }
}

fn remove<F: NorFlash>(sectors: &mut Sectors<'_, F>, slot: Slot) -> Result<(), FatError> {
    let mut raw = directory::read_entry(sectors, slot)?;
    raw[0] = DELETED;
    directory::write_entry(sectors, slot, &raw)
}

fn clear<F: NorFlash>(sectors: &mut Sectors<'_, F>, slot: Slot, raw: &RawEntry) -> Result<(), FatError> {
    if raw == &[0; 32] { Ok(()) } else { directory::write_entry(sectors, slot, &[0; 32]) }
}

/// Long name in progress: the entries before a short name.
#[derive(Default)]
struct LongName {
    slots: [Option<Slot>; 20],
    checksum: u8,
    /// Number of the next entry. 0 if the short name follows.
    expected: u8,
}

impl LongName {
    fn add<F: NorFlash>(&mut self, sectors: &mut Sectors<'_, F>, slot: Slot, raw: &RawEntry) -> Result<(), FatError> {
        let (number, position) = directory::long_name_position(raw);
        let checksum = directory::long_name_checksum(raw);
        if position == LongNamePosition::First {
            self.remove_orphan(sectors)?;
            self.checksum = checksum;
        } else if number != self.expected || checksum != self.checksum || number == 0 {
            self.remove_orphan(sectors)?;
            return remove(sectors, slot);
        }
        match self.slots.iter_mut().find(|free| free.is_none()) {
            Some(free) if (1..=20).contains(&number) => *free = Some(slot),
            _ => return remove(sectors, slot),
        }
        self.expected = number - 1;
        Ok(())
    }

    /// Completes the long name at its short name.
    fn finish<F: NorFlash>(&mut self, sectors: &mut Sectors<'_, F>, raw: &RawEntry) -> Result<(), FatError> {
        if self.expected != 0 || self.checksum != name::checksum(&directory::name_of(raw)) {
            return self.remove_orphan(sectors);
        }
        *self = Self::default();
        Ok(())
    }

    /// Removes the entries of a long name without a short name.
    fn remove_orphan<F: NorFlash>(&mut self, sectors: &mut Sectors<'_, F>) -> Result<(), FatError> {
        for slot in core::mem::take(self).slots.into_iter().flatten() {
            remove(sectors, slot)?;
        }
        Ok(())
    }
}
