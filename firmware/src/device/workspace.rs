//! Work buffers for reading the schedule and writing the status report.

use embedded_storage::nor_flash::NorFlash;
use wasm_core::schedule::{Diagnostic, Schedule, Severity};

use crate::disk::layout::MAX_TEXT;
use crate::disk::sectors::Sectors;
use crate::disk::{FlashError, last_good};
use crate::fat::{self, FatError, name};
use crate::report::{ErrorCount, ReloadError, ReloadResult, Report};

pub struct Workspace {
    pub text: [u8; MAX_TEXT],
    pub report: Report,
}

impl Workspace {
    pub const fn new() -> Self {
        Self { text: [0; MAX_TEXT], report: Report::new() }
    }

    /// Loads `SCHEDULE.TXT` into `schedule` and passes each diagnostic to `on_diagnostic`. A rejected file leaves the
    /// last good schedule active.
    pub fn reload_schedule<F: NorFlash>(
        &mut self,
        sectors: &mut Sectors<'_, F>,
        schedule: &mut Schedule,
        on_diagnostic: &mut dyn FnMut(&mut Report, &Diagnostic),
    ) -> Result<ReloadResult, FlashError> {
        let error = match self.read_schedule(sectors)? {
            Err(error) => error,
            Ok(length) => match self.parse(length, schedule, on_diagnostic) {
                ReloadResult::Rejected(error) => error,
                loaded => {
                    last_good::save(sectors.flash(), self.text.get(..length).unwrap_or_default())?;
                    return Ok(loaded);
                }
            },
        };
        let length = last_good::load(sectors.flash(), &mut self.text)?.unwrap_or_default();
        schedule.read(self.text.get(..length).unwrap_or_default(), &mut |_| ());
        Ok(ReloadResult::Rejected(error))
    }

    /// Reads `SCHEDULE.TXT` into the text buffer and returns its length.
    fn read_schedule<F: NorFlash>(
        &mut self,
        sectors: &mut Sectors<'_, F>,
    ) -> Result<Result<usize, ReloadError>, FlashError> {
        Ok(match fat::read(sectors, &name::SCHEDULE, &mut self.text) {
            Ok(None) => Err(ReloadError::Missing),
            Ok(Some(0)) => Err(ReloadError::Empty),
            Ok(Some(length)) if self.is_partially_written(length) => Err(ReloadError::PartiallyWritten),
            Ok(Some(length)) => Ok(length),
            Err(FatError::Flash) => return Err(FlashError),
            Err(_) => Err(ReloadError::UnreadableDrive),
        })
    }

    /// Detects a power loss between the host's write of the directory and its write of the content. No text contains
    /// 16 consecutive bytes of erased flash or zeros.
    fn is_partially_written(&self, length: usize) -> bool {
        let text = self.text.get(..length).unwrap_or_default();
        text.chunks_exact(16).any(|chunk| chunk == [0xFF; 16] || chunk == [0; 16])
    }

    /// Parses the text buffer into `schedule`.
    fn parse(
        &mut self,
        length: usize,
        schedule: &mut Schedule,
        on_diagnostic: &mut dyn FnMut(&mut Report, &Diagnostic),
    ) -> ReloadResult {
        let (mut errors, mut warnings) = (0_u16, 0_u16);
        schedule.read(self.text.get(..length).unwrap_or_default(), &mut |diagnostic| {
            let count = match diagnostic.severity() {
                Severity::Error => &mut errors,
                Severity::Warning => &mut warnings,
            };
            *count = count.saturating_add(1);
            on_diagnostic(&mut self.report, &diagnostic);
        });
        let rules = u8::try_from(schedule.rules().len()).unwrap_or(u8::MAX);
        if rules == 0 && errors > 0 {
            return ReloadResult::Rejected(ReloadError::NoValidRules(ErrorCount(errors)));
        }
        ReloadResult::Loaded { rules, errors, warnings }
    }
}
