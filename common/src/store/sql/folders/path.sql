-- folders.path: a live folder and those above it, topmost first
-- $1 owner identity  $2 vault  $3 project  $4 folder
with recursive above as (
  select f.id, f.parent_id, f.depth, f.name
  from mem_asset_folders f
  where f.owner_identity = $1
    and f.vault = $2
    and f.project_id = $3
    and f.id = $4
    and f.deleted_at is null
  union all
  select f.id, f.parent_id, f.depth, f.name
  from above
  join mem_asset_folders f on f.owner_identity = $1 and f.id = above.parent_id
)
select name
from above
order by depth
