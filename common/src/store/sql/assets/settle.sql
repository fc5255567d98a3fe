-- assets.settle: the asset's status as its vectors' states have it; a deleted asset stays deleted
-- $1 owner identity  $2 asset  $3 status  $4 embedding status  $5 failure code  $6 failure message  $7 now
update mem_assets
set
  status = $3,
  embedding_status = $4,
  -- What another representation failed of stays told while it still matters.
  failure_code = coalesce($5, case when $4 <> 'ready' then failure_code end),
  failure_message = coalesce($6, case when $4 <> 'ready' then failure_message end),
  updated_at = $7
where owner_identity = $1
  and id = $2
  and status in ('processing', 'ready', 'failed')
