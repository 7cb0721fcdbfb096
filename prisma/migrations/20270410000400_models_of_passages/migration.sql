-- without transaction
-- Which models the passages of a tenant have vectors of, and which passages lack one.
drop index concurrently if exists chunks_model;
create index concurrently chunks_model on chunks (tenant_id, model);
