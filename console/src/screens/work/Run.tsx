import { useState } from 'react';
import type { WorkRun } from '../../../../contracts/work/runs.ts';
import type { Comment } from '../../../../contracts/work/work.ts';
import { useMay } from '../../ui/Act.tsx';
import { Markdown } from '../../ui/Markdown.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Tabs } from '../../ui/Page.tsx';
import { NoRight, Panel } from '../../ui/Panel.tsx';
import { Id } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { counted, worded } from '../../ui/words.ts';
import { Changes } from './Changes.tsx';
import { Checks } from './Checks.tsx';
import { Decide } from './Decide.tsx';
import { filesOf, price, statOf, stuckWords } from './run.ts';
import { Duration } from './Duration.tsx';
import { PullRequest } from './PullRequest.tsx';
import { Standing } from './Standing.tsx';
import { Steps } from './Steps.tsx';
import { useTail } from './useRuns.ts';

/** Steps of an agent that are shown at once; more on request. */
const most = 300;

/** One run: how it stands, what a person may decide, and what the agent did. @param last number of its last event, about */
export function Run({
  task,
  id,
  last,
  comments,
  part,
  onPart,
}: {
  task: string;
  id: string;
  last: number;
  comments: Comment[];
  part: string;
  onPart: (part: string) => void;
}) {
  const may = useMay();
  const [from, setFrom] = useState(() => Math.max(0, last - most));
  const tail = useTail(task, id, from);
  if (may('work.run.tail') === 'deny') return <NoRight tool="work.run.tail" scope="work:read" />;
  return (
    <Panel title="Run" query={tail} aside={tail.data && <Standing run={tail.data.run} />}>
      {({ run, events }) => {
        const chosen = part || (run.state !== 'running' && run.patch_artifact !== null ? 'changes' : 'steps');
        return (
          <>
            <Decide run={run} remarks={comments.filter(({ path }) => path !== null).length} />
            {run.summary !== null && (
              <div className="px-4 pt-2">
                <Markdown text={run.summary} />
              </div>
            )}
            <Facts rows={factsOf(run, filesOf(events))} />
            <div className="px-4 pb-4">
              <Tabs
                label="Parts of the run"
                at={chosen}
                onChange={onPart}
                tabs={[
                  ['steps', 'Steps', run.events],
                  ['changes', 'Changes', run.files_changed],
                  ['checks', 'Checks', run.checks.length],
                ]}
              />
              {chosen === 'changes' ? (
                <Changes run={run} comments={comments} />
              ) : chosen === 'checks' ? (
                <Checks checks={run.checks} />
              ) : (
                <Steps run={run} events={events} more={from > 0 ? () => setFrom(Math.max(0, from - most)) : undefined} />
              )}
            </div>
          </>
        );
      }}
    </Panel>
  );
}

function factsOf(run: WorkRun, files: string[]): Parameters<typeof Facts>[0]['rows'] {
  const { usage, review } = run;
  const numbers = [
    `${usage.input_tokens.toLocaleString('en')} in`,
    `${usage.output_tokens.toLocaleString('en')} out`,
    `${usage.cached_tokens.toLocaleString('en')} from a cache`,
  ].join(', ');
  return [
    [
      'Agent',
      <span key="a">
        <Outside text={`${run.agent} ${run.agent_version ?? ''}`} most={100} />, attempt {run.attempt}, by{' '}
        <Outside text={run.worker} most={80} /> on <Outside text={run.host} most={60} />
      </span>,
    ],
    [
      'Took',
      <span key="t">
        <Duration run={run} />, begun <Age at={run.started_at} />
        {run.last_event_at !== null && run.ended_at === null && (
          <>
            , last heard of <Age at={run.last_event_at} />
          </>
        )}
      </span>,
    ],
    run.stuck !== null && [
      'Stuck',
      <span key="s">
        {stuckWords[run.stuck.reason]} <Age at={run.stuck.since} />
        {run.stuck.detail !== null && (
          <>
            : <Outside text={run.stuck.detail} most={300} />
          </>
        )}
      </span>,
    ],
    ['Tokens', numbers],
    ['Cost', price(usage.cost_usd) ?? 'not told by the agent'],
    run.outcome !== null && ['Outcome', worded(run.outcome)],
    run.reason !== null && ['Reason', <Outside key="r" text={run.reason} most={4_000} />],
    statOf(run) !== '' && ['Changed', `${statOf(run)}, ${counted(run.commits, 'commit')}`],
    run.repository !== null && ['Repository', <Outside key="p" text={run.repository} most={200} />],
    run.branch !== null && [
      'Branch',
      <span key="b">
        <Outside text={run.branch} most={200} />
        {run.base !== null && (
          <>
            {' '}
            for <Outside text={run.base} most={100} />
          </>
        )}
      </span>,
    ],
    run.head_commit !== null && ['Commit', <Id key="c">{run.head_commit}</Id>],
    run.pull_request !== null && ['Pull request', <PullRequest key="r" is={run.pull_request} />],
    run.merged_commit !== null && ['Merged as', <Id key="m">{run.merged_commit}</Id>],
    review !== null && [
      'Review',
      <span key="v">
        {review.verdict === 'approve' ? 'approved' : 'sent back'} by <Outside text={review.by} most={80} /> <Age at={review.at} />
        {review.note !== null && (
          <>
            : <Outside text={review.note} most={4_000} />
          </>
        )}
      </span>,
    ],
    run.session_id !== null && ['Session', <Id key="s">{run.session_id}</Id>],
    files.length > 0 && [
      'Files touched',
      <ul key="f">
        {files.slice(0, 20).map((path) => (
          <li key={path} className="font-mono text-xs">
            <Outside text={path} most={200} />
          </li>
        ))}
        {files.length > 20 && <li className="text-soft">and {files.length - 20} more</li>}
      </ul>,
    ],
  ];
}
