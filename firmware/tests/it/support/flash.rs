//! A flash with the rules of one: erased by pages to ones, programmed from ones to zeros, and gone when the power is.

use std::cell::RefCell;
use std::rc::Rc;

use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};
use firmware::disk::layout::{FLASH, KEPT, PAGE, SECTORS, VOLUME};

/// What is left of the operation at which the power goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    Nothing,
    Half,
    /// It is done, and what should have followed is not.
    All,
}

/// The flash; clones are the same one, so a test can look at it while a device has it.
#[derive(Clone)]
pub struct Flash(Rc<RefCell<State>>);

struct State {
    bytes: Vec<u8>,
    operations: usize,
    erases: usize,
    /// After so many operations the power goes, in the midst of the next one.
    cut: Option<(usize, Cut)>,
    is_dead: bool,
}

#[derive(Debug)]
pub struct PowerIsGone;

impl NorFlashError for PowerIsGone {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl Flash {
    pub fn new() -> Self {
        let bytes = vec![0xFF; FLASH];
        Self(Rc::new(RefCell::new(State { bytes, operations: 0, erases: 0, cut: None, is_dead: false })))
    }

    /// Another flash with the same content and power for `operations` more.
    pub fn copy_with_power_for(&self, operations: usize, cut: Cut) -> Self {
        let bytes = self.0.borrow().bytes.clone();
        Self(Rc::new(RefCell::new(State {
            bytes,
            operations: 0,
            erases: 0,
            cut: Some((operations, cut)),
            is_dead: false,
        })))
    }

    pub fn copy(&self) -> Self {
        self.copy_with_power_for(usize::MAX, Cut::Nothing)
    }

    /// How often it was erased or programmed.
    pub fn operations(&self) -> usize {
        self.0.borrow().operations
    }

    pub fn erases(&self) -> usize {
        self.0.borrow().erases
    }

    pub fn lost_power(&self) -> bool {
        self.0.borrow().is_dead
    }

    /// The drive alone.
    pub fn volume(&self) -> Vec<u8> {
        let begin = VOLUME as usize;
        self.0.borrow().bytes[begin..begin + SECTORS as usize * 512].to_vec()
    }

    /// One bit of a text that is kept outside the drive is lost.
    pub fn lose_a_bit_of(&self, kept: &[u8]) {
        let outside = &mut self.0.borrow_mut().bytes[KEPT as usize..VOLUME as usize];
        let at = outside.windows(kept.len()).position(|text| text == kept).expect("it is kept");
        outside[at] &= outside[at] - 1;
    }

    pub fn put_volume(&self, volume: &[u8]) {
        let begin = VOLUME as usize;
        self.0.borrow_mut().bytes[begin..begin + volume.len()].copy_from_slice(volume);
    }
}

impl State {
    /// How much of `length` bytes is still changed.
    fn power_for(&mut self, length: usize) -> Result<usize, PowerIsGone> {
        if self.is_dead {
            return Err(PowerIsGone);
        }
        let done = match self.cut {
            Some((left, cut)) if self.operations == left => {
                self.is_dead = true;
                match cut {
                    Cut::Nothing => 0,
                    Cut::Half => length / 2,
                    Cut::All => length,
                }
            }
            _ => length,
        };
        self.operations += 1;
        Ok(done)
    }

    fn still_alive(&self) -> Result<(), PowerIsGone> {
        if self.is_dead { Err(PowerIsGone) } else { Ok(()) }
    }
}

impl ErrorType for Flash {
    type Error = PowerIsGone;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), PowerIsGone> {
        let state = self.0.borrow();
        state.still_alive()?;
        let begin = offset as usize;
        bytes.copy_from_slice(&state.bytes[begin..begin + bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        FLASH
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), PowerIsGone> {
        assert!(
            from.is_multiple_of(4096) && to.is_multiple_of(4096) && from < to,
            "whole pages are erased: {from:#x}..{to:#x}"
        );
        let state = &mut *self.0.borrow_mut();
        for page in (from as usize..to as usize).step_by(PAGE) {
            let done = state.power_for(PAGE)?;
            state.erases += 1;
            state.bytes[page..page + done].fill(0xFF);
            state.still_alive()?;
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerIsGone> {
        let state = &mut *self.0.borrow_mut();
        let done = state.power_for(bytes.len())?;
        for (place, byte) in state.bytes[offset as usize..].iter_mut().zip(&bytes[..done]) {
            assert!(*byte & !*place == 0, "at {offset:#x}: {place:#04x} cannot become {byte:#04x} without erasing");
            *place &= *byte;
        }
        state.still_alive()
    }
}
