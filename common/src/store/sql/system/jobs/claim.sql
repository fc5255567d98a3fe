-- jobs.claim: lease the due ones among these jobs, with what is needed to run them
-- $1 jobs  $2 now  $3 lease token  $4 end of the lease
with due as (
  select j.id
  from mem_asset_embedding_jobs j
  where j.id = any ($1)
    and j.attempts < j.max_attempts
    and (
      (j.status in ('queued', 'retry') and j.run_after <= $2)
      or (j.status = 'running' and j.lease_until <= $2)
    )
  for update skip locked
),
claimed as (
  update mem_asset_embedding_jobs j
  set status = 'running', attempts = j.attempts + 1, lease_token = $3, lease_until = $4, updated_at = $2
  from due
  where j.id = due.id
  returning j.owner_identity, j.vault, j.id, j.asset_id, j.representation, j.model, j.attempts, j.max_attempts
)
select
  c.owner_identity, c.vault, c.id, c.asset_id, c.representation, c.model, c.attempts, c.max_attempts,
  a.title, a.title_given, a.description, a.alt_text, a.source_host,
  o.preview_storage_key, n.namespace_id,
  a.status not in ('deleting', 'deleted') and o.status = 'available' as wanted
from claimed c
join mem_assets a on a.owner_identity = c.owner_identity and a.id = c.asset_id
join mem_asset_objects o on o.owner_identity = a.owner_identity and o.id = a.object_id
join mem_asset_namespaces n on n.owner_identity = c.owner_identity
order by c.owner_identity, c.id
