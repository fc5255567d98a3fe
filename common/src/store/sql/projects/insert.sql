-- projects.insert: a project, unless an active one of the vault has the name
-- $1 owner identity  $2 vault  $3 project  $4 name  $5 name key  $6 description  $7 actor  $8 now
insert into mem_asset_projects (
  owner_identity, vault, id, name, name_key, description, created_by, created_at, updated_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
on conflict (owner_identity, vault, name_key) where status = 'active' do nothing
