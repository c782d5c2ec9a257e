//! How the flash is divided. The linker's `memory-*.x` keeps the program out of it.

/// What is erased at once.
pub const PAGE: usize = 4096;

/// A page's length as an address counts.
pub const PAGE_LENGTH: u32 = 4096;

/// A sector of the drive.
pub const SECTOR: usize = 512;

/// How many sectors lie in a page.
pub const SECTORS_PER_PAGE: u32 = 8;

/// Where the journal begins: one page that says what the following ones are.
pub const JOURNAL: u32 = 0x000E_F000;

/// How many pages can be changed as one.
pub const JOURNAL_PAGES: usize = 8;

/// Where the two slots with the last good schedule begin.
pub const KEPT: u32 = JOURNAL + 9 * PAGE_LENGTH;

/// The length of one slot: a page for the text's description and three for the text.
pub const KEPT_SLOT: u32 = 4 * PAGE_LENGTH;

/// The longest text that is kept: what is read of a schedule, and so much more that one which is too long still shows
/// as one.
pub const LONGEST_TEXT: usize = wasm_core::schedule::MAX_BYTES + 2;

/// Where the drive begins: the second megabyte.
pub const VOLUME: u32 = 0x0010_0000;

/// How many sectors the drive has.
pub const SECTORS: u32 = 2048;

/// How much flash all of it takes.
pub const FLASH: usize = 2 * 1024 * 1024;

const _: () = assert!(LONGEST_TEXT <= 3 * PAGE, "a text must fit its slot");
const _: () = assert!(KEPT + 2 * KEPT_SLOT <= VOLUME, "what is kept must end before the drive begins");
const _: () = assert!(VOLUME + SECTORS * 512 <= 2 * 1024 * 1024, "the drive must fit the flash");
