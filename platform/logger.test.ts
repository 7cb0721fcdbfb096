import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { traceIds } from './logger.ts';

const manager = new AsyncLocalStorageContextManager().enable();
context.setGlobalContextManager(manager);
afterAll(() => context.disable());

it('names the trace and the span in each line that is written inside one', async () => {
  const lines: string[] = [];
  const log = pino({ base: null, mixin: traceIds }, { write: (line: string) => void lines.push(line) });
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
  log.info('before');
  await context.with(trace.setSpan(context.active(), trace.wrapSpanContext(ids)), async () => {
    log.info({ mcp_tool: 'x' }, 'inside');
    // As calls are logged: after the answer.
    await new Promise<void>((done) => setImmediate(() => done(log.info('later'))));
  });
  const [before, inside, later] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(before).not.toHaveProperty('trace_id');
  expect(inside).toMatchObject({ trace_id: ids.traceId, span_id: ids.spanId, mcp_tool: 'x' });
  expect(later).toMatchObject({ trace_id: ids.traceId, span_id: ids.spanId });
});
