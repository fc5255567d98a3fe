-- assets.lock_for_deletion: assets of a vault, deleted ones too, locked in a stable order
-- $1 owner identity  $2 vault  $3 assets
select a.id, a.object_id
from mem_assets a
where a.owner_identity = $1
  and a.vault = $2
  and a.id = any ($3)
order by a.id
for update
