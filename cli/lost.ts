import { openOutside } from '../adapters/open.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/logger.ts';
import { createServices } from '../services/index.ts';
import { Isolation } from '../services/kernel/isolation.ts';
import { findLost, restart } from '../services/sweep.ts';
import type { Check } from './doctor.ts';

const shown = 5;
const hint = 'The log of the worker says why; `signalbox doctor --fix` tries again.';

/** Lists open tasks and jobs whose workflow is lost; `fix` starts the workflows again from the rows. */
export async function lostProcesses(config: Config, fix: boolean): Promise<Check> {
  const name = 'lost processes';
  const log = createLogger('doctor', 'silent');
  const outside = await openOutside({ ...config, EMBEDDING_MODEL_DIR: 'none', DATABASE_POOL_SIZE: 2 }, log);
  const apart = new Isolation({ log, totalMs: 300_000, stepMs: 60_000 });
  /** Rows that could not be checked or started. A failing row must not stop the others. */
  const passedOver = (): string => apart.skipped.map(({ tenant, id, code }) => `${id ?? `tenant ${tenant}`} (${code})`).join(', ');
  try {
    const lost = await findLost(outside, undefined, apart.run);
    if (apart.count > 0 && lost.length === 0)
      return { name, state: 'warn', detail: `${apart.count} could not be looked at: ${passedOver()}`, next: hint };
    if (lost.length === 0) return { name, state: 'ok', detail: 'none' };
    const ids = lost.slice(0, shown).map(({ workflowId, since }) => `${workflowId} (since ${since})`);
    const detail = `${lost.length}: ${ids.join(', ')}${lost.length > shown ? ', …' : ''}`;
    if (!fix) return { name, state: 'fail', detail, next: '`signalbox doctor --fix` starts them again.' };
    const services = createServices(outside);
    const started = await restart(services, lost, apart.run);
    await services.governance.ledger.close();
    if (apart.count > 0)
      return { name, state: 'fail', detail: `${started} of ${lost.length} started again; not: ${passedOver()}`, next: hint };
    return { name, state: 'ok', detail: `${started} started again: ${ids.join(', ')}` };
  } finally {
    await outside.close();
  }
}
