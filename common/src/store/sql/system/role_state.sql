-- system.role_state: whether this role may create roles, and the SQL that is still to be run
-- $1 login role
with wanted (step, missing, sql) as (
  select 1, not exists (select from pg_roles where rolname = 'im_app'), 'create role im_app nologin;'
  union all
  select 2, not exists (select from pg_roles where rolname = 'im_system'), 'create role im_system nologin;'
  union all
  select
    3,
    not exists (
      select from pg_auth_members m
      join pg_roles granted on granted.oid = m.roleid
      join pg_roles member on member.oid = m.member
      where granted.rolname = 'im_app' and member.rolname = $1
    ) and not exists (select from pg_roles where rolname = $1 and rolsuper),
    format('grant im_app to %I;', $1)
  union all
  select
    4,
    not exists (
      select from pg_auth_members m
      join pg_roles granted on granted.oid = m.roleid
      join pg_roles member on member.oid = m.member
      where granted.rolname = 'im_system' and member.rolname = $1
    ) and not exists (select from pg_roles where rolname = $1 and rolsuper),
    format('grant im_system to %I;', $1)
)
select
  (select rolsuper or rolcreaterole from pg_roles where rolname = current_user),
  coalesce((select array_agg(sql order by step) from wanted where missing), array[]::text[])
