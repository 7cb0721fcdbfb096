import { openOutside } from '../adapters/open.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/logger.ts';
import { createServices } from '../services/index.ts';
import { findLost, restart } from '../services/sweep.ts';
import type { Check } from './doctor.ts';

const shown = 5;

/** Open tasks and jobs whose process is gone; with `fix` they are started again from their rows. */
export async function lostProcesses(config: Config, fix: boolean): Promise<Check> {
  const name = 'lost processes';
  const outside = await openOutside({ ...config, EMBEDDING_MODEL_DIR: 'none', DATABASE_POOL_SIZE: 2 }, createLogger('doctor', 'silent'));
  try {
    const lost = await findLost(outside);
    if (lost.length === 0) return { name, state: 'ok', detail: 'none' };
    const ids = lost.slice(0, shown).map(({ workflowId, since }) => `${workflowId} (since ${since})`);
    const detail = `${lost.length}: ${ids.join(', ')}${lost.length > shown ? ', …' : ''}`;
    if (!fix) return { name, state: 'fail', detail, next: '`signalbox doctor --fix` starts them again.' };
    const services = createServices(outside);
    const started = await restart(services, lost);
    await services.governance.ledger.close();
    return { name, state: 'ok', detail: `${started} started again: ${ids.join(', ')}` };
  } finally {
    await outside.close();
  }
}
