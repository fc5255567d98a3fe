-- plans.set: put an identity under a plan
-- $1 owner identity  $2 plan  $3 now
update mem_asset_namespaces n
set plan = $2, updated_at = $3
from mem_asset_namespaces before
where n.owner_identity = $1
  and before.owner_identity = n.owner_identity
returning before.plan as plan_before
