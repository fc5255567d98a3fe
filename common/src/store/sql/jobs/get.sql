-- jobs.get: what a job is about
-- $1 owner identity  $2 job
select asset_id, representation, model
from mem_asset_embedding_jobs
where owner_identity = $1
  and id = $2
