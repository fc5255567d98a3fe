-- assets.largest: live assets with the largest originals
-- $1 owner identity  $2 limit
select a.id, a.vault, a.title, o.bytes, o.preview_bytes
from mem_asset_objects o
join mem_assets a
  on a.owner_identity = $1
  and a.object_id = o.id
  and a.status not in ('deleting', 'deleted')
where o.owner_identity = $1
  and o.status = 'available'
order by o.bytes desc, o.id, a.id
limit $2
