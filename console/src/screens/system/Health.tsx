import { useQueryClient } from '@tanstack/react-query';
import type { SystemHealth } from '../../../../contracts/health.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { HealthHistory } from './HealthHistory.tsx';
import { aspectOf, span } from './model.ts';
import { counted, worded } from '../../ui/words.ts';

const State = ({ is }: { is: string }) => <Aspect is={aspectOf(is)}>{worded(is)}</Aspect>;

export function Health() {
  const health = useRead<SystemHealth>('system.health.get');
  const queries = useQueryClient();
  const graph = useAct('graph.projection.rebuild');
  const vectors = useAct('index.projection.rebuild');
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel
        title="Parts"
        query={health}
        aside={
          <button
            type="button"
            className="control"
            onClick={() => void queries.invalidateQueries({ queryKey: ['tool', 'system.health.get'] })}
          >
            {health.isFetching ? 'Checking…' : 'Check again'}
          </button>
        }
      >
        {({ status, database, workflow_engine, vector_store, embeddings, neo4j_sync }) => (
          <Facts
            rows={[
              ['Overall', <State is={status} />],
              [
                'Postgres',
                <>
                  <State is={database.status} />
                  {database.latency_ms !== null && <span className="text-soft"> in {database.latency_ms} ms</span>}
                </>,
              ],
              ['Temporal', <State is={workflow_engine.status} />],
              [`Vectors (${vector_store.kind})`, <State is={vector_store.status} />],
              [
                'Embeddings',
                <>
                  <State is={embeddings.status} /> {embeddings.model}
                </>,
              ],
              ['Neo4j', <State is={neo4j_sync.status} />],
            ]}
          />
        )}
      </Panel>
      <div className="grid gap-4">
        <Panel title="Waiting work" query={health}>
          {({ pending_ingestion_jobs, failed_stages_waiting, entity_resolution_queue, last_pipeline_run: run }) => (
            <Facts
              rows={[
                ['Ingestions', pending_ingestion_jobs?.toLocaleString('en') ?? 'unknown'],
                ['Parked stages', failed_stages_waiting?.toLocaleString('en') ?? 'unknown'],
                ['Open entity reviews', entity_resolution_queue?.toLocaleString('en') ?? 'unknown'],
                [
                  'Last pipeline run',
                  run ? (
                    <>
                      {run.status}, <Age at={run.finished_at ?? run.started_at} />
                      {run.documents !== null && `, ${counted(run.documents, 'document')}`} <RecordLink type="job" id={run.job_id} />
                    </>
                  ) : (
                    'none'
                  ),
                ],
              ]}
            />
          )}
        </Panel>
        <Panel title="Copies outside Postgres" query={health}>
          {({ neo4j_sync: { status, pending, lag_seconds }, vector_store }) => (
            <div className="grid gap-3 pb-4">
              <Facts
                rows={[
                  [
                    'Graph in Neo4j',
                    status === 'disabled' ? (
                      'none: graph queries use Postgres'
                    ) : (
                      <>
                        <State is={status} /> {pending !== null && `${counted(pending, 'entity', 'entities')} to copy`}
                        {lag_seconds !== null && lag_seconds > 0 && `, ${span(lag_seconds)} behind`}
                      </>
                    ),
                  ],
                  ['Vectors', vector_store.kind === 'qdrant' ? 'in Qdrant' : 'in Postgres: there is no copy'],
                ]}
              />
              <div className="flex flex-wrap gap-3 px-4">
                {status !== 'disabled' && (
                  <ActButton
                    tool="graph.projection.rebuild"
                    act={graph}
                    args={() => ({})}
                    confirm={{
                      title: 'Rebuild the copy in Neo4j?',
                      text: <p>The copy is rewritten from Postgres. Until then, graph queries use Postgres.</p>,
                    }}
                  >
                    Rebuild the graph
                  </ActButton>
                )}
                {vector_store.kind === 'qdrant' && (
                  <ActButton
                    tool="index.projection.rebuild"
                    act={vectors}
                    args={() => ({})}
                    confirm={{
                      title: 'Rebuild the vectors in Qdrant?',
                      text: <p>The vectors are rewritten from Postgres. Until then, searches use Postgres.</p>,
                    }}
                  >
                    Rebuild the vectors
                  </ActButton>
                )}
              </div>
              <Outcome act={graph}>It is being built.</Outcome>
              <Outcome act={vectors}>They are being built.</Outcome>
            </div>
          )}
        </Panel>
      </div>
      <HealthHistory />
    </div>
  );
}
