-- system.schema_version: newest migration, and the oldest application that works with it
select coalesce(max(version), 0)::integer, coalesce(max(oldest_generation), 0)::integer
from mem_schema
