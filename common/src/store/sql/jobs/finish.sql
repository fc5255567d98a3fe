-- jobs.finish: the outcome of a job; only the holder of a live lease may write it
-- $1 owner identity  $2 job  $3 lease token  $4 status  $5 run after or null  $6 error code  $7 error  $8 usage  $9 now
-- $10 whether the attempt counts
update mem_asset_embedding_jobs
set
  status = $4,
  run_after = coalesce($5, run_after),
  attempts = attempts - (not $10)::integer,
  last_error_code = $6,
  last_error = $7,
  usage = $8,
  lease_token = null,
  lease_until = null,
  completed_at = case when $4 in ('done', 'failed', 'cancelled', 'unknown_execution') then $9 end,
  updated_at = $9
where owner_identity = $1
  and id = $2
  and status = 'running'
  and lease_token = $3
