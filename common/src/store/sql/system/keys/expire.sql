-- keys.expire: let a rotated key end after its overlap, never later than it would have
-- $1 owner identity  $2 key  $3 end
update mem_keys
set expires_at = least(coalesce(expires_at, $3), $3)
where owner_identity = $1
  and id = $2
  and revoked_at is null
returning name, surface, scopes
