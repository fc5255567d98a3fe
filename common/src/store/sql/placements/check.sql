-- placements.check: whether a project, and a folder of it, can take assets; locked against their removal
-- $1 owner identity  $2 vault  $3 project  $4 folder or null
select
  p.status = 'active' as project_active,
  $4::text is null or exists (
    select from mem_asset_folders f
    where f.owner_identity = $1
      and f.vault = $2
      and f.project_id = p.id
      and f.id = $4
      and f.deleted_at is null
  ) as folder_live
from mem_asset_projects p
where p.owner_identity = $1
  and p.vault = $2
  and p.id = $3
  and p.status <> 'deleted'
for share of p
