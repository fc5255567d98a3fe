-- quota.uncharge_vectors: vectors that are gone cost nothing; bytes count until they are purged
-- $1 owner identity  $2 bytes  $3 now
update mem_asset_namespaces
set vector_bytes = vector_bytes - $2, updated_at = $3
where owner_identity = $1
