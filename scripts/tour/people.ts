import type { Entity, Fact, ReviewItem } from '../../contracts/graph/graph.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

/** The people in the evidence: found in calls, queried, merged and split again; and facts with their times. */
export async function people(me: Agent, run: string, tell: Tell): Promise<void> {
  const [line, cargo] = [`Heron Line ${run}`, `Tern Cargo ${run}`];
  await call(me, `Call with the line ${run}`, line, 'Mara Lund: The Boarding Scanner fails in the rain, see FER-12.');
  await call(me, `Call with cargo ${run}`, cargo, 'Jon Falk: We use the Boarding Scanner on both piers.');
  const listed = await me.ok<{ entities: Entity[] }>('list_entities', { entity_type: 'customer', search: run });
  expect(listed.entities.length === 2, 'both customers are known');
  const { related } = await me.ok<{ related: { entity: string; hops: number; path: string[] }[] }>('find_related_entities', {
    entity_name: line,
    entity_type: 'customer',
    max_hops: 2,
  });
  expect(
    related.some((each) => each.entity === cargo),
    'the other customer is two hops away',
  );
  const way = related.find((each) => each.entity === cargo)!;
  tell(`Two calls, two customers; what connects them: ${way.path.join(' – ')}`);

  const { feedback_id } = await me.ok<{ feedback_id: string }>('entity.proposal.submit', {
    kind: 'merge',
    entity_ids: listed.entities.map((entity) => entity.entity_id),
    reason: 'Both send their bills to one address.',
    confidence: 0.8,
  });
  const { items } = await me.ok<{ items: ReviewItem[] }>('review_pending_entities', { entity_type: 'customer', limit: 100 });
  expect(
    items.some((item) => item.feedback_id === feedback_id),
    'the proposal waits for a person',
  );
  const merged = await me.ok<{ entity: Entity }>('confirm_entity_merge', { feedback_id });
  expect(merged.entity.signal_count === 2, 'one customer has both calls');
  const split = await me.ok<{ job_id: string }>('split_entity', {
    entity_name: merged.entity.name,
    entity_type: 'customer',
    new_entity_name: merged.entity.name === line ? cargo : line,
  });
  await me.ok('system.job.get', { job_id: split.job_id, wait_seconds: 30 });
  const again = await me.ok<{ entities: Entity[] }>('list_entities', { entity_type: 'customer', search: run });
  expect(
    again.entities.every((entity) => entity.signal_count === 1),
    'after the split each has its own call again',
  );
  tell(`Merged on a person's word, and split again: each call is back with its customer.`);

  for (const [name, body, at] of [
    ['spring', `${line} uses Ticket Desk. The Pier Portal has version 3.1.`, '2026-03-01'],
    ['autumn', 'The Pier Portal has version 4.0.', '2026-09-01'],
  ] as const) {
    await me.ok('graph.episode.add', { name: `${name} ${run}`, episode_body: body, said_at: at });
  }
  const facts = await heldBy(me, 'Pier Portal version', '4.0');
  const spring = await me.ok<{ facts: Fact[] }>('graph.fact.search', { query: 'Pier Portal version', as_of: '2026-05-01' });
  expect(
    spring.facts.some((each) => each.value === '3.1'),
    'in May the older version held',
  );
  tell(`What holds now: “${facts[0]!.fact}” What held in May: “${spring.facts.find((each) => each.value === '3.1')!.fact}”`);
}

async function call(me: Agent, title: string, customer: string, content: string): Promise<void> {
  const { job_id } = await me.ok<{ job_id: string }>('ingest_transcript', { title, content, customer, meeting_type: 'customer_call' });
  const { job } = await me.ok<{ job: Job }>('system.job.get', { job_id, wait_seconds: 30 });
  expect(job.status === 'completed', `"${title}" is taken in`);
}

/** Episodes are processed one after the other, shortly after they were added. */
async function heldBy(me: Agent, query: string, value: string): Promise<Fact[]> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { facts } = await me.ok<{ facts: Fact[] }>('graph.fact.search', { query });
    const holding = facts.filter((each) => each.value === value && each.valid_to === null);
    if (holding.length > 0) return holding;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`Nothing says ${value} for "${query}".`);
}
