-- system.login_role: the SQL that makes, or renews, a login role that inherits nothing
-- $1 role  $2 password
select format(
  '%s role %I login noinherit password %L',
  case when exists (select from pg_roles where rolname = $1) then 'alter' else 'create' end,
  $1::text,
  $2::text
)
