-- objects.savings: bytes that need not be stored because assets share them, and bytes that wait to be purged
-- $1 owner identity
select
  (
    select coalesce(sum((shared.assets - 1) * (o.bytes + o.preview_bytes)), 0)::bigint
    from (
      select a.object_id, count(*) as assets
      from mem_assets a
      where a.owner_identity = $1
        and a.status not in ('deleting', 'deleted')
      group by a.object_id
      having count(*) > 1
    ) shared
    join mem_asset_objects o on o.owner_identity = $1 and o.id = shared.object_id
  ) as deduplicated_bytes,
  (
    select coalesce(sum(o.bytes + o.preview_bytes), 0)::bigint
    from mem_asset_objects o
    where o.owner_identity = $1
      and o.status = 'deleting'
  ) as deleting_bytes
