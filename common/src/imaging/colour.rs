//! Every picture's samples become sRGB, with the embedded colour profile where it can be used.
//!
//! A profile that is damaged, too large or of another kind never costs a picture: its colours then
//! count as sRGB, with a warning. Conversion runs on the small picture, so its cost is bounded.

use std::panic::{AssertUnwindSafe, catch_unwind};

use moxcms::{ColorProfile, DataColorSpace, Layout as CmsLayout, TransformOptions};

use crate::error::Result;

use super::{
    Warning,
    raster::{Layout, Raster},
};

/// Largest profile that is read. Printers' profiles have up to 2.5 MB, displays' a few hundred bytes.
pub(super) const PROFILE_MAX: usize = 4 * 1024 * 1024;

/// What a container holds of a colour profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Profile {
    /// None.
    Absent,
    /// Its bytes, at most [`PROFILE_MAX`].
    Embedded(Vec<u8>),
    /// Too large, or its parts do not fit together.
    Unusable,
}

/// Converts a raster of any layout to RGB, or RGBA where it has alpha.
pub(super) fn to_srgb(
    raster: Raster,
    profile: &Profile,
    warnings: &mut Vec<Warning>,
) -> Result<Raster> {
    let converted = match profile {
        Profile::Absent => return Ok(without_profile(raster)),
        Profile::Unusable => None,
        Profile::Embedded(bytes) => by_profile(&raster, bytes),
    };
    Ok(converted.unwrap_or_else(|| {
        warnings.push(Warning::IccIgnored);
        without_profile(raster)
    }))
}

/// Converts by the profile, or not at all.
fn by_profile(raster: &Raster, bytes: &[u8]) -> Option<Raster> {
    // A profile is hostile input to an intricate reader, and it is never worth an error: should the
    // reader give up by panic, the picture still has its colours.
    catch_unwind(AssertUnwindSafe(|| convert(raster, bytes)))
        .ok()
        .flatten()
}

fn convert(raster: &Raster, bytes: &[u8]) -> Option<Raster> {
    let profile = ColorProfile::new_from_slice(bytes).ok()?;
    match (profile.color_space, raster.layout) {
        (DataColorSpace::Rgb, Layout::Rgb | Layout::Rgba)
        | (DataColorSpace::Gray, Layout::Gray | Layout::GrayAlpha)
        | (DataColorSpace::Cmyk, Layout::Cmyk) => transform(raster, &profile),
        // Editors write RGB profiles into grey files; the grey values mean R = G = B there.
        (DataColorSpace::Rgb, Layout::Gray | Layout::GrayAlpha) => {
            transform(&without_profile(raster.clone()), &profile)
        }
        _ => None,
    }
}

fn transform(raster: &Raster, profile: &ColorProfile) -> Option<Raster> {
    let layout = if raster.layout.has_alpha() {
        Layout::Rgba
    } else {
        Layout::Rgb
    };
    let srgb = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    let executor = profile
        .create_transform_8bit(
            cms_layout(raster.layout),
            &srgb,
            cms_layout(layout),
            options,
        )
        .ok()?;
    let (width, height) = (raster.width as usize, raster.height as usize);
    let mut pixels = vec![0; width * height * layout.channels()];
    let rows = raster.pixels.chunks_exact(width * raster.layout.channels());
    for (source, target) in rows.zip(pixels.chunks_exact_mut(width * layout.channels())) {
        executor.transform(source, target).ok()?;
    }
    Some(Raster {
        layout,
        width: raster.width,
        height: raster.height,
        pixels,
    })
}

/// The converter's name for a layout; it has one for all pixels of four samples.
fn cms_layout(layout: Layout) -> CmsLayout {
    match layout {
        Layout::Gray => CmsLayout::Gray,
        Layout::GrayAlpha => CmsLayout::GrayAlpha,
        Layout::Rgb => CmsLayout::Rgb,
        Layout::Rgba | Layout::Cmyk => CmsLayout::Rgba,
    }
}

/// Takes grey as R = G = B, RGB as sRGB, and CMYK as ideal inks on white paper.
fn without_profile(raster: Raster) -> Raster {
    let Raster {
        layout,
        width,
        height,
        pixels,
    } = raster;
    let (layout, pixels) = match layout {
        Layout::Rgb | Layout::Rgba => (layout, pixels),
        Layout::Gray => (
            Layout::Rgb,
            pixels.iter().flat_map(|&grey| [grey; 3]).collect(),
        ),
        Layout::GrayAlpha => {
            let (pairs, _) = pixels.as_chunks::<2>();
            (
                Layout::Rgba,
                pairs
                    .iter()
                    .flat_map(|&[grey, alpha]| [grey, grey, grey, alpha])
                    .collect(),
            )
        }
        Layout::Cmyk => {
            let (inks, _) = pixels.as_chunks::<4>();
            (
                Layout::Rgb,
                inks.iter()
                    .flat_map(|&[c, m, y, k]| [c, m, y].map(|ink| paper(ink, k)))
                    .collect(),
            )
        }
    };
    Raster {
        layout,
        width,
        height,
        pixels,
    }
}

/// What one ink and black leave of the paper's light.
fn paper(ink: u8, black: u8) -> u8 {
    let light = u32::from(255 - ink) * u32::from(255 - black);
    ((light + 127) / 255) as u8
}
