-- objects.adopt: the bytes are there and an asset is about to refer to them; says what the row was before
-- $1 owner identity  $2 object  $3 now
with before as (
  select id, status, bytes, preview_bytes
  from mem_asset_objects
  where owner_identity = $1
    and id = $2
    and (status in ('pending', 'available') or (status = 'deleting' and purge_started_at is null))
  for no key update
)
update mem_asset_objects o
set status = 'available', purge_after = null, updated_at = $3
from before
where o.owner_identity = $1
  and o.id = before.id
returning before.status, before.bytes, before.preview_bytes
