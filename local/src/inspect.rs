//! `inspect`: what a save would say of a file.

use std::path::Path;

use common::{
    config::{Config, Defaults, Environment},
    error::{Error, ErrorCode, Result},
    imaging::{self, Picture},
};

/// Tells what ingest makes of a file, and writes the preview beside it. `false` means that it refuses.
///
/// # Errors
/// `invalid_argument` when the file cannot be read or the preview not be written.
pub fn run(file: &Path, declared: Option<&str>) -> Result<bool> {
    let config = Config::read(&Environment, Defaults::LOCAL)?;
    let limits = common::app::Settings::from_config(&config).imaging;
    let bytes = read(file, limits.max_bytes)?;
    match imaging::process(&bytes, declared, &limits) {
        Ok(picture) => {
            let preview = preview_path(file);
            std::fs::write(&preview, &picture.preview.webp).map_err(|error| {
                let message = format!("{} cannot be written", preview.display());
                Error::new(ErrorCode::InvalidArgument, message).because(error)
            })?;
            print(file, &bytes, &picture, &preview);
            Ok(true)
        }
        Err(refusal) => {
            println!("file        {}", file.display());
            println!("bytes       {}", bytes.len());
            println!(
                "refused     {}: {}",
                refusal.code().name(),
                refusal.message()
            );
            println!("remedy      {}", refusal.code().remedy());
            Ok(false)
        }
    }
}

/// Reads no more than it takes to know that the file is too large.
fn read(file: &Path, max: u64) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file);
    let read = opened.and_then(|opened| opened.take(max.saturating_add(1)).read_to_end(&mut bytes));
    read.map_err(|error| {
        let message = format!("{} cannot be read: {}", file.display(), error.kind());
        Error::new(ErrorCode::InvalidArgument, message).because(error)
    })?;
    Ok(bytes)
}

fn preview_path(file: &Path) -> std::path::PathBuf {
    let stem = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}.preview.webp"))
}

fn print(file: &Path, bytes: &[u8], picture: &Picture, preview: &Path) {
    println!("file        {}", file.display());
    println!("type        {}", picture.format.mime());
    println!("bytes       {}", bytes.len());
    println!(
        "sha256      {}",
        common::domain::fingerprint::sha256_hex(bytes)
    );
    println!(
        "dimensions  {} x {}, upright",
        picture.width, picture.height
    );
    println!(
        "animated    {}",
        if picture.animated {
            "yes; the first frame counts"
        } else {
            "no"
        }
    );
    for warning in &picture.warnings {
        println!("warning     {}: {}", warning.code(), warning.message());
    }
    println!(
        "preview     {} ({} x {}, {} bytes)",
        preview.display(),
        picture.preview.width,
        picture.preview.height,
        picture.preview.webp.len()
    );
}
