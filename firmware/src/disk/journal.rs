//! Write-ahead journal: atomic updates of several flash pages.
//!
//! The header page lists the journaled pages and carries a checksum over them. It is written last, so a valid checksum
//! means a committed journal. After a power loss, a committed journal is replayed. Once its pages are in place, a mark
//! is programmed over erased bytes, which needs no erase.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::FlashError;
use crate::disk::crc32::Crc32;
use crate::disk::layout::{JOURNAL, JOURNAL_PAGES, PAGE_LENGTH, PAGE_SIZE, VOLUME};
use crate::disk::page_cache::CachedPage;

/// First bytes of a header: "NLJ1".
const MAGIC: u32 = 0x314A_4C4E;
/// Unused entry in the list of pages.
const NO_PAGE: u16 = 0xFFFF;
/// Offset of the mark that the pages are in place.
const APPLIED_MARK: u32 = 64;

/// Next step of a transaction.
#[derive(Clone, Copy)]
enum Step {
    Invalidate,
    Copy(usize),
    Commit,
    Apply(usize),
    MarkApplied,
}

/// Transaction in progress.
pub struct Journal(Step);

impl Journal {
    pub fn begin() -> Self {
        Self(Step::Invalidate)
    }

    /// Runs one step. Returns the journal while steps remain. The pages must not change between steps.
    pub fn step<F: NorFlash>(
        self,
        flash: &mut F,
        pages: &[CachedPage; JOURNAL_PAGES],
    ) -> Result<Option<Self>, FlashError> {
        let next = match self.0 {
            Step::Invalidate => {
                flash.erase(JOURNAL, JOURNAL + PAGE_LENGTH).map_err(|_| FlashError)?;
                Step::Copy(0)
            }
            Step::Copy(index) => match nth(pages, index) {
                Some((_, bytes)) => {
                    rewrite_page(flash, copy_address(index)?, bytes)?;
                    Step::Copy(index + 1)
                }
                None => Step::Commit,
            },
            Step::Commit => {
                flash.write(JOURNAL, &header(pages)).map_err(|_| FlashError)?;
                Step::Apply(0)
            }
            Step::Apply(index) => match nth(pages, index) {
                Some((page, bytes)) => {
                    rewrite_page(flash, volume_address(page), bytes)?;
                    Step::Apply(index + 1)
                }
                None => Step::MarkApplied,
            },
            Step::MarkApplied => {
                mark_applied(flash)?;
                return Ok(None);
            }
        };
        Ok(Some(Self(next)))
    }
}

/// Journal header: magic number, page numbers, checksum.
type Header = [u8; 64];

/// Replays a committed journal after a restart. `buffer` is overwritten.
pub fn replay<F: NorFlash>(flash: &mut F, buffer: &mut [u8; PAGE_SIZE]) -> Result<(), FlashError> {
    let mut header: Header = [0; 64];
    flash.read(JOURNAL, &mut header).map_err(|_| FlashError)?;
    let mut mark = [0; 4];
    flash.read(JOURNAL + APPLIED_MARK, &mut mark).map_err(|_| FlashError)?;
    if mark != [0xFF; 4] || !is_committed(flash, &header, buffer)? {
        return Ok(());
    }
    for (index, page) in page_numbers(&header).enumerate() {
        flash.read(copy_address(index)?, buffer).map_err(|_| FlashError)?;
        rewrite_page(flash, volume_address(page), buffer)?;
    }
    mark_applied(flash)
}

fn mark_applied<F: NorFlash>(flash: &mut F) -> Result<(), FlashError> {
    flash.write(JOURNAL + APPLIED_MARK, &[0; 4]).map_err(|_| FlashError)
}

fn header(pages: &[CachedPage; JOURNAL_PAGES]) -> Header {
    let mut header: Header = [0xFF; 64];
    let numbers = pages.iter().filter_map(|cached| cached.page);
    for (entry, number) in header[4..60].chunks_exact_mut(2).zip(numbers) {
        entry.copy_from_slice(&number.to_le_bytes());
    }
    header[..4].copy_from_slice(&MAGIC.to_le_bytes());
    let mut crc = Crc32::new().with(&header[..60]);
    for cached in pages.iter().filter(|cached| cached.page.is_some()) {
        crc = crc.with(&cached.bytes);
    }
    header[60..].copy_from_slice(&crc.value().to_le_bytes());
    header
}

fn page_numbers(header: &Header) -> impl Iterator<Item = u16> {
    let entries = header[4..60].chunks_exact(2).take(JOURNAL_PAGES);
    entries.filter_map(|entry| Some(u16::from_le_bytes(*entry.first_chunk()?))).filter(|page| *page != NO_PAGE)
}

fn is_committed<F: NorFlash>(flash: &mut F, header: &Header, buffer: &mut [u8; PAGE_SIZE]) -> Result<bool, FlashError> {
    if header[..4] != MAGIC.to_le_bytes() {
        return Ok(false);
    }
    let mut crc = Crc32::new().with(&header[..60]);
    for (index, _) in page_numbers(header).enumerate() {
        flash.read(copy_address(index)?, buffer).map_err(|_| FlashError)?;
        crc = crc.with(buffer);
    }
    Ok(header[60..] == crc.value().to_le_bytes())
}

/// Dirty page at an index, counted without free entries.
fn nth(pages: &[CachedPage; JOURNAL_PAGES], index: usize) -> Option<(u16, &[u8; PAGE_SIZE])> {
    pages.iter().filter_map(|cached| Some((cached.page?, &cached.bytes))).nth(index)
}

/// Flash address of a copy in the journal.
fn copy_address(index: usize) -> Result<u32, FlashError> {
    let index = u32::try_from(index).map_err(|_| FlashError)?;
    Ok(JOURNAL + (index + 1) * PAGE_LENGTH)
}

/// Flash address of a page of the drive.
fn volume_address(page: u16) -> u32 {
    VOLUME + u32::from(page) * PAGE_LENGTH
}

fn rewrite_page<F: NorFlash>(flash: &mut F, address: u32, bytes: &[u8; PAGE_SIZE]) -> Result<(), FlashError> {
    flash.erase(address, address + PAGE_LENGTH).map_err(|_| FlashError)?;
    flash.write(address, bytes).map_err(|_| FlashError)
}
