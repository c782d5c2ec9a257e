//! Flash and memory usage of linked firmware, and its UF2 file for the Pico's boot drive.

use std::fmt::Write as _;

use object::read::elf::{ElfFile32, ProgramHeader as _};
use object::{LittleEndian, Object as _, ObjectSegment as _};
use sha2::{Digest as _, Sha256};
use wasm_core::uf2::{FLASH, PAYLOAD, block, hash_digits};

use crate::Result;

const MEMORY: u32 = 0x2000_0000;

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

/// The program as a UF2 file for the RP2040. Its version gets the start of its SHA-256.
pub fn file(program: &Program<'_>) -> Result<Vec<u8>> {
    let mut flash = program.flash();
    let hash = hex(&Sha256::digest(&flash))?;
    let digits = hash_digits(&mut flash).ok_or("the program has no version")?;
    digits.iter_mut().zip(hash.bytes()).for_each(|(to, from)| *to = from);
    let (payloads, _) = flash.as_chunks::<PAYLOAD>();
    let count = u32::try_from(payloads.len())?;
    Ok((0..count).zip(payloads).flat_map(|(number, payload)| block(number, count, payload)).collect())
}

fn hex(bytes: &[u8]) -> Result<String> {
    let mut text = String::new();
    bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(code: &[u8]) -> Program<'_> {
        let in_memory = u32::try_from(code.len()).unwrap();
        Program(vec![Segment { address: FLASH + 0x100, load_address: FLASH + 0x100, bytes: code, in_memory }])
    }

    fn code(instruction: u8) -> Vec<u8> {
        let mut code = vec![instruction; 300];
        code.splice(40..40, wasm_core::firmware_version!("0.1.0").bytes());
        code
    }

    #[test]
    fn the_flash_is_in_the_file_where_it_belongs() {
        let code = code(7);
        let file = file(&program(&code)).unwrap();
        assert_eq!(file.len(), 3 * 512, "256 bytes in front, more than 256 of code");
        let payload = |number: usize| &file[number * 512 + 32..][..256];
        assert_eq!(payload(0), [0xFF; 256], "nothing is programmed in front");
        assert_eq!((payload(1)[0], payload(2)[44], payload(2)[200]), (7, 7, 0xFF));
    }

    #[test]
    fn a_changed_program_has_another_version_and_the_same_program_the_same() {
        let version =
            |instruction| wasm_core::uf2::version(&file(&program(&code(instruction))).unwrap()).unwrap().to_owned();
        assert!(version(7).starts_with("0.1.0+") && !version(7).contains('-'), "{}", version(7));
        assert_eq!(version(7), version(7));
        assert_ne!(version(7), version(8));
        assert!(file(&program(&[7; 300])).is_err(), "a program without a version");
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
