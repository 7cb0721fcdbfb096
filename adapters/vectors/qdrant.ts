import { createHash } from 'node:crypto';
import { QdrantClient, type Schemas } from '@qdrant/js-client-rest';
import { AppError } from '../../contracts/errors.ts';
import { passageTerms, queryTerms } from './sparse.ts';
import type { Found, PassageFilter, ProjectedVectors } from './types.ts';

export interface QdrantOptions {
  /** `http://host:6333`, with a path behind a proxy. */
  url: string;
  apiKey?: string | undefined;
  /** Id of the embedding model: each model has its own collection. */
  model: string;
  dimensions: number;
  /** Prefix of the collection's name; must differ between installations that share a Qdrant. */
  prefix: string;
  /** Timeout of a search, in ms. Default 2,000: then Postgres searches. */
  searchTimeoutMs?: number;
  /** Timeout of a write, in ms. Default 30,000. */
  writeTimeoutMs?: number;
}

type Condition = Schemas['FieldCondition'];

/** Passages read per page of document ids. */
const pageSize = 5_000;

/** Half precision, as in Postgres. One graph per tenant and none over all: no search crosses tenants. */
const shape = (dimensions: number) =>
  ({
    vectors: { dense: { size: dimensions, distance: 'Cosine', datatype: 'float16' } },
    sparse_vectors: { words: { modifier: 'idf' } },
    hnsw_config: { m: 0, payload_m: 16 },
  }) as const;

const indexes: Record<string, Schemas['PayloadSchemaParams']> = {
  tenant: { type: 'keyword', is_tenant: true },
  scope: { type: 'integer', lookup: true, range: false, enable_hnsw: false },
  document_id: { type: 'keyword', enable_hnsw: false },
  source_id: { type: 'keyword', enable_hnsw: false },
  has_code: { type: 'bool', enable_hnsw: false },
};

/** A collection of Qdrant that holds the vectors of one model, for all tenants. Connects at first use. */
export function openQdrant(options: QdrantOptions): ProjectedVectors {
  const { model, dimensions } = options;
  const collection = collectionName(options.prefix, model);
  const reader = connect(options, options.searchTimeoutMs ?? 2_000);
  const writer = connect(options, options.writeTimeoutMs ?? 30_000);
  // Later writes must not overtake earlier ones: a document is removed and written again.
  const durably = { wait: true, ordering: 'medium' } as const;

  async function search(wanted: PassageFilter & { limit: number }, query: Schemas['QueryRequest']): Promise<Found[]> {
    if (wanted.model !== model || wanted.limit <= 0) return [];
    const { points } = await answered(() =>
      reader.query(collection, { ...query, filter: filterOf(wanted), limit: wanted.limit, with_payload: ['document_id'] }),
    );
    return points
      .map(({ id, score, payload }) => ({ id: String(id), score, documentId: String(payload?.['document_id']) }))
      .sort((one, other) => other.score - one.score || Number(one.id) - Number(other.id));
  }

  const remove = (filter: Schemas['Filter']) => answered(() => writer.delete(collection, { ...durably, filter }));

  async function schemaOf(): Promise<Schemas['CollectionInfo'] | null> {
    try {
      return await answered(() => writer.getCollection(collection));
    } catch (error) {
      if (error instanceof AppError && error.details?.['status'] === 404) return null;
      throw error;
    }
  }

  return {
    name: 'qdrant',
    model,
    follower: `vectors:qdrant:${model}`,

    async nearest({ vector, documents, ...wanted }) {
      return await search(
        { ...wanted, ...(documents ? { documents } : {}) },
        { query: [...vector], using: 'dense', params: { hnsw_ef: Math.max(128, wanted.limit) } },
      );
    },

    async byTerms({ terms, ...wanted }) {
      if (terms.size === 0) return [];
      // Document frequency among the searchable passages, as in BM25. Before 1.19 Qdrant counts the whole collection.
      const corpus = filterOf({ ...wanted, sources: undefined, hasCode: undefined });
      return await search(wanted, { query: queryTerms(terms), using: 'words', params: { idf: { corpus } } });
    },

    exists: async () => (await schemaOf()) !== null,

    async ensure() {
      let found = await schemaOf();
      if (!found) {
        await answered(() => writer.createCollection(collection, shape(dimensions)));
        found = await schemaOf();
      }
      const { dense } = (found?.config.params.vectors ?? {}) as Record<string, { size?: number } | undefined>;
      if (dense?.size !== dimensions) {
        throw new AppError('CONFLICT', `Qdrant's collection "${collection}" is not one of ours: its vectors differ from the model's.`, {
          hint: 'Set QDRANT_COLLECTION to another name, or delete that collection.',
        });
      }
      for (const [field_name, field_schema] of Object.entries(indexes)) {
        if (found?.payload_schema[field_name]) continue;
        await answered(() => writer.createPayloadIndex(collection, { ...durably, field_name, field_schema }));
      }
    },

    async upsert(tenant, points) {
      if (points.length === 0) return;
      await answered(() =>
        writer.upsert(collection, {
          ...durably,
          points: points.map((point) => ({
            id: Number(point.id),
            vector: {
              dense: point.vector,
              ...(point.terms.length > 0 ? { words: passageTerms(point.terms, point.length) } : {}),
            },
            payload: {
              tenant,
              scope: point.scope,
              document_id: point.documentId,
              source_id: point.sourceId,
              has_code: point.hasCode,
            },
          })),
        }),
      );
    },

    async removeDocuments(tenant, ids) {
      if (ids.length > 0) await remove({ must: [is('tenant', tenant), isAny('document_id', ids)] });
    },

    async removeTenant(tenant) {
      await remove({ must: [is('tenant', tenant)] });
    },

    async count(tenant) {
      const filter = tenant === undefined ? {} : { filter: { must: [is('tenant', tenant)] } };
      return (await answered(() => reader.count(collection, { ...filter, exact: true }))).count;
    },

    async documents(tenant, cursor) {
      const { points, next_page_offset: next } = await answered(() =>
        writer.scroll(collection, {
          filter: { must: [is('tenant', tenant)] },
          limit: pageSize,
          ...(cursor === null ? {} : { offset: Number(cursor) }),
          with_payload: ['document_id'],
        }),
      );
      const ids = new Set(points.map(({ payload }) => String(payload?.['document_id'])));
      return { ids: [...ids], next: typeof next === 'number' ? String(next) : null };
    },

    async health() {
      await answered(() => reader.collectionExists(collection));
    },

    // Idle connections close by themselves, and keep no process alive.
    close: () => Promise.resolve(),
  };
}

/** A model id that Qdrant does not accept, or that is ambiguous, is replaced by a hash. */
export function collectionName(prefix: string, model: string): string {
  const plain = model.replace(':', '_').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  const same = plain.replace('_', ':') === model || plain === model;
  return `${prefix}-${plain}${same && !model.includes('_') ? '' : `-${createHash('sha256').update(model).digest('hex').slice(0, 8)}`}`;
}

const is = (key: string, value: string | boolean): Condition => ({ key, match: { value } });
const isAny = (key: string, any: string[] | number[]): Condition => ({ key, match: { any } });

function filterOf({ tenant, scopes, hidden, sources, hasCode, documents }: PassageFilter & { documents?: string[] }): Schemas['Filter'] {
  return {
    must: [
      is('tenant', tenant),
      isAny('scope', scopes),
      ...(sources ? [isAny('source_id', sources)] : []),
      ...(documents ? [isAny('document_id', documents)] : []),
      ...(hasCode === undefined ? [] : [is('has_code', hasCode)]),
    ],
    ...(hidden.length > 0 ? { must_not: [isAny('document_id', hidden)] } : {}),
  };
}

function connect({ url, apiKey }: QdrantOptions, timeout: number): QdrantClient {
  const { protocol, hostname, port, pathname } = new URL(url);
  // The client ignores Qdrant's own port, and URLs drop a scheme's default port even if it was written.
  const written = /^https?:\/\/[^/]*:(80|443)(?:\/|$)/.exec(url)?.[1];
  return new QdrantClient({
    url: `${protocol}//${hostname}`,
    port: Number(port || written || 6333),
    prefix: pathname.replace(/\/+$/, ''),
    timeout,
    checkCompatibility: false,
    // With `apiKey` the client would print a warning about plain http to the console, which is our log.
    ...(apiKey === undefined ? {} : { headers: { 'api-key': apiKey } }),
  });
}

/** Maps any failure to "the copy is unavailable". */
async function answered<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { status, data, name } = error as { status?: number; data?: { status?: { error?: string } }; name?: string };
    const problem =
      status !== undefined
        ? `answered ${status}: ${String(data?.status?.error ?? 'no reason given').slice(0, 200)}`
        : name === 'QdrantClientTimeoutError'
          ? 'did not answer in time'
          : 'cannot be reached';
    throw new AppError('SERVICE_UNAVAILABLE', `The vector store (Qdrant) ${problem}.`, {
      hint: status === 401 || status === 403 ? 'Check QDRANT_API_KEY.' : 'Check QDRANT_URL, and whether Qdrant runs.',
      retryAfterSeconds: 5,
      details: { store: 'qdrant', ...(status === undefined ? {} : { status }) },
      cause: error,
    });
  }
}
