-- quota.expire: give back what saves hold that ended without an outcome
-- $1 now  $2 limit
with ended as (
  select r.owner_identity, r.id
  from mem_asset_upload_reservations r
  where r.status = 'reserved'
    and r.expires_at <= $1::timestamptz
    -- What an upload holds goes with the upload's own decision.
    and r.operation = 'image_asset_save'
  order by r.expires_at
  limit $2
  for update skip locked
),
expired as (
  update mem_asset_upload_reservations r
  set status = 'expired', updated_at = $1::timestamptz
  from ended
  where r.owner_identity = ended.owner_identity
    and r.id = ended.id
  returning r.owner_identity, r.expected_bytes
),
freed as (
  select e.owner_identity, count(*) as reservations, sum(e.expected_bytes)::bigint as bytes
  from expired e
  group by e.owner_identity
)
update mem_asset_namespaces n
set reserved_bytes = n.reserved_bytes - freed.bytes, updated_at = $1::timestamptz
from freed
where n.owner_identity = freed.owner_identity
returning n.owner_identity, freed.reservations, freed.bytes
