-- objects.purged: the bytes are gone; only the run that took them may say so, and once
-- $1 owner identity  $2 object  $3 when this run took it  $4 now
update mem_asset_objects
set status = 'deleted', deleted_at = $4, updated_at = $4
where owner_identity = $1
  and id = $2
  and status = 'deleting'
  and purge_started_at = $3
returning bytes, preview_bytes
