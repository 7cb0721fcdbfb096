-- Statements that were left out of a draft because their sources do not support them, with the reason.
alter table drafts add column dropped_statements jsonb not null default '[]';
