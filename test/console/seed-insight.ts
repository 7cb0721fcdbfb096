/** What customers said, 5,000 statements in 250 documents, with what is made of it: counts, opportunities, drafts, briefs. */
import { inject } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { severities, signalClasses, tones } from '../../contracts/signals/signals.ts';
import { checkDraft, gatherDraft, writeDraft } from '../../services/authoring/records.ts';
import { wordsModel } from '../../services/signals/opportunities/vectors.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { entityIdOf } from '../setup/signals.ts';
import type { TestStack } from '../setup/stack.ts';

export interface SeededInsight {
  /** Ids of a report, of a PRD about the opportunity, and of the opportunity. */
  report: string;
  prd: string;
  opportunity: string;
  /** The newest day that something was said. */
  today: string;
}

const each = 20;
const dayMs = 86_400_000;
const areas = ['Billing', 'Export', 'Mobile', 'Search'];
const sources = ['slack', 'meeting_transcript', 'document', 'jira'];
const opportunityId = (n: number): string => `6f1c2a4e-9d57-4a3b-8a55-${String(n).padStart(12, '0')}`;
const featuresOf = (area: string): string[] => [`${area} page`, ...Array.from({ length: 5 }, (_, i) => `${area} feature ${i + 1}`)];
/** Names that are shown everywhere, one of them hostile. */
const makeNames = (hostile: string): Record<string, string[]> => ({
  customer: Array.from({ length: 40 }, (_, i) => `Customer ${i + 1}`),
  feature: areas.flatMap((area) => featuresOf(area)),
  issue: ['Export breaks', 'Login fails', hostile.slice(0, 120), ...Array.from({ length: 30 }, (_, i) => `Issue ${i + 1}`)],
  theme: ['speed', 'trust', 'price', 'onboarding'],
  competitor: ['Rivalsoft'],
});

/** The same numbers each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Low numbers more often. */
function statements(today: string, hostile: string, documents: number, names: Record<string, string[]>) {
  const roll = dice(11);
  const few = (list: string[]): string => list[Math.floor(list.length * (roll(1000) / 1000) ** 2)]!;
  return Array.from({ length: documents * each }, (_, i) => {
    const document = Math.floor(i / each);
    const area = areas[document % areas.length]!;
    const [customer, feature, issue] = [few(names['customer']!), few(featuresOf(area)), few(names['issue']!)];
    const about: [string, string][] = [
      ['customer', customer],
      ['feature', feature],
      ...(roll(3) ? ([['issue', issue]] as [string, string][]) : []),
      ...(roll(2) ? ([['theme', few(names['theme']!)]] as [string, string][]) : []),
      ...(roll(20) ? [] : ([['competitor', 'Rivalsoft']] as [string, string][])),
    ];
    const said = i === 7 ? hostile : `${feature} does not work for us in case ${i}, because ${issue} again.`;
    const before = `Minute ${i}. `;
    return {
      id: `sig_seed${i}`,
      document: `doc_seed${document}`,
      ordinal: i % each,
      start: before.length,
      // UTF-16, as everywhere.
      end: before.length + said.length,
      said,
      body: `${before}${said} Thank you.`,
      source: sources[document % sources.length]!,
      author: i % 50 === 0 ? hostile.slice(0, 80) : `Person ${roll(60)}`,
      at: new Date(Date.parse(`${today}T08:00:00Z`) - roll(120) * dayMs - roll(8) * 3_600_000).toISOString(),
      area,
      class: signalClasses[roll(signalClasses.length)]!,
      tone: tones[roll(tones.length)]!,
      severity: severities.indexOf(severities[roll(severities.length)]!),
      sentiment: (roll(201) - 100) / 100,
      // Every sixtieth says what another one said.
      group: i % 60 === 43 ? `sig_seed${i - 20}` : `sig_seed${i}`,
      about,
    };
  });
}

/**
 * Fills a tenant.
 * @param hostile where customers write
 * @param documents of 20 statements each
 * @returns what the tests open
 */
export async function fillInsight(stack: TestStack, tenant: string, hostile: string, documents = 250): Promise<SeededInsight> {
  const today = new Date().toISOString().slice(0, 10);
  const names = makeNames(hostile);
  const rows = statements(today, hostile, documents, names);
  const sql = (statement: string, values: unknown[] = []) => stack.db.query(statement, [tenant, ...values]);
  return await asTenant(tenant, async () => {
    await sql('insert into tenants (id) values ($1) on conflict do nothing');
    const [base] = await stack.db.query<{ scope: number }>(
      `insert into knowledge_bases (tenant_id, id, name) values ($1, 'signals', 'signals')
       on conflict (tenant_id, id) do update set name = excluded.name returning scope`,
      [tenant],
    );
    const title = `case n when 0 then left($2, 300) else 'Call ' || n end`;
    const all = `generate_series(0, ${documents - 1}) n`;
    await sql(
      `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status, document_id)
       select $1, 'src_seed' || n, 'signals', 'src_seed' || n, ${title}, 'text', 'active', 'doc_seed' || n from ${all}`,
      [hostile],
    );
    await sql(
      `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, graph, said_at, signals_read_at)
       select $1, 'doc_seed' || n, 'src_seed' || n, $3, 'h' || n, 'h' || n, 'text', ${title}, 'active', 1, ${each}, ${each * 12}, 'resolved', now(), now()
       from ${all}`,
      [hostile, base!.scope],
    );
    const entities = Object.entries(names).flatMap(([type, list]) =>
      list.map((name) => ({ id: entityIdOf(tenant, type, name), type, name, area: type === 'feature' ? name.split(' ')[0] : null })),
    );
    await sql(
      `insert into entities (tenant_id, id, type, name, area, origin, created_by, signal_count, mention_count, first_seen_at, last_seen_at)
       select $1, e.id, e.type, e.name, e.area, 'extraction', 'test', 1, 1, now(), now() from jsonb_to_recordset($2::jsonb) e(id text, type text, name text, area text)`,
      [JSON.stringify(entities)],
    );
    await sql(
      `insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by)
       select $1, e.type, lower(e.name), e.id, e.name, 'name', 'test' from jsonb_to_recordset($2::jsonb) e(id text, type text, name text)`,
      [JSON.stringify(entities)],
    );
    for (let from = 0; from < rows.length; from += 1_000) {
      const batch = rows.slice(from, from + 1_000);
      const json = JSON.stringify(batch);
      await sql(
        `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, terms)
         select $1, $2, r.document, replace(r.document, 'doc_', 'src_'), r.ordinal, r.body, '{}', '{}', 12
         from jsonb_to_recordset($3::jsonb) r(document text, ordinal int, body text)`,
        [base!.scope, json],
      );
      await sql(
        `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, author, occurred_at, area,
           class, class_confidence, sentiment, severity, tone, group_id, classifier)
         select $1, r.id, r.document, replace(r.document, 'doc_', 'src_'), c.id, r.start, r."end", r.said, r.source, r.author, r.at::timestamptz, r.area,
           r.class, 0.8, r.sentiment, r.severity, r.tone, r."group", 'test'
         from jsonb_to_recordset($2::jsonb) r(id text, document text, ordinal int, start int, "end" int, said text, source text, author text, at text, area text,
           class text, sentiment real, severity int, tone text, "group" text)
         join chunks c on c.tenant_id = $1 and c.document_id = r.document and c.ordinal = r.ordinal`,
        [json],
      );
      const links = batch.flatMap(({ id, at, about }) =>
        about.map(([type, name]) => ({ id, at, type, name, entity: entityIdOf(tenant, type, name) })),
      );
      await sql(
        `insert into signal_entities (tenant_id, signal_id, entity_id, type, occurred_at)
         select distinct $1, l.id, l.entity, l.type, l.at::timestamptz from jsonb_to_recordset($2::jsonb) l(id text, entity text, type text, at text)`,
        [JSON.stringify(links)],
      );
      await sql(
        `insert into entity_mentions (tenant_id, document_id, chunk_id, start_at, end_at, surface, type, key, certain, confidence, origin, entity_id, assigned_by)
         select $1, s.document_id, s.chunk_id, s.start_at, s.end_at, l.name, l.type, lower(l.name), true, 1, 'rules', l.entity, 'name'
         from jsonb_to_recordset($2::jsonb) l(id text, entity text, type text, name text) join signals s on s.tenant_id = $1 and s.id = l.id`,
        [JSON.stringify(links)],
      );
    }
    // As autovacuum does in a stack that runs for longer.
    await onServer(withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)), 'analyze');
    await stack.services.insight.recount(tenant);
    await seedOpportunities(stack, tenant, hostile);
    await seedBriefs(stack, tenant, hostile, today);
    const pm = await stack.caller({ tenant, name: 'pm', kind: 'human' });
    const { authoring } = stack.services;
    const asking = (callKey: string) => ({ callKey: `${tenant} ${callKey}`, waitMs: 0 });
    const made = async ({ id, job }: { id: string; job: { job_id: string } }): Promise<string> => {
      await writeByHand(stack, tenant, job.job_id);
      return id;
    };
    return {
      report: await made(
        await authoring.report(pm, { type: 'weekly_digest', format: 'detailed', audience: 'general', windowDays: 30 }, asking('report')),
      ),
      prd: await made(
        await authoring.artifact(
          pm,
          { type: 'prd', opportunityId: opportunityId(1), audience: 'general', template: 'standard', issueType: 'story', provenance: true },
          asking('prd'),
        ),
      ),
      opportunity: opportunityId(1),
      today,
    };
  });
}

/** The stages of a draft, as its worker runs them. */
export async function writeByHand({ services }: TestStack, tenant: string, jobId: string): Promise<void> {
  const { stages } = services.authoring;
  await asTenant(tenant, async () => {
    const job = { tenant, id: jobId };
    await gatherDraft(stages, job);
    await writeDraft(stages, job);
    await checkDraft(stages, job);
  });
}

/** Sixty, the first with evidence and a hostile one among them. */
async function seedOpportunities({ db }: TestStack, tenant: string, hostile: string): Promise<void> {
  const computed = Object.fromEntries(
    [
      ['impact', 8],
      ['confidence', 0.75],
      ['strategic_alignment', 6],
      ['urgency', 7],
      ['effort', 4],
    ].map(([factor, value]) => [factor, { value, reason: `The evidence says so of ${factor}.` }]),
  );
  await db.query(
    `insert into opportunities (tenant_id, id, title, status, signal_count, statement_count, customer_count, trend, impact, confidence, strategic_alignment, urgency,
       effort, score, computed, first_signal_at, last_signal_at)
     select $1, ('6f1c2a4e-9d57-4a3b-8a55-' || lpad(n::text, 12, '0'))::uuid, case n when 1 then 'Make the export reliable' when 2 then left($2, 200) else 'Opportunity ' || n end,
       (array['new', 'reviewing', 'accepted', 'rejected'])[1 + n % 4], 100, 90, 20, (array['growing', 'stable', 'emerging', 'declining'])[1 + n % 4],
       8, 0.75, 6, 7, 4, 63 - n, $3, now() - interval '90 days', now() from generate_series(1, 60) n`,
    [tenant, hostile, JSON.stringify(computed)],
  );
  await db.query(
    `insert into opportunity_clusters (tenant_id, id, model, center, size, recount) values ($1, $2, $3, array_fill(0.05::real, array[384])::vector::halfvec, 100, false)`,
    [tenant, opportunityId(1), wordsModel],
  );
  await db.query(
    `insert into opportunity_signals (tenant_id, signal_id, cluster_id, group_id)
     select $1, s.id, $2, s.group_id from signals s join signal_entities x on x.tenant_id = $1 and x.signal_id = s.id and x.entity_id = $3
     where s.tenant_id = $1 and s.class in ('request', 'bug', 'complaint', 'churn_risk') order by s.id limit 100`,
    [tenant, opportunityId(1), entityIdOf(tenant, 'feature', 'Export page')],
  );
  await db.query(
    `insert into opportunity_history (tenant_id, opportunity_id, event, data, by) values ($1, $2, 'status', '{"from": "new", "to": "reviewing", "reason": "It is big."}', 'ann')`,
    [tenant, opportunityId(1)],
  );
}

/** Three days, the newest with a source that failed. */
async function seedBriefs({ db, services }: TestStack, tenant: string, hostile: string, today: string): Promise<void> {
  for (let back = 2; back >= 0; back -= 1) {
    const date = new Date(Date.parse(today) - back * dayMs).toISOString().slice(0, 10);
    await services.briefs.records.keep({
      tenant,
      runId: `run_${date}`,
      date,
      content: {
        executive_summary: `What the press said on ${date}. ${hostile.slice(0, 60)}`,
        highlights: [
          {
            title: `Rivalsoft has news of ${date}`,
            significance: 'It concerns every customer.',
            strategic_implications: '',
            url: 'https://news.example/rivalsoft',
            relevance_score: 8,
            categories: ['competition'],
            evidence: [
              { title: hostile.slice(0, 100), url: 'javascript:alert(1)', source: 'Trade paper', published_at: null, relevance_score: 8 },
              {
                title: 'Rivalsoft grows',
                url: 'https://news.example/rivalsoft',
                source: 'Trade paper',
                published_at: `${date}T06:00:00.000Z`,
                relevance_score: 7,
              },
            ],
          },
        ],
        topic_breakdown: { competition: 4, market: 2 },
        total_articles_analyzed: 6,
        warnings: [],
      },
      input: date,
      model: null,
      dropped: 0,
      createdBy: 'clock',
    });
    await db.query(
      `insert into brief_sources (tenant_id, run_id, feed_id, ok, articles, attempts, duration_ms, error_code, error)
       select $1, $2, 'feed_' || n, n < 3, 4 - n, n, 800 * n, case n when 3 then 'TIMEOUT' end, case n when 3 then 'It did not answer in 20 s.' end from generate_series(1, 3) n`,
      [tenant, `run_${date}`],
    );
  }
}

/** For the rules that hold for all screens, which do not depend on the number of statements. */
export async function seedInsight(stack: TestStack, hostile: string): Promise<string[]> {
  const { report, prd, opportunity } = await fillInsight(stack, 'acme', hostile, 40);
  return [
    '/console/signals',
    '/console/signals?id=sig_seed7',
    '/console/insight',
    '/console/insight?tab=trends&window=90',
    '/console/insight?tab=strategy',
    '/console/insight?tab=whatif&name=Export+breaks',
    '/console/opportunities',
    `/console/opportunities/${opportunity}`,
    '/console/drafts',
    '/console/drafts?tab=schedules',
    `/console/drafts/${report}`,
    `/console/drafts/${prd}`,
    '/console/briefs',
  ];
}
