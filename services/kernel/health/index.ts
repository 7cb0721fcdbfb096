import type { PipelineRun, SystemHealth, WatchedPart } from '../../../contracts/health.ts';
import type { GraphSync, ProjectionService } from '../projections/index.ts';
import { Service } from '../service.ts';
import { HealthWatch } from './watch.ts';

/** A dependency that does not answer within this time counts as down, in ms. */
const patience = 2_000;
/** The shared state is cached for this time, in ms: probes must not become load. */
const freshFor = 1_000;

type Shared = Pick<SystemHealth, 'neo4j_sync' | 'workflow_engine' | 'vector_store' | 'embeddings'>;

/** State of the platform, as a tenant sees it. Checks everything concurrently, with timeouts. */
export class HealthService extends Service<
  'temporal' | 'projected' | 'graphCopy' | 'embedder' | 'duties' | 'log',
  { projections: Pick<ProjectionService, 'graphSync'> }
> {
  readonly watch = new HealthWatch({ ...this.deps, health: this });
  private shared: { at: number; found: Promise<Shared> } | null = null;

  /** Never fails: an unavailable part is `down`, and values that depend on it are null. */
  async system(tenant: string): Promise<SystemHealth> {
    const started = Date.now();
    const [waiting, shared] = await Promise.all([within(this.waiting(tenant)), this.sharedParts()]);
    const database = waiting
      ? ({ status: 'up', latency_ms: Date.now() - started } as const)
      : ({ status: 'down', latency_ms: null } as const);
    const parts = { database, ...shared };
    return {
      status: overall(parts),
      ...parts,
      pending_ingestion_jobs: waiting?.ingestion ?? null,
      failed_stages_waiting: waiting?.parked ?? null,
      entity_resolution_queue: waiting?.reviews ?? null,
      last_pipeline_run: waiting?.last ?? null,
    };
  }

  /** The parts that this platform has, each with its state. Never fails. */
  async parts(): Promise<Map<WatchedPart, string>> {
    const [database, shared] = await Promise.all([answers(() => this.db.query('select 1')), this.sharedParts()]);
    return new Map<WatchedPart, string>([
      ['database', database ? 'up' : 'down'],
      ['workflow_engine', shared.workflow_engine.status],
      ...(shared.vector_store.kind === 'qdrant' ? [['vector_store', shared.vector_store.status] as const] : []),
      ...(shared.neo4j_sync.status === 'disabled' ? [] : [['neo4j_sync', shared.neo4j_sync.status] as const]),
    ]);
  }

  private sharedParts(): Promise<Shared> {
    if (!this.shared || Date.now() - this.shared.at > freshFor) this.shared = { at: Date.now(), found: this.lookAround() };
    return this.shared.found;
  }

  private async lookAround(): Promise<Shared> {
    const { temporal, projected, graphCopy, embedder, projections } = this.deps;
    const { connection } = temporal.client;
    const [engine, vectors, graph, sync] = await Promise.all([
      answers(() => connection.withDeadline(Date.now() + patience, () => connection.workflowService.getSystemInfo({}))),
      projected ? answers(() => projected.health()) : null,
      graphCopy ? answers(() => graphCopy.health()) : null,
      within(projections.graphSync()),
    ]);
    return {
      neo4j_sync: syncOf(graph, sync),
      workflow_engine: { status: engine ? 'up' : 'down' },
      vector_store: projected ? { kind: 'qdrant', status: vectors ? 'up' : 'down' } : { kind: 'pgvector', status: 'up' },
      embeddings: { status: !embedder ? 'disabled' : embedder.resting ? 'down' : 'up', model: embedder?.id ?? null },
    };
  }

  /** Waiting work of one tenant, in one statement. */
  private async waiting(tenant: string) {
    const [row] = await this.db.query<{ ingestion: number; parked: number; reviews: number; last: PipelineRun | null }>(
      `select
         (select count(*)::int from jobs where tenant_id = $1 and status in ('queued', 'running') and kind = any($2)) as ingestion,
         (select count(*)::int from dlq_items where tenant_id = $1 and status = 'parked') as parked,
         (select count(*)::int from reviews where tenant_id = $1 and kind = 'entity_match' and status in ('pending', 'deciding')) as reviews,
         (select jsonb_build_object('job_id', id, 'scope', spec->>'scope', 'status', status, 'started_at', created_at, 'finished_at', finished_at,
            'documents', result->'documents', 'done', progress->'done', 'total', progress->'total') from jobs where tenant_id = $1 and kind = 'pipeline' order by created_at desc limit 1) as last`,
      [tenant, ingestionKinds],
    );
    const { last, ...counts } = row!;
    return {
      ...counts,
      last: last && { ...last, started_at: utc(last.started_at), finished_at: last.finished_at && utc(last.finished_at) },
    };
  }
}

const ingestionKinds = ['ingest', 'ingest_run'];

const utc = (text: string): string => new Date(text).toISOString();

/** Without the database nothing works; without the workflow engine nothing new starts. Copies only add speed. */
function overall({ database, workflow_engine, neo4j_sync, vector_store }: Shared & Pick<SystemHealth, 'database'>): SystemHealth['status'] {
  if (database.status === 'down') return 'unhealthy';
  const away = workflow_engine.status === 'down' || vector_store.status === 'down' || neo4j_sync.status === 'down';
  return away ? 'degraded' : 'healthy';
}

/** @param reachable null: Neo4j is not configured */
function syncOf(reachable: boolean | null, sync: GraphSync | null): SystemHealth['neo4j_sync'] {
  if (reachable === null) return { status: 'disabled', pending: 0, lag_seconds: 0 };
  const figures = { pending: sync?.pending ?? null, lag_seconds: sync?.lag_seconds ?? null };
  return { status: reachable && sync ? sync.state : 'down', ...figures };
}

const answers = async (ask: () => Promise<unknown>): Promise<boolean> =>
  (await within(
    Promise.resolve()
      .then(ask)
      .then(() => true),
  )) ?? false;

/** Null when it fails or takes too long. */
async function within<T>(asked: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, patience, null)));
  try {
    return await Promise.race([asked.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
