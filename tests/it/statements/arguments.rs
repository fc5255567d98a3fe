//! Arguments for every statement of owners that make it meet rows of the world; templates as there.

use std::collections::BTreeMap;

use super::{File, files};

/// All statements of owners, with their arguments.
pub(super) fn cases() -> Vec<(File, &'static str)> {
    let mut arguments = BTreeMap::from_iter(ARGUMENTS.iter().copied());
    let statements = files().into_iter().filter(|file| !file.is_system());
    let cases: Vec<_> = statements
        .map(|file| match arguments.remove(file.name.as_str()) {
            Some(arguments) => (file, arguments),
            None => panic!(
                "{} has no arguments in tests/it/statements/arguments.rs",
                file.name
            ),
        })
        .collect();
    assert!(
        arguments.is_empty(),
        "there are no statements {:?}",
        arguments.keys()
    );
    assert!(cases.len() > 35);
    cases
}

/// Arguments of each statement; the first is always the owner.
const ARGUMENTS: &[(&str, &str)] = &[
    ("access_log/insert", "'{owner}', '{apv9}', '{avl1}', 'image_asset_get', 'link', null, '{ast1}', '{idn1}', '{mky1}', 'req', now()"),
    ("assets/delete", "'{owner}', '{avl1}', array['{ast1}'], '{owner}', now()"),
    ("assets/delete_model_states", "'{owner}', '{avl1}', array['{ast1}']"),
    ("assets/delete_tags", "'{owner}', '{avl1}', array['{ast1}']"),
    ("assets/deletion_plan", "'{owner}', '{avl1}', array['{ast1}']"),
    ("assets/find_preview", "'{owner}', array['{avl1}'], '{ast1}'"),
    ("assets/find_same_bytes", "'{owner}', '{avl1}', '{sha1}'"),
    ("assets/get", "'{owner}', '{avl1}', '{ast1}'"),
    ("assets/insert", "'{owner}', '{avl1}', '{ast9}', '{apr1}', '{afl1}', '{aob1}', 'image/png', 'New', 'new', true, null, null,
             null, null, null, 'upload', null, array['new'], null, '{owner}', now()"),
    ("assets/insert_model_state", "'{owner}', '{avl1}', '{ast4}', '{model}', 'queued', now()"),
    ("assets/insert_tags", "'{owner}', '{avl1}', '{ast4}', array['new']"),
    ("assets/largest", "'{owner}', 10"),
    ("assets/list_by_created", "'{owner}', array['{avl1}'], '{apr1}', array['{afl1}'], array['sea', 'sky'], array['external_url'],
             array['example.com'], array['image/png'], null, null, array['ready'], array['ready'], null, null, 10, null"),
    ("assets/list_by_title", "'{owner}', array['{avl1}'], null, null, array['sea'], null, null, null, null, null, null, null, 'a', '', 10, array['{ast1}']"),
    ("assets/lock", "'{owner}', '{avl1}', array['{ast1}']"),
    ("assets/lock_for_deletion", "'{owner}', '{avl1}', array['{ast1}']"),
    ("assets/place", "'{owner}', '{avl1}', array['{ast1}'], null, null, '{owner}', now()"),
    ("assets/rarest_tag", "'{owner}', array['{avl1}'], array['sea', 'sky'], 10"),
    ("assets/reload", "'{owner}', array['{avl1}'], array['{ast1}']"),
    ("assets/set_model_state", "'{owner}', '{ast1}', '{model}', 'fused', 'done', now()"),
    ("assets/settle", "'{owner}', '{ast2}', 'ready', 'ready', null, null, now()"),
    ("folders/find_by_name", "'{owner}', '{avl1}', '{apr1}', '{afl1}', 'below'"),
    ("folders/insert", "'{owner}', '{avl1}', '{apr1}', '{afl9}', '{afl1}', 2, 'New', 'new', '{owner}', now()"),
    ("folders/path", "'{owner}', '{avl1}', '{apr1}', '{afl2}'"),
    ("folders/tree", "'{owner}', '{avl1}', '{apr1}', '{afl1}', 10"),
    ("idempotency/begin", "'{owner}', '{owner}', 'image_asset_save', 'stale', false, '{sha9}', 'token', now(), now() + interval '1 hour'"),
    ("idempotency/finish", "'{owner}', '{owner}', 'image_asset_save', 'flying', 'token {n}', '{}', now(), now() + interval '1 day'"),
    ("idempotency/get", "'{owner}', '{owner}', 'image_asset_save', 'done'"),
    ("idempotency/release", "'{owner}', '{owner}', 'image_asset_save', 'flying', 'token {n}'"),
    ("jobs/cancel", "'{owner}', '{avl1}', array['{ast1}'], now()"),
    ("jobs/finish", "'{owner}', '{aej2}', 'lease {n}', 'done', null, null, null, '{}', now(), true"),
    ("jobs/get", "'{owner}', '{aej1}'"),
    ("jobs/insert", "'{owner}', '{avl1}', '{ast4}', '{model}', 1024, array['{aej8}', '{aej9}'], array['visual', 'fused'], now()"),
    ("jobs/lock_assets", "'{owner}', array['{ast1}']"),
    ("jobs/of_asset", "'{owner}', '{avl1}', '{ast1}'"),
    ("objects/adopt", "'{owner}', '{aob2}', now()"),
    ("objects/find", "'{owner}', '{sha1}'"),
    ("objects/insert", "'{owner}', '{ans1}', '{aob9}', '{sha9}', 'new', 'new preview', 'image/png', 'png', 1, 1, 1, 1, 1, 1, false, '[]', now()"),
    ("placements/check", "'{owner}', '{avl1}', '{apr1}', '{afl1}'"),
    ("objects/lock", "'{owner}', array['{aob1}']"),
    ("objects/purged", "'{owner}', '{aob5}', '2026-01-01Z', now()"),
    ("objects/retire", "'{owner}', array['{aob1}'], now(), now()"),
    ("objects/savings", "'{owner}'"),
    ("placements/below", "'{owner}', array['{avl1}'], '{afl1}', true"),
    ("placements/project_exists", "'{owner}', array['{avl1}'], '{apr1}'"),
    ("projects/find_by_name", "'{owner}', '{avl1}', 'one'"),
    ("projects/insert", "'{owner}', '{avl1}', '{apr9}', 'New', 'new', null, '{owner}', now()"),
    ("projects/list", "'{owner}', array['{avl1}'], false, null, null, 10"),
    ("provenance/insert", r#"'{owner}', '[{"id": "{apv9}", "vault": "{avl1}", "operation": "asset_save", "asset": "{ast1}",
             "actor": "{idn1}", "key": "{mky1}", "surface": "cli", "request": "req", "details": {}}]', now()"#),
    ("quota/account", "'{owner}'"),
    ("quota/charge", "'{owner}', 1, 1, 1, 1, now()"),
    ("quota/finalize", "'{owner}', '{aur1}', 7, now()"),
    ("quota/hold", "'{owner}', 1, now()"),
    ("quota/insert", "'{owner}', '{aur9}', 'image_asset_save', 9, '{owner}', now(), now()"),
    ("quota/lock", "'{owner}'"),
    ("quota/release", "'{owner}', '{aur1}', now()"),
    ("quota/uncharge_object", "'{owner}', 1, 1, now()"),
    ("quota/uncharge_vectors", "'{owner}', 4096, now()"),
    ("search/census", "'{owner}', array['{avl1}'], '{model}'"),
    ("search/drop_queries", "'{owner}', now()"),
    ("search/exact", "'{owner}', array['{avl1}'], '{model}', 'visual', '{vec1}', 10, null, null, array['sea', 'sky'], null, array['example.com'], null, null, null"),
    ("search/keep_query", "'{owner}', '{aqv9}', '{model}', '{vec5}', now(), now()"),
    ("search/kept_query", "'{owner}', '{aqv1}', '{model}', now()"),
    ("usage/tokens", "'{owner}', 'day', '2026-01-01Z'"),
    ("usage/insert", "'{owner}', '{aue9}', 'embed_image_query', '{model}', 'call 9', null, 1, 1, 1, 0, now()"),
    ("vectors/count", "'{owner}', '{ast1}', '{model}', 1"),
    ("vectors/delete", "'{owner}', '{sha8}'"),
    ("vectors/delete_of_assets", "'{owner}', '{avl1}', array['{ast1}']"),
    ("vectors/place", "'{owner}', '{avl1}', array['{ast1}'], null, null"),
    ("vectors/insert", "'{owner}', '{sha9}', '{ast2}', 'visual', '{model}', 1024, '{vec6}'"),
];
