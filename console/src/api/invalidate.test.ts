import { expect, it } from 'vitest';
import type { Event } from '../../../contracts/outbound/events.ts';
import { staleness } from './invalidate.ts';

const of = (type: Event['type'], tool: string, data: Event['data'] = {}) => staleness({ type, data }, tool);

it('reads drafts again after jobs that write drafts alone', () => {
  expect(of('job.changed', 'authoring.draft.list', { job_kind: 'draft' })).toBe('soon');
  expect(of('report.generated', 'authoring.schedule.list')).toBe('soon');
  expect(of('job.changed', 'authoring.brief.list', { job_kind: 'draft' })).toBe('not');
  for (const kind of ['ingest', 'export']) expect(of('job.changed', 'authoring.draft.list', { job_kind: kind })).toBe('not');
  expect(of('job.changed', 'system.job.list', { job_kind: 'ingest' })).toBe('soon');
  expect(of('job.changed', 'knowledge.source.list', { job_kind: 'ingest_run' })).toBe('soon');
  expect(of('job.changed', 'knowledge.source.list', { job_kind: 'draft' })).toBe('not');
});

it('reads a document again at once after a correction, and after a while when signals are ingested', () => {
  expect(of('signal.corrected', 'knowledge.document.get')).toBe('soon');
  expect(of('signal.ingested', 'knowledge.document.get')).toBe('slowly');
  expect(of('signal.ingested', 'signal.record.search')).toBe('slowly');
});

it('reads lists of runs again when a run begins or ends, and not whenever its agent says something', () => {
  for (const type of ['work.run_opened', 'work.run_ended', 'work.run_approved'] as const) {
    expect(of(type, 'work.run.list')).toBe('soon');
    expect(of(type, 'system.inbox.list')).toBe('soon');
  }
  for (const tool of ['work.run.list', 'work.board.get', 'work.task.list', 'system.overview.get', 'work.usage.get'])
    expect(of('work.run_changed', tool)).toBe('not');
});

it('counts the inbox again when something of it changes, and not when a document was ingested', () => {
  expect(of('dlq.item_added', 'system.inbox.list')).toBe('soon');
  expect(of('approval.decided', 'system.inbox.list')).toBe('soon');
  expect(of('ingestion.completed', 'system.inbox.list')).toBe('not');
  expect(of('work.task_changed', 'system.overview.get')).toBe('slowly');
});
