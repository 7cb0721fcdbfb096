/** Several apis on one stack, each with connections and memory of its own, like separate processes. */
import type { AddressInfo } from 'node:net';
import { openOutside, type Outside } from '../../adapters/open.ts';
import { sessionStore } from '../../api/mcp/session-store.ts';
import type { buildServer } from '../../api/server.ts';
import { createServices, type Services } from '../../services/index.ts';
import { Metrics } from '../../tools/catalogue/metrics.ts';
import { Pipeline } from '../../tools/catalogue/pipeline.ts';
import { apiOf } from './api.ts';
import type { TestStack } from './stack.ts';

export interface Api {
  url: string;
  app: ReturnType<typeof buildServer>;
  services: Services;
  outside: Outside;
  close(): Promise<void>;
}

export async function openApis(stack: TestStack, count: number): Promise<Api[]> {
  return await Promise.all(Array.from({ length: count }, () => openApi(stack)));
}

async function openApi(stack: TestStack): Promise<Api> {
  const outside = await openOutside(stack.config, stack.log);
  const services = createServices(outside);
  const { tools } = stack.pipeline['parts'];
  const app = apiOf(stack, {
    pipeline: new Pipeline({ tools, services, metrics: new Metrics(), log: stack.log, logRequests: false }),
    authenticate: (secret) => services.governance.keys.authenticate(secret),
    services: () => services,
    notices: () => outside.notices,
    sessions: sessionStore(() => outside.db),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    services,
    outside,
    async close() {
      await app.close();
      await services.knowledge.trajectories.close();
      await services.agents.close();
      await services.events.close();
      await services.schemas.close();
      await services.governance.keys.close();
      await services.governance.ledger.close();
      await outside.close();
    },
  };
}
