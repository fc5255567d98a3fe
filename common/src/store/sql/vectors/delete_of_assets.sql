-- vectors.delete_of_assets: remove all vectors of assets, and count them off
-- $1 owner identity  $2 vault  $3 assets
with removed as (
  delete from memory_assets_v1
  where owner_identity = $1
    and vault = $2
    and asset_id = any ($3)
  returning model
),
counted as (
  select model, count(*) as vectors
  from removed
  group by model
)
update mem_asset_candidate_counts c
set vectors = c.vectors - counted.vectors
from counted
where c.owner_identity = $1
  and c.vault = $2
  and c.model = counted.model
