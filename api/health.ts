import type { Deps } from '../services/index.ts';
import type { GraphSync } from '../services/kernel/projections/index.ts';
import type { Health, PartHealth } from './parts.ts';

/** An answer is reused for this time, in ms: probes must not become load. */
const freshFor = 1_000;
const timeoutMs = 2_000;

/**
 * Asks each dependency whether it answers. Until the database is opened everything counts as down.
 * @param graphSync state of the copy of the graph
 */
export function healthOf(deps: () => Deps | undefined, graphSync?: () => Promise<GraphSync>): () => Promise<Health> {
  let last: { at: number; health: Promise<Health> } | null = null;
  return () => {
    if (!last || Date.now() - last.at > freshFor) last = { at: Date.now(), health: check(deps(), graphSync) };
    return last.health;
  };
}

async function check(deps: Deps | undefined, graphSync: (() => Promise<GraphSync>) | undefined): Promise<Health> {
  if (!deps) return { postgres: { up: false, detail: 'not reached yet' }, temporal: { up: false, detail: 'not asked yet' } };
  const { connection } = deps.temporal.client;
  const { projected, graphCopy } = deps;
  const [postgres, qdrant, neo4j, sync, temporal] = await Promise.all([
    answers(() => deps.db.query('select 1')),
    projected ? answers(() => projected.health()) : null,
    graphCopy ? answers(() => graphCopy.health()) : null,
    graphSync ? syncHealth(graphSync) : null,
    answers(() => connection.withDeadline(Date.now() + timeoutMs, () => connection.workflowService.getSystemInfo({}))),
  ]);
  return {
    postgres,
    // Reads need only Postgres: an api that left the load balancer with Temporal would take them along.
    temporal: {
      ...temporal,
      optional: true,
      writes: true,
      ...(temporal.up ? {} : { detail: 'does not answer: reads are answered, calls that need a process are refused until it does' }),
    },
    embeddings: deps.embedder
      ? {
          up: !deps.embedder.resting,
          optional: true,
          detail: deps.embedder.resting ? `${deps.embedder.id} does not answer: search runs on words alone` : deps.embedder.id,
        }
      : { up: false, optional: true, detail: 'no model: search runs on words alone' },
    ...(qdrant
      ? { qdrant: { ...qdrant, optional: true, ...(qdrant.up ? {} : { detail: 'does not answer: Postgres searches the vectors' }) } }
      : {}),
    ...(neo4j
      ? { neo4j: { ...neo4j, optional: true, ...(neo4j.up ? {} : { detail: 'does not answer: Postgres traverses the graph' }) } }
      : {}),
    ...(sync ? { neo4j_sync: sync } : {}),
  };
}

async function syncHealth(graphSync: () => Promise<GraphSync>): Promise<PartHealth> {
  let found: GraphSync | undefined;
  await answers(async () => (found = await graphSync()));
  if (!found) return { up: false, optional: true, detail: 'not known' };
  const { state, pending, lag_seconds: lag } = found;
  return { up: state !== 'down', optional: true, detail: state === 'behind' ? `behind: ${pending} entities, ${lag} s` : state };
}

async function answers(ask: () => Promise<unknown>): Promise<PartHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => (timer = setTimeout(reject, timeoutMs, new Error('late'))));
  try {
    await Promise.race([ask(), late]);
    return { up: true };
  } catch {
    return { up: false, detail: 'does not answer' };
  } finally {
    clearTimeout(timer);
  }
}
