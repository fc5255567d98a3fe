-- idempotency.finish: keep the first answer; only the try that holds the token may
-- $1 owner identity  $2 actor  $3 operation  $4 key  $5 token  $6 answer  $7 now  $8 end
update mem_idempotency
set state = 'done', answer = $6, updated_at = $7, expires_at = $8
where owner_identity = $1
  and actor_identity = $2
  and operation = $3
  and key = $4
  and token = $5
  and state = 'in_flight'
