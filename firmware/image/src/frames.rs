//! Worst-case stack usage of a function, computed from its machine code (ARMv6-M Thumb) and that of all functions it
//! calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::elf::{Elf, Symbol};

/// A function's own stack usage and its calls.
#[derive(Default)]
struct Frame {
    bytes: usize,
    calls: BTreeSet<usize>,
    /// Whether it calls through a pointer.
    is_open: bool,
}

pub struct Frames(BTreeMap<usize, Frame>);

impl Frames {
    pub fn read(elf: &Elf) -> Option<Self> {
        let functions = elf.symbols.iter().filter(|symbol| symbol.is_function);
        let marks = data_marks(elf);
        functions.map(|symbol| Some((symbol.address, frame(elf, symbol, &marks)?))).collect::<Option<_>>().map(Self)
    }

    /// The worst case of a call. A call through a pointer counts as the deepest function without a direct call. `None` on
    /// recursion.
    pub fn deepest(&self, address: usize, entry: usize) -> Option<usize> {
        let called: BTreeSet<usize> = self.0.values().flat_map(|frame| frame.calls.iter().copied()).collect();
        let pointed_at: Vec<usize> =
            self.0.keys().copied().filter(|known| *known != entry && !called.contains(known)).collect();
        self.walk(address, &pointed_at, &mut Vec::new())
    }

    fn walk(&self, address: usize, pointed_at: &[usize], above: &mut Vec<usize>) -> Option<usize> {
        if above.contains(&address) {
            return None;
        }
        let Some(frame) = self.0.get(&address) else { return Some(0) };
        above.push(address);
        let mut below = 0;
        for call in &frame.calls {
            below = below.max(self.walk(*call, pointed_at, above)?);
        }
        if frame.is_open {
            let depth = above.len();
            for call in pointed_at {
                // A callback never calls its caller, so a recursive candidate is not the callee.
                below = below.max(self.walk(*call, pointed_at, above).unwrap_or_default());
                above.truncate(depth);
            }
        }
        above.pop();
        Some(frame.bytes + below)
    }
}

/// Mapping symbols: from each address on there are constants (`true`) or code (`false`).
fn data_marks(elf: &Elf) -> BTreeMap<usize, bool> {
    let mark = |symbol: &Symbol| match symbol.name.as_bytes() {
        [b'$', b'd', ..] => Some((symbol.address, true)),
        [b'$', b't', ..] => Some((symbol.address, false)),
        _ => None,
    };
    elf.symbols.iter().filter_map(mark).collect()
}

fn frame(elf: &Elf, function: &Symbol, marks: &BTreeMap<usize, bool>) -> Option<Frame> {
    let mut frame = Frame::default();
    let mut constants = [0_usize; 8];
    let mut at = function.address;
    while at < function.address + function.size {
        let is_data = marks.range(..=at).next_back().is_some_and(|(_, is_data)| *is_data);
        let code = elf.half_at(at)?;
        let mut length = 2;
        match code {
            _ if is_data => (),
            // push {…}
            _ if code & 0xfe00 == 0xb400 => frame.bytes += 4 * usize::try_from((code & 0x1ff).count_ones()).ok()?,
            // sub sp, #…
            _ if code & 0xff80 == 0xb080 => frame.bytes += 4 * (code & 0x7f),
            // ldr r…, [pc, #…]
            _ if code & 0xf800 == 0x4800 => {
                let constant = elf.word_at(((at + 4) & !3) + 4 * (code & 0xff))?;
                *constants.get_mut(code >> 8 & 7)? = constant;
            }
            // add sp, r…: a negative constant, for frames above 508 bytes
            _ if code & 0xff87 == 0x4485 => {
                let constant = constants.get(code >> 3 & 15).copied().unwrap_or_default();
                frame.bytes += if constant > 0x8000_0000 { 0x1_0000_0000 - constant } else { 0 };
            }
            // bl …
            _ if code & 0xf800 == 0xf000 => {
                frame.calls.insert(target(at, code, elf.half_at(at + 2)?));
                length = 4;
            }
            // blx r…
            _ if code & 0xff87 == 0x4780 => frame.is_open = true,
            // Any other four-byte instruction.
            _ if code >= 0xe800 => length = 4,
            _ => (),
        }
        at += length;
    }
    Some(frame)
}

/// The target of `bl`: a signed offset of 25 bits.
fn target(at: usize, first: usize, second: usize) -> usize {
    let sign = first >> 10 & 1;
    let bit = |position: usize| (second >> position & 1) ^ sign ^ 1;
    let distance = sign << 24 | bit(13) << 23 | bit(11) << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    let ahead = at + 4 + distance;
    if sign == 1 { ahead - (1 << 25) } else { ahead }
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn a_call_goes_forward_and_back() {
        assert_eq!(target(0x1000, 0xf000, 0xf800), 0x1004);
        assert_eq!(target(0x1000, 0xf000, 0xf802), 0x1008);
        assert_eq!(target(0x1000, 0xf7ff, 0xfffe), 0x1000);
    }
}
