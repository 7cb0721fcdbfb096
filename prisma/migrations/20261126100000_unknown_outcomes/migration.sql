-- A call of another server's tool that died half-way: it may have been done, and is not made again under its key.
alter table idempotency_records drop constraint idempotency_records_state_check;
alter table idempotency_records add constraint idempotency_records_state_check check (state in ('started', 'done', 'unknown'));
