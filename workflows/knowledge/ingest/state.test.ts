import { expect, it } from 'vitest';
import { IngestState } from './state.ts';

const state = () => new IngestState({ tenant: 'a', jobId: 'job_1', sourceId: 'source_1', documentId: 'doc_1' }, 7);

it('cuts any number of chunks into a bounded number of batches that cover each once', () => {
  for (const total of [1, 49, 50, 51, 6_000, 6_001, 60_000, 500_000]) {
    const ingestion = state();
    ingestion.parsed({ state: 'building', chunks: total, vectors: true, warnings: [] });
    const batches = ingestion.batches();
    expect(batches.length).toBeLessThanOrEqual(120);
    expect(batches[0]!.from).toBe(0);
    for (const [i, batch] of batches.entries()) expect(batch.to).toBe(batches[i + 1]?.from ?? total);
  }
});

it('only ever raises its revision', () => {
  const ingestion = state();
  const revisions = [ingestion.snapshot().rev];
  const steps = [
    () => ingestion.started(),
    () => ingestion.parsed({ state: 'building', chunks: 120, vectors: true, pages: 3, warnings: ['skipped a cue'] }),
    () => ingestion.indexed(50),
    () => ingestion.parked(2),
    () => ingestion.parked(0),
    () => ingestion.overtake(40),
    () => ingestion.publishing(),
    () => ingestion.published({ state: 'active', chunks: 120, leftovers: false }),
  ];
  for (const step of steps) {
    step();
    revisions.push(ingestion.snapshot().rev);
  }
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  expect(new Set(revisions).size).toBe(revisions.length);
  expect(ingestion.snapshot()).toMatchObject({
    status: 'completed',
    progress: { stage: 'done', done: 120, total: 120 },
    result: { chunk_count: 120, source_id: 'source_1', document_id: 'doc_1', page_count: 3, warnings: ['skipped a cue'] },
  });
});
