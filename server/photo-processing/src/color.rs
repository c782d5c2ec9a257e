//! Conversion to sRGB.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::scale::Picture;

/// The picture in sRGB. Unchanged if the profile is unusable, or not one of RGB: the decoder has converted CMYK already.
pub fn to_srgb(picture: Picture, icc_profile: &[u8]) -> Picture {
    let Some(rgb) = converted(&picture.rgb, icc_profile) else { return picture };
    Picture { rgb, ..picture }
}

fn converted(rgb: &[u8], icc_profile: &[u8]) -> Option<Vec<u8>> {
    let profile = ColorProfile::new_from_slice(icc_profile).ok()?;
    if profile.color_space != DataColorSpace::Rgb {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default()).ok()?;
    let mut converted = vec![0; rgb.len()];
    transform.transform(rgb, &mut converted).ok()?;
    Some(converted)
}
