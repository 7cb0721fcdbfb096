-- What became of a document, for readers who follow an old citation.
create index outbox_documents on outbox (tenant_id, subject, id) where type in ('document.retired', 'document.deleted');
