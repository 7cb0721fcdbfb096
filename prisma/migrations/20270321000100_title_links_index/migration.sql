-- without transaction
drop index concurrently if exists documents_title;
create index concurrently documents_title on documents (tenant_id, title_key);
