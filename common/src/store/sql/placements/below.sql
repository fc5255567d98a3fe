-- placements.below: a live folder of these vaults and all below it, with its project
-- $1 owner identity  $2 vaults  $3 folder  $4 whether those below are wanted
with recursive below as (
  select f.id, f.vault, f.project_id
  from mem_asset_folders f
  where f.owner_identity = $1
    and f.vault = any ($2)
    and f.id = $3
    and f.deleted_at is null
  union all
  select f.id, f.vault, f.project_id
  from below
  join mem_asset_folders f
    on f.owner_identity = $1
    and f.vault = below.vault
    and f.project_id = below.project_id
    and f.parent_id = below.id
    and f.deleted_at is null
  where $4
)
select id, project_id
from below
