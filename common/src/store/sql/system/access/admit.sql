-- access.admit: a key, and the readable vaults that the call is about
-- $1 key prefix  $2 what the values are: nothing, vault, handle, project, assets, all  $3 the values  $4 now
select
  k.owner_identity,
  k.id as key_id,
  k.secret_sha256,
  k.scopes,
  k.surface,
  k.live,
  k.last_used_at is null or k.last_used_at < $4::timestamptz - interval '1 minute' as touch,
  i.id as identity_id,
  v.vault_owner,
  v.vault,
  v.handle,
  v.vault_created_at,
  v.membership,
  n.namespace_id,
  o.id as owner_id,
  o.display_name as owner_name,
  case when $2 = 'assets' then array(
    select a.id
    from mem_assets a
    where a.owner_identity = v.vault_owner
      and a.vault = v.vault
      and a.id = any ($3::text[])
  ) else '{}'::text[] end as assets
from (
  select *, revoked_at is null and (expires_at is null or expires_at > $4) as live
  from mem_keys
) k
join mem_identities i on i.owner_identity = k.owner_identity
left join lateral (
  select
    own.owner_identity as vault_owner, own.id as vault, own.handle, own.created_at as vault_created_at,
    null as membership
  from mem_vaults own
  where own.owner_identity = k.owner_identity
    and (
      $2 = 'all'
      or ($2 = 'handle' and own.handle_key = any ($3))
      or ($2 = 'vault' and own.id = any ($3))
      or ($2 = 'project' and own.id in (
        select p.vault from mem_asset_projects p where p.owner_identity = k.owner_identity and p.id = any ($3)
      ))
      or ($2 = 'assets' and own.id in (
        select a.vault from mem_assets a where a.owner_identity = k.owner_identity and a.id = any ($3)
      ))
    )
  union all
  select shared.owner_identity, shared.id, shared.handle, shared.created_at, m.membership
  from mem_vault_members m
  join mem_vaults shared on shared.owner_identity = m.owner_identity and shared.id = m.vault
  where m.member_identity = k.owner_identity
    and (
      $2 = 'all'
      or ($2 = 'vault' and shared.id = any ($3))
      or ($2 = 'project' and shared.id in (
        select p.vault from mem_asset_projects p where p.owner_identity = m.owner_identity and p.id = any ($3)
      ))
      or ($2 = 'assets' and shared.id in (
        select a.vault from mem_assets a where a.owner_identity = m.owner_identity and a.id = any ($3)
      ))
    )
) v on k.live
left join mem_asset_namespaces n on n.owner_identity = v.vault_owner
left join mem_identities o on o.owner_identity = v.vault_owner
where k.prefix = $1
order by v.membership nulls first, v.vault
