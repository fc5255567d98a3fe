-- objects.insert: a row for bytes that are about to be put; another save may have been quicker
-- $1 owner identity  $2 namespace  $3 object  $4 sha256  $5 storage key  $6 preview key  $7 mime type
-- $8 extension  $9 bytes  $10 preview bytes  $11 width  $12 height  $13 preview width  $14 preview height
-- $15 animated  $16 warnings  $17 now
insert into mem_asset_objects (
  owner_identity, namespace_id, id, sha256, storage_key, preview_storage_key, mime_type, extension, bytes,
  preview_bytes, width, height, preview_width, preview_height, animated, warnings, created_at, updated_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
on conflict (owner_identity, sha256) where status in ('pending', 'available', 'quarantined') do nothing
