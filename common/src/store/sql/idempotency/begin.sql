-- idempotency.begin: take the key, or find it taken
-- $1 owner identity  $2 actor  $3 operation  $4 key  $5 derived  $6 fingerprint  $7 token  $8 now  $9 end of this try
insert into mem_idempotency as held (
  owner_identity, actor_identity, operation, key, derived, fingerprint, token, created_at, updated_at, expires_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
on conflict (owner_identity, actor_identity, operation, key) do update set
  derived = excluded.derived,
  fingerprint = excluded.fingerprint,
  state = 'in_flight',
  token = excluded.token,
  answer = null,
  updated_at = excluded.updated_at,
  expires_at = excluded.expires_at
where held.owner_identity = $1
  and (
    held.expires_at <= $8
    -- A key stands for an asset: when that is gone, the same save saves anew and nothing is lost.
    or (
      held.state = 'done'
      and held.answer ? 'assetId'
      and not exists (
        select from mem_assets a
        where a.owner_identity = $1
          and a.id = held.answer ->> 'assetId'
          and a.status not in ('deleting', 'deleted')
      )
    )
  )
returning token
