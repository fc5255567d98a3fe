-- quota.insert: hold bytes
-- $1 owner identity  $2 reservation  $3 operation  $4 bytes  $5 actor  $6 now  $7 end
insert into mem_asset_upload_reservations (
  owner_identity, id, operation, expected_bytes, created_by, created_at, updated_at, expires_at
)
values ($1, $2, $3, $4, $5, $6, $6, $7)
