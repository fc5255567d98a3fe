-- provenance.insert: who did what
-- $1 owner identity  $2 id  $3 vault  $4 operation  $5 asset  $6 object  $7 project  $8 folder  $9 subject
-- $10 actor id  $11 key  $12 surface  $13 request  $14 details  $15 now
insert into mem_provenance (
  owner_identity, id, vault, operation, asset_id, object_id, project_id, folder_id, subject_id,
  actor_id, key_id, surface, request_id, details, created_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
