/** Entities and evidence as resolution writes them, inserted directly. */
import { randomBytes } from 'node:crypto';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { newId } from '../../contracts/ids.ts';
import { addContribution } from '../../services/graph/fold.ts';
import { nameKey } from '../../engines/text/names.ts';
import { insertAliases, insertEntities } from '../../services/graph/resolve-records.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';
import type { TestStack } from './stack.ts';

export interface SeedEntity {
  type: string;
  name: string;
  aliases?: string[];
  area?: string;
  description?: string;
  metadata?: Record<string, unknown>;
  /** Counted, without documents. */
  signals?: number;
  /** Merged away into the entity of this id, which has its names then. */
  mergedInto?: string;
  /** Its name gets a vector. */
  embedded?: boolean;
}

/** @returns the entity's id */
export async function seedEntity(stack: TestStack, tenant: string, seed: SeedEntity): Promise<string> {
  const id = newId('ent');
  const vector = seed.embedded && stack.embedder ? (await stack.embedder.embed([seed.name]))[0] : undefined;
  await asTenant(tenant, () =>
    stack.db.transaction(async (query) => {
      await insertEntities(query, tenant, [{ id, type: seed.type, name: seed.name, certain: true }]);
      await query(
        `update entities set area = $3, description = $4, metadata = $5, signal_count = $6, status = $7, merged_into = $8, model = $9,
           embedding = $10::halfvec where tenant_id = $1 and id = $2`,
        [
          tenant,
          id,
          seed.area ?? null,
          seed.description ?? null,
          JSON.stringify(seed.metadata ?? {}),
          seed.signals ?? 0,
          seed.mergedInto === undefined ? 'active' : 'merged',
          seed.mergedInto ?? null,
          vector ? stack.embedder!.id : null,
          vector ? `[${vector.join(',')}]` : null,
        ],
      );
      const owner = seed.mergedInto ?? id;
      const names = [seed.name, ...(seed.aliases ?? [])].map((alias, i) => ({
        entityId: owner,
        type: seed.type,
        key: nameKey(alias),
        alias,
        origin: seed.mergedInto !== undefined ? ('merge' as const) : i === 0 ? ('name' as const) : ('resolution' as const),
      }));
      await insertAliases(query, tenant, names);
    }),
  );
  return id;
}

export interface SeedSignal {
  text: string;
  title?: string;
  /** When it was said. Default: now. */
  at?: Date;
  /** Entities that it mentions, by the words it uses for them: they must occur in the text. */
  mentions?: Record<string, string>;
}

/** An active document of one passage that a search finds by its words. @returns the document's id */
export async function seedSignal(stack: TestStack, tenant: string, seed: SeedSignal): Promise<string> {
  const id = `doc_${randomBytes(8).toString('hex')}`;
  const title = seed.title ?? 'Call';
  const terms = termFrequencies(`${title} ${seed.text}`);
  const length = [...terms.values()].reduce((sum, n) => sum + n, 0);
  await asTenant(tenant, () =>
    stack.db.transaction(async (query) => {
      await query(`insert into knowledge_bases (tenant_id, id, name) values ($1, 'default', 'default') on conflict do nothing`, [tenant]);
      const [base] = await query<{ scope: number }>(`select scope from knowledge_bases where tenant_id = $1 and id = 'default'`, [tenant]);
      await query(
        `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status, document_id, chunk_count)
         values ($1, $2, 'default', $2, $3, 'transcript', 'active', $4, 1)`,
        [tenant, `source_${id}`, title, id],
      );
      await query(
        `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, graph, said_at)
         values ($1, $2, $3, $4, $2, $2, 'txt', $5, 'active', 1, 1, $6, 'resolved', $7)`,
        [tenant, id, `source_${id}`, base!.scope, title, length, seed.at ?? new Date()],
      );
      const [chunk] = await query<{ id: string }>(
        `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, title, body, place, end_place, terms)
         values ($1, $2, $3, $4, 0, $5, $6, '{}', '{}', $7) returning id`,
        [tenant, base!.scope, id, `source_${id}`, title, seed.text, length],
      );
      await query(
        `insert into postings (tenant_id, scope, term, chunk_id, tf, dl) select $1, $2::int, p.term, $3::bigint, p.tf, $6::int
         from unnest($4::text[], $5::real[]) p(term, tf)`,
        [tenant, base!.scope, chunk!.id, [...terms.keys()], [...terms.values()], length],
      );
      for (const [entityId, words] of Object.entries(seed.mentions ?? {})) {
        const start = seed.text.indexOf(words);
        if (start < 0) throw new Error(`"${words}" is not in the text`);
        await query(
          `insert into entity_mentions (tenant_id, document_id, chunk_id, start_at, end_at, surface, type, key, certain, confidence, origin, entity_id, assigned_by)
           select $1, $2, $3, $4, $5, $6, type, $7, true, 0.9, 'rules', id, 'name' from entities where tenant_id = $1 and id = $8`,
          [tenant, id, chunk!.id, start, start + words.length, words, nameKey(words), entityId],
        );
      }
      await addContribution(query, tenant, [id], 1);
    }),
  );
  return id;
}
