//! Why a file is rejected: a sentence that says what to do.

use std::fmt::{self, Display};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhotoError {
    Empty,
    UnknownFormat,
    Animated,
    Damaged,
    TooManyPixels,
    TooNarrow,
    TooMuchMemory,
    TooDetailed,
}

impl Display for PhotoError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "This file is empty. Choose another one.",
            Self::UnknownFormat => "This file isn’t a JPEG, PNG or WebP image. Save it as one of them and try again.",
            Self::Animated => "This image is animated. Upload a still image instead.",
            Self::Damaged => {
                "This image is damaged or incomplete. Open it in a photo app, save a copy and upload the copy."
            }
            Self::TooManyPixels => "Photos are limited to 50 megapixels. Make this one smaller and try again.",
            Self::TooNarrow => {
                "A photo can be at most four times as long as it is wide, or the other way round. Crop this one and \
                 try again."
            }
            Self::TooMuchMemory => {
                "This image needs too much memory to open. Save it as a JPEG that isn’t progressive, or make it smaller, \
                 and try again."
            }
            Self::TooDetailed => "This image is too detailed to be compressed. Make it smaller and try again.",
        })
    }
}

impl std::error::Error for PhotoError {}
