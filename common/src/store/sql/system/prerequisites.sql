-- system.prerequisites: the SQL that is still to be run before the first migration, in order
-- $1 login role
with server (inherits_nothing) as (
  -- The login role must not have the rights of the two outside transactions, even if it is one that inherits;
  -- before Postgres 16 that is a matter of the role alone.
  select case when current_setting('server_version_num')::integer >= 160000 then ' with inherit false' else '' end
),
member (of) as (
  select granted.rolname
  from pg_auth_members m
  join pg_roles granted on granted.oid = m.roleid
  join pg_roles member on member.oid = m.member
  where member.rolname = $1
    -- A role's creator is a member of it and yet may not act as it. Postgres 15 has no such column.
    and (to_jsonb(m) ->> 'set_option')::boolean is distinct from false
  union all
  select granted.rolname
  from pg_roles granted
  where exists (select from pg_roles where rolname = $1 and rolsuper)
),
wanted (step, missing, sql) as (
  select 1, not exists (select from pg_roles where rolname = 'im_app'), 'create role im_app nologin;'
  union all
  select 2, not exists (select from pg_roles where rolname = 'im_system'), 'create role im_system nologin;'
  union all
  select 3, not exists (select from member where of = 'im_app'), format('grant im_app to %I%s;', $1, inherits_nothing)
  from server
  union all
  select 4, not exists (select from member where of = 'im_system'), format('grant im_system to %I%s;', $1, inherits_nothing)
  from server
  union all
  select 5, not exists (select from pg_extension where extname = 'vector'), 'create extension vector;'
)
select sql
from wanted
where missing
order by step
