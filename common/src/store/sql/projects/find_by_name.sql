-- projects.find_by_name: the active project of a vault that has the name
-- $1 owner identity  $2 vault  $3 name key
select id
from mem_asset_projects
where owner_identity = $1
  and vault = $2
  and name_key = $3
  and status = 'active'
