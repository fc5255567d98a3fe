-- quota.finalize: an open reservation becomes what was really used
-- $1 owner identity  $2 reservation  $3 bytes  $4 now
update mem_asset_upload_reservations
set status = 'finalized', actual_bytes = $3, updated_at = $4
where owner_identity = $1
  and id = $2
  and status = 'reserved'
returning expected_bytes
