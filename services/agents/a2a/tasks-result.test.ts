import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../contracts/envelope.ts';
import { maxArtifactBytes, resultChange } from './tasks-result.ts';

const envelope = (more: Partial<Envelope>): Envelope => ({
  status: 'success',
  data: {},
  metadata: { source: 'work', query_time_ms: 1 },
  refs: [],
  warnings: [],
  tool_call_id: 'call_1',
  ...more,
});
const failed = (code: 'VALIDATION_ERROR' | 'AMBIGUOUS_ENTITY' | 'FORBIDDEN') =>
  resultChange(
    't-1',
    'work.task.create',
    envelope({ status: 'error', error: { code, message: 'No.', suggestion: 'Mend it.', retryable: false } }),
  );

describe('a tool’s answer as an artifact', () => {
  it('has words for people and the data itself', () => {
    const { state, artifact } = resultChange(
      't-1',
      'work.task.list',
      envelope({ data: { tasks: [{ id: 'task_1', tags: ['a', 'b'] }], total: 1 }, warnings: ['Cut.'] }),
    );
    expect(state).toBe('completed');
    expect(artifact!.artifact.parts.map(({ text, data }) => text ?? data)).toEqual([
      'work.task.list:\ntasks:\n  - id: task_1\n    tags:\n      - a\n      - b\ntotal: 1\nNote: Cut.',
      { tasks: [{ id: 'task_1', tags: ['a', 'b'] }], total: 1 },
    ]);
  });

  it('that was written in Markdown is read as such, with its warnings beside it', () => {
    const data = { report_id: 'r1', content: '# Digest' };
    const { artifact } = resultChange('t-1', 'authoring.report.generate', envelope({ data, warnings: ['Old evidence.'] }));
    expect(artifact!.artifact.parts).toEqual([
      { text: '# Digest', mediaType: 'text/markdown' },
      { text: 'Note: Old evidence.', mediaType: 'text/plain' },
      { data, mediaType: 'application/json' },
    ]);
    const found = resultChange('t-1', 'index.chunk.get', envelope({ data: { content: '# Not a report' } }));
    expect(found.artifact!.artifact.parts[0]).toMatchObject({ mediaType: 'text/plain' });
  });

  it('that is too big is cut, and says so', () => {
    const { artifact } = resultChange('t-1', 'index.chunk.search', envelope({ data: { text: 'x'.repeat(maxArtifactBytes) } }));
    expect(artifact!.artifact.parts).toHaveLength(1);
    expect(JSON.stringify(artifact)).toContain('not shown whole');
    expect(JSON.stringify(artifact).length).toBeLessThan(10_000);
  });

  it('asks for what the client can mend, and fails for the rest', () => {
    expect(failed('VALIDATION_ERROR')).toMatchObject({ state: 'input_required', parts: [{ text: 'work.task.create: No.\nMend it.' }, {}] });
    expect(failed('AMBIGUOUS_ENTITY').state).toBe('input_required');
    expect(failed('FORBIDDEN').state).toBe('failed');
  });
});
