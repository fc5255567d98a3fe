-- objects.find: the row that a save of these bytes would use, if there is one
-- $1 owner identity  $2 sha256
select id, status, storage_key, preview_storage_key
from mem_asset_objects
where owner_identity = $1
  and sha256 = $2
  and (status in ('pending', 'available', 'quarantined') or (status = 'deleting' and purge_started_at is null))
order by status = 'deleting'
limit 1
