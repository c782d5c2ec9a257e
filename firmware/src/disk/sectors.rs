//! The drive's sectors on a flash that only erases whole pages.
//!
//! What is written waits in memory, page by page. Storing it goes over the journal: all waiting pages are copied
//! there, then declared complete, and only then put in their places. So a loss of power leaves either what was there
//! before or what was to be there, for all pages together.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::FlashFault;
use crate::disk::journal::{self, Journal};
use crate::disk::layout::{JOURNAL_PAGES, PAGE, PAGE_LENGTH, SECTOR, SECTORS, SECTORS_PER_PAGE, VOLUME};

/// What a sector holds.
pub type Sector = [u8; SECTOR];

/// One page that was written to.
pub struct Waiting {
    /// Which page of the drive it is; none if the place is free.
    pub page: Option<u16>,
    pub bytes: [u8; PAGE],
}

impl Waiting {
    const FREE: Self = Self { page: None, bytes: [0; PAGE] };
}

/// Memory for the pages that wait: large, so it is given from outside and lies where the board wants it.
pub struct Memory([Waiting; JOURNAL_PAGES]);

impl Memory {
    #[must_use]
    pub const fn new() -> Self {
        Self([Waiting::FREE; JOURNAL_PAGES])
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    More,
    Done,
}

/// The drive's sectors.
pub struct Sectors<'m, F> {
    flash: F,
    waiting: &'m mut [Waiting; JOURNAL_PAGES],
    storing: Option<Journal>,
}

impl<'m, F: NorFlash> Sectors<'m, F> {
    /// Takes the drive as the last run left it, and finishes what a loss of power interrupted.
    pub fn open(mut flash: F, memory: &'m mut Memory) -> Result<Self, FlashFault> {
        memory.0.iter_mut().for_each(|waiting| waiting.page = None);
        // The first waiting page lends its memory: nothing waits yet.
        let [lent, ..] = &mut memory.0;
        journal::replay(&mut flash, &mut lent.bytes)?;
        Ok(Self { flash, waiting: &mut memory.0, storing: None })
    }

    /// Reads a sector, as it was last written.
    pub fn read(&mut self, sector: u32, into: &mut Sector) -> Result<(), FlashFault> {
        let (page, within) = place(sector)?;
        if let Some(waiting) = self.waiting.iter().find(|waiting| waiting.page == Some(page)) {
            let bytes = waiting.bytes.get(within..).and_then(|rest| rest.first_chunk()).ok_or(FlashFault)?;
            *into = *bytes;
            return Ok(());
        }
        self.flash.read(VOLUME + sector * 512, into).map_err(|_| FlashFault)
    }

    /// Whether a sector can be written without storing first.
    #[must_use]
    pub fn has_room_for(&self, sector: u32) -> bool {
        let Ok((page, _)) = place(sector) else { return true };
        self.storing.is_none() && self.waiting.iter().any(|waiting| waiting.page.is_none_or(|held| held == page))
    }

    /// Writes a sector into memory; stores what waits there if there is no room.
    pub fn write(&mut self, sector: u32, bytes: &Sector) -> Result<(), FlashFault> {
        let (page, within) = place(sector)?;
        if !self.has_room_for(sector) {
            self.store()?;
        }
        let held = self.waiting.iter().position(|waiting| waiting.page == Some(page));
        let free = || self.waiting.iter().position(|waiting| waiting.page.is_none());
        let waiting = held.or_else(free).and_then(|index| self.waiting.get_mut(index)).ok_or(FlashFault)?;
        if waiting.page.is_none() {
            self.flash.read(VOLUME + u32::from(page) * PAGE_LENGTH, &mut waiting.bytes).map_err(|_| FlashFault)?;
            waiting.page = Some(page);
        }
        waiting.bytes.get_mut(within..).and_then(|rest| rest.first_chunk_mut()).ok_or(FlashFault).map(|to| *to = *bytes)
    }

    /// Whether something waits to be stored.
    #[must_use]
    pub fn is_stored(&self) -> bool {
        self.storing.is_none() && self.waiting.iter().all(|waiting| waiting.page.is_none())
    }

    /// Stores everything that waits.
    pub fn store(&mut self) -> Result<(), FlashFault> {
        while self.store_step()? == Progress::More {}
        Ok(())
    }

    /// Stores a part: at most one page is erased, so that what else runs on the chip is not held up for long.
    pub fn store_step(&mut self) -> Result<Progress, FlashFault> {
        let journal = match self.storing.take() {
            Some(journal) => journal,
            None => {
                self.drop_unchanged()?;
                if self.is_stored() {
                    return Ok(Progress::Done);
                }
                Journal::begin()
            }
        };
        self.storing = journal.step(&mut self.flash, self.waiting)?;
        if self.storing.is_some() {
            return Ok(Progress::More);
        }
        self.waiting.iter_mut().for_each(|waiting| waiting.page = None);
        Ok(Progress::Done)
    }

    /// The flash beside the drive.
    pub fn flash(&mut self) -> &mut F {
        &mut self.flash
    }

    /// Gives the flash back; what waits is lost.
    pub fn into_flash(self) -> F {
        self.flash
    }

    /// A host often writes what is there already: that wears nothing.
    fn drop_unchanged(&mut self) -> Result<(), FlashFault> {
        let mut part: Sector = [0; SECTOR];
        for waiting in self.waiting.iter_mut() {
            let Some(page) = waiting.page else { continue };
            let mut address = VOLUME + u32::from(page) * PAGE_LENGTH;
            let mut same = true;
            for bytes in waiting.bytes.chunks_exact(SECTOR) {
                self.flash.read(address, &mut part).map_err(|_| FlashFault)?;
                same &= bytes == part;
                address += 512;
            }
            if same {
                waiting.page = None;
            }
        }
        Ok(())
    }
}

/// In which page a sector lies, and where in it.
fn place(sector: u32) -> Result<(u16, usize), FlashFault> {
    if sector >= SECTORS {
        return Err(FlashFault);
    }
    let page = u16::try_from(sector / SECTORS_PER_PAGE).map_err(|_| FlashFault)?;
    let within = usize::try_from(sector % SECTORS_PER_PAGE).map_err(|_| FlashFault)? * SECTOR;
    Ok((page, within))
}
