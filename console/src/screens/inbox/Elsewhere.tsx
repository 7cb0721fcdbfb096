/** Items whose own screens show more: shown in short, with the way there. */
import { Link } from '@tanstack/react-router';
import type { InboxItem } from '../../../../contracts/inbox.ts';
import { hasScreen } from '../../screens.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Command } from '../../ui/Panel.tsx';
import { Id, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { counted, percent } from '../../ui/words.ts';

function Way({ to, search, text, command }: { to: string; search?: Record<string, string>; text: string; command: string }) {
  if (!hasScreen(to)) return <Command text={command} />;
  return (
    <Link to={to} search={search ?? {}} className="control">
      {text}
    </Link>
  );
}

export function Review({ item }: { item: InboxItem }) {
  const data = item.data as {
    action: string;
    type: string;
    confidence: number | null;
    status: string;
    decided_by: string | null;
    evidence: string[];
    a: { entity_id: string | null; name: string | null };
    b: { entity_id: string | null; name: string | null };
  };
  const asks: Record<string, string> = {
    merge: 'Are these two the same?',
    split: 'Does the name belong to another?',
    alias: 'Is this a name of it?',
  };
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p role="status" className="px-4 pt-4">
        <Aspect is={item.open ? 'caution' : 'clear'}>
          {item.open ? (asks[data.action] ?? data.action) : `It is ${data.status}${data.decided_by ? ` by ${data.decided_by}` : ''}.`}
        </Aspect>
      </p>
      <Facts
        rows={[
          ['A', <Named one={data.a} />],
          ['B', <Named one={data.b} />],
          ['Type', data.type],
          ['Confidence', data.confidence === null ? null : percent(data.confidence)],
          ['Since', <Age at={item.since} suffix="" />],
          [
            'Because',
            <ul>
              {data.evidence.slice(0, 5).map((line, i) => (
                <li key={i}>
                  <Outside text={line} />
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      <div className="px-4">
        <Way
          to="/console/reviews"
          search={{ id: item.id }}
          text="Open the review"
          command={`npx signalbox tools call entity.merge.confirm '{"feedback_id":"${item.id}"}'`}
        />
      </div>
    </div>
  );
}

const Named = ({ one }: { one: { entity_id: string | null; name: string | null } }) =>
  one.entity_id === null ? (
    <Outside text={one.name ?? 'unknown'} />
  ) : (
    <RecordLink type="entity" id={one.entity_id}>
      <Outside text={one.name ?? one.entity_id} />
    </RecordLink>
  );

export function Definition({ item }: { item: InboxItem }) {
  const data = item.data as {
    server: string;
    tool: string;
    state: string;
    hash: string;
    description: string | null;
    approved_description: string | null;
    decided_by: string | null;
  };
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p role="status" className="px-4 pt-4">
        <Aspect is={item.open ? 'caution' : 'clear'}>
          {item.open ? `It ${item.note}. It cannot be called until it is approved.` : 'It is approved.'}
        </Aspect>
      </p>
      <Facts
        rows={[
          ['Tool', <Outside text={data.tool} />],
          ['Server', <Outside text={data.server} />],
          ['Changed', <Age at={item.since} />],
          ['Approved before', data.state === 'changed' && data.decided_by ? <Outside text={data.decided_by} /> : null],
          ['Now', <Outside text={data.description ?? 'no description'} most={2_000} />],
          ['As approved', data.approved_description === null ? null : <Outside text={data.approved_description} most={2_000} />],
          ['Hash', <Id>{data.hash}</Id>],
        ]}
      />
      <div className="px-4">
        <Way
          to={`/console/servers/${data.server}`}
          search={{ tool: data.tool }}
          text="Compare and approve"
          command={`npx signalbox servers approve ${data.server}`}
        />
      </div>
    </div>
  );
}

export function Work({ item }: { item: InboxItem }) {
  const data = item.data as {
    task_id: string;
    outcome: string | null;
    branch: string | null;
    files_changed: number;
    insertions: number;
    deletions: number;
  };
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p role="status" className="px-4 pt-4">
        <Aspect is={item.open ? 'caution' : 'clear'}>
          {!item.open ? 'It was decided.' : data.outcome === 'done' ? 'It waits for a review.' : 'The agent waits for an answer.'}
        </Aspect>
      </p>
      <Facts
        rows={[
          ['Task', <Outside text={item.title} most={300} />],
          ['Agent', item.who && <Outside text={item.who} most={200} />],
          ['Changed', `+${data.insertions} −${data.deletions} in ${counted(data.files_changed, 'file')}`],
          ['Branch', data.branch && <Outside text={data.branch} most={200} />],
          ['Since', <Age at={item.since} suffix="" />],
          [data.outcome === 'done' ? 'Summary' : 'Says', item.note && <Outside text={item.note} most={4_000} />],
        ]}
      />
      <div className="px-4">
        <Way
          to={`/console/work/${data.task_id}`}
          search={{ run: item.id }}
          text="Open the work"
          command={`npx signalbox tools call work.run.review '{"run_id":"${item.id}","verdict":"approve"}'`}
        />
      </div>
    </div>
  );
}
