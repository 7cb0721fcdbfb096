-- Rows say by their transaction's number when they were written: the links of the ledger, followers of the outbox and indexes in
-- memory rely on later numbers being higher. Another server counts its transactions from elsewhere. What `signalbox restore` brings
-- there would stand in the future of all that is written afterwards. So a moment is the transaction's number plus a base, which a
-- restore sets for its database.
create function moment_base() returns bigint language sql stable parallel safe
  return coalesce(nullif(current_setting('app.moment_base', true), ''), '0')::bigint;
-- Of the current transaction.
create function this_moment() returns xid8 language sql stable
  return (pg_current_xact_id()::text::bigint + moment_base())::text::xid8;
-- What is below has committed, or never will.
create function settled_moment() returns xid8 language sql stable
  return (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + moment_base())::text::xid8;
-- What is visible is below.
create function coming_moment() returns xid8 language sql stable
  return (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + moment_base())::text::xid8;

alter table documents alter column changed set default this_moment();
alter table outbox alter column xid set default this_moment();
alter table entity_relations alter column changed set default this_moment();
alter table ledger_events alter column xid set default this_moment();
create or replace function note_document_change() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status or old.terms is distinct from new.terms then
    new.changed := this_moment();
  end if;
  return new;
end $$;
