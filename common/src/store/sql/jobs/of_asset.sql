-- jobs.of_asset: the newest job of each representation and model
-- $1 owner identity  $2 vault  $3 asset
select distinct on (j.representation, j.model)
  j.representation, j.model, j.status, j.attempts, j.max_attempts, j.run_after, j.last_error_code, j.last_error,
  j.completed_at
from mem_asset_embedding_jobs j
where j.owner_identity = $1
  and j.vault = $2
  and j.asset_id = $3
order by j.representation desc, j.model, j.created_at desc, j.id desc
