-- jobs.cancel: end the open jobs of assets that go; a worker that holds one loses its lease
-- $1 owner identity  $2 vault  $3 assets  $4 now
update mem_asset_embedding_jobs
set status = 'cancelled', lease_token = null, lease_until = null, completed_at = $4, updated_at = $4
where owner_identity = $1
  and vault = $2
  and asset_id = any ($3)
  and status in ('queued', 'running', 'retry')
