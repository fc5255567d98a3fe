-- quota.account: the owner's plan and counters
-- $1 owner identity
select
  n.plan, p.quota_bytes, p.daily_token_budget, n.original_bytes, n.preview_bytes, n.vector_bytes, n.used_bytes,
  n.reserved_bytes
from mem_asset_namespaces n
join mem_plans p on p.plan = n.plan
where n.owner_identity = $1
