-- What the application has no business with: the first migration granted "all tables", which includes this one of the
-- runner's (made before the first migration; absent where Prisma replays migrations in a database of its own).
do $$
begin
  if to_regclass('public._prisma_migrations') is not null then
    revoke all on _prisma_migrations from signalbox_app, signalbox_scoped;
  end if;
end $$;
-- The registry is written by whoever migrates, what retention took away by retain_ledger(), both as the owner.
revoke insert, update, delete on tool_definitions, ledger_retained from signalbox_app, signalbox_scoped;
-- A tenant is made by its first key, and stays.
revoke update, delete on tenants from signalbox_app;
revoke insert, update, delete on tenants from signalbox_scoped;

-- `signalbox doctor` asks which migrations are missing. plpgsql, because the table may be absent (see above).
create function applied_migrations() returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return query select m.migration_name::text from _prisma_migrations m where m.finished_at is not null and m.rolled_back_at is null;
end $$;
revoke all on function applied_migrations() from public;
grant execute on function applied_migrations() to signalbox_app;
