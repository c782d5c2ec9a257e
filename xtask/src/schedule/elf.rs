//! As much of a 32-bit ELF file as is needed to say what takes how much room.

pub struct Section {
    pub address: usize,
    pub offset: usize,
    pub size: usize,
    /// Whether it lies in the device's flash: it is loaded, and has bytes of its own.
    pub in_flash: bool,
}

#[derive(Clone)]
pub struct Symbol {
    pub name: String,
    /// Without the lowest bit, which marks Thumb code.
    pub address: usize,
    pub size: usize,
    pub is_function: bool,
}

pub struct Elf {
    bytes: Vec<u8>,
    pub sections: Vec<Section>,
    pub symbols: Vec<Symbol>,
}

const SYMBOL_TABLE: usize = 2;
const NO_BITS: usize = 8;
const ALLOCATED: usize = 2;
const FUNCTION: u8 = 2;

impl Elf {
    /// `None` if it is no such file.
    pub fn parse(bytes: Vec<u8>) -> Option<Self> {
        let mut elf = Self { bytes, sections: Vec::new(), symbols: Vec::new() };
        if elf.bytes.get(..5)? != b"\x7fELF\x01" {
            return None;
        }
        let (table, width, count) = (elf.word(32)?, elf.half(46)?, elf.half(48)?);
        let header = |number: usize| table + number * width;
        for at in (0..count).map(header) {
            let kind = elf.word(at + 4)?;
            let section = Section {
                address: elf.word(at + 12)?,
                offset: elf.word(at + 16)?,
                size: elf.word(at + 20)?,
                in_flash: elf.word(at + 8)? & ALLOCATED != 0 && kind != NO_BITS,
            };
            if kind == SYMBOL_TABLE {
                let strings = elf.word(header(elf.word(at + 24)?) + 16)?;
                elf.symbols = elf.symbols(&section, strings)?;
            }
            elf.sections.push(section);
        }
        Some(elf)
    }

    fn symbols(&self, table: &Section, strings: usize) -> Option<Vec<Symbol>> {
        (table.offset..table.offset + table.size)
            .step_by(16)
            .map(|at| {
                let is_function = self.bytes.get(at + 12)? & 15 == FUNCTION;
                let address = self.word(at + 4)?;
                let address = if is_function { address & !1 } else { address };
                Some(Symbol {
                    name: self.text(strings + self.word(at)?)?,
                    address,
                    size: self.word(at + 8)?,
                    is_function,
                })
            })
            .collect()
    }

    /// Two bytes at an address of the device.
    pub fn half_at(&self, address: usize) -> Option<usize> {
        self.half(self.offset_of(address)?)
    }

    pub fn word_at(&self, address: usize) -> Option<usize> {
        self.word(self.offset_of(address)?)
    }

    fn offset_of(&self, address: usize) -> Option<usize> {
        let holds = |section: &&Section| (section.address..section.address + section.size).contains(&address);
        let section = self.sections.iter().filter(|section| section.in_flash).find(holds)?;
        Some(address - section.address + section.offset)
    }

    fn half(&self, offset: usize) -> Option<usize> {
        let bytes = self.bytes.get(offset..offset + 2)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?).into())
    }

    fn word(&self, offset: usize) -> Option<usize> {
        let bytes = self.bytes.get(offset..offset + 4)?;
        usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    }

    fn text(&self, offset: usize) -> Option<String> {
        let rest = self.bytes.get(offset..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(rest.get(..length)?).into_owned())
    }
}
