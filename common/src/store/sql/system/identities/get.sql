-- identities.get: the opaque id of a tenant
-- $1 owner identity
select id
from mem_identities
where owner_identity = $1
