-- vaults.share: let a colleague enter, or change what the colleague may do
-- $1 owner identity  $2 vault  $3 the colleague's opaque id  $4 membership  $5 now
insert into mem_vault_members as held (
  owner_identity, vault, member_identity, membership, granted_by, created_at, updated_at
)
select $1, $2, i.owner_identity, $4, $1, $5, $5
from mem_identities i
where i.id = $3
on conflict (owner_identity, vault, member_identity) do update set
  membership = excluded.membership,
  updated_at = excluded.updated_at
