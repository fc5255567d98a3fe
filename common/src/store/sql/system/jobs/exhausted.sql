-- jobs.exhausted: those of these jobs whose last lease ran out without an outcome
-- $1 jobs  $2 now
select j.owner_identity, j.id, j.lease_token
from mem_asset_embedding_jobs j
where j.id = any ($1)
  and j.status = 'running'
  and j.lease_until <= $2
  and j.attempts >= j.max_attempts
