-- identities.insert: a tenant, with its namespace and its first vault
-- $1 owner identity  $2 id  $3 display name  $4 namespace  $5 plan  $6 vault  $7 handle  $8 handle key  $9 now
with identity as (
  insert into mem_identities (owner_identity, id, display_name, created_at)
  values ($1, $2, $3, $9)
  returning owner_identity
),
namespace as (
  insert into mem_asset_namespaces (owner_identity, namespace_id, plan, created_at, updated_at)
  select owner_identity, $4, $5, $9, $9
  from identity
)
insert into mem_vaults (owner_identity, id, handle, handle_key, created_at)
select owner_identity, $6, $7, $8, $9
from identity
