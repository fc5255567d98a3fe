-- jobs.mark_running: let the assets of claimed jobs say so
-- $1 jobs  $2 now
update mem_assets a
set embedding_status = 'running', updated_at = $2
from mem_asset_embedding_jobs j
where j.id = any ($1)
  and a.owner_identity = j.owner_identity
  and a.id = j.asset_id
  and a.embedding_status = 'pending'
