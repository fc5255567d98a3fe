-- vaults.insert: a vault of an identity
-- $1 owner identity  $2 vault  $3 handle  $4 handle key  $5 now
insert into mem_vaults (owner_identity, id, handle, handle_key, created_at)
values ($1, $2, $3, $4, $5)
