-- quota.charge: held bytes go, used bytes come
-- $1 owner identity  $2 held  $3 original  $4 preview  $5 vectors  $6 now
update mem_asset_namespaces
set
  reserved_bytes = reserved_bytes - $2,
  original_bytes = original_bytes + $3,
  preview_bytes = preview_bytes + $4,
  vector_bytes = vector_bytes + $5,
  updated_at = $6
where owner_identity = $1
