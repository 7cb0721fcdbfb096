-- without transaction
-- A conversation that is read again makes no second memory of the same words.
drop index concurrently if exists memories_origin;
create index concurrently memories_origin on memories (tenant_id, (origin->>'conversation')) where origin is not null;
