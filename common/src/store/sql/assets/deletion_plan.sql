-- assets.deletion_plan: what deleting these assets of a vault takes away
-- $1 owner identity  $2 vault  $3 assets
select
  a.id,
  a.object_id,
  a.status in ('deleting', 'deleted') as gone,
  o.bytes + o.preview_bytes as object_bytes,
  o.purge_after,
  -- The asset's wanted vectors, as its save was charged for them.
  coalesce((
    select max(1 + (s.fused is not null)::integer)
    from mem_asset_model_states s
    where s.owner_identity = $1
      and s.asset_id = a.id
  ), 0) as vectors,
  -- Counted once, at the last of the assets that go together.
  a.status not in ('deleting', 'deleted') and o.status = 'available' and not exists (
    select from mem_assets other
    where other.owner_identity = $1
      and other.object_id = a.object_id
      and other.status not in ('deleting', 'deleted')
      and (other.vault <> $2 or other.id <> all ($3) or other.id > a.id)
  ) as last
from mem_assets a
join mem_asset_objects o on o.owner_identity = $1 and o.id = a.object_id
where a.owner_identity = $1
  and a.vault = $2
  and a.id = any ($3)
order by a.id
