import { expect, it } from 'vitest';
import type { Envelope } from '../../contracts/envelope.ts';
import { textOf } from './answers.ts';
import type { Alias } from './define.ts';

const envelope: Envelope = {
  status: 'success',
  data: {
    task: { id: 'task_1', note: null, tags: [], metadata: {}, list: [null, { a: null, b: 0, c: '', d: false }] },
    next: null,
    others: [],
  },
  metadata: { source: 'work', query_time_ms: 1.5, result_count: 1, next_cursor: 'c2' },
  refs: [
    { type: 'task', id: 'task_1', url: 'http://ui.test/task_1' },
    { type: 'workflow', id: 'acme/task/1', url: 'http://ui.test/wf' },
    { type: 'job', id: 'job_9' },
  ],
  warnings: [],
  tool_call_id: 'call_1',
};

it('a model reads an answer without what is empty, repeated or for programs', () => {
  const before = structuredClone(envelope);
  expect(JSON.parse(textOf(envelope, envelope.data, undefined, {}))).toEqual({
    status: 'success',
    data: { task: { id: 'task_1', list: [null, { b: 0, c: '', d: false }] }, next: null, others: [] },
    metadata: { next_cursor: 'c2' },
    refs: [{ type: 'job', id: 'job_9' }],
  });
  expect(envelope).toEqual(before);
});

it('a refusal keeps what the caller can act on', () => {
  const error = {
    code: 'VALIDATION_ERROR' as const,
    message: 'Bad arguments: a: is missing',
    suggestion: 'Give it.',
    retryable: false,
    details: { fields: [{ field: 'a', problem: 'is missing' }], reason: 'x' },
  };
  expect(JSON.parse(textOf({ ...envelope, status: 'error', data: null, refs: [], error }, null, undefined, {}))).toEqual({
    status: 'error',
    error: { code: 'VALIDATION_ERROR', message: 'Bad arguments: a: is missing', suggestion: 'Give it.', details: { reason: 'x' } },
    metadata: { next_cursor: 'c2' },
  });
});

it("another system's name answers to the letter", () => {
  const alias = { name: 'x', system: 'pm-intelligence' } as Alias;
  expect(JSON.parse(textOf(envelope, envelope.data, alias, {}))).toEqual(envelope);
});
