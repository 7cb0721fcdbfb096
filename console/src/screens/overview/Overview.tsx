import { useQueryClient } from '@tanstack/react-query';
import type { Overview as Counts } from '../../../../contracts/overview.ts';
import { useRead } from '../../api/call.ts';
import { mayAny, useSession } from '../../api/session.ts';
import { hasScreen } from '../../screens.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Page } from '../../ui/Page.tsx';
import { Command, Panel } from '../../ui/Panel.tsx';
import { Age } from '../../ui/Time.tsx';
import { Agents } from './Agents.tsx';
import { Calls } from './Calls.tsx';
import { Events } from './Events.tsx';
import { isNew, waitingOf, type Waiting } from './model.ts';
import { Parts } from './Parts.tsx';
import { Running } from './Running.tsx';
import { Today } from './Today.tsx';
import { Track } from './Track.tsx';
import { WaitingLink } from './WaitingLink.tsx';

/** Whether anything needs the user, in ten seconds. */
export default function Overview() {
  const { data: facts } = useSession();
  const queries = useQueryClient();
  const may = (tool: string): boolean => Boolean(facts && mayAny(facts, [tool]));
  const counts = useRead<Counts>('system.overview.get', {}, may('system.overview.get'));
  if (!facts) return null;
  return (
    <Page
      title="Overview"
      actions={
        <>
          {counts.data && (
            <span>
              Counted <Age at={counts.data.at} />
            </span>
          )}
          <button type="button" className="control" onClick={() => void queries.invalidateQueries()}>
            {counts.isFetching ? 'Counting…' : 'Count again'}
          </button>
        </>
      }
    >
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid content-start gap-4">
          {may('system.overview.get') ? (
            <>
              <Needs counts={counts} />
              {counts.data && isNew(counts.data) ? <Connect /> : <Track counts={counts} />}
            </>
          ) : (
            <p className="card p-4">Your key may not read the counts: it lacks the scope work:read, or belongs to a team.</p>
          )}
          {may('approval.request.list') && <Calls />}
          <div className="grid gap-4 lg:grid-cols-2">
            {may('agent.activity.list') && <Agents />}
            {may('system.overview.get') && <Running counts={counts} />}
          </div>
        </div>
        <div className="grid content-start gap-4">
          {may('event.stream.subscribe') && <Events />}
          {may('system.overview.get') && <Today counts={counts} />}
          {may('system.health.get') && <Parts />}
        </div>
      </div>
    </Page>
  );
}

function Needs({ counts }: { counts: ReturnType<typeof useRead<Counts>> }) {
  return (
    <Panel title="Needs a person" query={counts}>
      {(now) => {
        const waiting = waitingOf(now);
        if (waiting.length === 0) {
          return (
            <p className="flex items-center gap-2 p-4 text-lg">
              <Aspect is="clear" /> Nothing waits for you.
            </p>
          );
        }
        return (
          <ul className="divide-y divide-line">
            {waiting.map((one) => (
              <Line key={one.text} one={one} />
            ))}
          </ul>
        );
      }}
    </Panel>
  );
}

function Line({ one }: { one: Waiting }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2 px-4 py-2 max-sm:grid-cols-[auto_minmax(0,1fr)]">
      <span className="pt-0.5">
        <Aspect is={one.aspect} />
      </span>
      <span className="min-w-0">
        {hasScreen(one.path) ? <WaitingLink {...one} /> : <span className="font-semibold">{one.text}</span>}
        {!hasScreen(one.path) && <code className="block font-mono text-xs text-soft">{one.command}</code>}
      </span>
      <span className="text-soft max-sm:col-start-2">
        {one.since && (
          <>
            oldest <Age at={one.since} />
          </>
        )}
        {one.until && (
          <>
            , first expires <Age at={one.until} />
          </>
        )}
      </span>
    </li>
  );
}

/** Before the first agent has come. */
const Connect = () => (
  <Panel title="Connect an agent">
    {() => (
      <div className="p-4">
        <p>No agent is connected, and the board is empty. In the folder of your project:</p>
        <Command text="npx signalbox connect claude-code --write" />
        <p className="mt-3">Or create a task first:</p>
        <Command text={`npx signalbox tasks create "Try the board" --phase 1`} />
        <p className="mt-3">
          <a href="/about" className="hit">
            Other clients, and the address for each
          </a>
        </p>
      </div>
    )}
  </Panel>
);
