import type { Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { notFound } from '../../contracts/errors.ts';
import type { SignalHere } from '../../contracts/knowledge/reading.ts';
import { severities } from '../../contracts/signals/signals.ts';
import { passagesBySearch, type EntityLookup, type GraphService } from '../graph/index.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { KnowledgeSearch, KnowledgeService } from '../knowledge/index.ts';
import { SignalClassifiers } from './classifiers.ts';
import { correctSignal, type Correction } from './correct.ts';
import { scaleOf } from '../kernel/model-scale.ts';
import { embedSignals } from './embed.ts';
import { readDocuments, type Reading, type Slice } from './read.ts';
import { signalFacets, type SignalFacets } from './facets.ts';
import { searchSignals, type FoundSignals, type SignalQuery } from './search.ts';
import { signalsById, type SignalView } from './view.ts';
import { InsightService } from './insight/index.ts';
import { Readings } from './readings.ts';
import { Rereading } from './rereading/index.ts';
import { OpportunityService } from './opportunities/index.ts';

/** Per page of passages; a page has at most 100. */
const shownInPassages = 2_000;

export { correctIn, type Correction } from './correct.ts';
export { forgetTitles } from './opportunities/lifecycle.ts';
export type { SignalQuery } from './search.ts';
export { signalsById } from './view.ts';

interface SignalsDeps {
  lookup: EntityLookup;
  /** Finds passages by their words. */
  words: Pick<KnowledgeSearch, 'chunks'>;
  /** Called after documents were read and signals corrected; never fails. */
  changed(tenant: string): Promise<void>;
}

export interface WholeSignal extends SignalView {
  /** Its passage and location. UTF-16 offsets, `end` exclusive. */
  passage: { text: string; start: number; end: number };
  document_id: string;
  source_id: string;
  classifier: string;
  corrected_by: string | null;
  /** Near-duplicates, at most 20. */
  similar: string[];
}

/** Customer signals, statement by statement. */
export class SignalsService extends Service<'embedder' | 'localEmbedder' | 'language' | 'languageReads' | 'log', SignalsDeps> {
  private readonly classifiers = new SignalClassifiers(this.deps);

  /**
   * Extracts signals from these documents.
   * @returns figures of the documents that were read
   */
  async read(
    tenant: string,
    documentIds: readonly string[],
    options: Reading & Slice,
  ): Promise<{ documents: number; signals: number; left?: Record<string, number>; next?: string }> {
    const { db, embedder, localEmbedder, language, languageReads, log } = this.deps;
    // Thresholds depend on it.
    if (embedder) await scaleOf(embedder);
    const done = await readDocuments(
      { db, embedder, localEmbedder, language, languageReads, log, classifiers: this.classifiers },
      tenant,
      documentIds,
      options,
    );
    // Also when there are none: the source's former statements are gone.
    if (done.documents > 0) await this.deps.changed(tenant);
    return done;
  }

  /**
   * Gives signals without a vector of the current model one. After a kill the next call continues.
   * @throws AppError SERVICE_UNAVAILABLE when the model cannot be used
   */
  async embed(tenant: string, options: { beat(): void; signal: AbortSignal }): Promise<void> {
    await embedSignals(this.deps, tenant, options);
  }

  /** @throws AppError VALIDATION_ERROR, AMBIGUOUS_ENTITY, NOT_FOUND */
  async search(tenant: string, query: SignalQuery): Promise<FoundSignals> {
    return await searchSignals(this.deps, tenant, query);
  }

  /** @throws AppError VALIDATION_ERROR, AMBIGUOUS_ENTITY, NOT_FOUND */
  async facets(tenant: string, wanted: Omit<SignalQuery, 'limit' | 'cursor' | 'query'>): Promise<SignalFacets> {
    return await signalFacets(this.deps, tenant, wanted);
  }

  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async get(tenant: string, id: string): Promise<WholeSignal> {
    const { query } = this.db;
    const [view] = await signalsById(query, tenant, [id]);
    const [row] = await query<{
      body: string;
      start: number;
      end: number;
      document_id: string;
      source_id: string;
      classifier: string;
      corrected_by: string | null;
      similar: string[] | null;
    }>(
      `select c.body, s.start_at as start, s.end_at as "end", s.document_id, s.source_id, s.classifier, s.corrected_by,
         (select array_agg(g.id) from (select o.id from signals o where o.tenant_id = $1 and o.group_id = s.group_id and o.id <> s.id order by o.id limit 20) g) as similar
       from signals s join chunks c on c.tenant_id = $1 and c.id = s.chunk_id where s.tenant_id = $1 and s.id = $2`,
      [tenant, id],
    );
    if (!view || !row) throw notFound('signal', id, 'signal.record.search finds the signals of your tenant.');
    const { body, start, end, similar, ...rest } = row;
    return { ...view, ...rest, passage: { text: body, start, end }, similar: similar ?? [] };
  }

  /** Statements in these passages, in order. */
  async inPassages(tenant: string, chunkIds: readonly string[]): Promise<Map<string, SignalHere[]>> {
    const rows = await this.db.query<Omit<SignalHere, 'severity' | 'occurred_at'> & { severity: number; at: Date; chunk_id: string } & Row>(
      `select chunk_id::text, id as signal_id, start_at as start, end_at as "end", class, severity, author, occurred_at as at from signals
       where tenant_id = $1 and chunk_id = any($2::bigint[]) order by chunk_id, start_at, id limit ${shownInPassages}`,
      [tenant, chunkIds],
    );
    const found = new Map<string, SignalHere[]>(chunkIds.map((id) => [id, []]));
    for (const { chunk_id, severity, at, ...signal } of rows) {
      found.get(chunk_id)?.push({ ...signal, severity: severities[severity]!, occurred_at: at.toISOString() });
    }
    return found;
  }

  /**
   * @returns the updated signal; `removed`: it is none, and is gone
   * @throws AppError VALIDATION_ERROR (nothing is corrected), NOT_FOUND
   */
  async correct({ tenant, principal }: Caller, id: string, correction: Correction): Promise<WholeSignal & { removed?: true }> {
    const before = correction.class === 'none' ? await this.get(tenant, id) : null;
    await correctSignal(this.db, tenant, id, correction, principal);
    await this.deps.changed(tenant);
    return before ? { ...before, removed: true } : await this.get(tenant, id);
  }
}

export function createSignals(kernel: Kernel, { knowledge }: { knowledge: KnowledgeService }, { graph }: { graph: GraphService }) {
  const { lookup } = graph;
  const opportunities = new OpportunityService(kernel);
  const rereading: Rereading = new Rereading({ ...kernel, read: (tenant, ids, options) => signals.read(tenant, ids, options) });
  const changed = async (tenant: string): Promise<void> => {
    await opportunities.wakeSoon(tenant);
    await rereading.wakeSoon(tenant);
  };
  const signals = new SignalsService({ ...kernel, lookup, words: knowledge.search, changed });
  return {
    opportunities,
    rereading,
    readings: new Readings({ ...kernel, again: (tenant) => rereading.wakeSoon(tenant) }),
    signals,
    insight: new InsightService({ ...kernel, lookup, find: passagesBySearch(knowledge.search) }),
  };
}
