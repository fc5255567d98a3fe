-- objects.retire: bytes that no live asset needs are to be purged after the grace
-- $1 owner identity  $2 objects  $3 when they may be purged  $4 now
update mem_asset_objects
set status = 'deleting', purge_after = $3, updated_at = $4
where owner_identity = $1
  and id = any ($2)
  and status = 'available'
