-- folders.insert: a folder, unless a live sibling has the name
-- $1 owner identity  $2 vault  $3 project  $4 folder  $5 parent or null  $6 depth  $7 name  $8 name key  $9 actor  $10 now
insert into mem_asset_folders (
  owner_identity, vault, project_id, id, parent_id, depth, name, name_key, created_by, created_at, updated_at
)
values ($1, $2, $3, $4, $5, $6::integer, $7, $8, $9, $10, $10)
on conflict (owner_identity, project_id, parent_id, name_key) where deleted_at is null do nothing
