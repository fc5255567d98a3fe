-- assets.lock: live assets of a vault with their places, locked against deletion, moves and the worker
-- $1 owner identity  $2 vault  $3 assets
select a.id, a.project_id, a.folder_id
from mem_assets a
where a.owner_identity = $1
  and a.vault = $2
  and a.id = any ($3)
  and a.status not in ('deleting', 'deleted')
order by a.id
for no key update
