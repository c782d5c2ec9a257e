//! Flash layout. The linker scripts `memory-*.x` keep the firmware out of these areas.

/// Flash page: the unit of erasing.
pub const PAGE_SIZE: usize = 4096;

/// Page size as a flash address offset.
pub const PAGE_LENGTH: u32 = 4096;

/// Sector size of the drive.
pub const SECTOR_SIZE: usize = 512;

pub const SECTORS_PER_PAGE: u32 = 8;

/// Start of the journal: one header page, then the copies.
pub const JOURNAL: u32 = 0x000E_F000;

/// Maximum number of pages in one journal transaction.
pub const JOURNAL_PAGES: usize = 8;

/// Start of the two slots with the last good schedule.
pub const LAST_GOOD: u32 = JOURNAL + 9 * PAGE_LENGTH;

/// Length of one slot: one header page and three text pages.
pub const LAST_GOOD_SLOT: u32 = 4 * PAGE_LENGTH;

/// Maximum length of a stored text. It exceeds the parser's limit by two bytes so that the parser still detects a text
/// that is too long.
pub const MAX_TEXT: usize = wasm_core::schedule::MAX_BYTES + 2;

/// Start of the drive: the second megabyte.
pub const VOLUME: u32 = 0x0010_0000;

/// Number of sectors of the drive.
pub const SECTORS: u32 = 2048;

/// Size of the flash chip.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;

const _: () = assert!(MAX_TEXT <= 3 * PAGE_SIZE, "a text must fit into its slot");
const _: () = assert!(LAST_GOOD + 2 * LAST_GOOD_SLOT <= VOLUME, "the slots must end before the drive");
const _: () = assert!(VOLUME + SECTORS * 512 <= 2 * 1024 * 1024, "the drive must fit into the flash");
