-- quota.uncharge_object: purged bytes cost nothing
-- $1 owner identity  $2 original  $3 preview  $4 now
update mem_asset_namespaces
set original_bytes = original_bytes - $2, preview_bytes = preview_bytes - $3, updated_at = $4
where owner_identity = $1
