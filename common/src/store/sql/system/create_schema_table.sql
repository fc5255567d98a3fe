-- system.create_schema_table: what has been applied; made before the first migration
create table if not exists mem_schema (
  version integer not null,
  name text not null,
  checksum text not null,
  oldest_generation integer not null,
  applied_at timestamptz not null default now(),
  constraint mem_schema_pkey primary key (version)
);
comment on table mem_schema is 'Applied migrations.';
comment on column mem_schema.version is 'Number of the migration.';
comment on column mem_schema.name is 'Its name.';
comment on column mem_schema.checksum is 'SHA-256 of its file.';
comment on column mem_schema.oldest_generation is 'Oldest application generation that works with the schema after it.';
comment on column mem_schema.applied_at is 'When it was applied.';
grant select on mem_schema to public
