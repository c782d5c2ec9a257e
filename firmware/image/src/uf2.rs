//! Flash and memory usage of linked firmware, and its UF2 file for the Pico's boot drive.

use object::read::elf::{ElfFile32, ProgramHeader as _};
use object::{LittleEndian, Object as _, ObjectSegment as _};

const FLASH: u32 = 0x1000_0000;
const MEMORY: u32 = 0x2000_0000;
/// Bytes of flash in a block.
const PAYLOAD: usize = 256;
const FIRST_MAGIC: u32 = 0x0A32_4655;
const SECOND_MAGIC: u32 = 0x9E5D_5157;
const LAST_MAGIC: u32 = 0x0AB1_6F30;
/// Flag: the block has a chip family.
const HAS_FAMILY: u32 = 0x2000;
const RP2040: u32 = 0xE48B_FF56;

/// A loaded segment of the program.
struct Segment<'f> {
    address: u32,
    load_address: u32,
    bytes: &'f [u8],
    in_memory: u32,
}

/// The segments of a linked program.
pub struct Program<'f>(Vec<Segment<'f>>);

/// Flash and memory usage in bytes.
pub struct Size {
    pub flash: u64,
    pub memory: u64,
}

impl<'f> Program<'f> {
    /// Parses a 32-bit ELF file.
    pub fn read(file: &'f [u8]) -> object::Result<Self> {
        let file = ElfFile32::<LittleEndian>::parse(file)?;
        let segments = file.segments().map(|segment| {
            let header = segment.elf_program_header();
            Ok(Segment {
                address: header.p_vaddr(LittleEndian),
                load_address: header.p_paddr(LittleEndian),
                bytes: segment.data()?,
                in_memory: header.p_memsz(LittleEndian),
            })
        });
        segments.collect::<object::Result<_>>().map(Self)
    }

    /// Flash usage and static memory usage.
    pub fn size(&self) -> Size {
        let flash = self.0.iter().map(|segment| u64::try_from(segment.bytes.len()).unwrap_or(u64::MAX)).sum();
        let memory = self.0.iter().filter(|segment| segment.address >= MEMORY).map(|s| u64::from(s.in_memory)).sum();
        Size { flash, memory }
    }

    /// The content of the flash up to the program's end, in whole payloads.
    fn flash(&self) -> Vec<u8> {
        let mut flash = Vec::new();
        for segment in self.0.iter().filter(|segment| !segment.bytes.is_empty()) {
            let Some(begin) = segment.load_address.checked_sub(FLASH).and_then(|at| usize::try_from(at).ok()) else {
                continue;
            };
            let end = begin + segment.bytes.len();
            flash.resize(flash.len().max(end.next_multiple_of(PAYLOAD)), 0xFF);
            if let Some(place) = flash.get_mut(begin..end) {
                place.copy_from_slice(segment.bytes);
            }
        }
        flash
    }
}

/// The program as a UF2 file for the RP2040.
pub fn file(program: &Program<'_>) -> Vec<u8> {
    let flash = program.flash();
    let count = u32::try_from(flash.len() / PAYLOAD).unwrap_or(u32::MAX);
    let mut file = Vec::new();
    for (number, payload) in (0_u32..).zip(flash.chunks(PAYLOAD)) {
        let address = FLASH + number * 256;
        for word in [FIRST_MAGIC, SECOND_MAGIC, HAS_FAMILY, address, 256, number, count, RP2040] {
            file.extend(word.to_le_bytes());
        }
        file.extend(payload);
        file.resize(file.len().next_multiple_of(512) - 4, 0);
        file.extend(LAST_MAGIC.to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_512_bytes_and_says_where_its_256_belong() {
        let code = [7; 300];
        let segment = Segment { address: FLASH + 0x100, load_address: FLASH + 0x100, bytes: &code, in_memory: 300 };
        let file = file(&Program(vec![segment]));
        assert_eq!(file.len(), 3 * 512, "256 bytes in front, 300 of code");
        let word = |at: usize| u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
        assert_eq!([0, 4, 8].map(word), [FIRST_MAGIC, SECOND_MAGIC, HAS_FAMILY]);
        assert_eq!([512 + 12, 512 + 16, 512 + 20, 512 + 24, 512 + 28].map(word), [FLASH + 256, 256, 1, 3, RP2040]);
        assert_eq!(word(1024 - 4), LAST_MAGIC);
        assert_eq!(file[32], 0xFF, "nothing is programmed in front");
        assert_eq!((file[512 + 32], file[1024 + 32 + 43], file[1024 + 32 + 44]), (7, 7, 0xFF));
    }

    #[test]
    fn memory_counts_what_is_in_it_and_flash_what_is_loaded() {
        let code = [7; 300];
        let flash = Segment { address: FLASH, load_address: FLASH, bytes: &code, in_memory: 300 };
        let data = Segment { address: MEMORY, load_address: FLASH + 300, bytes: &code, in_memory: 300 };
        let zeros = Segment { address: MEMORY + 300, load_address: MEMORY + 300, bytes: &[], in_memory: 1000 };
        let size = Program(vec![flash, data, zeros]).size();
        assert_eq!((size.flash, size.memory), (600, 1300));
    }

    #[test]
    fn what_is_no_elf_is_refused() {
        assert!(Program::read(b"not an ELF").is_err());
        assert!(Program::read(b"\x7fELF\x01\x01").is_err());
    }
}
