//! Changing several pages as one.
//!
//! The journal's first page names the pages that follow it and carries a checksum over them. It is written last, so a
//! journal with a correct checksum is complete: whoever finds one puts its pages in place, again if need be. Once
//! they are there, a mark is programmed over erased bytes, which needs no erasing.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::FlashFault;
use crate::disk::checksum::Checksum;
use crate::disk::layout::{JOURNAL, JOURNAL_PAGES, PAGE, PAGE_LENGTH, VOLUME};
use crate::disk::sectors::Waiting;

/// Begins a description: "NLJ1".
const MAGIC: u32 = 0x314A_4C4E;
/// What stands where no page is named.
const ERASED: u16 = 0xFFFF;
/// Where the mark is that the pages are in their places.
const PLACED: u32 = 64;

/// How far the pages have come.
#[derive(Clone, Copy)]
enum Stage {
    Invalidate,
    Copy(usize),
    Declare,
    Place(usize),
    Retire,
}

/// A change on its way.
pub struct Journal(Stage);

impl Journal {
    pub fn begin() -> Self {
        Self(Stage::Invalidate)
    }

    /// Does the next thing; gives itself back while there is another. The pages must not change meanwhile.
    pub fn step<F: NorFlash>(
        self,
        flash: &mut F,
        pages: &[Waiting; JOURNAL_PAGES],
    ) -> Result<Option<Self>, FlashFault> {
        let next = match self.0 {
            Stage::Invalidate => {
                flash.erase(JOURNAL, JOURNAL + PAGE_LENGTH).map_err(|_| FlashFault)?;
                Stage::Copy(0)
            }
            Stage::Copy(index) => match nth(pages, index) {
                Some((_, bytes)) => {
                    replace(flash, copy_of(index)?, bytes)?;
                    Stage::Copy(index + 1)
                }
                None => Stage::Declare,
            },
            Stage::Declare => {
                let description = describe(pages);
                flash.write(JOURNAL, &description).map_err(|_| FlashFault)?;
                Stage::Place(0)
            }
            Stage::Place(index) => match nth(pages, index) {
                Some((page, bytes)) => {
                    replace(flash, home_of(page), bytes)?;
                    Stage::Place(index + 1)
                }
                None => Stage::Retire,
            },
            Stage::Retire => {
                flash.write(JOURNAL + PLACED, &[0; 4]).map_err(|_| FlashFault)?;
                return Ok(None);
            }
        };
        Ok(Some(Self(next)))
    }
}

/// The journal's first bytes.
type Description = [u8; 64];

/// After a start: puts the pages of a complete journal in their places. `buffer` is overwritten.
pub fn replay<F: NorFlash>(flash: &mut F, buffer: &mut [u8; PAGE]) -> Result<(), FlashFault> {
    let mut description: Description = [0; 64];
    flash.read(JOURNAL, &mut description).map_err(|_| FlashFault)?;
    let mut placed = [0; 4];
    flash.read(JOURNAL + PLACED, &mut placed).map_err(|_| FlashFault)?;
    if placed != [0xFF; 4] || !is_complete(flash, &description, buffer)? {
        return Ok(());
    }
    for (index, page) in named(&description).enumerate() {
        flash.read(copy_of(index)?, buffer).map_err(|_| FlashFault)?;
        replace(flash, home_of(page), buffer)?;
    }
    flash.write(JOURNAL + PLACED, &[0; 4]).map_err(|_| FlashFault)
}

fn describe(pages: &[Waiting; JOURNAL_PAGES]) -> Description {
    let mut description: Description = [0xFF; 64];
    let pages_named = pages.iter().filter_map(|waiting| waiting.page);
    for (name, page) in description[4..60].chunks_exact_mut(2).zip(pages_named) {
        name.copy_from_slice(&page.to_le_bytes());
    }
    description[..4].copy_from_slice(&MAGIC.to_le_bytes());
    let mut sum = Checksum::new().with(&description[..60]);
    for waiting in pages.iter().filter(|waiting| waiting.page.is_some()) {
        sum = sum.with(&waiting.bytes);
    }
    description[60..].copy_from_slice(&sum.value().to_le_bytes());
    description
}

/// The pages that a description names, in order.
fn named(description: &Description) -> impl Iterator<Item = u16> {
    let names = description[4..60].chunks_exact(2).take(JOURNAL_PAGES);
    names.filter_map(|name| Some(u16::from_le_bytes(*name.first_chunk()?))).filter(|page| *page != ERASED)
}

fn is_complete<F: NorFlash>(
    flash: &mut F,
    description: &Description,
    buffer: &mut [u8; PAGE],
) -> Result<bool, FlashFault> {
    if description[..4] != MAGIC.to_le_bytes() {
        return Ok(false);
    }
    let mut sum = Checksum::new().with(&description[..60]);
    for (index, _) in named(description).enumerate() {
        flash.read(copy_of(index)?, buffer).map_err(|_| FlashFault)?;
        sum = sum.with(buffer);
    }
    Ok(description[60..] == sum.value().to_le_bytes())
}

/// The page that waits as the `index`th.
fn nth(pages: &[Waiting; JOURNAL_PAGES], index: usize) -> Option<(u16, &[u8; PAGE])> {
    pages.iter().filter_map(|waiting| Some((waiting.page?, &waiting.bytes))).nth(index)
}

fn copy_of(index: usize) -> Result<u32, FlashFault> {
    let index = u32::try_from(index).map_err(|_| FlashFault)?;
    Ok(JOURNAL + (index + 1) * PAGE_LENGTH)
}

fn home_of(page: u16) -> u32 {
    VOLUME + u32::from(page) * PAGE_LENGTH
}

fn replace<F: NorFlash>(flash: &mut F, address: u32, bytes: &[u8; PAGE]) -> Result<(), FlashFault> {
    flash.erase(address, address + PAGE_LENGTH).map_err(|_| FlashFault)?;
    flash.write(address, bytes).map_err(|_| FlashFault)
}
