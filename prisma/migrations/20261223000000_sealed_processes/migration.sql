-- From when on workers act only upon what was sealed under the installation's key, and which key that was.
create table process_seals (
  id integer primary key check (id = 1),
  -- Tells keys apart; it opens nothing.
  key_id text not null,
  since timestamptz not null
);
revoke all on process_seals from public, signalbox_app, signalbox_scoped;
grant select, insert, update on process_seals to signalbox_app;

-- That somebody who may has asked for the end: Temporal itself cancels for anybody who reaches its port.
alter table jobs add column cancel_asked_at timestamptz;
-- Those under way may have been asked to end already.
update jobs set cancel_asked_at = now() where status in ('queued', 'running');
