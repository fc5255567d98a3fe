-- quota.hold: count the held bytes
-- $1 owner identity  $2 bytes  $3 now
update mem_asset_namespaces
set reserved_bytes = reserved_bytes + $2, updated_at = $3
where owner_identity = $1
