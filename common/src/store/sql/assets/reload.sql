-- assets.reload: the ready ones among search candidates, as the caller may see them
-- $1 owner identity  $2 vaults  $3 assets
select
  a.id, a.vault, a.project_id, a.folder_id, a.mime_type, a.title, a.source_url, a.source_kind, a.tags, a.created_at,
  o.width, o.height, o.preview_storage_key
from mem_assets a
join mem_asset_objects o on o.owner_identity = $1 and o.id = a.object_id
where a.owner_identity = $1
  and a.vault = any ($2)
  and a.id = any ($3)
  and a.status = 'ready'
  and o.status = 'available'
