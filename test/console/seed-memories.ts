/** Memories with versions, a merge, origins and an expiry, and hostile texts where agents and people write. */
import type { Consolidated, Extraction, Saved, UpdatedMemory } from '../../contracts/knowledge/memory.ts';
import type { TestStack } from '../setup/stack.ts';
import { seedDocument } from './seed-know.ts';

/** @param text where agents and people write @returns addresses of screens that show it */
export async function seedMemories(stack: TestStack, text: string, tenant = 'acme'): Promise<string[]> {
  const mia = await stack.caller({ tenant, name: 'mia' });
  const save = async (content: string, extra: object = {}): Promise<string> =>
    (await stack.ok<Saved>(mia, 'memory.record.save', { content, category: 'decision', ...extra })).memory_id;
  const odd = await save(`Somebody wrote: ${text.slice(0, 4_000)}`, {
    category: text.slice(0, 60),
    tags: [text.slice(0, 60)],
    metadata: { note: text.slice(0, 1_000) },
  });
  await save('A retry after a timeout needs the same idempotency key, or the order is written twice.', {
    category: 'problem',
    tags: ['orders'],
  });
  await save('Names of branches begin with the number of the task.', { category: 'convention' });
  await save('The staging cluster is read only until the migration is over.', {
    category: 'pattern',
    ttl_days: 30,
    tags: ['ops', 'migration'],
  });
  await save('The invoice export needs a header row.', { category: 'pattern', tags: ['invoices'] });
  await save('The invoice export always needs a header row. Sales asked for it in March.', { category: 'pattern', tags: ['sales'] });
  const { groups } = await stack.ok<Consolidated>(mia, 'memory.record.consolidate', { category: 'pattern', apply: true });
  const talk = await seedDocument(stack, tenant, 'Talk about queues', [
    { heading: 'Queues', body: 'We decided to use Postgres 17 for the queue. Did we agree on the port?' },
    { heading: 'Reviews', body: 'In this repo we never merge without a review.' },
  ]);
  const { memories } = await stack.ok<Extraction>(mia, 'memory.record.extract', { document_id: talk, scope: 'team', save: true });
  const first = await save('We deploy to production on Fridays.', { tags: ['deploy'] });
  const { memory_id: second } = await stack.ok<UpdatedMemory>(mia, 'memory.record.update', {
    memory_id: first,
    content: 'We deploy to production on Tuesdays and Thursdays, never before a holiday.',
    tags: ['deploy', 'ops'],
  });
  return [
    '/console/memories',
    '/console/memories?add=yes',
    '/console/memories?q=invoice+export&category=pattern',
    '/console/memories?tab=repeats',
    '/console/memories?tab=talk',
    '/console/memories?tab=talk&from=document',
    `/console/memories/${second}`,
    `/console/memories/${second}?edit=yes`,
    `/console/memories/${first}`,
    `/console/memories/${groups[0]!.keep.memory_id}`,
    `/console/memories/${memories[0]!.memory_id!}`,
    `/console/memories/${odd}`,
  ];
}
