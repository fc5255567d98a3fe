-- assets.find_same_bytes: the oldest live asset of a vault over these bytes
-- $1 owner identity  $2 vault  $3 sha256
select a.id
from mem_asset_objects o
join mem_assets a on a.owner_identity = $1 and a.object_id = o.id
where o.owner_identity = $1
  and o.sha256 = $3
  and o.status = 'available'
  and a.vault = $2
  and a.status not in ('deleting', 'deleted')
order by a.created_at, a.id
limit 1
