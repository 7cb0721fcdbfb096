/** Asking for exports and downloading them, as a caller and a browser would. */
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { ExportAnswer } from '../../contracts/governance/exports.ts';
import { apiOf } from './api.ts';
import { eventually, type TestStack } from './stack.ts';

export type ExportDesk = ReturnType<typeof exportDesk>;

export function exportDesk(stack: TestStack) {
  const app: FastifyInstance = apiOf(stack);
  /** Without a key. */
  const follow = (link: string) => {
    const { pathname, search } = new URL(link);
    return app.inject({ method: 'GET', url: `${pathname}${search}` });
  };
  return {
    app,
    follow,
    /** Asks, and waits for the link when the answer came before it. */
    async take(caller: Caller, args: object, tool = 'system.data.export'): Promise<ExportAnswer> {
      const answer = await stack.ok<ExportAnswer>(caller, tool, args);
      if (answer.link) return answer;
      return await eventually('the export is done', async () => {
        const found = await stack.ok<ExportAnswer>(caller, 'system.export.get', { job_id: answer.job_id });
        return found.link ? found : null;
      });
    },
    async fetched(answer: ExportAnswer): Promise<Buffer> {
      const response = await follow(answer.link!);
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.length).toBe(answer.size_bytes);
      return response.rawPayload;
    },
    close: () => app.close(),
  };
}
