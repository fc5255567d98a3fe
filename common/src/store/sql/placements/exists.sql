-- placements.exists: whether a project, and a folder, lie in one of these vaults
-- $1 owner identity  $2 vaults  $3 project or null  $4 folder or null
select
  $3::text is null or exists (
    select from mem_asset_projects p
    where p.owner_identity = $1
      and p.vault = any ($2)
      and p.id = $3
      and p.status <> 'deleted'
  ) as project_found,
  $4::text is null or exists (
    select from mem_asset_folders f
    where f.owner_identity = $1
      and f.vault = any ($2)
      and f.id = $4
      and f.deleted_at is null
  ) as folder_found
