-- access_log.insert: a link was issued, or a call denied
-- $1 owner identity  $2 id  $3 vault  $4 tool  $5 outcome  $6 code  $7 asset  $8 actor id  $9 key  $10 request  $11 now
insert into mem_access_log (
  owner_identity, id, vault, tool, outcome, code, asset_id, actor_id, key_id, request_id, created_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
