-- objects.claim_purges: bytes whose grace is over, taken by this run; one that a killed run took comes again
-- $1 now  $2 taken before  $3 limit
with due as (
  select o.owner_identity, o.id
  from mem_asset_objects o
  where o.status = 'deleting'
    and o.purge_after <= $1
    and (o.purge_started_at is null or o.purge_started_at <= $2)
    and not exists (
      select from mem_assets a
      where a.owner_identity = o.owner_identity
        and a.object_id = o.id
        and a.status not in ('deleting', 'deleted')
    )
  order by o.purge_after
  limit $3
  for update skip locked
)
update mem_asset_objects o
set purge_started_at = $1, updated_at = $1
from due
where o.owner_identity = due.owner_identity
  and o.id = due.id
returning o.owner_identity, o.namespace_id, o.id, o.storage_key, o.preview_storage_key, o.purge_started_at
