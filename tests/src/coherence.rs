//! What is true between any two calls, whatever happened before.

use crate::TestApp;

/// Each finds rows that must not be.
const FAULTS: &[(&str, &str)] = &[
    (
        "counters that are not the sums of their rows",
        "select count(*) from mem_asset_namespaces n where (n.original_bytes, n.preview_bytes, n.vector_bytes, n.reserved_bytes) is distinct from (
           (select coalesce(sum(o.bytes), 0) from mem_asset_objects o
             where o.owner_identity = n.owner_identity and o.status in ('available', 'quarantined', 'deleting')),
           (select coalesce(sum(o.preview_bytes), 0) from mem_asset_objects o
             where o.owner_identity = n.owner_identity and o.status in ('available', 'quarantined', 'deleting')),
           (select coalesce(sum(4096 * (1 + (s.fused is not null)::integer)), 0) from mem_asset_model_states s
             where s.owner_identity = n.owner_identity),
           (select coalesce(sum(r.expected_bytes), 0) from mem_asset_upload_reservations r
             where r.owner_identity = n.owner_identity and r.status = 'reserved'))",
    ),
    (
        "live assets whose bytes are on their way out",
        "select count(*) from mem_assets a join mem_asset_objects o on o.owner_identity = a.owner_identity and o.id = a.object_id
         where a.status not in ('deleting', 'deleted') and o.status not in ('available', 'quarantined')",
    ),
    (
        "bytes that are kept for nobody",
        "select count(*) from mem_asset_objects o where o.status = 'available' and not exists (
           select from mem_assets a where a.owner_identity = o.owner_identity and a.object_id = o.id
             and a.status not in ('deleting', 'deleted'))",
    ),
    (
        "vectors, states, tags or open jobs of assets that are gone",
        "select (select count(*) from memory_assets_v1 v join mem_assets a using (owner_identity) where a.id = v.asset_id and a.status = 'deleted')
           + (select count(*) from mem_asset_model_states v join mem_assets a using (owner_identity) where a.id = v.asset_id and a.status = 'deleted')
           + (select count(*) from mem_asset_tags v join mem_assets a using (owner_identity) where a.id = v.asset_id and a.status = 'deleted')
           + (select count(*) from mem_asset_embedding_jobs v join mem_assets a using (owner_identity)
               where a.id = v.asset_id and a.status = 'deleted' and v.status in ('queued', 'running', 'retry'))",
    ),
    (
        "vectors that lie elsewhere than their assets",
        "select count(*) from memory_assets_v1 v join mem_assets a on a.owner_identity = v.owner_identity and a.id = v.asset_id
         where (v.vault, v.project_id, v.folder_id) is distinct from (a.vault, a.project_id, a.folder_id)",
    ),
    (
        "counts of candidates that are not the numbers of vectors",
        "select count(*) from (
           select owner_identity, vault, model, count(*) from memory_assets_v1 group by 1, 2, 3
         ) v (owner_identity, vault, model, vectors)
         full join mem_asset_candidate_counts c using (owner_identity, vault, model)
         where coalesce(v.vectors, 0) <> coalesce(c.vectors, 0)",
    ),
];

impl TestApp {
    /// Checks that rows, counters and stored bytes agree.
    ///
    /// # Panics
    /// When they do not.
    pub async fn assert_coherent(&self, after: &str) {
        let checks: Vec<String> = FAULTS
            .iter()
            .map(|(_, sql)| format!("({sql})::bigint"))
            .collect();
        let all = format!("select {}", checks.join(" + "));
        if self.database.number(&all).await != 0 {
            for (fault, sql) in FAULTS {
                let count = self
                    .database
                    .number(&format!("select ({sql})::bigint"))
                    .await;
                assert_eq!(count, 0, "{fault}, after {after}");
            }
        }
        let named = "select count(*) * 2 from mem_asset_objects where status in ('available', 'quarantined', 'deleting')
                     and purge_started_at is null";
        let stored = self.objects.keys().len() as i64;
        assert!(
            stored >= self.database.number(named).await,
            "bytes are missing after {after}"
        );
    }
}
