-- jobs.waiting: those of these jobs that are not due yet, and when they are
-- $1 jobs  $2 now
select j.id, case j.status when 'running' then j.lease_until else j.run_after end as due_at
from mem_asset_embedding_jobs j
where j.id = any ($1)
  and (
    (j.status in ('queued', 'retry') and j.run_after > $2)
    or (j.status = 'running' and j.lease_until > $2)
  )
