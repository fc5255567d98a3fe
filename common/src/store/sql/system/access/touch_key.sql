-- access.touch_key: note the use of a key, at most once a minute
-- $1 owner identity  $2 key  $3 now
update mem_keys
set last_used_at = $3
where owner_identity = $1
  and id = $2
  and (last_used_at is null or last_used_at < $3 - interval '1 minute')
