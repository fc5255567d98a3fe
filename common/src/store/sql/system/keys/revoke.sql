-- keys.revoke: end a key now; a second time changes nothing
-- $1 owner identity  $2 key  $3 now
update mem_keys
set revoked_at = coalesce(revoked_at, $3)
where owner_identity = $1
  and id = $2
