//! How the hot statements are planned: none reads the rows of other owners to find those of one.

use common::testing::TestDatabase;

use super::{File, NOT_TENANT, arguments::cases, files};
use crate::support::{Session, world::Owner};

/// A thousand owners with four assets each, and one with five hundred.
const SEED: &str = "
create temporary table seed on commit drop as
  select n, case when n <= 4000 then 2 + n % 1000 else 1 end as owner, 'owner ' || case when n <= 4000 then 2 + n % 1000 else 1 end as name,
    lpad(n::text, 26, '0') as id
  from generate_series(1, 4500) as n;
create temporary table owners on commit drop as
  select owner, 'owner ' || owner as name, lpad(owner::text, 26, '0') as id from generate_series(1, 1001) as owner;
create temporary table axes on commit drop as
  select axis, (array_fill(0::real, array[axis]) || 1::real || array_fill(0::real, array[1023 - axis]))::halfvec(1024) as embedding
  from generate_series(0, 15) as axis;

insert into mem_identities select name, 'idn_' || id, 'Person' from owners;
insert into mem_asset_namespaces (owner_identity, namespace_id) select name, 'ans_' || id from owners;
insert into mem_keys (owner_identity, id, prefix, secret_sha256, name, surface, scopes)
  select name, 'mky_' || id, lpad(owner::text, 12, '0'), sha256(name::bytea), 'key', 'cli', '{read}' from owners;
insert into mem_vaults (owner_identity, id, handle, handle_key) select name, 'avl_' || id, 'Library', 'library' from owners;
insert into mem_vault_members (owner_identity, vault, member_identity, membership, granted_by)
  select name, 'avl_' || id, 'owner ' || 1 + owner % 1001, 'read', name from owners;
insert into mem_asset_projects (owner_identity, vault, id, name, name_key, created_by)
  select name, 'avl_' || id, 'apr_' || id, 'One', 'one', name from owners;
insert into mem_asset_folders (owner_identity, vault, project_id, id, depth, name, name_key, created_by)
  select name, 'avl_' || id, 'apr_' || id, 'afl_' || id, 1, 'Top', 'top', name from owners;
insert into mem_asset_upload_reservations (owner_identity, id, operation, expected_bytes, created_by, expires_at)
  select name, 'aur_' || id, 'image_asset_save', 1, name, now() from owners;
insert into mem_query_vectors (owner_identity, id, model, embedding, expires_at)
  select name, 'aqv_' || id, 'colours', embedding, now() from owners join axes on axis = owner % 16;
insert into mem_asset_candidate_counts select name, 'avl_' || id, 'colours', 4 from owners;

insert into mem_asset_objects (owner_identity, namespace_id, id, sha256, storage_key, preview_storage_key, mime_type, extension,
    bytes, preview_bytes, width, height, preview_width, preview_height, animated, status)
  select name, 'ans_' || lpad(owner::text, 26, '0'), 'aob_' || id, encode(sha256(id::bytea), 'hex'), id, id, 'image/png', 'png',
    1, 1, 1, 1, 1, 1, false, 'available' from seed;
insert into mem_assets (owner_identity, vault, id, object_id, mime_type, title, title_key, title_given, source_kind, status,
    embedding_status, created_by, updated_by)
  select name, 'avl_' || lpad(owner::text, 26, '0'), 'ast_' || id, 'aob_' || id, 'image/png', 'T', 't', false, 'upload', 'ready',
    'ready', name, name from seed;
insert into mem_asset_tags select name, 'avl_' || lpad(owner::text, 26, '0'), 'tag ' || n % 7, 'ast_' || id from seed;
insert into mem_asset_model_states (owner_identity, vault, asset_id, model, visual)
  select name, 'avl_' || lpad(owner::text, 26, '0'), 'ast_' || id, 'colours', 'done' from seed;
insert into mem_asset_embedding_jobs (owner_identity, vault, id, asset_id, representation, model, dimensions, status,
    lease_token, lease_until, completed_at)
  select name, 'avl_' || lpad(owner::text, 26, '0'), 'aej_' || id, 'ast_' || id, 'visual', 'colours', 1024,
    case n % 50 when 0 then 'queued' when 1 then 'running' else 'done' end,
    case n % 50 when 1 then 'x' end, case n % 50 when 1 then now() end, case when n % 50 > 1 then now() end from seed;
insert into mem_asset_embedding_jobs (owner_identity, vault, id, asset_id, representation, model, dimensions, status, completed_at)
  select name, 'avl_' || lpad(owner::text, 26, '0'), 'aej_old_' || id, 'ast_' || id, 'visual', 'colours', 1024, 'done', now() from seed;
insert into memory_assets_v1 (owner_identity, placement, id, vault, asset_id, object_id, representation, model, dimensions,
    mime_type, source_kind, created_at, embedding)
  select name, 'shared', encode(sha256(id::bytea), 'hex'), 'avl_' || lpad(owner::text, 26, '0'), 'ast_' || id, 'aob_' || id,
    'visual', 'colours', 1024, 'image/png', 'upload', now(), embedding from seed join axes on axis = n % 16;
insert into mem_usage_ledger (owner_identity, id, source, model, call_id, inputs, total_tokens, prompt_tokens, image_tokens)
  select name, 'aue_' || id, 'embed_image_query', 'colours', id, 1, 1, 1, 0 from seed;
insert into mem_idempotency (owner_identity, actor_identity, operation, key, derived, fingerprint, token, expires_at)
  select name, name, 'image_asset_save', id, false, encode(sha256(id::bytea), 'hex'), 't', now() from seed;
";

async fn seeded() -> (TestDatabase, Session) {
    let database = TestDatabase::new().await;
    let session = Session::admin(&database).await;
    session.rows(&format!("begin; {SEED} commit")).await;
    session.rows("vacuum analyze").await;
    (database, session)
}

pub(super) fn file(name: &str) -> File {
    files()
        .into_iter()
        .find(|file| file.name == name)
        .unwrap_or_else(|| panic!("there is no {name}"))
}

/// The plan of a statement as the role that runs it, bound to the owner.
async fn plan(session: &Session, file: &File, owner: &str, arguments: &str) -> String {
    session.begin_as_app(owner).await;
    session
        .rows(&format!(
            "set local role {}; prepare statement as {}",
            file.role(),
            file.text
        ))
        .await;
    let plan = session
        .column(&format!("explain execute statement({arguments})"))
        .await;
    session.rows("rollback; deallocate all").await;
    // A vector in it is of no interest.
    plan.iter()
        .map(|line| line.chars().take(250).collect::<String>() + "\n")
        .collect()
}

/// Whether a plan reads a whole table of owners.
pub(super) fn scans(plan: &str) -> bool {
    let scanned = plan
        .split("Seq Scan on ")
        .skip(1)
        .filter_map(|rest| rest.split_whitespace().next());
    scanned
        .into_iter()
        .any(|table| table.starts_with("mem") && !NOT_TENANT.contains(&table))
}

/// The hot statements with what they are called with, for the owner of many assets and for one of few.
fn hot(owner: &str) -> [(&'static str, String); 9] {
    let id = |kind: &str| format!("'{kind}_{owner:0>26}'");
    let (vault, asset) = (id("avl"), format!("'ast_{:0>26}'", 4001));
    let vector = Owner::A.fill("'{vec1}'");
    let admit = |kind: &str, values: &str| {
        format!("'{owner:0>12}', '{kind}', array[{values}]::text[], now()")
    };
    [
        ("system/access/admit", admit("assets", &asset)),
        ("system/access/admit", admit("all", "")),
        ("assets/get", format!("'owner {owner}', {vault}, {asset}")),
        (
            "system/jobs/claim",
            format!("array[{0}, {0}], now(), 'token', now()", id("aej")),
        ),
        ("system/jobs/due", "now(), now(), 20".to_owned()),
        (
            "search/exact",
            format!(
                "'owner {owner}', array[{vault}], 'colours', 'visual', {vector}, 400, null, null, null, null, null, null, null, null"
            ),
        ),
        (
            "search/exact",
            format!(
                "'owner {owner}', array[{vault}], 'colours', 'visual', {vector}, 400, null, null, array['tag 1'], \
                 array['upload'], null, array['image/png'], '2020-01-01', now()"
            ),
        ),
        (
            "search/census",
            format!("'owner {owner}', array[{vault}], 'colours'"),
        ),
        (
            "idempotency/begin",
            format!(
                "'owner {owner}', 'owner {owner}', 'image_asset_save', 'key', false, 'f', 't', now(), now()"
            ),
        ),
    ]
}

#[tokio::test]
async fn statements_find_their_rows_by_index() {
    let (_database, session) = seeded().await;
    a_scan_is_found_out(&session).await;
    for owner in ["1", "7"] {
        for (name, arguments) in hot(owner) {
            let file = file(name);
            let plan = plan(&session, &file, &format!("owner {owner}"), &arguments).await;
            assert!(!scans(&plan), "{name} reads a whole table:\n{plan}");
            if name == "search/exact" {
                finds_vectors_by_owner(&plan);
            }
        }
    }
    for (file, arguments) in cases() {
        let owner = Owner::A.identity();
        let plan = plan(&session, &file, &owner, &Owner::A.fill(arguments)).await;
        assert!(!scans(&plan), "{} reads a whole table:\n{plan}", file.name);
    }
}

/// The vectors of other owners are neither read nor compared.
fn finds_vectors_by_owner(plan: &str) {
    let lines: Vec<&str> = plan.lines().collect();
    let scan = lines
        .iter()
        .position(|line| line.contains("on memory_assets_v1_shared"));
    let scan = scan.unwrap_or_else(|| panic!("the vectors are not read:\n{plan}"));
    let condition = lines[scan..]
        .iter()
        .find(|line| line.contains("Index Cond"));
    assert!(
        condition.is_some_and(|line| line.contains("owner_identity = ")),
        "vectors are not found by owner:\n{plan}"
    );
}

async fn a_scan_is_found_out(session: &Session) {
    let careless = "prepare statement as select id from mem_assets where title = $1; explain execute statement('x')";
    let plan = session.column(careless).await.join("\n");
    session.rows("deallocate all").await;
    assert!(scans(&plan), "{plan}");
}
