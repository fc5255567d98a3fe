//! libwebp, behind two safe functions: encode a raster, decode one picture's chunks.
//!
//! The one place of this module tree with `unsafe`. Every pointer that crosses comes from a slice or a
//! vector whose length is checked right before, and both sides are given that length.
#![expect(
    unsafe_code,
    reason = "libwebp is a C library; this file is its whole boundary"
)]

use libwebp_sys::{
    VP8StatusCode, WEBP_CSP_MODE, WebPConfig, WebPDecode, WebPDecoderConfig, WebPEncode,
    WebPGetFeatures, WebPMemoryWrite, WebPMemoryWriter, WebPMemoryWriterClear,
    WebPMemoryWriterInit, WebPPicture, WebPPictureFree, WebPPictureImportRGB,
    WebPPictureImportRGBA, WebPRGBABuffer,
};

use crate::error::{Error, Result};

use super::{
    error,
    raster::{Layout, Raster},
};

/// How to encode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effort {
    /// Quality of colours, from 0 to 100.
    pub(super) quality: f32,
    /// Quality of alpha, from 0 to 100; 100 is exact.
    pub(super) alpha_quality: i32,
    /// Work, from 0 to 6.
    pub(super) method: i32,
}

/// A picture in libwebp's memory, freed when it goes.
struct Picture(WebPPicture);

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: the picture was initialised by `WebPPicture::new`; freeing is allowed in any state
        // after that, also before an import.
        unsafe { WebPPictureFree(&raw mut self.0) }
    }
}

/// Bytes in libwebp's memory, freed when they go.
struct Output(WebPMemoryWriter);

impl Output {
    fn new() -> Self {
        let mut writer = WebPMemoryWriter {
            mem: std::ptr::null_mut(),
            size: 0,
            max_size: 0,
            pad: [0; 1],
        };
        // SAFETY: the pointer is to a live writer, which the call only fills in.
        unsafe { WebPMemoryWriterInit(&raw mut writer) }
        Self(writer)
    }

    fn bytes(&self) -> &[u8] {
        if self.0.mem.is_null() {
            return &[];
        }
        // SAFETY: `mem` is not null, so libwebp allocated it and wrote its first `size` bytes; it stays
        // until `self` is dropped, and nothing writes to it while `self` is borrowed.
        unsafe { std::slice::from_raw_parts(self.0.mem, self.0.size) }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // SAFETY: the writer was initialised in `new`; clearing frees its memory once and resets it.
        unsafe { WebPMemoryWriterClear(&raw mut self.0) }
    }
}

/// Encodes as [`encode`] does, with the first of `efforts` that gives at most `bound` bytes; `None` if
/// none does.
pub(super) fn encode_within(
    raster: &Raster,
    efforts: &[Effort],
    bound: u64,
) -> Result<Option<Vec<u8>>> {
    for &effort in efforts {
        let webp = encode(raster, effort)?;
        if webp.len() as u64 <= bound {
            return Ok(Some(webp));
        }
    }
    Ok(None)
}

/// Encodes an RGB or RGBA raster as lossy WebP; alpha is kept, at its own quality.
pub(super) fn encode(raster: &Raster, effort: Effort) -> Result<Vec<u8>> {
    let failed = |what: &'static str| Error::internal(format!("webp encoder: {what}"));
    let (width, height, stride) = dimensions(
        raster.width,
        raster.height,
        raster.layout,
        raster.pixels.len(),
    )
    .ok_or_else(|| failed("the raster's size is wrong"))?;
    let mut config = WebPConfig::new().map_err(|()| failed("wrong version"))?;
    config.quality = effort.quality;
    config.alpha_quality = effort.alpha_quality;
    config.method = effort.method;
    let mut picture = Picture(WebPPicture::new().map_err(|()| failed("wrong version"))?);
    picture.0.width = width;
    picture.0.height = height;
    let pixels = raster.pixels.as_ptr();
    // SAFETY: `dimensions` made sure that `pixels` has `stride * height` bytes, with three or four of
    // them a pixel as the call reads; the picture is initialised and its size is set.
    let imported = unsafe {
        match raster.layout {
            Layout::Rgb => WebPPictureImportRGB(&raw mut picture.0, pixels, stride),
            Layout::Rgba => WebPPictureImportRGBA(&raw mut picture.0, pixels, stride),
            Layout::Gray | Layout::GrayAlpha | Layout::Cmyk => {
                return Err(failed("the raster is not sRGB"));
            }
        }
    };
    if imported == 0 {
        return Err(failed("out of memory"));
    }
    let mut output = Output::new();
    picture.0.writer = Some(WebPMemoryWrite);
    picture.0.custom_ptr = (&raw mut output.0).cast();
    // SAFETY: configuration and picture are initialised, the picture holds pixels, and its writer's
    // `custom_ptr` is the live `WebPMemoryWriter` that `WebPMemoryWrite` expects.
    let encoded = unsafe { WebPEncode(&raw const config, &raw mut picture.0) };
    if encoded == 0 {
        return Err(failed("failed").because(format!("{:?}", picture.0.error_code)));
    }
    Ok(output.bytes().to_vec())
}

/// Decodes a VP8 or VP8L chunk, with the ALPH chunk that may stand before it, to RGB or RGBA of the
/// size `scaled`, which must not exceed `size`, the picture's own.
pub(super) fn decode(
    data: &[u8],
    size: (u32, u32),
    scaled: (u32, u32),
    layout: Layout,
) -> Result<Vec<u8>> {
    let failed = |what: &'static str| Error::internal(format!("webp decoder: {what}"));
    let mut config = WebPDecoderConfig::new().map_err(|()| failed("wrong version"))?;
    // SAFETY: the pointer and the length are those of one slice, and `input` is a live structure.
    judge(unsafe { WebPGetFeatures(data.as_ptr(), data.len(), &raw mut config.input) })?;
    if (config.input.width as u32, config.input.height as u32) != size
        || config.input.has_animation != 0
    {
        return Err(error::corrupt(
            "its picture is not what its container states",
        ));
    }
    let mut pixels = vec![0; scaled.0 as usize * scaled.1 as usize * layout.channels()];
    let (width, height, stride) = dimensions(scaled.0, scaled.1, layout, pixels.len())
        .ok_or_else(|| failed("the size is wrong"))?;
    config.options.use_scaling = i32::from(scaled != size);
    config.options.scaled_width = width;
    config.options.scaled_height = height;
    config.output.colorspace = match layout {
        Layout::Rgb => WEBP_CSP_MODE::MODE_RGB,
        Layout::Rgba => WEBP_CSP_MODE::MODE_RGBA,
        Layout::Gray | Layout::GrayAlpha | Layout::Cmyk => {
            return Err(failed("the layout is not sRGB"));
        }
    };
    config.output.is_external_memory = 1;
    config.output.u.RGBA = WebPRGBABuffer {
        rgba: pixels.as_mut_ptr(),
        stride,
        size: pixels.len(),
    };
    // SAFETY: the pointer and the length are those of one slice; the output buffer is a live vector
    // whose length, stride and pixel size are stated, and libwebp checks them against the size that it
    // is to write before it writes. Nothing else touches `pixels` during the call.
    judge(unsafe { WebPDecode(data.as_ptr(), data.len(), &raw mut config) })?;
    Ok(pixels)
}

fn judge(status: VP8StatusCode) -> Result<()> {
    match status {
        VP8StatusCode::VP8_STATUS_OK => Ok(()),
        VP8StatusCode::VP8_STATUS_NOT_ENOUGH_DATA | VP8StatusCode::VP8_STATUS_SUSPENDED => {
            Err(error::truncated("its picture data are not complete"))
        }
        // Damaged alpha is reported as a lack of memory, so that status is no different from the rest.
        status => {
            Err(error::corrupt("its picture data are not valid").because(format!("{status:?}")))
        }
    }
}

/// Width, height and row length as libwebp takes them, if `length` bytes are exactly those rows.
fn dimensions(width: u32, height: u32, layout: Layout, length: usize) -> Option<(i32, i32, i32)> {
    let stride = (width as usize).checked_mul(layout.channels())?;
    if width == 0 || height == 0 || stride.checked_mul(height as usize)? != length {
        return None;
    }
    Some((
        width.try_into().ok()?,
        height.try_into().ok()?,
        stride.try_into().ok()?,
    ))
}
