import type { SystemHealth } from '../../../../contracts/health.ts';
import { useRead } from '../../api/call.ts';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Panel } from '../../ui/Panel.tsx';

const aspectOf = (status: string): AspectName =>
  status === 'disabled' ? 'out' : status === 'down' ? 'stop' : status === 'behind' ? 'caution' : 'clear';

/** What Signalbox stands on, and whether it works. */
export function Parts() {
  const health = useRead<SystemHealth>('system.health.get');
  return (
    <Panel title="Parts" query={health}>
      {({ database, workflow_engine, vector_store, embeddings, neo4j_sync }) => (
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 p-4">
          {(
            [
              ['Postgres', database.status],
              ['Temporal', workflow_engine.status],
              [`Vectors (${vector_store.kind})`, vector_store.status],
              ['Embeddings', embeddings.status],
              ['Neo4j', neo4j_sync.status],
            ] as const
          ).map(([name, status]) => (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd>
                <Aspect is={aspectOf(status)}>{status.replace('_', ' ')}</Aspect>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
