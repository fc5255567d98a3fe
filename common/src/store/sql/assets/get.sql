-- assets.get: one live asset of a vault with its object
-- $1 owner identity  $2 vault  $3 asset
select
  a.id, a.project_id, a.folder_id, a.object_id, a.mime_type, a.title, a.title_given, a.description, a.alt_text,
  a.source_url, a.source_host, a.source_kind, a.source_ref, a.tags, a.metadata, a.status, a.embedding_status,
  a.failure_code, a.failure_message, a.created_at, a.updated_at,
  o.sha256, o.bytes, o.preview_bytes, o.width, o.height, o.preview_width, o.preview_height, o.animated,
  o.warnings, o.status as object_status, o.storage_key, o.preview_storage_key, o.extension
from mem_assets a
join mem_asset_objects o on o.owner_identity = $1 and o.id = a.object_id
where a.owner_identity = $1
  and a.vault = $2
  and a.id = $3
  and a.status not in ('deleting', 'deleted')
