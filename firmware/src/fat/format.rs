//! An empty drive.
//!
//! Its clusters are the flash's pages: a file never shares a page with another one, and the table and the root
//! directory have one each.

use embedded_storage::nor_flash::NorFlash;

use crate::disk::layout::SECTORS;
use crate::disk::sectors::{Sector, Sectors};
use crate::fat::directory;
use crate::fat::{Fault, name};

/// So many that the tables, one sector each, end with the first page.
const RESERVED: u32 = 6;
const TABLES: u32 = 2;
/// A page: enough for the litter of several computers.
const ROOT_SECTORS: u32 = 8;
const MEDIA: u8 = 0xF8;

/// Makes an empty file system called NUDGELIGHT; whatever was there is gone. `serial` tells one device's drive from
/// another's.
pub fn format<F: NorFlash>(sectors: &mut Sectors<'_, F>, serial: u32) -> Result<(), Fault> {
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
    // Some computers trust the parameters only below this name.
    boot[3..11].copy_from_slice(b"MSWIN4.1");
    boot[11..13].copy_from_slice(&512_u16.to_le_bytes());
    boot[13] = 8;
    boot[14] = 6;
    boot[16] = 2;
    boot[17..19].copy_from_slice(&128_u16.to_le_bytes());
    boot[19..21].copy_from_slice(&total.to_le_bytes());
    boot[21] = MEDIA;
    boot[22] = 1;
    // A disk's tracks and heads, which nobody asks for any more.
    boot[24..26].copy_from_slice(&63_u16.to_le_bytes());
    boot[26..28].copy_from_slice(&255_u16.to_le_bytes());
    boot[36] = 0x80;
    boot[38] = 0x29;
    boot[39..43].copy_from_slice(&serial.to_le_bytes());
    boot[43..54].copy_from_slice(&name::LABEL);
    boot[54..62].copy_from_slice(b"FAT12   ");
    // Nothing boots from it: a processor that tries stands still.
    boot[62..64].copy_from_slice(&[0xEB, 0xFE]);
    boot[510..].copy_from_slice(&[0x55, 0xAA]);
    boot
}
