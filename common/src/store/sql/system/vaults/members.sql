-- vaults.members: who else may enter a vault
-- $1 owner identity  $2 vault
select i.id, i.display_name, m.membership, m.created_at, m.updated_at
from mem_vault_members m
join mem_identities i on i.owner_identity = m.member_identity
where m.owner_identity = $1
  and m.vault = $2
order by i.display_name, i.id
