//! Flash sections and symbols of a 32-bit ELF file.

use object::elf::{SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{ElfFile32, SectionHeader as _};
use object::{LittleEndian, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

pub struct Elf {
    /// Sections in flash: loaded, and with content in the file.
    pub flash: Vec<Section>,
    pub symbols: Vec<Symbol>,
}

pub struct Section {
    address: usize,
    pub content: Vec<u8>,
}

pub struct Symbol {
    pub name: String,
    /// Without the lowest bit, which marks Thumb code.
    pub address: usize,
    pub size: usize,
    pub is_function: bool,
}

impl Elf {
    pub fn parse(bytes: &[u8]) -> object::Result<Self> {
        let file = ElfFile32::<LittleEndian>::parse(bytes)?;
        let is_in_flash = |header: &object::elf::SectionHeader32<LittleEndian>| {
            header.sh_flags(LittleEndian).contains(SHF_ALLOC) && header.sh_type(LittleEndian) != SHT_NOBITS
        };
        let sections = file.sections().filter(|section| is_in_flash(section.elf_section_header()));
        let flash = sections
            .map(|section| Ok(Section { address: index(section.address()), content: section.data()?.to_vec() }));
        let symbols = file.symbols().map(|symbol| {
            let is_function = symbol.kind() == SymbolKind::Text;
            let address = index(symbol.address());
            let address = if is_function { address & !1 } else { address };
            Ok(Symbol { name: symbol.name()?.to_owned(), address, size: index(symbol.size()), is_function })
        });
        Ok(Self { flash: flash.collect::<object::Result<_>>()?, symbols: symbols.collect::<object::Result<_>>()? })
    }

    /// Two bytes at an address of the device.
    pub fn half_at(&self, address: usize) -> Option<usize> {
        Some(u16::from_le_bytes(self.bytes_at(address)?).into())
    }

    /// Four bytes at an address of the device.
    pub fn word_at(&self, address: usize) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.bytes_at(address)?)).ok()
    }

    fn bytes_at<const N: usize>(&self, address: usize) -> Option<[u8; N]> {
        self.flash.iter().find_map(|section| {
            let offset = address.checked_sub(section.address)?;
            section.content.get(offset..)?.first_chunk().copied()
        })
    }
}

/// Addresses and sizes of a 32-bit file fit into `usize`.
fn index(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
