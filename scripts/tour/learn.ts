import type { IngestAnswer, SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Trajectory } from '../../contracts/knowledge/trajectory.ts';
import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

/** How an answer was found; a memory saved and found; a document's tables read; all of it deleted again. */
export async function learn(me: Agent, run: string, tell: Tell): Promise<void> {
  const search = await me.call('index.chunk.search', { query: 'scanners in the rain', limit: 3, filters: { kb_id: 'tour' } });
  const trajectory = search.metadata.trajectory_id;
  expect(trajectory !== undefined, 'a search names its trajectory');
  const { trajectory: why } = await me.ok<{ trajectory: Trajectory }>('index.answer.explain', { trajectory_id: trajectory });
  expect(why.sources.length > 0, 'the explanation names its sources');
  tell(`A search explains itself in ${why.steps.length} steps over ${why.sources.length} sources: “${why.steps[0]?.thought ?? ''}”`);

  const lesson = `Ticket scanners need rain hoods before they go on deck (${run}).`;
  const { memory_id } = await me.ok<{ memory_id: string }>('save_memory', { content: lesson, category: 'pattern', tags: ['tour'] });
  const { memories } = await me.ok<{ memories: { memory_id: string; content: string }[] }>('query_memories', {
    query: 'what protects a scanner from bad weather?',
    tags: ['tour'],
  });
  expect(
    memories.some((memory) => memory.memory_id === memory_id),
    'the memory is found by its meaning',
  );
  tell(`Remembered and found again: “${memories[0]!.content}”`);
  await me.ok('delete_memory', { memory_id });

  const made = await me.ok<IngestAnswer>('index.ingest', {
    source: {
      kind: 'text',
      title: `Fares ${run}`,
      format: 'md',
      text: `# Fares\n\n| Boat | Fare |\n| --- | --- |\n| Heron | 4 |\n| Tern | 6 |\n`,
    },
    kb_id: 'tour',
  });
  const { job } = await me.ok<{ job: Job }>('system.job.get', { job_id: made.job_id, wait_seconds: 30 });
  expect(job.status === 'completed', 'the fares are taken in');
  const document = String(job.result?.['document_id']);
  const { tables } = await me.ok<{ tables: { rows: string[][] }[] }>('document.table.extract', { document_id: document });
  const rows = tables[0]?.rows ?? [];
  expect(
    rows.some((row) => row.join() === 'Tern,6'),
    'its table has its cells',
  );
  const source = made.source_id!;
  const gone = await me.ok<{ job_id: string }>('knowledge.source.delete', { source_id: source });
  await me.ok('system.job.get', { job_id: gone.job_id, wait_seconds: 30 });
  const after = await me.ok<{ hits: SearchHit[] }>('index.chunk.search', { query: `Fares ${run}`, filters: { kb_id: 'tour' } });
  expect(
    after.hits.every((hit) => hit.source_id !== source),
    'what was deleted is not found',
  );
  tell(`A table of ${rows.length} rows was read cell by cell; then its source was deleted, for good.`);
}
