-- vaults.find: an identity's own vault by handle or id
-- $1 owner identity  $2 id or null  $3 handle key or null
select v.id, v.handle
from mem_vaults v
where v.owner_identity = $1
  and (v.id = $2 or v.handle_key = $3)
