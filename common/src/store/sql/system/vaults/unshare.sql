-- vaults.unshare: end a membership at once
-- $1 owner identity  $2 vault  $3 the colleague's opaque id
delete from mem_vault_members m
using mem_identities i
where m.owner_identity = $1
  and m.vault = $2
  and i.id = $3
  and m.member_identity = i.owner_identity
