/** The whole product in a temporary folder, and its services in this process, beside its api and workers. */
import { pino } from 'pino';
import { openOutside } from '../adapters/open.ts';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import { startStack } from '../bench/stack.ts';
import type { Embedder } from '../adapters/models/embedder.ts';
import type { Caller } from '../contracts/caller.ts';
import { readConfig } from '../platform/config.ts';
import { createServices, type Services } from '../services/index.ts';

export interface Product {
  services: Services;
  caller: Caller;
  /** False: search uses words only. */
  model: boolean;
  embedder: Embedder | null;
  /** Runs as the tenant, as the pipeline would. */
  run<T>(work: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

export async function startProduct(say: (line: string) => void): Promise<Product> {
  const stack = await startStack({ onProgress: say });
  try {
    const config = readConfig({
      ...process.env,
      SIGNALBOX_DATA_DIR: stack.dir,
      DATABASE_URL: stack.runtime.database_url,
      TEMPORAL_ADDRESS: stack.runtime.temporal,
      EMBEDDING_MODEL_DIR: stack.modelDir ?? 'none',
      LOG_LEVEL: 'warn',
      // The same query is measured several times.
      MCP_CACHE_ENABLED: 'false',
    });
    const outside = await openOutside(config, pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true })));
    const services = createServices(outside);
    const caller = await services.governance.keys.authenticate(await stack.key());
    if (!caller) throw new Error('the new key does not authenticate');
    return {
      services,
      caller,
      model: outside.embedder !== null,
      embedder: outside.embedder,
      run: (work) => asTenant(caller.tenant, work),
      async remove() {
        await services.knowledge.trajectories.close();
        await services.governance.keys.close();
        await services.governance.ledger.close();
        await outside.close();
        await stack.remove();
      },
    };
  } catch (error) {
    await stack.remove();
    throw error;
  }
}
