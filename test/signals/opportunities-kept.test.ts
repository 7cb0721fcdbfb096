/** Opportunities after their documents are replaced or deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { OpportunityDetails, OpportunityItem } from '../../contracts/signals/opportunities.ts';
import { extractorId } from '../../engines/extraction/index.ts';
import { countForGraph } from '../../services/graph/pipeline.ts';
import { refineOne } from '../../services/signals/opportunities/refine.ts';
import { hasWork, workSome } from '../../services/signals/opportunities/work.ts';
import { publishCall, removeSource } from '../setup/calls.ts';
import { writeSignals, type TestSignal } from '../setup/signals.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const whole = { beat: () => {}, spent: () => false };
const reading = { beat: () => {}, signal: new AbortController().signal };
const complaints = ['The login page fails for our whole team.', 'The login page crashes since the update of last night.'];

describe('opportunities', { timeout: 120_000 }, () => {
  let stack: TestStack;
  let pm: Caller;
  let tenant = '';
  let tenants = 0;
  beforeAll(async () => {
    // Uses words only, because the quality of clusters does not matter here.
    stack = await testStack({ workers: false, model: false });
  });
  beforeEach(async () => {
    tenant = `kept${(tenants += 1)}`;
    pm = await stack.caller({ tenant, name: 'ann', kind: 'human' });
  });
  afterAll(() => stack?.stop());

  const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
    asTenant(tenant, () => stack.db.query<T>(sql, [tenant, ...values]));
  const work = () => asTenant(tenant, () => workSome({ db: stack.db, embedder: null }, tenant, whole));
  const busy = () => asTenant(tenant, () => hasWork({ db: stack.db, embedder: null }, tenant));
  const list = async (caller = pm, args: object = {}): Promise<OpportunityItem[]> =>
    (await stack.ok<{ opportunities: OpportunityItem[] }>(caller, 'opportunity.record.list', { limit: 100, ...args })).opportunities;
  const get = (opportunity_id: string) => stack.ok<OpportunityDetails>(pm, 'opportunity.record.get', { opportunity_id });
  const accept = async (opportunity_id: string): Promise<void> => {
    for (const status of ['reviewing', 'accepted']) await stack.ok(pm, 'opportunity.status.set', { opportunity_id, status });
  };

  const published = (source: string, statements: readonly string[]) => publishCall(stack.db, tenant, source, statements);
  const read = (id: string) => asTenant(tenant, () => stack.services.signals.read(tenant, [id], reading));
  const removed = (source: string) => removeSource(stack.db, tenant, source);

  it('keep what people decided while the new version of their document is not read yet', async () => {
    await read(await published('src_call', complaints));
    await work();
    const [found] = await list();
    const { opportunity_id } = found!;
    await accept(opportunity_id);
    await stack.ok(pm, 'opportunity.factor.set', { opportunity_id, factor: 'effort', value: 6 });
    const next = await published('src_call', [...complaints, 'I love the new dashboard.']);
    expect(await rows('select 1 from signals where tenant_id = $1')).toEqual([]);
    await work();
    // Nothing is waiting that could be done, so nobody is woken in vain; and a count changes nothing.
    expect(await busy()).toBe(false);
    await rows(`update opportunities set scored_at = '-infinity' where tenant_id = $1 returning id`);
    await work();
    expect(await get(opportunity_id)).toMatchObject({ status: 'accepted', title: found!.title, signal_count: 2 });
    await read(next);
    await work();
    expect(await list()).toMatchObject([{ opportunity_id, status: 'accepted', title: found!.title, signal_count: 2 }]);
    expect((await get(opportunity_id)).factors.effort.override).toMatchObject({ value: 6 });
    expect(await list(pm, { closed: true })).toEqual([]);
    // What the source says no longer goes with the reading.
    await read(await published('src_call', ['I love the new dashboard.']));
    await work();
    expect(await list(pm, { closed: true })).toMatchObject([{ opportunity_id }]);
  });

  it('close when their source is deleted, also before its new version was read', async () => {
    await read(await published('src_call', complaints));
    await work();
    const [{ opportunity_id }] = (await list()) as [OpportunityItem];
    await published('src_call', complaints);
    await work();
    expect(await list()).toMatchObject([{ opportunity_id }]);
    await removed('src_call');
    expect(await busy()).toBe(true);
    await work();
    expect(await list(pm, { closed: true })).toMatchObject([{ opportunity_id }]);
  });

  it('are woken for after a version that says nothing', async () => {
    await read(await published('src_call', complaints));
    await work();
    const next = await published('src_call', ['Agent: Thank you.']);
    expect(await busy()).toBe(false);
    expect(await read(next)).toEqual({ documents: 1, signals: 0, left: { small_talk: 1 } });
    expect(await busy()).toBe(true);
    await work();
    expect(await list()).toEqual([]);
  });

  it('come from documents that the pipeline finds while they are not read', async () => {
    const id = await published('src_call', complaints);
    await rows('update documents set extractor = $2 where tenant_id = $1 returning id', [extractorId]);
    const unprocessed = () => asTenant(tenant, () => countForGraph(stack.db, tenant, 'unprocessed'));
    expect(await unprocessed()).toBe(1);
    await read(id);
    expect(await unprocessed()).toBe(0);
  });

  it('of which nothing is left are no stakeholder team’s', async () => {
    await read(await published('src_call', complaints));
    await work();
    const [{ opportunity_id }] = (await list()) as [OpportunityItem];
    await removed('src_call');
    await work();
    expect(await list(pm, { closed: true })).toHaveLength(1);
    await stack.ok(pm, 'access.stakeholder.configure', { team: 'design', product_areas: ['Design'], data_freshness: 'realtime' });
    const member = await stack.caller({ tenant, role: 'readonly', kind: 'human', name: 'dora', team: 'design' });
    expect(await list(member, { closed: true })).toEqual([]);
    expect((await stack.call(member, 'opportunity.record.get', { opportunity_id })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keep no word of a deleted source, neither in titles nor in what tells of them', async () => {
    await read(await published('src_call', complaints));
    await work();
    const [{ opportunity_id, title }] = (await list()) as [OpportunityItem];
    expect(complaints.join().toLowerCase()).toContain(title.toLowerCase());
    await stack.ok(pm, 'opportunity.title.set', { opportunity_id, title: 'Sign-in' });
    await stack.ok(pm, 'opportunity.title.set', { opportunity_id, title: null });
    // Others said it, too: it stays open, and is named after them.
    await work();
    const said = (statement: string): TestSignal => ({ statement, class: 'bug', at: new Date().toISOString(), group: statement });
    await writeSignals(stack.db, tenant, [said('Login page fails for us, our whole team is out.')]);
    await work();
    expect(await list()).toMatchObject([{ opportunity_id, title, signal_count: 3 }]);
    const draft_id = await drafted(opportunity_id);
    await removed('src_call');
    await spotless(title);
    await work();
    const [renamed] = await list();
    expect(renamed).toMatchObject({ opportunity_id, signal_count: 1 });
    expect(renamed!.title).toContain('whole team is out');
    await spotless(title);
    expect((await stack.call(pm, 'authoring.draft.get', { draft_id })).error).toMatchObject({ code: 'GONE' });
    expect((await get(opportunity_id)).history.map(({ event }) => event)).toEqual(['title', 'title', 'created']);
  });

  it('that close keep the titles that people gave, and no other', async () => {
    await read(await published('src_one', complaints));
    await read(await published('src_two', ['Please add a dark mode for the mobile app.', 'We need a dark mode for the tablet, too.']));
    await work();
    const [one, two] = await list();
    expect(two).toBeDefined();
    await stack.ok(pm, 'opportunity.title.set', { opportunity_id: one!.opportunity_id, title: 'Sign-in' });
    for (const source of ['src_one', 'src_two']) await removed(source);
    await work();
    expect((await list(pm, { closed: true })).map(({ title }) => title).sort()).toEqual(['Sign-in', 'Untitled opportunity']);
    for (const { title } of [one!, two!]) await spotless(title);
  });

  it('take a decision into account that is made while they are drawn anew', async () => {
    const teams = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Sigma', 'Omega'];
    const at = new Date().toISOString();
    await writeSignals(
      stack.db,
      tenant,
      teams.map((name): TestSignal => ({ statement: `The login page fails for team ${name}.`, class: 'complaint', at })),
    );
    await work();
    // Two halves of one, as two who opened them apart: the greater would be kept.
    const [{ id: first }] = (await rows<{ id: string }>('select id from opportunity_clusters where tenant_id = $1 order by size desc')) as [
      { id: string },
    ];
    const second = '7f1c2a4e-9d57-4a3b-8a55-0c4c2d7c9b10';
    for (const table of ['opportunity_clusters', 'opportunities', 'opportunity_anchors']) {
      const key = table === 'opportunity_anchors' ? 'cluster_id' : 'id';
      await rows(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('${key}', $3::text))).* from ${table} t where tenant_id = $1 and ${key} = $2 returning ${key}`,
        [first, second],
      );
    }
    await rows(
      `update opportunity_signals set cluster_id = $3 where tenant_id = $1 and cluster_id = $2 and signal_id in (
         select signal_id from opportunity_signals where tenant_id = $1 and cluster_id = $2 order by signal_id limit 2) returning signal_id`,
      [first, second],
    );
    await rows(
      'update opportunity_clusters set refined = 1, size = case when id = $2 then size - 2 else 2 end where tenant_id = $1 returning id',
      [first],
    );
    let decide = (): void => {};
    const decided = new Promise<void>((resolve) => (decide = resolve));
    const person = asTenant(tenant, () =>
      stack.db.transaction(async (query) => {
        await query(`update opportunities set status = 'accepted' where tenant_id = $1 and id = $2`, [tenant, second]);
        await decided;
      }),
    );
    const drawn = asTenant(tenant, () => refineOne(stack.db, tenant));
    await eventually('it waits for the person', async () => {
      const [row] = await rows<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where $1 <> '' and datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.n > 0;
    });
    decide();
    await Promise.all([person, drawn]);
    expect(await list()).toMatchObject([{ opportunity_id: second, status: 'accepted' }]);
    expect(await list(pm, { closed: true })).toMatchObject([{ opportunity_id: first }]);
  });

  /** A one-pager about it, made by hand as its process would. */
  async function drafted(opportunityId: string): Promise<string> {
    const { authoring } = stack.services;
    const { gatherDraft, writeDraft, checkDraft } = await import('../../services/authoring/records.ts');
    const wanted = {
      type: 'one_pager',
      opportunityId,
      audience: 'general',
      template: 'standard',
      issueType: 'story',
      provenance: true,
    } as const;
    return await asTenant(tenant, async () => {
      const { id, job } = await authoring.artifact(pm, wanted, { callKey: `draft of ${tenant}`, waitMs: 0 });
      const ref = { tenant, id: job.job_id };
      for (const stage of [gatherDraft, writeDraft, checkDraft]) await stage(authoring.stages, ref);
      return id;
    });
  }

  /** No row has these words. */
  async function spotless(words: string): Promise<void> {
    for (const table of ['opportunities', 'opportunity_history', 'drafts', 'draft_sources', 'draft_statements']) {
      const found = await rows(
        `select to_jsonb(t) as row from ${table} t where tenant_id = $1 and position(lower($2) in lower(t::text)) > 0`,
        [words],
      );
      expect(found, table).toEqual([]);
    }
  }
});
