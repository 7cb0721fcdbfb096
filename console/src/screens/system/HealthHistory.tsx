import type { HealthHistory as History, PartSpan, WatchedPart } from '../../../../contracts/health.ts';
import { useRead } from '../../api/call.ts';
import { settings, useStore } from '../../settings.ts';
import { useMay } from '../../ui/Act.tsx';
import type { AspectName } from '../../ui/Aspect.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Strip } from '../../ui/Strip.tsx';
import { Picture } from '../../ui/Text.tsx';
import { moment, span } from '../../ui/Time.tsx';
import { worded } from '../../ui/words.ts';
import { aspectOf, workedShare } from './model.ts';

const names: Record<WatchedPart, string> = {
  database: 'Postgres',
  workflow_engine: 'Temporal',
  vector_store: 'Qdrant',
  neo4j_sync: 'Neo4j',
};

const looks: Partial<Record<AspectName, { part: number; className: string }>> = {
  clear: { part: 1, className: 'fill-proceed' },
  caution: { part: 0.7, className: 'fill-caution' },
  stop: { part: 0.4, className: 'fill-stop' },
};
const unwatched = { part: 0.12, className: 'fill-edge' };
const lookOf = (status: string) => (status === 'unwatched' ? unwatched : (looks[aspectOf(status)] ?? unwatched));

/** How each part was in the last 24 hours. */
export function HealthHistory() {
  const may = useMay();
  const allowed = may('system.health.history') !== 'deny';
  const history = useRead<History>('system.health.history', { hours: 24 }, allowed);
  const utc = useStore(settings.utc);
  if (!allowed) return null;
  const said = ({ status, from, to, seconds }: PartSpan): string =>
    `${status === 'unwatched' ? 'Nobody looked' : worded(status)} from ${moment(from, utc)} to ${moment(to, utc)}, ${span(seconds * 1_000)}`;
  return (
    <Panel title="The last 24 hours" query={history} className="lg:col-span-2">
      {({ since, until, parts }) => (
        <div className="grid gap-4 p-4">
          {parts.length === 0 && <p>The api has not looked yet.</p>}
          {parts.map(({ part, spans }) => {
            const share = workedShare(spans);
            return (
              <Picture
                key={part}
                title={`${names[part]} over 24 hours`}
                description={`${names[part]}: ${share === null ? 'nobody looked' : `worked ${share} of the time in which the api looked`}`}
                table={{
                  head: ['State', 'From', 'To', 'For'],
                  rows: spans.map(({ status, from, to, seconds }) => [
                    status === 'unwatched' ? 'nobody looked' : worded(status),
                    moment(from, utc),
                    moment(to, utc),
                    span(seconds * 1_000),
                  ]),
                }}
              >
                <Strip
                  label={`Intervals of ${names[part]}; the arrow keys move`}
                  since={since}
                  until={until}
                  spans={spans.map((one) => ({ from: one.from, to: one.to, ...lookOf(one.status), says: said(one) }))}
                />
              </Picture>
            );
          })}
        </div>
      )}
    </Panel>
  );
}
