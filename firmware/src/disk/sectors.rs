//! Sectors of the drive on flash, with a write-back cache of whole pages.
//!
//! A flush goes through the journal: all dirty pages are copied there, committed, and then written in place. A power
//! loss leaves either the old content or the new content of all pages together.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::FlashError;
use crate::disk::journal::{self, Journal};
use crate::disk::layout::{JOURNAL_PAGES, PAGE_LENGTH, PAGE_SIZE, SECTOR_SIZE, SECTORS, SECTORS_PER_PAGE, VOLUME};
use crate::disk::page_cache::{CachedPage, PageBuffers};

/// Content of a sector.
pub type Sector = [u8; SECTOR_SIZE];

/// Progress of a flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    More,
    Done,
}

/// Sectors of the drive.
pub struct Sectors<'m, F> {
    flash: F,
    cache: &'m mut [CachedPage; JOURNAL_PAGES],
    flush: Option<Journal>,
}

impl<'m, F: NorFlash> Sectors<'m, F> {
    /// Opens the drive and replays the journal after a power loss.
    pub fn open(mut flash: F, buffers: &'m mut PageBuffers) -> Result<Self, FlashError> {
        buffers.0.iter_mut().for_each(|cached| cached.page = None);
        // The replay borrows the first cache entry as its buffer: the cache is still empty.
        let [first, ..] = &mut buffers.0;
        journal::replay(&mut flash, &mut first.bytes)?;
        Ok(Self { flash, cache: &mut buffers.0, flush: None })
    }

    /// Reads a sector from the cache or from flash.
    pub fn read(&mut self, sector: u32, into: &mut Sector) -> Result<(), FlashError> {
        let (page, offset) = locate(sector)?;
        if let Some(cached) = self.cache.iter().find(|cached| cached.page == Some(page)) {
            let bytes = cached.bytes.get(offset..).and_then(|rest| rest.first_chunk()).ok_or(FlashError)?;
            *into = *bytes;
            return Ok(());
        }
        self.flash.read(VOLUME + sector * 512, into).map_err(|_| FlashError)
    }

    /// True if the cache accepts a sector without a flush.
    #[must_use]
    pub fn has_room_for(&self, sector: u32) -> bool {
        let Ok((page, _)) = locate(sector) else { return true };
        self.flush.is_none() && self.cache.iter().any(|cached| cached.page.is_none_or(|dirty| dirty == page))
    }

    /// Writes a sector to the cache. Flushes first if the cache is full.
    pub fn write(&mut self, sector: u32, bytes: &Sector) -> Result<(), FlashError> {
        let (page, offset) = locate(sector)?;
        if !self.has_room_for(sector) {
            self.flush()?;
        }
        let target = self.dirty_page(page)?.bytes.get_mut(offset..).and_then(|rest| rest.first_chunk_mut());
        *target.ok_or(FlashError)? = *bytes;
        Ok(())
    }

    /// Cache entry of a page, loaded from flash if it is new.
    fn dirty_page(&mut self, page: u16) -> Result<&mut CachedPage, FlashError> {
        let position = |wanted| self.cache.iter().position(|cached| cached.page == wanted);
        let index = position(Some(page)).or_else(|| position(None)).ok_or(FlashError)?;
        let cached = self.cache.get_mut(index).ok_or(FlashError)?;
        if cached.page.is_none() {
            self.flash.read(VOLUME + u32::from(page) * PAGE_LENGTH, &mut cached.bytes).map_err(|_| FlashError)?;
            cached.page = Some(page);
        }
        Ok(cached)
    }

    /// True if the cache has no dirty page.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.flush.is_none() && self.cache.iter().all(|cached| cached.page.is_none())
    }

    /// Flushes the cache.
    pub fn flush(&mut self) -> Result<(), FlashError> {
        while self.flush_step()? == Progress::More {}
        Ok(())
    }

    /// Runs one step of a flush. A step erases at most one page, so other tasks are not blocked for long.
    pub fn flush_step(&mut self) -> Result<Progress, FlashError> {
        let journal = match self.flush.take() {
            Some(journal) => journal,
            None => {
                self.discard_unchanged()?;
                if self.is_clean() {
                    return Ok(Progress::Done);
                }
                Journal::begin()
            }
        };
        self.flush = journal.step(&mut self.flash, self.cache)?;
        if self.flush.is_some() {
            return Ok(Progress::More);
        }
        self.cache.iter_mut().for_each(|cached| cached.page = None);
        Ok(Progress::Done)
    }

    /// Flash below the drive.
    pub fn flash(&mut self) -> &mut F {
        &mut self.flash
    }

    /// Discards dirty pages that equal the flash. Hosts often rewrite identical data, which must not wear the flash.
    fn discard_unchanged(&mut self) -> Result<(), FlashError> {
        for cached in self.cache.iter_mut() {
            if let Some(page) = cached.page
                && equals_flash(&mut self.flash, page, &cached.bytes)?
            {
                cached.page = None;
            }
        }
        Ok(())
    }
}

fn equals_flash<F: NorFlash>(flash: &mut F, page: u16, bytes: &[u8; PAGE_SIZE]) -> Result<bool, FlashError> {
    let mut stored: Sector = [0; SECTOR_SIZE];
    let start = VOLUME + u32::from(page) * PAGE_LENGTH;
    for (address, expected) in (start..).step_by(SECTOR_SIZE).zip(bytes.chunks_exact(SECTOR_SIZE)) {
        flash.read(address, &mut stored).map_err(|_| FlashError)?;
        if expected != stored {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Page of a sector and its offset in the page.
fn locate(sector: u32) -> Result<(u16, usize), FlashError> {
    if sector >= SECTORS {
        return Err(FlashError);
    }
    let page = u16::try_from(sector / SECTORS_PER_PAGE).map_err(|_| FlashError)?;
    let offset = usize::try_from(sector % SECTORS_PER_PAGE).map_err(|_| FlashError)? * SECTOR_SIZE;
    Ok((page, offset))
}
