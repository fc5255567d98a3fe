//! What holds for the whole schema: comments, names, types, enumerations, indexes, locks and rights.

use std::collections::{BTreeMap, BTreeSet};

use common::{
    auth::{Scope, Surface},
    contract::Membership,
    domain::{
        keys::Extension,
        status::{
            AssetStatus, EmbeddingStatus, IdempotencyState, JobState, ObjectStatus, Representation, ReservationState,
            SourceKind, UploadState,
        },
    },
    store::migrate,
    testing::TestDatabase,
};

use crate::support::{Session, session::NULL};

/// `from pg_class t` of our own tables; a partition is part of its parent.
const TABLES: &str = "from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
                      and not t.relispartition";

async fn session() -> (TestDatabase, Session) {
    let database = TestDatabase::new().await;
    let session = Session::admin(&database).await;
    (database, session)
}

/// Fails with what the query found.
async fn none(session: &Session, what: &str, query: &str) {
    let found = session.column(query).await;
    assert!(found.is_empty(), "{what}: {found:#?}");
}

#[tokio::test]
async fn every_table_and_every_column_is_commented() {
    let (_database, session) = session().await;
    let tables = "from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')";
    none(
        &session,
        "tables without a comment",
        &format!("select relname {tables} and obj_description(t.oid, 'pg_class') is null"),
    )
    .await;
    none(
        &session,
        "columns without a comment",
        &format!(
            "select t.relname || '.' || a.attname from pg_attribute a join (select t.oid, t.relname {TABLES}) t on t.oid = a.attrelid
             where a.attnum > 0 and not a.attisdropped and col_description(t.oid, a.attnum) is null"
        ),
    )
    .await;
}

#[tokio::test]
async fn columns_have_the_agreed_types_alone() {
    let (_database, session) = session().await;
    let types = session
        .column(&format!(
            "select distinct format_type(a.atttypid, a.atttypmod)
             from pg_attribute a join (select t.oid {TABLES}) t on t.oid = a.attrelid
             where a.attnum > 0 and not a.attisdropped order by 1"
        ))
        .await;
    let agreed = [
        "bigint", "bit(1024)", "boolean", "bytea", "halfvec(1024)", "integer", "jsonb", "smallint", "text", "text[]",
        "timestamp with time zone",
    ];
    assert_eq!(types, agreed);
    none(
        &session,
        "times that do not end in _at, _until, _after or _from, or other things that do",
        &format!(
            "select t.relname || '.' || a.attname
             from pg_attribute a join (select t.oid, t.relname {TABLES}) t on t.oid = a.attrelid
             where a.attnum > 0
               and (a.attname ~ '_(at|until|after|from)$' and a.attname <> 'rotated_from') <> (a.atttypid = 'timestamptz'::regtype)"
        ),
    )
    .await;
}

#[tokio::test]
async fn constraints_and_indexes_are_named_by_what_they_are() {
    let (_database, session) = session().await;
    none(
        &session,
        "constraints of another name than table_what_check, _fkey, _key or table_pkey",
        &format!(
            "select c.conname from pg_constraint c join (select t.oid, t.relname {TABLES}) t on t.oid = c.conrelid
             where c.conparentid = 0 and c.contype <> 'n'
               and c.conname !~ ('^' || t.relname || case c.contype
                 when 'p' then '_pkey$' when 'c' then '_[a-z0-9_]+_check$' when 'f' then '_[a-z0-9_]+_fkey$'
                 when 'u' then '_[a-z0-9_]+_key$' else '!' end)
               and (c.conname, c.contype) <> ('mem_vaults_handle_key', 'u')"
        ),
    )
    .await;
    none(
        &session,
        "indexes of another name than table_what_idx, or table_what_uidx for a unique one",
        &format!(
            "select n.relname from pg_index i join pg_class n on n.oid = i.indexrelid
             join (select t.oid, t.relname {TABLES}) t on t.oid = i.indrelid
             where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
               and n.relname !~ ('^' || t.relname || '_[a-z0-9_]+' || case when i.indisunique then '_uidx$' else '_idx$' end)"
        ),
    )
    .await;
}

/// Words of a script without comments and quoted texts.
fn words(sql: &str) -> Vec<String> {
    let code: String = sql.lines().map(|line| line.split("--").next().unwrap_or_default().to_owned() + "\n").collect();
    let bare: String = code.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    bare.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn no_constraint_is_left_to_be_named_by_the_server() {
    let mut seen = 0;
    for migration in migrate::MIGRATIONS {
        let words = words(migration.sql);
        for (index, word) in words.iter().enumerate() {
            let before = |distance: usize| index.checked_sub(distance).map_or("", |index| words[index].as_str());
            let named = match word.as_str() {
                "check" | "foreign" | "primary" => before(2) == "constraint",
                "unique" => before(2) == "constraint" || before(1) == "create",
                "references" => words[..index].iter().rev().take(8).any(|word| word == "foreign"),
                _ => continue,
            };
            seen += 1;
            assert!(named, "{}: … {} {word} … has no name", migration.name, before(1));
        }
    }
    assert!(seen > 150, "only {seen} constraints were seen");
}

#[tokio::test]
async fn tenant_tables_begin_with_their_owner_and_their_ids_tell_their_kind() {
    let (_database, session) = session().await;
    let tenants = format!(
        "{TABLES} and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'owner_identity')"
    );
    none(
        &session,
        "tenant tables whose primary key does not begin with the owner",
        &format!(
            "select t.relname {tenants} and not exists (
               select from pg_index i join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
               where i.indrelid = t.oid and i.indisprimary and a.attname = 'owner_identity')"
        ),
    )
    .await;
    none(
        &session,
        "ids whose prefix is not checked",
        &format!(
            "select t.relname {tenants}
               and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'id')
               and not exists (select from pg_constraint c where c.conrelid = t.oid and c.conname = t.relname || '_id_check')"
        ),
    )
    .await;
}

/// Names of all values of a Rust enumeration.
macro_rules! names {
    ($kind:ty) => {
        <$kind>::ALL.iter().map(|value| value.name()).collect::<BTreeSet<&str>>()
    };
}

/// What each enumerating check lists; where the code has the enumeration, its names.
fn enumerations() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let types = BTreeSet::from(["image/jpeg", "image/png", "image/webp", "image/gif"]);
    let membership = [Membership::Read, Membership::Write, Membership::Admin].iter().map(|value| value.name()).collect();
    let extensions = Extension::ALL.iter().map(|extension| extension.name()).collect();
    BTreeMap::from([
        ("mem_keys_surface_check", names!(Surface)),
        ("mem_keys_scopes_check", names!(Scope)),
        ("mem_vault_members_membership_check", membership),
        ("mem_asset_projects_status_check", BTreeSet::from(["active", "archived", "deleted"])),
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
        ("mem_asset_upload_reservations_status_check", names!(ReservationState)),
        ("mem_asset_uploads_status_check", names!(UploadState)),
        ("mem_artifacts_status_check", BTreeSet::from(["reserved", "available", "expired", "deleted"])),
        ("mem_asset_indexes_distance_check", BTreeSet::from(["cosine"])),
        ("mem_asset_indexes_state_check", BTreeSet::from(["building", "ready", "retired"])),
        ("mem_asset_model_states_visual_check", names!(JobState)),
        ("mem_asset_model_states_fused_check", names!(JobState)),
        ("mem_asset_embedding_jobs_representation_check", names!(Representation)),
        ("mem_asset_embedding_jobs_status_check", names!(JobState)),
        ("memory_assets_v1_representation_check", names!(Representation)),
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
                "asset_project_create", "asset_folder_create", "asset_save", "asset_embed", "asset_search", "asset_move",
                "asset_delete", "asset_object_purge", "asset_reconcile", "asset_upload", "asset_artifact", "asset_key",
                "asset_vault", "asset_update", "asset_restore", "asset_erase",
            ]),
        ),
        ("mem_provenance_surface_check", names!(Surface)),
        ("mem_access_log_outcome_check", BTreeSet::from(["link", "denied"])),
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
    let stored: BTreeMap<&str, BTreeSet<&str>> =
        checks.iter().map(|row| (row[0].as_str(), row[1].split('\'').skip(1).step_by(2).collect())).collect();
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

/// One row of names, as the catalog lists them.
fn list(text: &str) -> Vec<&str> {
    text.split(',').collect()
}

#[tokio::test]
async fn every_foreign_key_has_an_index_to_look_back_with() {
    let (_database, session) = session().await;
    let names = |of: &str, numbers: &str| {
        format!(
            "(select string_agg(a.attname, ',' order by k.place) from unnest({numbers}) with ordinality as k (number, place)
              join pg_attribute a on a.attrelid = {of} and a.attnum = k.number)"
        )
    };
    let keys = session
        .rows(&format!(
            "select c.conname, c.conrelid, {}, {}, {}
             from pg_constraint c join (select t.oid {TABLES}) t on t.oid = c.conrelid
             join pg_index p on p.indrelid = c.confrelid and p.indisprimary
             where c.contype = 'f' and c.conparentid = 0",
            names("c.conrelid", "c.conkey"),
            names("c.confrelid", "c.confkey"),
            names("c.confrelid", "p.indkey::int2[]"),
        ))
        .await;
    assert!(keys.len() > 25);
    let indexes = session
        .rows(&format!(
            "select i.indrelid, {}, pg_get_expr(i.indpred, i.indrelid)
             from pg_index i join (select t.oid {TABLES}) t on t.oid = i.indrelid where i.indisvalid",
            names("i.indrelid", "(i.indkey::int2[])[0:i.indnkeyatts - 1]"),
        ))
        .await;
    for key in &keys {
        let (columns, referred, primary) = (list(&key[2]), list(&key[3]), list(&key[4]));
        // An index serves when its leading columns, all of them columns of the key, pin one referred row.
        let serves = indexes.iter().filter(|index| index[0] == key[1]).any(|index| {
            let whole = index[2] == NULL || columns.iter().any(|column| index[2] == format!("({column} IS NOT NULL)"));
            let leading = list(&index[1]).into_iter().map_while(|name| columns.iter().position(|column| *column == name));
            let pinned: Vec<&str> = leading.map(|position| referred[position]).collect();
            whole && primary.iter().all(|column| pinned.contains(column))
        });
        assert!(serves, "{} ({}) has no index that begins with its columns", key[0], key[2]);
    }
}

#[tokio::test]
async fn every_tenant_table_is_locked_twice() {
    let (_database, session) = session().await;
    let tenants = session
        .column(&format!(
            "select t.relname {TABLES} and exists (
               select from pg_attribute a where a.attrelid = t.oid and a.attname = 'owner_identity') order by 1"
        ))
        .await;
    let locked = session
        .column(&format!("select t.relname {TABLES} and t.relrowsecurity and t.relforcerowsecurity order by 1"))
        .await;
    assert_eq!(locked, tenants);
    let mine = "(owner_identity = current_setting('app.owner_identity'::text, true))";
    let wanted: Vec<Vec<String>> = tenants
        .iter()
        .flat_map(|table| {
            [("owner", "im_app", mine), ("system", "im_system", "true")].map(|(kind, role, rule)| {
                [table.as_str(), &format!("{table}_{kind}"), "PERMISSIVE", &format!("{{{role}}}"), "ALL", rule, rule]
                    .map(str::to_owned)
                    .to_vec()
            })
        })
        .collect();
    let policies = session
        .rows("select tablename, policyname, permissive, roles, cmd, qual, with_check from pg_policies order by 1, 2")
        .await;
    assert_eq!(policies, wanted);
}

/// Who may do what; everything else is denied.
const RIGHTS: &str = "
mem_access_log im_app INSERT SELECT
mem_access_log im_system DELETE INSERT SELECT
mem_artifacts im_app DELETE INSERT SELECT UPDATE
mem_artifacts im_system DELETE INSERT SELECT UPDATE
mem_asset_candidate_counts im_app DELETE INSERT SELECT UPDATE
mem_asset_candidate_counts im_system DELETE INSERT SELECT UPDATE
mem_asset_embedding_jobs im_app INSERT SELECT UPDATE
mem_asset_embedding_jobs im_system DELETE INSERT SELECT UPDATE
mem_asset_folders im_app DELETE INSERT SELECT UPDATE
mem_asset_folders im_system DELETE INSERT SELECT UPDATE
mem_asset_indexes im_app SELECT
mem_asset_indexes im_system INSERT SELECT UPDATE
mem_asset_model_states im_app DELETE INSERT SELECT UPDATE
mem_asset_model_states im_system DELETE INSERT SELECT UPDATE
mem_asset_namespaces im_app SELECT UPDATE
mem_asset_namespaces im_system DELETE INSERT SELECT UPDATE
mem_asset_objects im_app INSERT SELECT UPDATE
mem_asset_objects im_system DELETE INSERT SELECT UPDATE
mem_asset_projects im_app DELETE INSERT SELECT UPDATE
mem_asset_projects im_system DELETE INSERT SELECT UPDATE
mem_asset_tags im_app DELETE INSERT SELECT UPDATE
mem_asset_tags im_system DELETE INSERT SELECT UPDATE
mem_asset_upload_reservations im_app DELETE INSERT SELECT UPDATE
mem_asset_upload_reservations im_system DELETE INSERT SELECT UPDATE
mem_asset_uploads im_app DELETE INSERT SELECT UPDATE
mem_asset_uploads im_system DELETE INSERT SELECT UPDATE
mem_assets im_app INSERT SELECT UPDATE
mem_assets im_system DELETE INSERT SELECT UPDATE
mem_idempotency im_app DELETE INSERT SELECT UPDATE
mem_idempotency im_system DELETE INSERT SELECT UPDATE
mem_identities im_app SELECT
mem_identities im_system DELETE INSERT SELECT UPDATE
mem_keys im_app SELECT
mem_keys im_system DELETE INSERT SELECT UPDATE
mem_plans im_app SELECT
mem_plans im_system INSERT SELECT UPDATE
mem_provenance im_app INSERT SELECT
mem_provenance im_system DELETE INSERT SELECT
mem_query_vectors im_app DELETE INSERT SELECT UPDATE
mem_query_vectors im_system DELETE INSERT SELECT UPDATE
mem_rate_card im_app SELECT
mem_rate_card im_system INSERT SELECT UPDATE
mem_schema im_app SELECT
mem_schema im_system SELECT
mem_schema public SELECT
mem_usage_ledger im_app INSERT SELECT
mem_usage_ledger im_system DELETE INSERT SELECT
mem_vault_members im_app DELETE INSERT SELECT UPDATE
mem_vault_members im_system DELETE INSERT SELECT UPDATE
mem_vaults im_app DELETE INSERT SELECT UPDATE
mem_vaults im_system DELETE INSERT SELECT UPDATE
memory_assets_v1 im_app DELETE INSERT SELECT UPDATE
memory_assets_v1 im_system DELETE INSERT SELECT UPDATE
";

#[tokio::test]
async fn the_roles_may_do_exactly_this() {
    let (_database, session) = session().await;
    // Every relation, partitions included: a policy on the parent does not guard a partition.
    let rights = session
        .column(
            "select concat_ws(' ', t.relname, coalesce(r.rolname, 'public'), string_agg(a.privilege_type, ' ' order by a.privilege_type))
             from pg_class t cross join aclexplode(t.relacl) a left join pg_roles r on r.oid = a.grantee
             where t.relnamespace = 'public'::regnamespace and a.grantee <> t.relowner
             group by t.relname, r.rolname order by t.relname, coalesce(r.rolname, 'public')",
        )
        .await;
    let wanted: Vec<&str> = RIGHTS.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(rights, wanted);
    none(&session, "rights on columns", "select a.attname from pg_attribute a join pg_class t on t.oid = a.attrelid
         where t.relnamespace = 'public'::regnamespace and a.attacl is not null").await;
    none(
        &session,
        "roles that may do more than stand for others",
        "select rolname from pg_roles where rolname in ('im_app', 'im_system')
         and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin or rolreplication
           or has_schema_privilege(oid, 'public', 'create') or exists (select from pg_auth_members where member = pg_roles.oid))",
    )
    .await;
}

#[tokio::test]
async fn the_constraints_that_failures_are_told_by_exist() {
    let (_database, session) = session().await;
    let code = include_str!("../../common/src/store/failure.rs");
    let names: Vec<&str> = code.split("(\"mem_").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 5);
    for name in names {
        let there = format!(
            "select count(*) from (select conname from pg_constraint union select relname from pg_class) as n (name) where name = 'mem_{name}'"
        );
        assert_eq!(session.value(&there).await, "1", "mem_{name} does not exist");
    }
}
