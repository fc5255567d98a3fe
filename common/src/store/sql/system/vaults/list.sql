-- vaults.list: an identity's own vaults, with the number of their members
-- $1 owner identity
select
  v.id, v.handle, v.created_at,
  (select count(*) from mem_vault_members m where m.owner_identity = v.owner_identity and m.vault = v.id) as members
from mem_vaults v
where v.owner_identity = $1
order by v.created_at, v.id
