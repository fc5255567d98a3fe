-- system.applied_migrations: what has been applied, in order
select version, name, checksum
from mem_schema
order by version
