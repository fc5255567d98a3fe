-- objects.lock: lock objects in a stable order, so that whether an asset still needs one cannot change
-- $1 owner identity  $2 objects
select o.id
from mem_asset_objects o
where o.owner_identity = $1
  and o.id = any ($2)
order by o.id
for update
