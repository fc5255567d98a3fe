-- placements.project_exists: whether a project lies in one of these vaults
-- $1 owner identity  $2 vaults  $3 project
select exists (
  select from mem_asset_projects p
  where p.owner_identity = $1
    and p.vault = any ($2)
    and p.id = $3
    and p.status <> 'deleted'
)
