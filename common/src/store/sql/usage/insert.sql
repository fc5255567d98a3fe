-- usage.insert: one provider call, priced by the rate in force
-- $1 owner identity  $2 id  $3 source  $4 model  $5 call  $6 provider request  $7 inputs  $8 total tokens
-- $9 prompt tokens  $10 image tokens  $11 now
insert into mem_usage_ledger (
  owner_identity, id, source, model, call_id, provider_request_id, inputs, total_tokens, prompt_tokens,
  image_tokens, usd_micros, rate_id, created_at
)
select
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
  ceil($8::numeric * r.usd_micros_per_million_tokens / 1000000)::bigint, r.id, $11
from (select) as one
left join lateral (
  select c.id, c.usd_micros_per_million_tokens
  from mem_rate_card c
  where c.model = $4
    and c.valid_from <= $11
  order by c.valid_from desc
  limit 1
) r on true
on conflict (owner_identity, call_id) do nothing
