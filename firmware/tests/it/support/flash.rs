//! Simulated NOR flash: an erase sets whole pages to ones, programming only clears bits, and power can fail.

use std::cell::RefCell;
use std::rc::Rc;

use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};
use firmware::disk::layout::{FLASH_SIZE, LAST_GOOD, PAGE_SIZE, SECTORS, VOLUME};

/// Completed part of the operation during which power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerCut {
    Nothing,
    Half,
    /// The operation completes, and the next one fails.
    All,
}

/// Handle to a flash. Clones share it, so a test can inspect it while a device uses it.
#[derive(Clone)]
pub struct Flash(Rc<RefCell<State>>);

struct State {
    bytes: Vec<u8>,
    operations: usize,
    erases: usize,
    /// Number of operations before power fails during the next one.
    cut: Option<(usize, PowerCut)>,
    has_failed: bool,
}

/// Operation without power.
#[derive(Debug)]
pub struct PowerError;

impl NorFlashError for PowerError {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl Flash {
    pub fn new() -> Self {
        let bytes = vec![0xFF; FLASH_SIZE];
        Self(Rc::new(RefCell::new(State { bytes, operations: 0, erases: 0, cut: None, has_failed: false })))
    }

    /// Copy with power for `operations` more operations.
    pub fn copy_with_power_for(&self, operations: usize, cut: PowerCut) -> Self {
        let bytes = self.0.borrow().bytes.clone();
        Self(Rc::new(RefCell::new(State {
            bytes,
            operations: 0,
            erases: 0,
            cut: Some((operations, cut)),
            has_failed: false,
        })))
    }

    pub fn copy(&self) -> Self {
        self.copy_with_power_for(usize::MAX, PowerCut::Nothing)
    }

    /// Number of erase and program operations.
    pub fn operations(&self) -> usize {
        self.0.borrow().operations
    }

    pub fn erases(&self) -> usize {
        self.0.borrow().erases
    }

    pub fn lost_power(&self) -> bool {
        self.0.borrow().has_failed
    }

    /// Content of the drive.
    pub fn volume(&self) -> Vec<u8> {
        let start = VOLUME as usize;
        self.0.borrow().bytes[start..start + SECTORS as usize * 512].to_vec()
    }

    /// Clears one bit of a text that is stored outside the drive.
    pub fn lose_a_bit_of(&self, stored: &[u8]) {
        let outside = &mut self.0.borrow_mut().bytes[LAST_GOOD as usize..VOLUME as usize];
        let at = outside.windows(stored.len()).position(|text| text == stored).expect("the text is stored");
        outside[at] &= outside[at] - 1;
    }

    pub fn put_volume(&self, volume: &[u8]) {
        let start = VOLUME as usize;
        self.0.borrow_mut().bytes[start..start + volume.len()].copy_from_slice(volume);
    }
}

impl State {
    /// Counts an operation on `length` bytes and returns how many it completes.
    fn count_operation(&mut self, length: usize) -> Result<usize, PowerError> {
        if self.has_failed {
            return Err(PowerError);
        }
        let done = match self.cut {
            Some((left, cut)) if self.operations == left => {
                self.has_failed = true;
                match cut {
                    PowerCut::Nothing => 0,
                    PowerCut::Half => length / 2,
                    PowerCut::All => length,
                }
            }
            _ => length,
        };
        self.operations += 1;
        Ok(done)
    }

    fn check_power(&self) -> Result<(), PowerError> {
        if self.has_failed { Err(PowerError) } else { Ok(()) }
    }
}

impl ErrorType for Flash {
    type Error = PowerError;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), PowerError> {
        let state = self.0.borrow();
        state.check_power()?;
        let start = offset as usize;
        bytes.copy_from_slice(&state.bytes[start..start + bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        FLASH_SIZE
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = PAGE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), PowerError> {
        assert!(
            from.is_multiple_of(4096) && to.is_multiple_of(4096) && from < to,
            "only whole pages can be erased: {from:#x}..{to:#x}"
        );
        let state = &mut *self.0.borrow_mut();
        for page in (from as usize..to as usize).step_by(PAGE_SIZE) {
            let done = state.count_operation(PAGE_SIZE)?;
            state.erases += 1;
            state.bytes[page..page + done].fill(0xFF);
            state.check_power()?;
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerError> {
        let state = &mut *self.0.borrow_mut();
        let done = state.count_operation(bytes.len())?;
        for (place, byte) in state.bytes[offset as usize..].iter_mut().zip(&bytes[..done]) {
            assert!(*byte & !*place == 0, "at {offset:#x}: {place:#04x} cannot become {byte:#04x} without erasing");
            *place &= *byte;
        }
        state.check_power()
    }
}
