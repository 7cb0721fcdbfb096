import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { mostInTrace, type CallDetail, type CallStep } from '../../contracts/governance/calls.ts';
import type { LedgerEntry } from '../../contracts/governance/ledger.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import { Service } from '../kernel/service.ts';
import type { Approvals } from './approvals.ts';
import { entryColumns, entryView } from './queries.ts';

type Entry = LedgerEntry & { tokens: number | null };
type Row = Omit<Entry, 'at'> & { at: Date };

/** A call has its start, its end, and a decision between; more would be a defect. */
const mostEntries = 50;
const mostJobs = 20;
const ends = new Set(['tool.call.completed', 'tool.call.failed']);

/** Single calls: what the ledger, approvals and jobs have about them, put together. */
export class Calls extends Service<'jobs', { approvals: Approvals }> {
  /** @throws AppError NOT_FOUND */
  async get(caller: Caller, id: string): Promise<CallDetail> {
    const { tenant } = caller;
    const entries = await this.entries(tenant, 'tool_call_id', id, mostEntries);
    const call = folded(entries);
    if (!call) throw notFound('call', id, 'system.ledger.search lists calls; entries past their retention are gone.');
    const { first, end } = call;
    const refs = (end?.refs ?? []) as Ref[];
    const approvalId = entries.find((entry) => entry.approval_id !== null)?.approval_id ?? refs.find(({ type }) => type === 'approval')?.id;
    const [approval, ofApproval, ofTrace, jobs] = await Promise.all([
      approvalId === undefined || approvalId === null ? null : this.seen(caller, approvalId),
      approvalId === undefined || approvalId === null ? [] : this.entries(tenant, 'approval_id', approvalId, mostEntries),
      traced(first.trace_id) ? this.entries(tenant, 'trace_id', first.trace_id!, mostInTrace * 2) : [],
      this.jobs(tenant, refs),
    ]);
    const others = [...Map.groupBy([...ofApproval, ...ofTrace], (entry) => entry.tool_call_id)].flatMap(([otherId, own]) => {
      const other = otherId === id ? undefined : folded(own);
      return other ? [callStepOf(other)] : [];
    });
    const ran = ofApproval.find((entry) => entry.tool_call_id !== approval?.tool_call_id && entry.type === 'tool.call.started');
    return {
      ...callOf(first),
      status: end?.status ?? null,
      error_code: end?.error_code ?? null,
      started_at: startOf(call),
      ended_at: end?.at ?? null,
      duration_ms: end?.duration_ms ?? null,
      tokens: end?.tokens ?? null,
      trace_id: traced(first.trace_id) ? first.trace_id : null,
      refs,
      entries: entries.map(({ tokens: _, ...entry }) => entry),
      approval,
      asked_by_call: approval && approval.tool_call_id !== id ? approval.tool_call_id : null,
      ran_as_call: ran && ran.tool_call_id !== id ? ran.tool_call_id : null,
      jobs,
      steps: [callStepOf(call), ...others.slice(0, mostInTrace), ...(approval ? waitOf(approval) : []), ...jobs.map(jobStepOf)].toSorted(
        (a, b) => a.started_at.localeCompare(b.started_at) || a.id.localeCompare(b.id),
      ),
    };
  }

  private async entries(tenant: string, by: 'tool_call_id' | 'approval_id' | 'trace_id', value: string, most: number): Promise<Entry[]> {
    const rows = await this.db.query<Row & Record<string, unknown>>(
      `select ${entryColumns}, tokens from ledger_events where tenant_id = $1 and ${by} = $2 order by id limit ${most}`,
      [tenant, value],
    );
    return rows.map((row) => ({ ...entryView(row), tokens: row.tokens }));
  }

  /** Null: it is gone, or others' and the caller may not decide. */
  private async seen(caller: Caller, id: string): Promise<Approval | null> {
    return await this.deps.approvals.settle(caller, id, 0).catch(nullIfMissing);
  }

  private async jobs(tenant: string, refs: readonly Ref[]): Promise<CallDetail['jobs']> {
    const ids = new Set(refs.filter(({ type }) => type === 'job').map(({ id }) => id));
    const found = await Promise.all(
      [...ids].slice(0, mostJobs).map(async (id) => await this.deps.jobs.get(tenant, id).catch(nullIfMissing)),
    );
    return found
      .filter((job) => job !== null)
      .map((job) => ({ ...job, url: this.deps.jobs.refs(job).find(({ url }) => url !== undefined)?.url ?? null }));
  }
}

interface Folded {
  first: Entry;
  end: Entry | undefined;
}

/** Decisions stand under the call that asked, but their caller is the one who decided. */
function folded(entries: readonly Entry[]): Folded | undefined {
  const own = entries.filter(({ type }) => type !== 'tool.call.approved' && type !== 'tool.call.rejected');
  return own[0] && { first: own[0], end: own.findLast(({ type }) => ends.has(type)) };
}

const callOf = ({ tool_call_id, tool, called_as, tool_version, effect, front, key_id, ...entry }: Entry) => ({
  tool_call_id,
  tool,
  called_as,
  tool_version,
  effect,
  front,
  key_id,
  principal: entry.principal,
  principal_kind: entry.principal_kind,
  persona: entry.persona,
  session_id: entry.session_id,
  policy: entry.policy,
  input_hash: entry.input_hash,
});

/** By the end and what was measured, because an entry of a start is written a little later, and brief calls have none. */
const startOf = ({ first, end }: Folded): string =>
  end?.duration_ms ? new Date(Date.parse(end.at) - end.duration_ms).toISOString() : first.at;

const callStepOf = (call: Folded): CallStep => ({
  kind: 'call',
  id: call.first.tool_call_id,
  name: call.first.tool,
  started_at: startOf(call),
  ended_at: call.end?.at ?? null,
  status: call.end?.status ?? null,
  error_code: call.end?.error_code ?? null,
  url: null,
});

const waitOf = (approval: Approval): CallStep[] => {
  const { approval_id: id, status, decided_at, finished_at, requested_at } = approval;
  const step = { id, error_code: null, url: null };
  const until = decided_at ?? finished_at;
  const ran = decided_at !== null && !['rejected', 'cancelled', 'expired'].includes(status);
  return [
    {
      ...step,
      kind: 'wait',
      name: 'waits for a person',
      started_at: requested_at,
      ended_at: until,
      status: status === 'pending' ? null : ran ? 'approved' : status,
    },
    ...(ran
      ? [{ ...step, kind: 'run' as const, name: `${approval.tool}, approved`, started_at: decided_at, ended_at: finished_at, status }]
      : []),
  ];
};

const jobStepOf = (job: CallDetail['jobs'][number]): CallStep => ({
  kind: 'job',
  id: job.job_id,
  name: job.title,
  started_at: job.created_at,
  ended_at: job.finished_at,
  status: job.status,
  error_code: job.error?.code ?? null,
  url: job.url,
});

/** Without telemetry all calls have the same trace id: zeros. */
const traced = (id: string | null): boolean => id !== null && /[^0]/.test(id);

function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
  throw error;
}
