-- By which rules the words of a document were cut. Those of former rules are cut again in the background.
alter table documents add column terms_version smallint not null default 1;
