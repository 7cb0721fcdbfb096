import { useSession } from '../../api/session.ts';
import { useMay } from '../../ui/Act.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { NoRight } from '../../ui/Panel.tsx';
import { useUrl } from '../../url.ts';
import { CardView } from './CardView.tsx';
import { Peers } from './Peers.tsx';
import { Tasks } from './Tasks.tsx';

const defaults = { tab: 'card', v: '1.0', skill: '', id: '', state: '' };
export type A2aUrl = typeof defaults;

/** This platform as an agent of the A2A protocol: its card, messages to it with their states, and its peers. */
export default function A2a() {
  const [url, set] = useUrl(defaults);
  const { data: facts } = useSession();
  const may = useMay();
  if (!facts) return null;
  return (
    <Page title="A2A">
      {!facts.features.a2a ? (
        <p className="card p-4">
          A2A is switched off on this server: <code className="font-mono text-xs">A2A_ENABLED=true</code> switches it on.
        </p>
      ) : (
        <>
          <Tabs
            label="A2A"
            tabs={
              [
                ['card', 'Card and skills'],
                ['tasks', 'Messages'],
                ['peers', 'Peers'],
              ] as const
            }
            at={url.tab === 'tasks' || url.tab === 'peers' ? url.tab : 'card'}
            onChange={(tab) => set({ tab })}
          />
          {url.tab === 'tasks' ? (
            may('agent.a2a.list') === 'deny' ? (
              <NoRight tool="agent.a2a.list" scope="agent:read" />
            ) : (
              <Tasks url={url} set={set} />
            )
          ) : url.tab === 'peers' ? (
            may('agent.peer.list') === 'deny' ? (
              <NoRight tool="agent.peer.list" scope="agent:read" />
            ) : (
              <Peers />
            )
          ) : (
            <CardView
              version={url.v === '0.3' ? '0.3' : '1.0'}
              onVersion={(v) => set({ v })}
              onTry={may('agent.a2a.send') === 'deny' ? undefined : (skill) => set({ tab: 'tasks', skill })}
            />
          )}
        </>
      )}
    </Page>
  );
}
