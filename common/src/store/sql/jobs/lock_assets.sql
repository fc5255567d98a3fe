-- jobs.lock_assets: lock the assets of finished jobs against deletion and moves, and see which still live
-- $1 owner identity  $2 assets
select a.id, a.status not in ('deleting', 'deleted') and o.status = 'available' as wanted
from mem_assets a
join mem_asset_objects o on o.owner_identity = $1 and o.id = a.object_id
where a.owner_identity = $1
  and a.id = any ($2)
order by a.id
for no key update of a
