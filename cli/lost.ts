import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openOutside, type Outside } from '../adapters/open.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/logger.ts';
import { keyInUse } from '../services/governance/process-seals.ts';
import { createServices } from '../services/index.ts';
import { Isolation } from '../services/kernel/isolation.ts';
import { noteStartedAgain, restoredFor } from '../services/kernel/restored.ts';
import { type Differing, findDiffering, reconcile } from '../services/reconcile.ts';
import { findLost, restart } from '../services/sweep.ts';
import { ensureSchedules, sweepNow } from '../workers/schedules.ts';
import type { Check } from './doctor-check.ts';

const shown = 5;
const hint = 'The log of the worker says why; `signalbox doctor --fix` tries again.';

const few = (all: string[]): string => `${all.slice(0, shown).join(', ')}${all.length > shown ? ', …' : ''}`;

/**
 * Compares open tasks, jobs, approvals, agents and the like with their processes: lost ones, and ones that differ from their rows.
 * `fix` follows the rows: it starts lost processes again, and ends those that differ first.
 */
export async function lostProcesses(config: Config, fix: boolean): Promise<Check[]> {
  const log = createLogger('doctor', 'silent');
  const keyless = config.SIGNALBOX_SECRET_KEY === undefined && !existsSync(join(config.SIGNALBOX_DATA_DIR, 'secret.key'));
  // Any key will do for reading; without one, opening a secret would create it.
  const outside = await openOutside(
    { ...config, ...(keyless ? { SIGNALBOX_SECRET_KEY: 'none' } : {}), EMBEDDING_MODEL_DIR: 'none', DATABASE_POOL_SIZE: 2 },
    log,
  );
  try {
    const used = await keyInUse(outside.db.query);
    if (fix && used !== null && !outside.secrets.keyIds.includes(used)) return [wrongKey(keyless)];
    return [await lost(outside, fix), await differing(outside, fix)];
  } finally {
    await outside.close();
  }
}

const wrongKey = (keyless: boolean): Check => ({
  name: 'lost processes',
  state: 'fail',
  detail: `the workers use another SIGNALBOX_SECRET_KEY than ${keyless ? 'this command, which has none' : 'this command'}: they would refuse what it starts`,
  next: 'Give this command the same SIGNALBOX_SECRET_KEY as api and workers, and repeat it.',
});

const apartOf = (): Isolation => new Isolation({ log: createLogger('doctor', 'silent'), totalMs: 900_000, stepMs: 600_000 });

/** Rows that could not be checked or started. A failing row must not stop the others. */
const passedOver = ({ skipped }: Isolation): string =>
  skipped.map(({ tenant, id, code }) => `${id ?? `tenant ${tenant}`} (${code})`).join(', ');

async function lost(outside: Outside, fix: boolean): Promise<Check> {
  const name = 'lost processes';
  const apart = apartOf();
  const restored = await restoredFor(outside.db.query);
  const found = await findLost(outside, restored ?? undefined, apart.run);
  if (apart.count > 0 && found.length === 0)
    return { name, state: 'warn', detail: `${apart.count} could not be looked at: ${passedOver(apart)}`, next: hint };
  const ids = few(found.map(({ workflowId, stands, since }) => `${workflowId} (${stands ? 'stands still ' : ''}since ${since})`));
  const detail = `${found.length}: ${ids}`;
  if (found.length > 0 && !fix) return { name, state: 'fail', detail, next: '`signalbox doctor --fix` starts them again.' };
  if (!fix) return { name, state: 'ok', detail: 'none' };
  const started = await withServices(outside, async (services) => {
    const count = await restart(services, found, apart.run);
    // What serves all tenants is lost with Temporal's data, too: the sweep looks after schedules and deliveries.
    await ensureSchedules(outside.temporal);
    await sweepNow(outside.temporal);
    await services.projections.start();
    return count;
  });
  if (restored !== null) await noteStartedAgain(outside.db.query, started, apart.count);
  const changed = found.map(({ kind, tenant, id, workflowId }) => ({ did: 'started' as const, kind, tenant, id, process: workflowId }));
  if (apart.count > 0)
    return { name, state: 'fail', detail: `${started} of ${found.length} started again; not: ${passedOver(apart)}`, next: hint, changed };
  if (found.length === 0) return { name, state: 'ok', detail: 'none' };
  return { name, state: 'ok', detail: `${started} started again: ${ids}`, changed };
}

const says = ({ workflowId, row }: Differing): string =>
  row === 'open' ? workflowId : `${workflowId} (its row ${row === 'ended' ? 'has ended' : 'is missing'})`;

async function differing(outside: Outside, fix: boolean): Promise<Check> {
  const name = 'process states';
  const apart = apartOf();
  const found = await findDiffering(outside, apart.run);
  if (apart.count > 0 && found.length === 0) {
    const next = 'Processes are asked through the workers: do they run?';
    return { name, state: 'warn', detail: `${apart.count} could not be looked at: ${passedOver(apart)}`, next };
  }
  if (found.length === 0) return { name, state: 'ok', detail: 'agree' };
  const ids = few(found.map(says));
  if (!fix) {
    const next = 'One of the stores was restored, or a history does not replay. `signalbox doctor --fix` follows the rows.';
    return { name, state: 'fail', detail: `${found.length} differ: ${ids}`, next };
  }
  const { ended, started } = await withServices(outside, (services) => reconcile(services, found, apart.run));
  const changed = found.map(({ kind, tenant, id, workflowId, row }) => ({
    did: row === 'open' ? ('ended and started' as const) : ('ended' as const),
    kind,
    tenant,
    id,
    process: workflowId,
  }));
  const detail = `${ended} ended, ${started} of them started again from their rows: ${ids}`;
  return apart.count > 0
    ? { name, state: 'fail', detail: `${detail}; not: ${passedOver(apart)}`, next: hint, changed }
    : { name, state: 'ok', detail, changed };
}

async function withServices<T>(outside: Outside, work: (services: ReturnType<typeof createServices>) => Promise<T>): Promise<T> {
  const services = createServices(outside);
  try {
    return await work(services);
  } finally {
    await services.governance.ledger.close();
  }
}
