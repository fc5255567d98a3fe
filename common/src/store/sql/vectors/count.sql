-- vectors.count: keep the number of candidates of an asset's vault and model
-- $1 owner identity  $2 asset  $3 model  $4 difference
insert into mem_asset_candidate_counts as held (owner_identity, vault, model, vectors)
-- Checked before the conflict is found: a row for a difference below zero would be refused.
select a.owner_identity, a.vault, $3, greatest($4::bigint, 0)
from mem_assets a
where a.owner_identity = $1
  and a.id = $2
on conflict (owner_identity, vault, model) do update set vectors = held.vectors + $4::bigint
