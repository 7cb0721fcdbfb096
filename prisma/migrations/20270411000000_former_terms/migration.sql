-- without transaction
-- The sweep asks each time whether active documents have words by former rules: the lowest version tells.
drop index concurrently if exists documents_terms_version;
create index concurrently documents_terms_version on documents (tenant_id, terms_version) where status = 'active';
