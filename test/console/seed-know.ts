/** Documents, entities, facts and questions, with hostile texts where documents and people write. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { levelsOf } from '../../engines/linkage/names.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';
import { nameKey } from '../../engines/text/names.ts';
import { openReview, pairOf } from '../../services/kernel/reviews/reviews-records.ts';
import { seedEntity, seedSignal } from '../setup/graph.ts';
import type { TestStack } from '../setup/stack.ts';

/** A document of many passages under headings, found by words. @returns its id */
export async function seedDocument(
  stack: TestStack,
  tenant: string,
  title: string,
  bodies: { heading: string; body: string }[],
): Promise<string> {
  const first = await seedSignal(stack, tenant, { text: bodies[0]!.body, title });
  await asTenant(tenant, async () => {
    const { query } = stack.db;
    await query(`update chunks set place = $3, end_place = $3 where tenant_id = $1 and document_id = $2`, [
      tenant,
      first,
      JSON.stringify({ line: 1, page: 1, headings: [bodies[0]!.heading] }),
    ]);
    for (const [i, { heading, body }] of bodies.entries()) {
      if (i === 0) continue;
      const terms = termFrequencies(body, title);
      const length = [...terms.values()].reduce((sum, n) => sum + n, 0);
      const [chunk] = await query<{ id: string; scope: number }>(
        `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, title, body, place, end_place, terms)
         select tenant_id, scope, document_id, source_id, $3, title, $4, $5, $5, $6 from chunks where tenant_id = $1 and document_id = $2 and ordinal = 0
         returning id, scope`,
        [tenant, first, i, body, JSON.stringify({ line: i * 5 + 1, page: 1 + Math.floor(i / 4), headings: [heading] }), length],
      );
      await query(
        `insert into postings (tenant_id, scope, term, chunk_id, tf, dl) select $1, $2::int, p.term, $3::bigint, p.tf, $6::int
         from unnest($4::text[], $5::real[]) p(term, tf)`,
        [tenant, chunk!.scope, chunk!.id, [...terms.keys()], [...terms.values()], length],
      );
    }
    await query('update documents set chunk_count = $3 where tenant_id = $1 and id = $2', [tenant, first, bodies.length]);
    await query('update knowledge_sources set chunk_count = $3 where tenant_id = $1 and document_id = $2', [tenant, first, bodies.length]);
  });
  return first;
}

/** A question of the matcher about two entities. @returns its id */
export async function seedQuestion(
  stack: TestStack,
  tenant: string,
  a: { id: string; name: string },
  b: { id: string; name: string },
): Promise<string> {
  const [left, right] = [nameKey(a.name), nameKey(b.name)];
  const id = await asTenant(tenant, () =>
    stack.db.transaction((query) =>
      openReview(query, tenant, {
        action: 'merge',
        type: 'customer',
        subject: { a: a.id, b: b.id, levels: levelsOf({ key: left, type: 'customer' }, { key: right, type: 'customer' }) },
        pair: pairOf('customer', left, right),
        confidence: 0.7,
        evidence: ['the names differ by spelling only'],
        origin: 'resolution',
        createdBy: 'signalbox',
      }),
    ),
  );
  return id!;
}

/** An entity with this many neighbours. @returns its id */
export async function seedHub(stack: TestStack, tenant: string, name: string, neighbours: number): Promise<string> {
  const hub = await seedEntity(stack, tenant, { type: 'customer', name });
  await asTenant(tenant, async () => {
    await stack.db.query(
      `insert into entities (tenant_id, id, type, name, origin, created_by, mention_count, signal_count)
       select $1, 'ent_' || $3 || lpad(i::text, 5, '0'), (array['theme', 'feature', 'issue', 'stakeholder'])[1 + i % 4], $2 || ' neighbour ' || i, 'extraction', 'x', i % 40, i % 20
       from generate_series(1, $4::int) i`,
      [tenant, name, hub.slice(-6), neighbours],
    );
    await stack.db.query(
      `insert into entity_relations (tenant_id, source_id, target_id, kind, passages, documents)
       select $1, least($2, n), greatest($2, n), 'mentioned_with', $4::int + 1 - i, 1 from (select i, 'ent_' || $3 || lpad(i::text, 5, '0') as n from generate_series(1, $4::int) i) x`,
      [tenant, hub, hub.slice(-6), neighbours],
    );
    // Neighbours know each other, too.
    await stack.db.query(
      `insert into entity_relations (tenant_id, source_id, target_id, kind, passages, documents)
       select $1, 'ent_' || $2 || lpad(i::text, 5, '0'), 'ent_' || $2 || lpad((i + 1)::text, 5, '0'), 'mentioned_with', 1, 1 from generate_series(1, $3::int - 1) i`,
      [tenant, hub.slice(-6), neighbours],
    );
    await stack.db.query('update entities set mention_count = 900, signal_count = 300 where tenant_id = $1 and id = $2', [tenant, hub]);
  });
  return hub;
}

/** A dated fact. */
export const seedFact = (
  stack: TestStack,
  tenant: string,
  fact: { id: string; subject: string; predicate: string; object: string; statement: string; from: string; to?: string },
) =>
  asTenant(tenant, () =>
    stack.db.query(
      `insert into graph_facts (tenant_id, id, subject_id, predicate, object_id, statement, exclusive, valid_from, valid_to, recorded_from, recorded_to, passages, confidence)
       values ($1, $2, $3, $4, $5, $6, false, $7, $8, $7, $8, 1, 0.9)`,
      [tenant, fact.id, fact.subject, fact.predicate, fact.object, fact.statement, fact.from, fact.to ?? null],
    ),
  );

/** @param text where documents and people write @returns addresses of screens that show it */
export async function seedKnowledge(stack: TestStack, text: string, tenant = 'acme'): Promise<string[]> {
  const sql = (statement: string, values: unknown[] = []) => asTenant(tenant, () => stack.db.query(statement, values));
  const bodies = Array.from({ length: 40 }, (_, i) => ({
    heading: `Chapter ${Math.floor(i / 4)}`,
    body:
      i === 3
        ? `Hostile: ${text.slice(0, 4_000)}`
        : `Passage ${i} says that the export of invoices fails on Mondays, and that somebody should look into it soon. `.repeat(3),
  }));
  const document = await seedDocument(stack, tenant, 'Notes about invoices', bodies);
  const odd = await seedDocument(stack, tenant, text.slice(0, 3_000), bodies.slice(0, 3));
  const customer = {
    id: await seedEntity(stack, tenant, { type: 'customer', name: 'Northwind Traders', aliases: ['Northwind', 'NWT'] }),
    name: 'Northwind Traders',
  };
  const twin = { id: await seedEntity(stack, tenant, { type: 'customer', name: 'Northwind Tradrs' }), name: 'Northwind Tradrs' };
  const strange = {
    id: await seedEntity(stack, tenant, { type: 'customer', name: text.slice(0, 400), aliases: [`${text.slice(0, 300)} x`] }),
    name: text.slice(0, 400),
  };
  for (let i = 0; i < 3; i += 1) {
    await seedSignal(stack, tenant, {
      text: `Call ${i}: Northwind Traders wants the export of invoices.`,
      title: `Call ${i}`,
      mentions: { [customer.id]: 'Northwind Traders' },
    });
  }
  await seedSignal(stack, tenant, {
    text: 'Northwind Tradrs wrote about invoices.',
    title: 'Mail',
    mentions: { [twin.id]: 'Northwind Tradrs' },
  });
  await seedQuestion(stack, tenant, customer, twin);
  await seedQuestion(stack, tenant, strange, customer);
  const hub = await seedHub(stack, tenant, 'Fabrikam', 80);
  await seedFact(stack, tenant, {
    id: 'fact_k1',
    subject: customer.id,
    predicate: 'owned_by',
    object: hub,
    statement: 'Northwind Traders is owned by Fabrikam.',
    from: '2024-02-01',
    to: '2025-06-01',
  });
  await seedFact(stack, tenant, {
    id: 'fact_k2',
    subject: customer.id,
    predicate: 'partner_of',
    object: hub,
    statement: 'Northwind Traders is a partner of Fabrikam.',
    from: '2025-06-01',
  });
  await sql(
    `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, occurred_at, class, class_confidence, sentiment, severity, group_id, classifier, author)
     select $1, 'sig_know', document_id, source_id, id, 0, 40, substr(body, 1, 40), 'document', now(), 'bug', 1, -0.5, 3, 'sig_know', 'test', $3 from chunks where tenant_id = $1 and document_id = $2 and ordinal = 5`,
    [tenant, document, text.slice(0, 200)],
  );
  await sql(
    `insert into drafts (tenant_id, id, kind, type, audience, title, spec, status, job_id, created_by) values ($1, 'draft_know', 'artifact', 'brd', 'internal', $2, '{}', 'ready', 'job_k', 'x')`,
    [tenant, text.slice(0, 200)],
  );
  await sql(
    `insert into draft_sources (tenant_id, draft_id, number, ref, kind, excerpt, occurred_at, weight) values ($1, 'draft_know', 1, $2, 'passage', 'the export of invoices fails on Mondays', now(), 1)`,
    [tenant, `${document}#5`],
  );
  await sql(
    `insert into entity_links (tenant_id, entity_id, external_system, external_id, url, created_by) values ($1, $2, 'crm', $3, 'https://crm.example/4711', 'x')`,
    [tenant, customer.id, text.slice(0, 100)],
  );
  await sql(
    `insert into entity_history (tenant_id, entity_id, event, change_id, data, by_whom) values ($1, $2, 'alias_added', 'change_k', $3, $4)`,
    [tenant, customer.id, JSON.stringify({ alias: 'NWT' }), text.slice(0, 100)],
  );
  const at = `/console/entities/${customer.id}`;
  return [
    '/console/search',
    '/console/search?q=export+of+invoices&why=yes',
    `/console/search?q=invoices&open=${encodeURIComponent(`${document}#5`)}`,
    '/console/search?tab=facts&q=Northwind',
    '/console/sources',
    `/console/sources?add=yes&id=source_${odd}`,
    `/console/documents/${document}?names=yes#5`,
    `/console/documents/${odd}`,
    '/console/entities',
    at,
    `${at}?tab=facts`,
    `${at}?tab=mentions`,
    `/console/entities/${hub}?tab=around`,
    `${at}?tab=history`,
    `/console/entities/${strange.id}`,
    '/console/reviews',
    '/console/reviews?blind=off&both=yes',
    '/console/reviews?status=rejected',
  ];
}
