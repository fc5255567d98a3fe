-- keys.insert: a key of an identity; only the secret's hash
-- $1 owner identity  $2 key  $3 prefix  $4 secret sha256  $5 name  $6 surface  $7 scopes  $8 now  $9 end  $10 rotated from
insert into mem_keys (
  owner_identity, id, prefix, secret_sha256, name, surface, scopes, created_at, expires_at, rotated_from
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
