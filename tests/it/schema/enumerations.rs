//! Enumerations in SQL are those of the code, by the same words.

use std::collections::{BTreeMap, BTreeSet};

use common::{
    auth::{Scope, Surface},
    contract::Membership,
    domain::{
        keys::Extension,
        status::{
            AssetStatus, EmbeddingStatus, IdempotencyState, JobState, ObjectStatus, ProjectStatus,
            Representation, ReservationState, SourceKind, UploadState,
        },
    },
};

use super::{TABLES, none, session};

/// Names of all values of a Rust enumeration.
macro_rules! names {
    ($kind:ty) => {
        <$kind>::ALL
            .iter()
            .map(|value| value.name())
            .collect::<BTreeSet<&str>>()
    };
}

/// What each enumerating check lists; where the code has the enumeration, its names.
fn enumerations() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let types = BTreeSet::from(["image/jpeg", "image/png", "image/webp", "image/gif"]);
    let membership = [Membership::Read, Membership::Write, Membership::Admin]
        .iter()
        .map(|value| value.name())
        .collect();
    let extensions = Extension::ALL
        .iter()
        .map(|extension| extension.name())
        .collect();
    BTreeMap::from([
        ("mem_keys_surface_check", names!(Surface)),
        ("mem_keys_scopes_check", names!(Scope)),
        ("mem_vault_members_membership_check", membership),
        ("mem_asset_projects_status_check", names!(ProjectStatus)),
        ("mem_asset_objects_mime_type_check", types.clone()),
        ("mem_asset_objects_extension_check", extensions),
        ("mem_asset_objects_status_check", names!(ObjectStatus)),
        ("mem_assets_media_kind_check", BTreeSet::from(["image"])),
        ("mem_assets_mime_type_check", types.clone()),
        ("mem_assets_source_kind_check", names!(SourceKind)),
        ("mem_assets_status_check", names!(AssetStatus)),
        ("mem_assets_embedding_status_check", names!(EmbeddingStatus)),
        (
            "mem_asset_upload_reservations_operation_check",
            BTreeSet::from(["image_asset_save", "image_upload_create", "artifact_create"]),
        ),
        (
            "mem_asset_upload_reservations_status_check",
            names!(ReservationState),
        ),
        ("mem_asset_uploads_status_check", names!(UploadState)),
        (
            "mem_artifacts_status_check",
            BTreeSet::from(["reserved", "available", "expired", "deleted"]),
        ),
        (
            "mem_asset_indexes_distance_check",
            BTreeSet::from(["cosine"]),
        ),
        (
            "mem_asset_indexes_state_check",
            BTreeSet::from(["building", "ready", "retired"]),
        ),
        ("mem_asset_model_states_visual_check", names!(JobState)),
        ("mem_asset_model_states_fused_check", names!(JobState)),
        (
            "mem_asset_embedding_jobs_representation_check",
            names!(Representation),
        ),
        ("mem_asset_embedding_jobs_status_check", names!(JobState)),
        (
            "memory_assets_v1_representation_check",
            names!(Representation),
        ),
        ("memory_assets_v1_mime_type_check", types),
        ("memory_assets_v1_source_kind_check", names!(SourceKind)),
        ("mem_idempotency_state_check", names!(IdempotencyState)),
        (
            "mem_usage_ledger_source_check",
            BTreeSet::from(["embed_image_document", "embed_image_query", "rerank_image"]),
        ),
        (
            "mem_provenance_operation_check",
            BTreeSet::from([
                "asset_project_create",
                "asset_folder_create",
                "asset_save",
                "asset_embed",
                "asset_search",
                "asset_move",
                "asset_delete",
                "asset_object_purge",
                "asset_reconcile",
                "asset_upload",
                "asset_artifact",
                "asset_key",
                "asset_vault",
                "asset_plan",
                "asset_update",
                "asset_restore",
                "asset_erase",
            ]),
        ),
        ("mem_provenance_surface_check", names!(Surface)),
        (
            "mem_access_log_outcome_check",
            BTreeSet::from(["link", "denied"]),
        ),
    ])
}

#[tokio::test]
async fn enumerations_are_those_of_the_code() {
    let (_database, session) = session().await;
    let checks = session
        .rows(&format!(
            "select c.conname, pg_get_constraintdef(c.oid)
             from pg_constraint c join (select t.oid {TABLES}) t on t.oid = c.conrelid
             where c.contype = 'c' and cardinality(c.conkey) = 1
               and pg_get_constraintdef(c.oid) ~ '(ANY \\(|<@ |\\(\\()(ARRAY\\[|[a-z_]+ = '')'"
        ))
        .await;
    let stored: BTreeMap<&str, BTreeSet<&str>> = checks
        .iter()
        .map(|row| {
            (
                row[0].as_str(),
                row[1].split('\'').skip(1).step_by(2).collect(),
            )
        })
        .collect();
    assert_eq!(stored, enumerations());
    none(
        &session,
        "columns that enumerate without a check",
        &format!(
            "select t.relname || '.' || a.attname
             from pg_attribute a join (select t.oid, t.relname {TABLES}) t on t.oid = a.attrelid
             where a.attname ~ '(^|_)(status|state|surface|scopes|membership|kind|mime_type|extension|representation|visual|fused|distance|outcome|source)$'
               and not exists (
                 select from pg_constraint c where c.conrelid = t.oid and c.contype = 'c' and c.conkey = array[a.attnum]
                   and c.conname = any (array['{}']))",
            enumerations().keys().copied().collect::<Vec<_>>().join("','")
        ),
    )
    .await;
}
