-- Whether an agent is stuck at its work, and after what the phase calls it so.
alter table work_runs
  -- When its events last grew.
  add column moved_at timestamptz,
  -- no_output, no_progress, repeating; null: it is not stuck.
  add column stuck_reason text,
  add column stuck_since timestamptz,
  add column stuck_detail text,
  -- The agent's latest steps, as hashes.
  add column signs jsonb;
-- Null: the default. 0: not looked at.
alter table phases
  add column stuck_minutes integer,
  add column stuck_repeats integer;
