-- usage.tokens: provider tokens by period, purpose and model, newest period first
-- $1 owner identity  $2 day or month  $3 since
select
  date_trunc($2, l.created_at, 'UTC') as period,
  l.source,
  l.model,
  count(*) as calls,
  sum(l.total_tokens)::bigint as total_tokens,
  sum(l.prompt_tokens)::bigint as prompt_tokens,
  sum(l.image_tokens)::bigint as image_tokens,
  sum(l.usd_micros)::bigint as usd_micros
from mem_usage_ledger l
where l.owner_identity = $1
  and l.created_at >= $3::timestamptz
group by 1, 2, 3
order by 1 desc, 2, 3
