-- assets.rarest_tag: the assets that carry the rarest of these tags, counted no further than a limit
-- $1 owner identity  $2 vaults  $3 tags  $4 limit
select counted.assets
from (
  select array(
    select t.asset_id
    from mem_asset_tags t
    where t.owner_identity = $1
      and t.vault = any ($2)
      and t.tag = wanted.tag
    limit $4
  ) as assets
  from unnest($3::text[]) as wanted (tag)
) counted
order by cardinality(counted.assets)
limit 1
