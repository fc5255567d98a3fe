//! temporary
#![allow(missing_docs, clippy::all)]
use crate::error::Result;
#[derive(Debug, Clone)]
pub struct Limits { pub max_bytes: u64, pub max_pixels: u64, pub preview_max_edge: u32, pub max_frames: u32 }
#[derive(Debug, Clone, Copy)]
pub enum Format { Jpeg }
impl Format { pub fn mime(self) -> &'static str { "image/jpeg" } }
#[derive(serde::Serialize)]
pub enum Warning {}
pub struct Preview { pub webp: Vec<u8>, pub width: u32, pub height: u32 }
pub struct Picture { pub format: Format, pub width: u32, pub height: u32, pub animated: bool, pub warnings: Vec<Warning>, pub preview: Preview }
pub fn process(_: &[u8], _: Option<&str>, _: &Limits) -> Result<Picture> { Err(crate::error::Error::not_found("x")) }
pub fn preview_bound(_: u32, _: u32, _: &Limits) -> u64 { 0 }
