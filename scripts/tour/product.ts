import type { Job } from '../../contracts/jobs.ts';
import type { Agent } from './agent.ts';
import { expect, type Tell } from './narrate.ts';

interface Priority {
  opportunity_id: string;
  title: string;
  score: number;
}
interface Signal {
  signal_id: string;
  snippet: string;
  customers: { name: string }[];
}

/** "What should we build next?", and from the answer down to the customers' original statements. */
export async function product(me: Agent, run: string, tell: Tell): Promise<void> {
  const calls: [string, string][] = [
    ['Gannet Ferries', 'Customer: The Tide Planner crashes whenever we change the season. We cannot plan at all, this is urgent.'],
    ['Skua Marine', 'Customer: Since the update the Tide Planner crashes when the season is changed. We are losing whole days.'],
    ['Puffin Tours', 'Customer: Tide Planner crashes again after changing the season, please fix this bug soon.'],
  ];
  for (const [name, content] of calls) {
    const customer = `${name} ${run}`;
    const { job_id } = await me.ok<{ job_id: string }>('ingest_transcript', {
      title: `Call with ${customer}`,
      content,
      meeting_type: 'customer_call',
      customer,
    });
    const { job } = await me.ok<{ job: Job }>('system.job.get', { job_id, wait_seconds: 30 });
    expect(job.status === 'completed', `the call with ${customer} is taken in`);
  }
  const { signals } = await me.ok<{ signals: Signal[] }>('search_signals', {
    query: 'Tide Planner crashes',
    customer: `Puffin Tours ${run}`,
  });
  expect(signals.length > 0, 'the call says something about the planner');
  tell(`Three calls, statement by statement: “${signals[0]!.snippet}”`);

  const first = await chosen(me, run);
  tell(`What should we build next? “${first.title}”, score ${first.score}.`);
  const { chain } = await me.ok<{ chain: { kind: string; excerpt?: string; occurred_at?: string }[] }>('get_provenance', {
    opportunity_id: first.opportunity_id,
  });
  const passages = chain.filter(({ excerpt }) => excerpt?.includes('Tide Planner'));
  expect(passages.length > 0, 'the answer leads to what was said');
  tell(`Because of ${chain.length} pieces of evidence, down to “${passages[0]!.excerpt}”`);

  const made = await me.ok<{ draft_id?: string; job_id?: string; sections?: { title: string }[]; to_fill_by_pm?: string[] }>(
    'generate_artifact',
    { artifact_type: 'one_pager', opportunity_id: first.opportunity_id },
  );
  expect(made.draft_id !== undefined, 'a one-pager is written');
  tell(`One-pager ${made.draft_id}; left to a person: ${made.to_fill_by_pm?.join(', ') ?? 'nothing'}.`);
}

/** A separate workflow creates opportunities, shortly after the calls. */
async function chosen(me: Agent, run: string): Promise<Priority> {
  for (let i = 0; i < 60; i += 1) {
    const { priorities } = await me.ok<{ priorities: Priority[] }>('get_roadmap_priorities', { limit: 50 });
    for (const each of priorities.filter(({ title }) => /tide planner/i.test(title))) {
      const found = await me.ok<object>('opportunity.record.get', { opportunity_id: each.opportunity_id });
      if (JSON.stringify(found).includes(run)) return each;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error('expected that the three calls become an opportunity');
}
