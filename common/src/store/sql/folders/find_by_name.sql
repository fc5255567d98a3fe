-- folders.find_by_name: the live sibling that has the name
-- $1 owner identity  $2 vault  $3 project  $4 parent or null  $5 name key
select id
from mem_asset_folders
where owner_identity = $1
  and vault = $2
  and project_id = $3
  and parent_id is not distinct from $4
  and name_key = $5
  and deleted_at is null
