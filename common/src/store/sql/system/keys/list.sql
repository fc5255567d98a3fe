-- keys.list: keys of an identity, newest first
-- $1 owner identity
select id, prefix, name, surface, scopes, created_at, expires_at, last_used_at, revoked_at, rotated_from
from mem_keys
where owner_identity = $1
order by created_at desc, id desc
