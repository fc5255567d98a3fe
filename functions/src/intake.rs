//! Intake: from bytes to an asset, shared by everything that saves.
//!
//! 1. decode the picture and make its preview (nothing is stored for bytes that are refused);
//! 2. one transaction: idempotency key, quota, pending object row;
//! 3. put original and preview, if the row says that they are missing;
//! 4. one transaction: object available, asset, tags, jobs, charge, provenance, answer;
//! 5. hints to the queue.
//!
//! A kill after 2 leaves a key that frees itself after a minute, a reservation that expires, and a pending
//! row that names what may lie in the store; the next save of the same bytes uses all of it. A kill after 4
//! leaves jobs without hints; they are sent again. Between the two nothing of the save is visible.

mod saved;
mod wishes;

use std::time::Duration;

use bytes::Bytes;
use common::{
    app::App,
    contract::Write,
    domain::{
        fingerprint::fingerprint,
        fused_text::{AssetWords, fused_text},
        keys::{Extension, original_key, preview_key},
        quota,
        status::Representation,
    },
    error::{Error, ErrorCode, Result},
    ids::{AssetId, JobId, ObjectId, ReservationId},
    imaging::{self, Picture as Decoded},
    ports::PutObject,
    store::{
        access::VaultAccess,
        assets::{self, Inserted, NewAsset},
        idempotency::{self, Attempt, Begun},
        objects::{self, NewObject, ObjectRow},
        placements,
        quota::{Reservation, release, reserve},
    },
};
use futures_util::StreamExt;
pub(crate) use saved::Saved;
use serde_json::{Value, json};
pub(crate) use wishes::{OnDuplicate, Sent, Wishes};

use crate::tools::Cx;

/// How often a save looks whether its own twin has ended, before it says that the twin is still at it.
const TWIN_LOOKS: u32 = 80;
/// How long it waits between two looks.
const TWIN_POLL: Duration = Duration::from_millis(100);
/// How often a save begins anew when the stored bytes go away under it.
const RESTARTS: u32 = 3;

/// Bytes that claim to be a picture.
pub(crate) struct Picture {
    /// The bytes.
    pub(crate) bytes: Bytes,
    /// Type that the caller declared.
    pub(crate) declared_type: Option<String>,
}

type SaveCx<'a> = Cx<'a, VaultAccess<Write>>;

/// A picture that was found good, with everything that its rows and keys need.
struct Prepared {
    original: Bytes,
    preview: Bytes,
    object: NewObject,
    /// Bytes to hold: original, bound of the preview, vectors.
    reserved: i64,
    representations: Vec<Representation>,
}

/// What the first transaction settled.
enum Opening {
    Go {
        object: ObjectRow,
        reservation: Reservation,
    },
    Replay(Value),
    Existing(AssetId),
    TwinInFlight,
}

/// Saves a picture.
///
/// # Errors
/// Those of `imaging::process`, `not_found`, `conflict`, `quota_exceeded`, `quarantined`,
/// `idempotency_conflict`, `idempotency_in_flight`, and outages.
pub(crate) async fn save(cx: SaveCx<'_>, picture: Picture, wishes: Wishes) -> Result<Saved> {
    let prepared = prepare(&cx, picture, &wishes).await?;
    let attempt = attempt(&cx, &prepared, &wishes);
    let mut restarts = 0;
    loop {
        match try_save(&cx, &prepared, &wishes, &attempt).await {
            // Purged, or taken over, between the two transactions: all of it was undone.
            Err(error) if error.code() == ErrorCode::Conflict && restarts < RESTARTS => {
                restarts += 1
            }
            outcome => return outcome,
        }
    }
}

async fn prepare(cx: &SaveCx<'_>, picture: Picture, wishes: &Wishes) -> Result<Prepared> {
    let limits = cx.app.settings.imaging;
    let Picture {
        bytes,
        declared_type,
    } = picture;
    let original = bytes.clone();
    let work = move || {
        let decoded = imaging::process(&bytes, declared_type.as_deref(), &limits)?;
        Ok::<_, Error>((decoded, sha256_hex(&bytes)))
    };
    let (decoded, sha256) = tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)??;
    let representations = wanted(wishes);
    let vectors = u32::try_from(representations.len()).unwrap_or(u32::MAX);
    let bound = imaging::preview_bound(decoded.width, decoded.height, &limits);
    let reserved = quota::reservation(
        length(original.len()),
        i64::try_from(bound).unwrap_or(i64::MAX),
        vectors,
    )?;
    let object = new_object(cx, &decoded, sha256, original.len())?;
    Ok(Prepared {
        original,
        preview: decoded.preview.webp.into(),
        object,
        reserved,
        representations,
    })
}

fn wanted(wishes: &Wishes) -> Vec<Representation> {
    let words = AssetWords {
        given_title: wishes.title.as_deref(),
        alt_text: wishes.alt_text.as_deref(),
        description: wishes.description.as_deref(),
        source_host: wishes.source_host.as_deref(),
    };
    let fused = fused_text(&words).map(|_| Representation::Fused);
    std::iter::once(Representation::Visual)
        .chain(fused)
        .collect()
}

fn new_object(
    cx: &SaveCx<'_>,
    decoded: &Decoded,
    sha256: String,
    bytes: usize,
) -> Result<NewObject> {
    let id = ObjectId::generate(cx.app.clock.millis());
    let (env, namespace) = (&cx.app.settings.env_prefix, cx.access.namespace());
    let extension = Extension::from_mime_type(decoded.format.mime())
        .ok_or_else(|| Error::internal("an accepted type has no extension"))?;
    Ok(NewObject {
        storage_key: original_key(env, namespace, &id, extension),
        preview_storage_key: preview_key(env, namespace, &id),
        id,
        sha256,
        mime_type: extension.mime_type(),
        extension: extension.name(),
        bytes: length(bytes),
        preview_bytes: length(decoded.preview.webp.len()),
        size: (pixels(decoded.width)?, pixels(decoded.height)?),
        preview_size: (
            pixels(decoded.preview.width)?,
            pixels(decoded.preview.height)?,
        ),
        animated: decoded.animated,
        warnings: serde_json::to_value(&decoded.warnings).map_err(Error::internal)?,
    })
}

fn attempt(cx: &SaveCx<'_>, prepared: &Prepared, wishes: &Wishes) -> Attempt {
    let request = wishes.fingerprint_of(cx.access.vault(), &prepared.object.sha256);
    let fingerprint = fingerprint(&request);
    let token = cx.request.clone();
    let operation = "image_asset_save";
    match (&wishes.idempotency_key, wishes.on_duplicate) {
        (Some(key), _) => Attempt {
            operation,
            key: format!("given:{key}"),
            derived: false,
            fingerprint,
            token,
        },
        // A key of its own: this save has no twin.
        (None, OnDuplicate::New) => Attempt {
            operation,
            key: format!("new:{token}"),
            derived: true,
            fingerprint,
            token,
        },
        (None, OnDuplicate::Reuse | OnDuplicate::Existing) => Attempt {
            operation,
            key: format!("same:{fingerprint}"),
            derived: true,
            fingerprint,
            token,
        },
    }
}

async fn try_save(
    cx: &SaveCx<'_>,
    prepared: &Prepared,
    wishes: &Wishes,
    attempt: &Attempt,
) -> Result<Saved> {
    let mut looks = 0;
    let (object, reservation) = loop {
        match open(cx, prepared, wishes, attempt).await? {
            Opening::Go {
                object,
                reservation,
            } => break (object, reservation),
            Opening::Replay(answer) => return replayed(answer),
            Opening::Existing(id) => return existing(cx, &id).await,
            Opening::TwinInFlight if looks < TWIN_LOOKS => {
                looks += 1;
                tokio::time::sleep(TWIN_POLL).await;
            }
            Opening::TwinInFlight => {
                let message = "the first call with this key still runs";
                return Err(Error::new(ErrorCode::IdempotencyInFlight, message).retry_after(2));
            }
        }
    };
    let saved = match store_bytes(cx.app, prepared, &object).await {
        Ok(()) => close(cx, prepared, wishes, attempt, &object, &reservation).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok((output, jobs)) => {
            send_hints(cx.app, &jobs).await;
            Ok(output)
        }
        Err(error) => {
            undo(cx, attempt, &reservation).await;
            Err(error)
        }
    }
}

/// The first transaction: takes the key, holds the bytes, names the object.
async fn open(
    cx: &SaveCx<'_>,
    prepared: &Prepared,
    wishes: &Wishes,
    attempt: &Attempt,
) -> Result<Opening> {
    let now = cx.app.clock.now();
    let reservation_id = ReservationId::generate(cx.app.clock.millis());
    let look = wishes.on_duplicate == OnDuplicate::Existing && wishes.idempotency_key.is_none();
    cx.app
        .store
        .run_tx("image_asset_save.open", &cx.access, |tx| {
            let reservation_id = reservation_id.clone();
            async move {
                match idempotency::begin(&tx, &cx.access, attempt, now).await? {
                    Begun::Started => {}
                    Begun::Replay(answer) => return Ok(Opening::Replay(answer)),
                    Begun::InFlight => return Ok(Opening::TwinInFlight),
                }
                if look
                    && let Some(id) =
                        assets::find_same_bytes(&tx, &cx.access, &prepared.object.sha256).await?
                {
                    idempotency::release(&tx, &cx.access, attempt).await?;
                    return Ok(Opening::Existing(id));
                }
                placements::check(&tx, &cx.access, &wishes.placement).await?;
                let object = objects::claim(&tx, &cx.access, &prepared.object, now).await?;
                let vectors = u32::try_from(prepared.representations.len()).unwrap_or(u32::MAX);
                let bytes = if object.stored {
                    quota::vector_bytes(vectors)
                } else {
                    prepared.reserved
                };
                let operation = attempt.operation;
                let reservation =
                    reserve(&tx, &cx.access, reservation_id, operation, bytes, now).await?;
                Ok(Opening::Go {
                    object,
                    reservation,
                })
            }
        })
        .await
}

async fn store_bytes(app: &App, prepared: &Prepared, object: &ObjectRow) -> Result<()> {
    if object.stored {
        return Ok(());
    }
    let preview_sha256 = sha256_hex(&prepared.preview);
    let original = PutObject {
        key: &object.storage_key,
        content_type: prepared.object.mime_type,
        content_length: prepared.original.len() as u64,
        sha256: &prepared.object.sha256,
    };
    let preview = PutObject {
        key: &object.preview_storage_key,
        content_type: Extension::Webp.mime_type(),
        content_length: prepared.preview.len() as u64,
        sha256: &preview_sha256,
    };
    let (original, preview) = futures_util::join!(
        app.objects.put(original, stream(&prepared.original)),
        app.objects.put(preview, stream(&prepared.preview))
    );
    original?;
    preview?;
    Ok(())
}

/// The last transaction: everything that makes the save visible.
async fn close(
    cx: &SaveCx<'_>,
    prepared: &Prepared,
    wishes: &Wishes,
    attempt: &Attempt,
    object: &ObjectRow,
    reservation: &Reservation,
) -> Result<(Saved, Vec<JobId>)> {
    let now = cx.app.clock.now();
    let millis = cx.app.clock.millis();
    let id = AssetId::generate(millis);
    let jobs: Vec<_> = prepared
        .representations
        .iter()
        .map(|kind| (JobId::generate(millis), *kind))
        .collect();
    let new = &wishes.new_asset(
        id,
        prepared.object.mime_type,
        cx.app.embedder.model().to_owned(),
        jobs,
    )?;
    let output = cx
        .app
        .store
        .run_tx("image_asset_save.close", &cx.access, |tx| async move {
            let inserted = assets::insert(&tx, &cx.access, object, reservation, new, now).await?;
            let output = answer(cx, prepared, new, inserted)?;
            let kept = serde_json::to_value(&output).map_err(Error::internal)?;
            idempotency::finish(&tx, &cx.access, attempt, &kept, now).await?;
            Ok(output)
        })
        .await?;
    Ok((output, new.jobs.iter().map(|(id, _)| id.clone()).collect()))
}

fn answer(
    cx: &SaveCx<'_>,
    prepared: &Prepared,
    new: &NewAsset,
    inserted: Inserted,
) -> Result<Saved> {
    Ok(Saved {
        asset_id: new.id.to_string(),
        vault_id: cx.access.vault().to_string(),
        project_id: new.placement.project().map(ToString::to_string),
        folder_id: new.placement.folder().map(ToString::to_string),
        title: new.title.clone(),
        mime_type: new.mime_type.to_owned(),
        width: prepared.object.size.0,
        height: prepared.object.size.1,
        sha256: prepared.object.sha256.clone(),
        status: "processing".to_owned(),
        embedding_status: "pending".to_owned(),
        deduplicated: if inserted.object_reused {
            "object"
        } else {
            "none"
        }
        .to_owned(),
        bytes_charged: inserted.charge.total,
        warnings: serde_json::from_value(prepared.object.warnings.clone())
            .map_err(Error::internal)?,
    })
}

/// The first answer once more; it says that it is one.
fn replayed(answer: Value) -> Result<Saved> {
    let mut output: Saved = serde_json::from_value(answer).map_err(Error::internal)?;
    "asset".clone_into(&mut output.deduplicated);
    output.bytes_charged = 0;
    Ok(output)
}

/// An asset that was there before, as a save would have answered it.
async fn existing(cx: &SaveCx<'_>, id: &AssetId) -> Result<Saved> {
    let access = &cx.access.as_read();
    let found = cx
        .app
        .store
        .run_tx("image_asset_save.existing", access, |tx| async move {
            assets::get(&tx, access, id).await
        });
    let (asset, _) = found.await?;
    Ok(Saved {
        asset_id: asset.id.to_string(),
        vault_id: access.vault().to_string(),
        project_id: asset.project_id.map(|id| id.to_string()),
        folder_id: asset.folder_id.map(|id| id.to_string()),
        title: asset.title,
        mime_type: asset.mime_type,
        width: asset.size.0,
        height: asset.size.1,
        sha256: asset.sha256,
        status: asset.status.name().to_owned(),
        embedding_status: asset.embedding_status.name().to_owned(),
        deduplicated: "asset".to_owned(),
        bytes_charged: 0,
        warnings: crate::tools::notices(&asset.warnings),
    })
}

/// Frees what a failed try holds. If this fails too, the key and the reservation free themselves.
async fn undo(cx: &SaveCx<'_>, attempt: &Attempt, reservation: &Reservation) {
    let now = cx.app.clock.now();
    let undone = cx
        .app
        .store
        .run_tx("image_asset_save.undo", &cx.access, |tx| async move {
            idempotency::release(&tx, &cx.access, attempt).await?;
            release(&tx, &cx.access, reservation, now).await
        });
    if let Err(error) = undone.await {
        tracing::warn!(error.code = error.code().name(), request.id = %cx.request, "a failed save could not be undone yet");
    }
}

/// Tells the worker. A lost hint is sent again by whoever looks for due jobs.
async fn send_hints(app: &App, jobs: &[JobId]) {
    let bodies: Vec<String> = jobs
        .iter()
        .map(|id| json!({ "jobId": id }).to_string())
        .collect();
    if let Err(error) = app.queue.send(&bodies, Duration::ZERO).await {
        tracing::warn!(
            error.code = error.code().name(),
            job.count = bodies.len(),
            "hints could not be sent yet"
        );
    }
}

fn stream(bytes: &Bytes) -> common::ports::ByteStream {
    let bytes = bytes.clone();
    futures_util::stream::once(async move { Ok(bytes) }).boxed()
}

fn sha256_hex(bytes: &[u8]) -> String {
    common::domain::fingerprint::sha256_hex(bytes)
}

fn length(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn pixels(side: u32) -> Result<i32> {
    i32::try_from(side).map_err(Error::internal)
}
