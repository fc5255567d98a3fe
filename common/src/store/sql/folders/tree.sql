-- folders.tree: the folders of a project with their paths, each before those in it
-- $1 owner identity  $2 vault  $3 project  $4 after this folder  $5 limit
with recursive tree as (
  select
    f.id, f.parent_id, f.depth, f.name, f.created_at, f.updated_at,
    array[f.name] as path,
    array[f.name_key] collate "C" as sort_path
  from mem_asset_folders f
  where f.owner_identity = $1
    and f.vault = $2
    and f.project_id = $3
    and f.parent_id is null
    and f.deleted_at is null
  union all
  select
    f.id, f.parent_id, f.depth, f.name, f.created_at, f.updated_at,
    tree.path || f.name,
    (tree.sort_path || f.name_key) collate "C"
  from tree
  join mem_asset_folders f
    on f.owner_identity = $1
    and f.vault = $2
    and f.project_id = $3
    and f.parent_id = tree.id
    and f.deleted_at is null
)
select id, parent_id, depth, name, created_at, updated_at, path
from tree
where $4::text is null
  or sort_path > (select before.sort_path from tree before where before.id = $4)
order by sort_path
limit $5
