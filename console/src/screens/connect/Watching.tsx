import { useEffect, useState } from 'react';
import type { KeyView } from '../../../../contracts/governance/keys.ts';
import type { Event } from '../../../../contracts/outbound/events.ts';
import { useRead } from '../../api/call.ts';
import { latest, told } from '../../api/live.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Age, Clock } from '../../ui/Time.tsx';
import { connectedBy } from './model.ts';

/** The first use of the key that was made here, and its first calls, as their events come. */
export function Watching({ keyId }: { keyId: string }) {
  const [events, setEvents] = useState<Event[]>(() => latest.get());
  useEffect(() => told.on((fresh) => setEvents((all) => [...fresh.filter(({ type }) => type.startsWith('key.')), ...all])), []);
  const may = useMay();
  const found = useRead<{ keys: KeyView[] }>(
    'access.key.list',
    { search: keyId, limit: 1 },
    keyId !== '' && may('access.key.list') !== 'deny',
  );
  const key = found.data?.keys[0];
  const { at, calls } = connectedBy(events, keyId);
  // After a reload the events are gone, but the key knows that it was used.
  const since = at ?? key?.last_used_at ?? null;
  const by = calls[0]?.by ?? key?.name;
  return (
    <Panel title="4. First call">
      {() => (
        <div className="grid gap-3 p-4" role="status">
          {keyId === '' ? (
            <p className="text-soft">Create a key here. Its first call appears in this panel.</p>
          ) : since === null ? (
            <Aspect is="caution">Waiting for the first call{key ? ` of ${key.name}` : ''}…</Aspect>
          ) : (
            <p>
              <Aspect is="clear">connected</Aspect> {at ? <Clock at={at} /> : <Age at={since} />}
              {by !== undefined && (
                <>
                  {' '}
                  by <Outside text={by} most={128} />
                </>
              )}
            </p>
          )}
          {calls.length > 0 && (
            <ol aria-label="First calls" className="grid gap-1">
              {calls.map(({ at: when, tool, front, code }, i) => (
                <li key={i} className="flex flex-wrap items-center gap-x-3">
                  <Clock at={when} />
                  <code className="font-mono text-xs">{tool}</code>
                  <span className="text-soft">{front}</span>
                  <Aspect is={code === null ? 'clear' : 'stop'}>{code ?? 'answered'}</Aspect>
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
    </Panel>
  );
}
