-- jobs.due: jobs whose hint may be lost, oldest first; noted as hinted
-- $1 now  $2 hinted before  $3 limit
with lost as (
  select j.id
  from mem_asset_embedding_jobs j
  where (
    (j.status in ('queued', 'retry') and j.run_after <= $1)
    or (j.status = 'running' and j.lease_until <= $1)
  )
    and (j.hinted_at is null or j.hinted_at <= $2)
  order by j.run_after
  limit $3
  for update skip locked
)
update mem_asset_embedding_jobs j
set hinted_at = $1
from lost
where j.id = lost.id
returning j.id
