-- plans.list: what there is to choose from
select plan, quota_bytes, daily_token_budget, description
from mem_plans
order by quota_bytes nulls last, plan
