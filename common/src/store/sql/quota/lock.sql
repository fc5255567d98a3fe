-- quota.lock: counters and quota of the owner, locked until the transaction ends
-- $1 owner identity
select n.used_bytes, n.reserved_bytes, p.quota_bytes
from mem_asset_namespaces n
join mem_plans p on p.plan = n.plan
where n.owner_identity = $1
-- Not `for update`: rows that refer to this one share its key, and two savers would wait for each other.
for no key update of n
