-- quota.release: a failed try gives its bytes back, once
-- $1 owner identity  $2 reservation  $3 now
with released as (
  update mem_asset_upload_reservations
  set status = 'released', updated_at = $3
  where owner_identity = $1
    and id = $2
    and status = 'reserved'
  returning expected_bytes
)
update mem_asset_namespaces
set reserved_bytes = reserved_bytes - (select expected_bytes from released), updated_at = $3
where owner_identity = $1
  and exists (select from released)
