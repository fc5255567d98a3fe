-- assets.find_preview: where the preview of a live asset lies
-- $1 owner identity  $2 vaults  $3 asset
select o.preview_storage_key
from mem_assets a
join mem_asset_objects o on o.owner_identity = $1 and o.id = a.object_id
where a.owner_identity = $1
  and a.vault = any ($2)
  and a.id = $3
  and a.status not in ('deleting', 'deleted')
  and o.status = 'available'
