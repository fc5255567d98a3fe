-- system.server_version: Postgres, and the pgvector that is installed here or could be
select
  current_setting('server_version_num')::integer,
  current_setting('server_version'),
  coalesce(
    (select extversion from pg_extension where extname = 'vector'),
    (select default_version from pg_available_extensions where name = 'vector')
  )::text
