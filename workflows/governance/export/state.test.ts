import { expect, it } from 'vitest';
import { ExportState } from './state.ts';

const written = {
  export_id: 'exp_1',
  artifact_ref: 'a'.repeat(64),
  size_bytes: 9,
  row_counts: { entities: 3, signals: 4 },
  expires_at: 'later',
};

it('tells how far it is, and what came of it', () => {
  const state = new ExportState(0);
  state.started();
  expect(state.snapshot()).toEqual({ rev: 1, status: 'running', progress: { stage: 'write' } });
  state.advanced({ done: 2, total: 7 });
  expect(state.snapshot().progress).toEqual({ stage: 'write', done: 2, total: 7 });
  state.completed(written);
  expect(state.snapshot()).toEqual({ rev: 3, status: 'completed', progress: { stage: 'done', done: 7, total: 7 }, result: written });
});

it('hears no progress after its end', () => {
  const state = new ExportState(0);
  state.cancelled();
  state.advanced({ done: 1, total: 7 });
  expect(state.snapshot()).toEqual({ rev: 1, status: 'cancelled', progress: { stage: 'write' } });
});
