-- idempotency.get: what a taken key holds
-- $1 owner identity  $2 actor  $3 operation  $4 key
select fingerprint, state, answer
from mem_idempotency
where owner_identity = $1
  and actor_identity = $2
  and operation = $3
  and key = $4
