import { pino } from 'pino';
import { expect, it } from 'vitest';
import { localCaller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { logCall, logFieldsOf } from './observed.ts';

it('spells attributes as fields of the log, and keeps addresses out of it', () => {
  expect(logFieldsOf({ 'feed.id': 'techcrunch_ai', 'feed.url': 'https://techcrunch.com/feed/', 'articles.count': 23 })).toEqual({
    feed_id: 'techcrunch_ai',
    article_count: 23,
  });
});

it('keeps text of callers out of the log: an unknown tool name, and an endless request id', () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  logCall(log, {
    request: {
      name: 'my password is hunter2',
      caller: localCaller,
      front: 'mcp',
      requestId: `\u001b[2J\u202e\u2028${'x'.repeat(100_000)}`,
    },
    resolved: undefined,
    durationMs: 1,
    toolCallId: 'id',
    observed: {},
    error: new AppError('NOT_FOUND', 'Unknown tool'),
  });
  expect(JSON.parse(lines[0]!)).toMatchObject({
    mcp_tool: 'unknown',
    code: 'NOT_FOUND',
    request_id: expect.stringMatching(/^\ufffd\[2J\ufffd\ufffdx+…$/),
  });
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines[0]!.length).toBeLessThan(600);
});
