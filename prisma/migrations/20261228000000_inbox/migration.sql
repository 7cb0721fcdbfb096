-- What waits for people, in one list; four eyes; the ledger by trace, session, approval, key and front; events of decisions.

-- Whoever asked may not decide. Taken from the policy when the call asks, because the approval is bound to that version.
alter table approvals add column four_eyes boolean not null default false;
create index approvals_ambiguous on approvals (tenant_id, finished_at, id) where status = 'ambiguous';
create index approvals_same on approvals (tenant_id, tool, created_at desc, id desc);
create index event_deliveries_dead on event_deliveries (tenant_id, first_failed_at, id) where status = 'dead';

create index ledger_events_trace on ledger_events (tenant_id, trace_id) where trace_id is not null;
create index ledger_events_session on ledger_events (tenant_id, session_id, id desc) where session_id is not null;
create index ledger_events_approval on ledger_events (tenant_id, approval_id, id desc) where approval_id is not null;
create index ledger_events_error on ledger_events (tenant_id, error_code, id desc) where error_code is not null;
create index ledger_events_key on ledger_events (tenant_id, key_id, id desc);
create index ledger_events_front on ledger_events (tenant_id, front, id desc);

-- A dead letter waits no longer: it is tried again, resolved or given up.
create function note_dead_letter_closed() returns trigger
  language plpgsql
  as $$
begin
  insert into outbox (tenant_id, type, subject, data) values (new.tenant_id, 'dlq.item_closed', new.id, jsonb_strip_nulls(jsonb_build_object(
    'job_id', new.job_id, 'source_id', new.source_id, 'stage', new.stage, 'status', new.status, 'by', new.decided_by)));
  return null;
end $$;
create trigger note_dead_letter_closed after update of status on dlq_items for each row
  when (old.status in ('parked', 'refused') and new.status not in ('parked', 'refused')) execute function note_dead_letter_closed();

-- Questions are closed in several places: by a decision, or because what they were about has changed.
create function note_review_decided() returns trigger
  language plpgsql
  as $$
begin
  insert into outbox (tenant_id, type, subject, data) values (new.tenant_id, 'review.decided', new.id, jsonb_strip_nulls(jsonb_build_object(
    'kind', new.kind, 'action', new.action, 'status', new.status, 'by', new.decided_by)));
  return null;
end $$;
create trigger note_review_decided after update of status on reviews for each row
  when (old.status in ('pending', 'deciding') and new.status in ('confirmed', 'rejected', 'withdrawn')) execute function note_review_decided();
