import { buildServer } from '../../api/server.ts';
import type { ServerParts } from '../../api/parts.ts';
import type { TestStack } from './stack.ts';

/** The api on a stack's pipeline, built like in the product; it does not listen. */
export const apiOf = (stack: TestStack, more: Partial<ServerParts> = {}): ReturnType<typeof buildServer> =>
  buildServer({
    pipeline: stack.pipeline,
    config: stack.config,
    authenticate: (secret) => stack.services.governance.keys.authenticate(secret),
    services: () => stack.services,
    health: async () => ({ postgres: { up: true } }),
    log: stack.log,
    version: '0.0.0-test',
    ...more,
  });
