//! A small world of two owners with everything in it twice: each legal row of each table.
//!
//! Texts are templates: `{owner}` is the owner that the text is about and `{ast1}` the first asset of
//! theirs; `{other.ast1}` is the same thing of the other owner. So one text serves both.

use common::testing::TestDatabase;

use super::Session;

/// The model of all vectors here.
pub(crate) const MODEL: &str = "colours";

/// Whom a text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    A,
    B,
}

impl Owner {
    const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
        }
    }

    /// The owner identity.
    pub(crate) fn identity(self) -> String {
        format!("{}@example.com", self.letter().to_ascii_lowercase())
    }

    /// Fills a template.
    pub(crate) fn fill(self, template: &str) -> String {
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let filled = after
                .split_once('}')
                .and_then(|(name, tail)| Some((self.name(name)?, tail)));
            rest = if let Some((value, tail)) = filled {
                text.push_str(&value);
                tail
            } else {
                text.push('{');
                after
            };
        }
        text + rest
    }

    fn name(self, name: &str) -> Option<String> {
        if let Some(name) = name.strip_prefix("other.") {
            return self.other().name(name);
        }
        match name {
            "owner" => return Some(self.identity()),
            "n" => return Some(if self == Self::A { "1" } else { "2" }.to_owned()),
            "model" => return Some(MODEL.to_owned()),
            _ => {}
        }
        let (kind, number) = name.split_at_checked(3)?;
        let number: usize = number.parse().ok()?;
        Some(match kind {
            "vec" => unit(number),
            "sha" => format!("{}{number:x}", self.letter().to_ascii_lowercase()).repeat(32),
            "ans" | "apr" | "afl" | "aob" | "ast" | "aej" | "aur" | "avl" | "mky" | "apv"
            | "aul" | "art" | "idn" | "aue" | "aqv" => {
                format!("{kind}_{number:0>25}{}", self.letter())
            }
            _ => return None,
        })
    }
}

/// A unit vector along one axis, as a literal.
fn unit(axis: usize) -> String {
    let numbers: Vec<&str> = (0..1024)
        .map(|index| if index == axis { "1" } else { "0" })
        .collect();
    format!("[{}]", numbers.join(","))
}

/// Puts the world into a database.
pub(crate) async fn build(database: &TestDatabase) -> Session {
    let session = Session::admin(database).await;
    for template in ROWS {
        for owner in [Owner::A, Owner::B] {
            session.rows(&owner.fill(template)).await;
        }
    }
    session
}

/// Every legal row, in an order that the foreign keys allow.
const ROWS: &[&str] = &[
    "insert into mem_identities (owner_identity, id, display_name) values ('{owner}', '{idn1}', 'Person {n}')",
    "insert into mem_asset_namespaces (owner_identity, namespace_id, original_bytes, preview_bytes, vector_bytes, reserved_bytes)
     values ('{owner}', '{ans1}', 7000{n}, 300{n}, 4096, 9000{n})",
    "insert into mem_keys (owner_identity, id, prefix, secret_sha256, name, surface, scopes, rotated_from) values
     ('{owner}', '{mky1}', 'aaaaaaaaaa1{n}', decode('{sha1}', 'hex'), 'first', 'cli', '{read,write,delete,admin}', null),
     ('{owner}', '{mky2}', 'aaaaaaaaaa2{n}', decode('{sha2}', 'hex'), 'second', 'web', '{read}', '{mky1}')",
    "insert into mem_vaults (owner_identity, id, handle, handle_key) values
     ('{owner}', '{avl1}', 'Library', 'library'), ('{owner}', '{avl2}', 'Second', 'second')",
    "insert into mem_vault_members (owner_identity, vault, member_identity, membership, granted_by)
     values ('{owner}', '{avl1}', '{other.owner}', 'read', '{owner}')",
    "insert into mem_asset_projects (owner_identity, vault, id, name, name_key, created_by) values
     ('{owner}', '{avl1}', '{apr1}', 'One', 'one', '{owner}'),
     ('{owner}', '{avl1}', '{apr2}', 'Two', 'two', '{owner}'),
     ('{owner}', '{avl2}', '{apr3}', 'Three', 'three', '{owner}')",
    "insert into mem_asset_folders (owner_identity, vault, project_id, id, parent_id, depth, name, name_key, created_by) values
     ('{owner}', '{avl1}', '{apr1}', '{afl1}', null, 1, 'Top', 'top', '{owner}'),
     ('{owner}', '{avl1}', '{apr1}', '{afl2}', '{afl1}', 2, 'Below', 'below', '{owner}'),
     ('{owner}', '{avl1}', '{apr2}', '{afl3}', null, 1, 'Aside', 'aside', '{owner}'),
     ('{owner}', '{avl2}', '{apr3}', '{afl4}', null, 1, 'Top', 'top', '{owner}')",
    "insert into mem_asset_objects (owner_identity, namespace_id, id, sha256, storage_key, preview_storage_key, mime_type,
       extension, bytes, preview_bytes, width, height, preview_width, preview_height, animated, status, purge_after, purge_started_at, deleted_at) values
     ('{owner}', '{ans1}', '{aob1}', '{sha1}', 'k/{aob1}/o', 'k/{aob1}/p', 'image/png', 'png', 10{n}, 5{n}, 4, 3, 4, 3, false, 'available', null, null, null),
     ('{owner}', '{ans1}', '{aob2}', '{sha2}', 'k/{aob2}/o', 'k/{aob2}/p', 'image/jpeg', 'jpg', 20{n}, 6{n}, 4, 3, 4, 3, false, 'pending', null, null, null),
     ('{owner}', '{ans1}', '{aob3}', '{sha3}', 'k/{aob3}/o', 'k/{aob3}/p', 'image/gif', 'gif', 30{n}, 7{n}, 4, 3, 4, 3, true, 'deleting', now(), null, null),
     ('{owner}', '{ans1}', '{aob4}', '{sha4}', 'k/{aob4}/o', 'k/{aob4}/p', 'image/webp', 'webp', 40{n}, 8{n}, 4, 3, 4, 3, false, 'deleted', now(), now(), now()),
     ('{owner}', '{ans1}', '{aob5}', '{sha9}', 'k/{aob5}/o', 'k/{aob5}/p', 'image/webp', 'webp', 50{n}, 9{n}, 4, 3, 4, 3, false, 'deleting', now(),
       '2026-01-01Z', null)",
    "insert into mem_assets (owner_identity, vault, id, project_id, folder_id, object_id, mime_type, title, title_key, title_given,
       description, alt_text, source_url, source_url_hash, source_host, source_kind, source_ref, tags, metadata, status,
       embedding_status, created_by, updated_by) values
     ('{owner}', '{avl1}', '{ast1}', '{apr1}', '{afl1}', '{aob1}', 'image/png', 'Sea {n}', 'sea {n}', true, 'The sea', 'Sea',
       'https://example.com/{n}', '{sha5}', 'example.com', 'external_url', '{\"page\": 1}', '[\"sea\", \"sky\"]', '{\"a\": 1}',
       'ready', 'ready', '{owner}', '{owner}'),
     ('{owner}', '{avl1}', '{ast2}', null, null, '{aob1}', 'image/png', 'Untitled {n}', 'untitled {n}', false, null, null, null, null,
       null, 'upload', null, '[]', null, 'processing', 'pending', '{owner}', '{owner}'),
     ('{owner}', '{avl2}', '{ast3}', '{apr3}', '{afl4}', '{aob1}', 'image/png', 'Far {n}', 'far {n}', true, null, null, null, null,
       null, 'import', null, '[]', null, 'processing', 'pending', '{owner}', '{owner}'),
     ('{owner}', '{avl1}', '{ast4}', null, null, '{aob1}', 'image/png', 'Spare {n}', 'spare {n}', false, null, null, null, null,
       null, 'scrape', null, '[]', null, 'processing', 'pending', '{owner}', '{owner}')",
    "insert into mem_asset_tags (owner_identity, vault, tag, asset_id) values
     ('{owner}', '{avl1}', 'sea', '{ast1}'), ('{owner}', '{avl1}', 'sky', '{ast1}')",
    "insert into mem_asset_upload_reservations (owner_identity, id, operation, expected_bytes, actual_bytes, status, created_by, expires_at) values
     ('{owner}', '{aur1}', 'image_asset_save', 4096{n}, null, 'reserved', '{owner}', now() + interval '1 hour'),
     ('{owner}', '{aur2}', 'image_upload_create', 5000{n}, 4000, 'finalized', '{owner}', now() + interval '1 hour'),
     ('{owner}', '{aur3}', 'artifact_create', 6000{n}, null, 'reserved', '{owner}', now() + interval '1 hour')",
    "insert into mem_asset_uploads (owner_identity, vault, id, reservation_id, project_id, folder_id, request, declared_type,
       declared_bytes, declared_sha256, staging_key, status, asset_id, failure_code, failure_message, created_by, expires_at) values
     ('{owner}', '{avl1}', '{aul1}', '{aur2}', '{apr1}', '{afl1}', '{}', 'image/png', 9, '{sha6}', 'u/{aul1}', 'finalized', '{ast1}',
       null, null, '{owner}', now() + interval '1 hour'),
     ('{owner}', '{avl1}', '{aul2}', '{aur2}', null, null, '{}', null, 9, null, 'u/{aul2}', 'failed', null, 'image_corrupt',
       'it is damaged', '{owner}', now() + interval '1 hour')",
    "insert into mem_artifacts (owner_identity, id, reservation_id, sha256, bytes, declared_type, storage_key, status, created_by, expires_at) values
     ('{owner}', '{art1}', '{aur2}', '{sha7}', 9, 'image/png', 'a/{art1}', 'available', '{owner}', now() + interval '1 day'),
     ('{owner}', '{art2}', '{aur3}', null, null, null, 'a/{art2}', 'reserved', '{owner}', now() + interval '1 day')",
    "insert into mem_asset_model_states (owner_identity, vault, asset_id, model, visual, fused) values
     ('{owner}', '{avl1}', '{ast1}', '{model}', 'done', 'running'), ('{owner}', '{avl1}', '{ast2}', '{model}', 'queued', null)",
    "insert into mem_asset_embedding_jobs (owner_identity, vault, id, asset_id, representation, model, dimensions, status, attempts,
       lease_token, lease_until, last_error_code, last_error, completed_at) values
     ('{owner}', '{avl1}', '{aej1}', '{ast1}', 'visual', '{model}', 1024, 'done', 1, null, null, null, null, now()),
     ('{owner}', '{avl1}', '{aej2}', '{ast1}', 'fused', '{model}', 1024, 'running', 1, 'lease {n}', now() + interval '1 hour', null, null, null),
     ('{owner}', '{avl1}', '{aej3}', '{ast2}', 'visual', '{model}', 1024, 'retry', 2, null, null, 'provider_unavailable', 'no answer', null)",
    "insert into memory_assets_v1 (owner_identity, placement, id, vault, asset_id, object_id, representation, model, dimensions,
       project_id, folder_id, mime_type, source_kind, created_at, embedding)
     values ('{owner}', 'shared', '{sha8}', '{avl1}', '{ast1}', '{aob1}', 'visual', '{model}', 1024, '{apr1}', '{afl1}', 'image/png',
       'external_url', now(), '{vec1}')",
    "insert into mem_asset_candidate_counts (owner_identity, vault, model, vectors) values ('{owner}', '{avl1}', '{model}', {n})",
    "insert into mem_query_vectors (owner_identity, id, model, embedding, expires_at) values
     ('{owner}', '{aqv1}', '{model}', '{vec2}', now() + interval '1 hour'), ('{owner}', '{aqv2}', '{model}', '{vec3}', now() - interval '1 hour')",
    "insert into mem_idempotency (owner_identity, actor_identity, operation, key, derived, fingerprint, state, token, answer, expires_at) values
     ('{owner}', '{owner}', 'image_asset_save', 'done', false, '{sha1}', 'done', 'token {n}', '{\"assetId\": \"{ast1}\"}', now() + interval '1 day'),
     ('{owner}', '{owner}', 'image_asset_save', 'flying', false, '{sha2}', 'in_flight', 'token {n}', null, now() + interval '1 hour'),
     ('{owner}', '{owner}', 'image_asset_save', 'stale', false, '{sha3}', 'in_flight', 'token {n}', null, now() - interval '1 hour')",
    "insert into mem_rate_card (id, model, usd_micros_per_million_tokens, valid_from)
     values ('rate {n}', '{model}', 20000, '2026-01-0{n}')",
    "insert into mem_usage_ledger (owner_identity, id, source, model, call_id, inputs, total_tokens, prompt_tokens, image_tokens, usd_micros, rate_id)
     values ('{owner}', '{aue1}', 'embed_image_document', '{model}', 'call {n}', 1, 1{n}, 4, 6, 1, 'rate {n}')",
    "insert into mem_provenance (owner_identity, id, vault, operation, asset_id, actor_id, key_id, surface, request_id)
     values ('{owner}', '{apv1}', '{avl1}', 'asset_save', '{ast1}', '{idn1}', '{mky1}', 'cli', 'req')",
    "insert into mem_access_log (owner_identity, id, vault, tool, outcome, code, asset_id, actor_id, key_id, request_id) values
     ('{owner}', '{apv1}', '{avl1}', 'image_asset_get', 'link', null, '{ast1}', '{idn1}', '{mky1}', 'req'),
     ('{owner}', '{apv2}', null, 'image_asset_get', 'denied', 'not_found', null, '{idn1}', '{mky1}', 'req')",
];
