//! The locks on tables of owners, and who may do what.

use super::{TABLES, none, session};

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
        .column(&format!(
            "select t.relname {TABLES} and t.relrowsecurity and t.relforcerowsecurity order by 1"
        ))
        .await;
    assert_eq!(locked, tenants);
    let mine = "(owner_identity = current_setting('app.owner_identity'::text, true))";
    let wanted: Vec<Vec<String>> = tenants
        .iter()
        .flat_map(|table| {
            [("owner", "im_app", mine), ("system", "im_system", "true")].map(
                |(kind, role, rule)| {
                    [
                        table.as_str(),
                        &format!("{table}_{kind}"),
                        "PERMISSIVE",
                        &format!("{{{role}}}"),
                        "ALL",
                        rule,
                        rule,
                    ]
                    .map(str::to_owned)
                    .to_vec()
                },
            )
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
mem_asset_namespaces im_app SELECT
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
mem_vault_members im_app SELECT
mem_vault_members im_system DELETE INSERT SELECT UPDATE
mem_vaults im_app SELECT
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
    // Counters may change; the plan and the identity may not.
    let columns = session
        .column(
            "select concat_ws(' ', t.relname, a.attname, r.rolname, string_agg(x.privilege_type, ' '))
             from pg_attribute a join pg_class t on t.oid = a.attrelid cross join aclexplode(a.attacl) x join pg_roles r on r.oid = x.grantee
             where t.relnamespace = 'public'::regnamespace group by t.relname, a.attname, r.rolname order by a.attname",
        )
        .await;
    let counters = [
        "original_bytes",
        "preview_bytes",
        "reserved_bytes",
        "updated_at",
        "vector_bytes",
    ];
    assert_eq!(
        columns,
        counters.map(|column| format!("mem_asset_namespaces {column} im_app UPDATE"))
    );
    none(
        &session,
        "roles that may do more than stand for others",
        "select rolname from pg_roles where rolname in ('im_app', 'im_system')
         and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin or rolreplication
           or has_schema_privilege(oid, 'public', 'create') or exists (select from pg_auth_members where member = pg_roles.oid))",
    )
    .await;
}
