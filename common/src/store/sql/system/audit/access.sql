-- audit.access: links issued to an identity's things and calls of its own that were denied, newest first
-- $1 owner identity  $2 asset or null  $3 from  $4 before  $5 limit
select
  l.id, l.created_at, l.tool, l.outcome, l.code, l.vault, l.asset_id, l.actor_id, l.key_id, l.request_id
from mem_access_log l
where l.owner_identity = $1
  and ($2::text is null or l.asset_id = $2)
  and ($3::timestamptz is null or l.created_at >= $3)
  and ($4::timestamptz is null or l.created_at < $4)
order by l.created_at desc, l.id desc
limit $5
