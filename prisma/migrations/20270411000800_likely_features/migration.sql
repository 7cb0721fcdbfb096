-- Features that a statement is likely to be about, though neither its words nor its document tell.
alter table signal_names add column likely boolean not null default false;
