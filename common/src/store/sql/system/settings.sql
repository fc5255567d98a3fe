-- system.settings: role, owner and statement timeout of this transaction
-- $1 role  $2 owner identity, empty for the system  $3 milliseconds
select
  set_config('role', $1, true),
  set_config('app.owner_identity', $2, true),
  set_config('statement_timeout', $3, true)
