import { expect, test } from 'vitest';
import { scriptedPlan } from './scripted.ts';

/** `state`, `state+hold`, `text`, `artifact: …` of each step. */
function told(messageId: string): unknown {
  const plan = scriptedPlan(messageId);
  if (plan?.kind === 'message') return { message: plan.parts };
  if (plan?.kind !== 'script') return plan;
  return plan.steps.map((step) => {
    if (step.kind === 'artifact') {
      const [part] = step.artifact.parts;
      return part?.text ?? part?.url ?? part?.data ?? { file: part?.filename, type: part?.mediaType };
    }
    return [step.state, ...(step.text === undefined ? [] : [step.text]), ...(step.holdMs === undefined ? [] : [step.holdMs])].join(' ');
  });
}

const file = { file: 'output.txt', type: 'text/plain' };

test.each([
  ['tck-complete-task-1a2b', ['completed Hello from TCK']],
  ['tck-artifact-text-1', ['Generated text content', 'completed']],
  ['tck-artifact-file-1', [file, 'completed']],
  ['tck-artifact-file-url-1', ['https://example.com/output.txt', 'completed']],
  ['tck-artifact-data-1', [{ key: 'value', count: 42 }, 'completed']],
  ['tck-message-response-1', { message: [{ text: 'Direct message response' }] }],
  ['tck-input-required-1', ['input_required Input required']],
  ['tck-reject-task-1', ['rejected rejected']],
  ['tck-stream-001-1', ['working', 'Stream hello from TCK', 'completed']],
  ['tck-stream-002-1', ['completed']],
  ['tck-stream-003-1', ['working', 'Stream task lifecycle', 'completed']],
  ['tck-stream-ordering-001-1', ['working', 'Ordered output', 'completed']],
  ['tck-stream-artifact-text-1', ['working', 'Streamed text content', 'completed']],
  ['tck-stream-artifact-file-1', ['working', file, 'completed']],
  ['tck-stream-artifact-chunked-1', ['working', 'chunk-1 ', 'chunk-2', 'completed']],
  ['test-resubscribe-message-id-1', ['working 4000', 'completed']],
  ['tck-delayed-complete-1', ['working 2000', 'completed Done after delay']],
])('%s', (id, expected) => expect(told(id)).toEqual(expected));

test('any other message is one for the router', () => {
  for (const id of ['', 'm-1', 'tck-', 'tck-dm-test-001-1', 'x-tck-complete-task']) expect(scriptedPlan(id)).toBeNull();
});

test('chunks are of one artifact', () => {
  const plan = scriptedPlan('tck-stream-artifact-chunked');
  const chunks = plan?.kind === 'script' ? plan.steps.filter((step) => step.kind === 'artifact') : [];
  expect(chunks.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(new Set(chunks.map(({ artifact }) => artifact.artifactId)).size).toBe(1);
});

test('a file is bytes in base64', () => {
  const plan = scriptedPlan('tck-artifact-file');
  const [step] = plan?.kind === 'script' ? plan.steps : [];
  const raw = step?.kind === 'artifact' ? step.artifact.parts[0]?.raw : undefined;
  expect(Buffer.from(raw ?? '', 'base64').toString('utf8')).toMatch(/^Generated/);
});
