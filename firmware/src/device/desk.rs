//! Where files are read and made.

use embedded_storage::nor_flash::NorFlash;
use wasm_core::schedule::{Diagnostic, Schedule, Severity};

use crate::disk::layout::LONGEST_TEXT;
use crate::disk::sectors::Sectors;
use crate::disk::{FlashFault, kept};
use crate::fat::{self, Fault, name};
use crate::report::{Refusal, Report, Verdict};

pub struct Desk {
    pub text: [u8; LONGEST_TEXT],
    pub report: Report,
}

impl Desk {
    pub const fn new() -> Self {
        Self { text: [0; LONGEST_TEXT], report: Report::new() }
    }

    /// Whether the plug was drawn between a computer's writing of the directory and of the content. No text has a
    /// row of such bytes.
    fn is_half_written(&self, length: usize) -> bool {
        let text = self.text.get(..length).unwrap_or_default();
        text.chunks_exact(16).any(|row| row == [0xFF; 16] || row == [0; 16])
    }

    /// Reads the schedule into `schedule`, and tells of each problem. What cannot be used leaves the last good one in
    /// force.
    pub fn take_up<F: NorFlash>(
        &mut self,
        sectors: &mut Sectors<'_, F>,
        schedule: &mut Schedule,
        tell: &mut dyn FnMut(&mut Report, &Diagnostic),
    ) -> Result<Verdict, FlashFault> {
        let refused = match fat::read(sectors, &name::SCHEDULE, &mut self.text) {
            Ok(Some(0)) => Refusal::Empty,
            Ok(None) => Refusal::Missing,
            Err(Fault::Flash) => return Err(FlashFault),
            Err(_) => Refusal::DriveUnreadable,
            Ok(Some(length)) if self.is_half_written(length) => Refusal::HalfWritten,
            Ok(Some(length)) => {
                let text = self.text.get(..length).unwrap_or_default();
                let (mut errors, mut warnings) = (0_u16, 0_u16);
                schedule.read(text, &mut |problem| {
                    let count = match problem.severity() {
                        Severity::Error => &mut errors,
                        Severity::Warning => &mut warnings,
                    };
                    *count = count.saturating_add(1);
                    tell(&mut self.report, &problem);
                });
                let rules = u8::try_from(schedule.rules().len()).unwrap_or(u8::MAX);
                if rules > 0 || errors == 0 {
                    kept::keep(sectors.flash(), text)?;
                    return Ok(Verdict::InUse { rules, errors, warnings });
                }
                Refusal::NothingUsable { errors }
            }
        };
        let length = kept::load(sectors.flash(), &mut self.text)?.unwrap_or_default();
        schedule.read(self.text.get(..length).unwrap_or_default(), &mut |_| ());
        Ok(Verdict::Refused(refused))
    }
}
