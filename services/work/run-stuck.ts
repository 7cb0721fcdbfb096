/** Whether an agent is stuck at its work: it follows from the signs of its run. It is noted and told; nothing is ended by it. */

import type { Database } from '../../adapters/postgres/database.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { RunEvent, RunStuck } from '../../contracts/work/runs.ts';
import { tell } from './records.ts';
import { continuing, kept } from './run-events.ts';
import { stuckOf, type RunRow } from './run-rows.ts';
import { tellRun } from './run-state.ts';

/** Minutes without output after which a run is stuck, and equal steps in a row, where the phase says nothing. */
export const stuckMinutes = 10;
export const stuckRepeats = 5;
/** Characters of the repeated command that are shown. */
const commandLength = 200;

/**
 * How often the agent did the same with the same result. A step is one call of a tool, or several at once, with all their
 * results. Hashes, because commands and outputs may be long.
 */
export interface Signs {
  /** The step under way: hash of its first call, of all its calls, of its results so far. */
  first: string | null;
  calls: string;
  results: string;
  open: number;
  done: number;
  /** Its first command, for people. */
  command: string;
  /** The step before it, and how often in a row it was done. */
  formerFirst: string | null;
  former: string | null;
  times: number;
  /** When the first of the equal steps began; ISO 8601. */
  since: string;
}

const none = (since: string): Signs => ({
  first: null,
  calls: '',
  results: '',
  open: 0,
  done: 0,
  command: '',
  formerFirst: null,
  former: null,
  times: 0,
  since,
});

/** Durations and times of day differ in each output of the same command. */
const timeless = (text: string): string =>
  text.replace(/\b\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\b/g, '').replace(/\b\d+([.,]\d+)?\s?(ms|s|sec|secs|seconds|m|min|minutes)\b/g, '');

const stepOf = ({ calls, results }: Signs): string => hashOf({ calls, results });
const isWhole = ({ open, done }: Signs): boolean => open > 0 && done >= open;

/** The signs after further events. A changed file is progress; what the agent says is neither progress nor a step. */
export function readSigns(before: Signs | null, events: readonly RunEvent[], now: string): Signs {
  let signs = before ?? none(now);
  for (const { kind, text, data } of events) {
    if (kind === 'file') signs = none(now);
    else if (kind === 'tool') {
      const call = hashOf({ text });
      if (signs.done > 0) signs = begun(signs, now);
      signs = {
        ...signs,
        first: signs.first ?? call,
        calls: hashOf({ before: signs.calls, call }),
        command: signs.command || text,
        open: signs.open + 1,
      };
    } else if (kind === 'tool_result' && signs.open > 0) {
      const result = hashOf({ text: timeless(text), code: data?.['exit_code'] ?? null, error: data?.['error'] ?? null });
      signs = { ...signs, results: hashOf({ before: signs.results, result }), done: signs.done + 1 };
    }
  }
  return { ...signs, command: signs.command.slice(0, commandLength * 2) };
}

/** The step under way has ended: another begins. */
function begun(signs: Signs, now: string): Signs {
  const step = stepOf(signs);
  const same = step === signs.former;
  return {
    ...none(same ? signs.since : now),
    formerFirst: signs.first,
    former: step,
    times: same ? signs.times + 1 : 1,
  };
}

/** How often in a row the agent has done the same by now. A step that only begins like the former one counts for neither. */
export function timesOf(signs: Signs): number {
  if (isWhole(signs)) return stepOf(signs) === signs.former ? signs.times + 1 : 1;
  return signs.first === null || signs.first === signs.formerFirst ? signs.times : 0;
}

/** @param most equal steps in a row; 0: it is not looked at */
export function repeating(signs: Signs, most: number): RunStuck | null {
  const times = timesOf(signs);
  if (most === 0 || times < most) return null;
  const command = kept({ seq: 0, at: signs.since, kind: 'tool', text: signs.command }).text.slice(0, commandLength);
  return { reason: 'repeating', since: signs.since, detail: `${times} times: ${command}` };
}

/** Tells of runs that are stuck: of the task, and of the run. @param from rows with the columns of work_runs and `state` */
export const tellStuck = (from: string): string =>
  tell(
    `${from} n join work_tasks t on t.tenant_id = n.tenant_id and t.id = n.task_id`,
    `'stuck'`,
    `jsonb_build_object('reason', n.stuck_reason, 'since', n.stuck_since, 'detail', n.stuck_detail, 'run_id', n.id)`,
  );

/** How many equal steps in a row are too many in the phase of the task $2. */
const repeatsSql = `select coalesce(p.stuck_repeats, ${stuckRepeats}) as most from work_tasks t
  left join phases p on p.tenant_id = t.tenant_id and p.id = t.phase_id where t.tenant_id = $1 and t.id = $2`;

/**
 * What an append changes of a run whose row is locked. New output ends silence; only another step ends repetition.
 * @returns what holds afterwards
 */
export async function stuckAfter(
  query: Database['query'],
  tenant: string,
  row: RunRow,
  events: readonly RunEvent[],
): Promise<{ stuck: RunStuck | null; signs: Signs | null }> {
  const before = row.signs as Signs | null;
  const fresh = continuing(events, row.next_seq);
  if (fresh.length === 0) return { stuck: stuckOf(row), signs: before };
  const signs = readSigns(before, fresh, new Date().toISOString());
  if (timesOf(signs) < 2) return { stuck: null, signs };
  const [phase] = await query<{ most: number }>(repeatsSql, [tenant, row.task_id]);
  return { stuck: repeating(signs, phase!.most), signs };
}

const output = 'coalesce(r.moved_at, r.last_event_at, r.started_at)';
const patience = `coalesce(p.stuck_minutes, ${stuckMinutes})`;

/**
 * Notes runs without output, once each. The conditions on `r` hold for the row as it is when it is locked: output that
 * comes at the same time wins.
 */
export const noteSilentSql = `
  with noted as (
    update work_runs r set stuck_reason = case when t.last_beat_at > ${output} then 'no_progress' else 'no_output' end,
      stuck_since = ${output}, stuck_detail = null
    from work_tasks t left join phases p on p.tenant_id = t.tenant_id and p.id = t.phase_id
    where r.tenant_id = $1 and r.final is null and r.outcome is null and r.stuck_reason is null and t.tenant_id = $1 and t.id = r.task_id
      and t.status = 'in_progress' and t.fencing_token = r.fencing_token and t.lease_expires_at > now()
      and ${patience} > 0 and ${output} < now() - make_interval(mins => ${patience})
    returning r.*, 'running' as state
  ), run_told as (${tellRun('work.run_changed', 'noted')}), told as (${tellStuck('noted')})
  select id from noted`;
