-- audit.provenance: who did what to an identity's things, newest first
-- $1 owner identity  $2 asset or null  $3 from  $4 before  $5 limit
select
  p.id, p.created_at, p.operation, p.vault, p.asset_id, p.object_id, p.project_id, p.folder_id, p.subject_id,
  p.actor_id, p.key_id, p.surface, p.request_id, p.details
from mem_provenance p
where p.owner_identity = $1
  and ($2::text is null or p.asset_id = $2)
  and ($3::timestamptz is null or p.created_at >= $3)
  and ($4::timestamptz is null or p.created_at < $4)
order by p.created_at desc, p.id desc
limit $5
