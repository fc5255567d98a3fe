-- jobs.insert: one job per wanted vector
-- $1 owner identity  $2 vault  $3 asset  $4 model  $5 dimensions  $6 ids  $7 representations  $8 now
insert into mem_asset_embedding_jobs (
  owner_identity, vault, id, asset_id, representation, model, dimensions, run_after, hinted_at, created_at, updated_at
)
select $1, $2, wanted.id, $3, wanted.representation, $4, $5, $8, $8, $8, $8
from unnest($6::text[], $7::text[]) as wanted (id, representation)
