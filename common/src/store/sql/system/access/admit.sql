-- access.admit: a live key, and the readable vaults that the call is about
-- $1 key prefix  $2 what the value is: nothing, vault, handle, asset, all  $3 the value  $4 now
select
  k.owner_identity,
  k.id as key_id,
  k.secret_sha256,
  k.scopes,
  k.surface,
  k.last_used_at is null or k.last_used_at < $4 - interval '1 minute' as touch,
  i.id as identity_id,
  v.vault_owner,
  v.vault,
  v.handle,
  v.membership,
  n.namespace_id
from mem_keys k
join mem_identities i on i.owner_identity = k.owner_identity
left join lateral (
  select own.owner_identity as vault_owner, own.id as vault, own.handle, null as membership
  from mem_vaults own
  where own.owner_identity = k.owner_identity
    and (
      $2 = 'all'
      or ($2 = 'handle' and own.handle_key = $3)
      or ($2 = 'vault' and own.id = $3)
      or ($2 = 'asset' and own.id = (
        select a.vault from mem_assets a where a.owner_identity = k.owner_identity and a.id = $3
      ))
    )
  union all
  select shared.owner_identity, shared.id, shared.handle, m.membership
  from mem_vault_members m
  join mem_vaults shared on shared.owner_identity = m.owner_identity and shared.id = m.vault
  where m.member_identity = k.owner_identity
    and (
      $2 = 'all'
      or ($2 = 'vault' and shared.id = $3)
      or ($2 = 'asset' and shared.id = (
        select a.vault from mem_assets a where a.owner_identity = m.owner_identity and a.id = $3
      ))
    )
) v on true
left join mem_asset_namespaces n on n.owner_identity = v.vault_owner
where k.prefix = $1
  and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > $4)
order by v.membership nulls first, v.vault
