-- vectors.count: keep the number of candidates of an asset's vault and model
-- $1 owner identity  $2 asset  $3 model  $4 difference
insert into mem_asset_candidate_counts as held (owner_identity, vault, model, vectors)
select a.owner_identity, a.vault, $3, $4
from mem_assets a
where a.owner_identity = $1
  and a.id = $2
on conflict (owner_identity, vault, model) do update set vectors = held.vectors + excluded.vectors
