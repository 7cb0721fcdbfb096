import { useRead, usePages } from '../../api/call.ts';
import type { HistoryEntry, RunningLease } from '../../../../contracts/work/history.ts';
import type { LedgerEntry } from '../../../../contracts/governance/ledger.ts';
import { useMay } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Tabs } from '../../ui/Page.tsx';
import { Failure, Panel, Skeleton } from '../../ui/Panel.tsx';
import { Age, Clock } from '../../ui/Time.tsx';
import { Timeline } from './Timeline.tsx';
import { wordsOf } from './timeline.ts';

interface Answer {
  entries: HistoryEntry[];
  lease: RunningLease | null;
}
const rows = ({ entries }: Answer) => entries;

/** What happened to the task, newest first, with its picture. */
export function History({ id, show, onShow }: { id: string; show: string; onShow: (show: string) => void }) {
  const history = usePages<Answer, HistoryEntry>('work.task.history', { task_id: id, limit: 200 }, rows);
  const may = useMay();
  const last = history.data?.rows.find(({ change }) => change === 'claimed' || change === 'taken_over');
  const next = history.data?.rows.findLast(({ rev, kind }) => last !== undefined && kind === 'change' && rev > last.rev);
  // The calls of whoever held it last, under that token.
  const calls = useRead<{ events: LedgerEntry[] }>(
    'system.ledger.search',
    { principal: last?.agent ?? '', since: last?.at ?? '', ...(next ? { until: next.at } : {}), folded: true, limit: 100 },
    Boolean(last?.agent) && may('system.ledger.search') !== 'deny',
  );
  return (
    <Panel title="Timeline">
      {() =>
        history.data === undefined ? (
          history.isError ? (
            <Failure error={history.error} retry={() => void history.refetch()} />
          ) : (
            <Skeleton />
          )
        ) : (
          <div className="p-4">
            {history.isError && <Failure error={history.error} retry={() => void history.refetch()} />}
            <Tabs
              label="Show"
              at={show}
              onChange={onShow}
              tabs={[
                ['all', 'All'],
                ['lease', 'Leases'],
                ['decisions', 'Decisions'],
                ['calls', 'Calls'],
              ]}
            />
            <Timeline
              entries={history.data.rows.toReversed()}
              lease={history.data.first.lease}
              calls={(calls.data?.events ?? []).map((event) => ({
                id: String(event.event_id),
                at: Date.parse(event.at),
                tool: event.tool,
                failed: event.error_code !== null,
              }))}
              show={show}
            />
            {show === 'calls' ? (
              <ol aria-label="Calls of the last holder" className="mt-3 divide-y divide-line">
                {(calls.data?.events ?? []).map((event) => (
                  <li key={event.event_id} className="flex flex-wrap gap-x-3 py-1">
                    <Clock at={event.at} /> <code className="font-mono text-xs">{event.tool}</code>
                    {event.error_code !== null && <span className="text-stop">{event.error_code}</span>}
                  </li>
                ))}
                {calls.data?.events.length === 0 && <li className="py-1 text-soft">No call of its last holder is in the ledger.</li>}
              </ol>
            ) : (
              <ol aria-label="History" className="mt-3 divide-y divide-line">
                {history.data.rows
                  .filter(
                    (entry) =>
                      show === 'all' ||
                      (show === 'lease' ? entry.fencing_token !== null || entry.refused : entry.as !== null && entry.as !== 'holder'),
                  )
                  .map((entry) => {
                    const { what, detail } = wordsOf(entry);
                    return (
                      <li key={entry.id} className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-1 ${entry.refused ? 'text-stop' : ''}`}>
                        <span className="text-soft">
                          <Age at={entry.refused?.last_at ?? entry.at} />
                        </span>
                        <span className="min-w-0">
                          <strong>{what}</strong>
                          {entry.fencing_token !== null && !entry.refused && (
                            <span className="text-token"> token {entry.fencing_token}</span>
                          )}{' '}
                          <Outside text={detail} most={500} />
                        </span>
                      </li>
                    );
                  })}
              </ol>
            )}
            {history.more && (
              <button type="button" className="control mt-3" disabled={history.isFetchingNextPage} onClick={history.more}>
                Earlier
              </button>
            )}
          </div>
        )
      }
    </Panel>
  );
}
