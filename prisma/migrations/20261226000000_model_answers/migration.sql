-- What a language model answered about a portion of a document: asked once, and used again when the document is read
-- again. Goes with the document.
create table model_answers (
  tenant_id text not null,
  document_id text not null,
  prompt text not null,
  model text not null,
  -- Hash of the portion's text.
  portion text not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, document_id, prompt, model, portion)
);
alter table model_answers enable row level security;
alter table model_answers force row level security;
create policy tenant on model_answers
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on model_answers as restrictive to signalbox_scoped using (false);

-- What found it. Mentions have it already.
alter table graph_assertions add column origin text not null default 'rules' check (origin in ('rules', 'model'));
alter table evidence_clues add column origin text not null default 'rules' check (origin in ('rules', 'person', 'model'));
update evidence_clues set origin = 'person' where document_id = '';

-- The earlier statement that a language model says this one resolves or withdraws.
alter table signals add column told_earlier_id text;
