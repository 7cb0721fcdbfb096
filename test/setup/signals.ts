/** Signals with documents, passages and entities as ingestion leaves them, without reading or classifying anything. */
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { derivedId } from '../../contracts/ids.ts';
import { severities, type Severity, type SignalClass, type SignalSource } from '../../contracts/signals/signals.ts';
import { countSignals } from '../../services/signals/insight/counting.ts';
import { terms } from '../../engines/retrieval/terms.ts';

export interface TestSignal {
  statement: string;
  class: SignalClass;
  /** ISO 8601 */
  at: string;
  sentiment?: number;
  severity?: Severity;
  source?: SignalSource;
  author?: string;
  area?: string;
  /** By type, names: `{ customer: ['Acme'], issue: ['Login fails'] }`. */
  about?: Record<string, string[]>;
  /** Signals with the same group are nearly equal. */
  group?: string;
}

export const entityIdOf = (tenant: string, type: string, name: string): string => derivedId('ent', tenant, type, name);

/** Writes each signal with a document of its own. @returns their ids, in order */
export async function writeSignals(db: Database, tenant: string, signals: TestSignal[]): Promise<string[]> {
  return await asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
      const [base] = await query<{ scope: number }>(
        `insert into knowledge_bases (tenant_id, id, name) values ($1, 'signals', 'signals')
         on conflict (tenant_id, id) do update set name = excluded.name returning scope`,
        [tenant],
      );
      const ids: string[] = [];
      for (const [i, signal] of signals.entries()) {
        const key = derivedId('t', tenant, signal.statement, signal.at, String(i));
        const words = terms(signal.statement);
        const [document, source, id] = [`doc_${key}`, `src_${key}`, `sig_${key}`];
        await query(
          `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status, document_id) values ($1, $2, 'signals', $2, $3, 'text', 'active', $4)`,
          [tenant, source, signal.statement.slice(0, 80), document],
        );
        await query(
          `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, graph, said_at, signals_read_at)
           values ($1, $2, $3, $4, $2, $2, 'text', $5, 'active', 1, 1, $7, 'resolved', $6, now())`,
          [tenant, document, source, base!.scope, signal.statement.slice(0, 80), signal.at, words.length],
        );
        const [chunk] = await query<{ id: string }>(
          `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, terms)
           values ($1, $2, $3, $4, 0, $5, '{}', '{}', $6) returning id`,
          [tenant, base!.scope, document, source, signal.statement, words.length],
        );
        await query(
          `insert into postings (tenant_id, scope, term, chunk_id, tf, dl)
           select $1, $2, w.term, $3, count(*), $5 from unnest($4::text[]) w(term) group by w.term`,
          [tenant, base!.scope, chunk!.id, words, words.length],
        );
        await query(
          `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, author, occurred_at, area,
             class, class_confidence, sentiment, severity, group_id, classifier)
           values ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9, $10, $11, $12, 1, $13, $14, $15, 'test')`,
          [
            tenant,
            id,
            document,
            source,
            chunk!.id,
            signal.statement.length,
            signal.statement,
            signal.source ?? 'document',
            signal.author ?? null,
            signal.at,
            signal.area ?? null,
            signal.class,
            signal.sentiment ?? 0,
            severities.indexOf(signal.severity ?? 'none'),
            signal.group ?? id,
          ],
        );
        for (const [type, names] of Object.entries(signal.about ?? {})) {
          for (const name of names) {
            const entity = entityIdOf(tenant, type, name);
            await query(
              `insert into entities (tenant_id, id, type, name, area, origin, created_by, signal_count, mention_count, first_seen_at, last_seen_at)
               values ($1, $2, $3, $4, $5, 'extraction', 'test', 1, 1, $6, $6)
               on conflict (tenant_id, id) do update set signal_count = entities.signal_count + 1, mention_count = entities.mention_count + 1,
                 first_seen_at = least(entities.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(entities.last_seen_at, excluded.last_seen_at)`,
              [tenant, entity, type, name, signal.area ?? null, signal.at],
            );
            await query(
              `insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by) values ($1, $2, lower($3), $4, $3, 'name', 'test')
               on conflict do nothing`,
              [tenant, type, name, entity],
            );
            await query(
              `insert into entity_mentions (tenant_id, document_id, chunk_id, start_at, end_at, surface, type, key, certain, confidence, origin, entity_id, assigned_by)
               values ($1, $2, $3, 0, $4, $5, $6, lower($5), true, 1, 'rules', $7, 'name')`,
              [tenant, document, chunk!.id, signal.statement.length, name, type, entity],
            );
            await query('insert into signal_entities (tenant_id, signal_id, entity_id, type, occurred_at) values ($1, $2, $3, $4, $5)', [
              tenant,
              id,
              entity,
              type,
              signal.at,
            ]);
          }
        }
        ids.push(id);
      }
      await countSignals(query, tenant, ids, 1);
      return ids;
    }),
  );
}
