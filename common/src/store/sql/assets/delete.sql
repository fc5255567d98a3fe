-- assets.delete: mark assets as deleted
-- $1 owner identity  $2 vault  $3 assets  $4 actor  $5 now
update mem_assets
set status = 'deleted', deleted_at = $5, updated_by = $4, updated_at = $5
where owner_identity = $1
  and vault = $2
  and id = any ($3)
  and status <> 'deleted'
