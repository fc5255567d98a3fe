-- idempotency.release: a failed try frees its key
-- $1 owner identity  $2 actor  $3 operation  $4 key  $5 token
delete from mem_idempotency
where owner_identity = $1
  and actor_identity = $2
  and operation = $3
  and key = $4
  and token = $5
  and state = 'in_flight'
