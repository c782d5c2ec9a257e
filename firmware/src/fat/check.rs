//! Puts right what a computer left behind when its plug was pulled.
//!
//! The rules are those of `fsck.fat`: both tables agree, each cluster has one owner, a chain is as long as its file,
//! a long name stands before its own short one. What breaks them is removed; a schedule that goes with it comes back
//! from where the last good one is kept.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::sectors::{Sector, Sectors};
use crate::fat::directory::{self, DELETED, Entry, Part, Place, Raw};
use crate::fat::geometry::Geometry;
use crate::fat::table::{FREE, Next, Table};
use crate::fat::{Fault, name};

/// Where a computer notes that it has the drive in use.
const IN_USE: usize = 37;
/// As many as a table of FAT12 can name.
const WORDS: usize = 4096 / 32;

/// A set of clusters.
struct Clusters([u32; WORDS]);

impl Clusters {
    const fn none() -> Self {
        Self([0; WORDS])
    }

    fn bit(cluster: u16) -> (usize, u32) {
        (usize::from(cluster / 32), 1 << (cluster % 32))
    }

    fn has(&self, cluster: u16) -> bool {
        let (word, bit) = Self::bit(cluster);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn insert(&mut self, cluster: u16) {
        let (word, bit) = Self::bit(cluster);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn take(&mut self) -> Option<u16> {
        let (index, word) = (0..).zip(self.0.iter_mut()).find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        Some(index * 32 + u16::try_from(bit).ok()?)
    }
}

/// What a look at everything that is reachable goes by.
struct Walk {
    geometry: Geometry,
    table: Table,
}

/// What it has seen.
struct Seen {
    owned: Clusters,
    /// Directories that were found and not yet looked into.
    pending: Clusters,
}

/// Makes the file system consistent. It is unreadable where nothing can be saved.
pub fn repair<F: NorFlash>(sectors: &mut Sectors<'_, F>) -> Result<(), Fault> {
    let geometry = Geometry::read(sectors)?;
    let mut walk = Walk { geometry, table: best_table(sectors, geometry)? };
    let mut seen = Seen { owned: Clusters::none(), pending: Clusters::none() };
    walk.directory(sectors, &mut seen, None)?;
    while let Some(directory) = seen.pending.take() {
        walk.directory(sectors, &mut seen, Some(directory))?;
    }
    for cluster in geometry.all_clusters() {
        if !seen.owned.has(cluster) && !walk.table.is_bad(cluster) {
            walk.table.set(cluster, FREE);
        }
    }
    walk.table.store(sectors)?;
    no_longer_in_use(sectors)
}

/// The first copy that begins as a table must.
fn best_table<F: NorFlash>(sectors: &mut Sectors<'_, F>, geometry: Geometry) -> Result<Table, Fault> {
    for copy in 0..geometry.tables {
        let table = Table::load(sectors, geometry, copy)?;
        if table.begins_well() {
            return Ok(table);
        }
    }
    Err(Fault::Unreadable)
}

fn no_longer_in_use<F: NorFlash>(sectors: &mut Sectors<'_, F>) -> Result<(), Fault> {
    let mut boot: Sector = [0; 512];
    sectors.read(0, &mut boot)?;
    if boot[IN_USE] & 1 == 0 {
        return Ok(());
    }
    boot[IN_USE] &= !1;
    Ok(sectors.write(0, &boot)?)
}

impl Walk {
    /// Looks at each entry of a directory and removes those that break a rule.
    fn directory<F: NorFlash>(
        &self,
        sectors: &mut Sectors<'_, F>,
        seen: &mut Seen,
        first: Option<u16>,
    ) -> Result<(), Fault> {
        let mut name = LongName::default();
        // A directory's own first entries are itself and the one above.
        let own_entries = if first.is_some() { 2 } else { 0 };
        let mut is_over = false;
        for place in directory::places(&self.geometry, &self.table, first).skip(own_entries) {
            let raw = directory::get(sectors, place)?;
            match directory::kind(&raw) {
                // Some computers look further than the end.
                _ if is_over => erase(sectors, place, &raw)?,
                Entry::End => is_over = true,
                _ if directory::is_malformed(&raw) => {
                    name.drop_orphan(sectors)?;
                    remove(sectors, place)?;
                }
                Entry::LongName => name.continue_with(sectors, place, &raw)?,
                Entry::Free | Entry::Label => name.drop_orphan(sectors)?,
                Entry::File | Entry::Directory if self.is_sound(sectors, seen, &raw)? => {
                    name.end_with(sectors, &raw)?;
                }
                Entry::File | Entry::Directory => {
                    name.drop_orphan(sectors)?;
                    remove(sectors, place)?;
                }
            }
        }
        name.drop_orphan(sectors)
    }

    /// Whether a file's or a directory's clusters are all there and its own; they are, from then on.
    fn is_sound<F: NorFlash>(&self, sectors: &mut Sectors<'_, F>, seen: &mut Seen, raw: &Raw) -> Result<bool, Fault> {
        let (first, length) = (directory::first_cluster(raw), directory::length(raw));
        let clusters = self.count(seen, first);
        let is_directory = directory::kind(raw) == Entry::Directory;
        let sound = if is_directory {
            length == 0 && clusters.is_some() && self.begins_with_dots(sectors, first)?
        } else if first == 0 {
            length == 0
        } else {
            length > 0 && clusters == Some(length.div_ceil(self.geometry.cluster_length()))
        };
        if !sound {
            return Ok(false);
        }
        self.table.chain(first).for_each(|cluster| seen.owned.insert(cluster));
        if is_directory {
            seen.pending.insert(first);
        }
        Ok(true)
    }

    /// Whether a directory was written, and not only reserved.
    fn begins_with_dots<F: NorFlash>(&self, sectors: &mut Sectors<'_, F>, first: u16) -> Result<bool, Fault> {
        let Some(sector) = self.geometry.sector_of(first) else { return Ok(false) };
        let itself = directory::get(sectors, Place { sector, index: 0 })?;
        let above = directory::get(sectors, Place { sector, index: 1 })?;
        Ok(itself.starts_with(b".          ") && above.starts_with(b"..         "))
    }

    /// How many clusters there are from `first` on; none unless they end well and nobody else owns one of them.
    fn count(&self, seen: &Seen, first: u16) -> Option<u32> {
        let mut cluster = first;
        for count in 1..=u32::from(self.geometry.clusters) {
            self.geometry.sector_of(cluster)?;
            if seen.owned.has(cluster) {
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

fn remove<F: NorFlash>(sectors: &mut Sectors<'_, F>, place: Place) -> Result<(), Fault> {
    let mut raw = directory::get(sectors, place)?;
    raw[0] = DELETED;
    directory::put(sectors, place, &raw)
}

fn erase<F: NorFlash>(sectors: &mut Sectors<'_, F>, place: Place, raw: &Raw) -> Result<(), Fault> {
    if raw == &[0; 32] { Ok(()) } else { directory::put(sectors, place, &[0; 32]) }
}

/// The parts of a long name, as far as they were seen.
#[derive(Default)]
struct LongName {
    places: [Option<Place>; 20],
    checksum: u8,
    /// The number that the next part must have; 0 when the short name comes next.
    expected: u8,
}

impl LongName {
    fn continue_with<F: NorFlash>(
        &mut self,
        sectors: &mut Sectors<'_, F>,
        place: Place,
        raw: &Raw,
    ) -> Result<(), Fault> {
        let (number, part) = directory::part(raw);
        let checksum = directory::part_checksum(raw);
        if part == Part::First {
            self.drop_orphan(sectors)?;
            self.checksum = checksum;
        } else if number != self.expected || checksum != self.checksum || number == 0 {
            self.drop_orphan(sectors)?;
            return remove(sectors, place);
        }
        match self.places.iter_mut().find(|kept| kept.is_none()) {
            Some(kept) if (1..=20).contains(&number) => *kept = Some(place),
            _ => return remove(sectors, place),
        }
        self.expected = number - 1;
        Ok(())
    }

    /// The short name behind the parts.
    fn end_with<F: NorFlash>(&mut self, sectors: &mut Sectors<'_, F>, raw: &Raw) -> Result<(), Fault> {
        if self.expected != 0 || self.checksum != name::checksum(&directory::name_of(raw)) {
            return self.drop_orphan(sectors);
        }
        *self = Self::default();
        Ok(())
    }

    fn drop_orphan<F: NorFlash>(&mut self, sectors: &mut Sectors<'_, F>) -> Result<(), Fault> {
        for place in core::mem::take(self).places.into_iter().flatten() {
            remove(sectors, place)?;
        }
        Ok(())
    }
}
