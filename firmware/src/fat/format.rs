//! Formatter: creates an empty file system.
//!
//! A cluster is one flash page, so files never share a page. The tables and the root directory have one page each.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::layout::SECTORS;
use crate::disk::sectors::{Sector, Sectors};
use crate::fat::directory;
use crate::fat::{FatError, name};

/// Reserved sectors. They align the end of the tables, one sector each, with the end of the first page.
const RESERVED: u32 = 6;
const TABLES: u32 = 2;
/// One page, with room for the metadata files of several operating systems.
const ROOT_SECTORS: u32 = 8;
const MEDIA: u8 = 0xF8;

/// Formats the drive with the label NUDGELIGHT and the volume serial number `serial`. All files are lost.
pub fn format<F: NorFlash>(sectors: &mut Sectors<'_, F>, serial: u32) -> Result<(), FatError> {
    let empty: Sector = [0; 512];
    for sector in 0..RESERVED + TABLES + ROOT_SECTORS {
        sectors.write(sector, &empty)?;
    }
    sectors.write(0, &boot_sector(serial))?;
    for copy in 0..TABLES {
        let mut table = empty;
        table[..3].copy_from_slice(&[MEDIA, 0xFF, 0xFF]);
        sectors.write(RESERVED + copy, &table)?;
    }
    let mut root = empty;
    root[..32].copy_from_slice(&directory::label(&name::LABEL));
    Ok(sectors.write(RESERVED + TABLES, &root)?)
}

fn boot_sector(serial: u32) -> Sector {
    let total = u16::try_from(SECTORS).unwrap_or(0);
    let mut boot: Sector = [0; 512];
    boot[..3].copy_from_slice(&[0xEB, 0x3C, 0x90]);
    // Some hosts trust the parameters only with this OEM name.
    boot[3..11].copy_from_slice(b"MSWIN4.1");
    boot[11..13].copy_from_slice(&512_u16.to_le_bytes());
    boot[13] = 8;
    boot[14] = 6;
    boot[16] = 2;
    boot[17..19].copy_from_slice(&128_u16.to_le_bytes());
    boot[19..21].copy_from_slice(&total.to_le_bytes());
    boot[21] = MEDIA;
    boot[22] = 1;
    // Sectors per track and number of heads, both obsolete.
    boot[24..26].copy_from_slice(&63_u16.to_le_bytes());
    boot[26..28].copy_from_slice(&255_u16.to_le_bytes());
    boot[36] = 0x80;
    boot[38] = 0x29;
    boot[39..43].copy_from_slice(&serial.to_le_bytes());
    boot[43..54].copy_from_slice(&name::LABEL);
    boot[54..62].copy_from_slice(b"FAT12   ");
    // Boot code: an infinite loop.
    boot[62..64].copy_from_slice(&[0xEB, 0xFE]);
    boot[510..].copy_from_slice(&[0x55, 0xAA]);
    boot
}
